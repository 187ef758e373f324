// Which frames are the worst, and their pictures from a database and its files.
#include "report/worst_frames.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/file_identity.h"
#include "io/pair_options.h"
#include "report/side_by_side.h"
#include "store/database.h"
#include "store/scratch.h"
#include "support/counted_clip.h"
#include "support/image_file.h"
#include "support/media_files.h"

namespace vmafbatch::report {
namespace {

using store::add_clip;
using store::some_run;
using testing::shown_gray;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kDistortedLuma = 100;  // of its first picture; the reference's is 16

using Scores = std::vector<double>;  // by frame

class WorstFrames : public ::testing::Test {
 protected:
  WorstFrames() {
    testing::write_counted({}, folder_.path("r.y4m"));
    testing::write_counted({.first_luma = kDistortedLuma}, folder_.path("d.y4m"));
  }

  store::ScoringRecord record(const std::string& clip) const {
    store::ScoringRecord record = store::some_record(clip, "features=psnr " + io::pair_options_text(options_));
    record.reference = identity("r.y4m");
    record.distorted = identity("d.y4m");
    return record;
  }

  store::FileIdentity identity(const std::string& name) const {
    const io::FileIdentity now = io::file_identity(folder_.path(name)).value();
    return {folder_.path(name), now.size_bytes, now.modified_ns, std::nullopt};
  }

  // A scoring with one column.
  void add(store::Writer& writer, const store::ScoringRecord& record, const std::string& feature, const Scores& scores, int subsample = 1) {
    const auto begun = writer.begin_scoring(record, std::vector<store::ColumnSpec>{{feature, store::ColumnScope::kFrame, "psnr", 0}},
                                            std::vector<store::ExtractorSpec>{{"psnr", ""}});
    ASSERT_OK(begun);
    for (size_t i = 0; i < scores.size(); ++i) {
      ASSERT_OK(writer.add_value(begun->id, 0, static_cast<std::int64_t>(i) * subsample, scores[i]));
    }
    store::ScoringEnd end;
    end.frames = static_cast<std::int64_t>(scores.size()) * subsample;
    end.subsample = subsample;
    ASSERT_OK(writer.finish_scoring(begun->id, end));
  }

  // The database with what `fill` adds, opened for reading.
  template <class Fill>
  SQLite::Database& database(Fill&& fill) {
    {
      auto writer = store::Writer::open(folder_.path("a.db"));
      EXPECT_TRUE(writer.ok());
      EXPECT_TRUE((*writer)->begin_run(some_run()).ok());
      fill(**writer);
      EXPECT_TRUE((*writer)->end_run().ok() && (*writer)->close().ok());
    }
    database_ = std::move(store::open_read_only(folder_.path("a.db")).value());
    return *database_;
  }
  SQLite::Database& one_clip(const std::string& feature, const Scores& scores, int subsample = 1) {
    return database([&](store::Writer& writer) { add(writer, record("clip"), feature, scores, subsample); });
  }

  static std::vector<std::int64_t> worst(SQLite::Database& database, const std::string& feature, int count) {
    const std::int64_t column = database.execAndGet("SELECT id FROM scoring_feature").getInt64();
    return worst_frames(database, column, feature, count);
  }

  static Result<std::vector<FramePicture>> made_by(SQLite::Database& database, const FrameWish& wish, const PictureOptions& options) {
    const Result<PicturePlan> plan = plan_pictures(database, wish);
    return plan.ok() ? frame_pictures(*plan, options) : plan.error();
  }
  static std::vector<FramePicture> pictures(SQLite::Database& database, const FrameWish& wish, const PictureOptions& options = {}) {
    Result<std::vector<FramePicture>> made = made_by(database, wish, options);
    EXPECT_TRUE(made.ok()) << made.error().message;
    return made.ok() ? *made : std::vector<FramePicture>();
  }
  static std::string error(SQLite::Database& database, const FrameWish& wish, const PictureOptions& options = {}) {
    const Result<std::vector<FramePicture>> made = made_by(database, wish, options);
    return made.ok() ? "" : made.error().message;
  }

  // That the picture shows these two pictures of the files.
  static void expect_shows(const FramePicture& picture, int reference, int distorted) {
    ASSERT_EQ(picture.problem, "");
    const io::RgbPicture shown = testing::decode_image(picture.bytes, io::ImageFormat::kPng);
    EXPECT_NEAR(testing::panel_middle(shown, 0)[1], shown_gray(16 + reference), 1);
    EXPECT_NEAR(testing::panel_middle(shown, 1)[1], shown_gray(kDistortedLuma + distorted), 1);
    EXPECT_EQ(shown.width, picture.width);
    EXPECT_EQ(shown.height, picture.height);
  }

  testing::TemporaryFolder folder_;
  io::PairOptions options_;
  std::unique_ptr<SQLite::Database> database_;
};

TEST_F(WorstFrames, AreTheLowestWhereHigherIsBetter) {
  SQLite::Database& db = one_clip("psnr_y", {30, 20, kInfinity, 20, -5, 40});
  EXPECT_EQ(worst(db, "psnr_y", 3), (std::vector<std::int64_t>{4, 1, 3})) << "equal ones by number";
  EXPECT_EQ(worst(db, "psnr_y", 99).size(), 6U);
  EXPECT_EQ(worst(db, "psnr_y", 99).back(), 2);
}

TEST_F(WorstFrames, AreTheHighestWhereLowerIsBetter) {
  SQLite::Database& db = one_clip("cambi", {3, 9, kInfinity, 9, 0});
  EXPECT_EQ(worst(db, "cambi", 4), (std::vector<std::int64_t>{2, 1, 3, 0}));
}

TEST_F(WorstFrames, CountMinusInfinityAsTheWorst) {
  SQLite::Database& db = one_clip("psnr_y", {-1e300, -0.0, -kInfinity, 0.0});
  EXPECT_EQ(worst(db, "psnr_y", 4), (std::vector<std::int64_t>{2, 0, 1, 3}));
}

TEST_F(WorstFrames, AreShownWithTheirPicturesAndScores) {
  Scores scores(20, 40.0);
  scores[13] = 7.25;
  scores[4] = 9;
  SQLite::Database& db = one_clip("psnr_y", scores);
  const std::vector<FramePicture> made = pictures(db, {.clip = "clip", .worst = 2, .feature = "psnr_y"});
  ASSERT_EQ(made.size(), 2U);
  expect_shows(made[0], 13, 13);
  expect_shows(made[1], 4, 4);
  EXPECT_EQ(made[0].frame, 13);
  EXPECT_EQ(made[0].time_s, 13 / 25.0);
  EXPECT_EQ(made[0].feature, "psnr_y");
  EXPECT_EQ(made[0].media_type, "image/png");
  EXPECT_EQ(made[0].scores, (std::vector<std::pair<std::string, double>>{{"psnr_y", 7.25}}));
  EXPECT_EQ(made[0].caption, (std::vector<std::string>{"clip   frame 13   time 0.520 s", "number 1 of the lowest psnr_y", "psnr_y 7.25",
                                                       "48x32 4:2:0 8-bit   smpte170m limited (assumed)"}));
}

TEST_F(WorstFrames, AreTheReportedOnesOfASubsampledClip) {
  SQLite::Database& db = one_clip("psnr_y", {40, 40, 12, 40}, 5);
  const std::vector<FramePicture> made = pictures(db, {.clip = "clip", .frames = {11}, .worst = 1});
  ASSERT_EQ(made.size(), 2U);
  expect_shows(made[0], 11, 11);
  EXPECT_TRUE(made[0].scores.empty());
  EXPECT_EQ(made[0].caption[1], "no scores: every 5th frame was reported");
  expect_shows(made[1], 10, 10);
}

TEST_F(WorstFrames, ComeInTheOrderOfTheWishAndOnce) {
  SQLite::Database& db = one_clip("psnr_y", Scores(20, 40.0));
  const std::vector<FramePicture> made = pictures(db, {.clip = "clip", .frames = {7, 2, 7, 19}, .worst = 3});
  std::vector<std::int64_t> frames;
  for (const FramePicture& picture : made) frames.push_back(picture.frame);
  EXPECT_EQ(frames, (std::vector<std::int64_t>{7, 2, 19, 0, 1}));  // 2 is one of the worst, too
  for (const FramePicture& picture : made) expect_shows(picture, static_cast<int>(picture.frame), static_cast<int>(picture.frame));
}

TEST_F(WorstFrames, AreFoundUnderSkipsAndCuts) {
  options_.start_s = 0.2;  // picture 5 of both
  options_.skip_reference = 1;
  options_.skip_distorted = 3;
  SQLite::Database& db = one_clip("psnr_y", Scores(10, 40.0));
  expect_shows(pictures(db, {.clip = "clip", .frames = {4}}).at(0), 10, 12);
  const std::string first = pictures(db, {.clip = "clip", .frames = {0}}).at(0).caption.front();
  EXPECT_EQ(first, "clip   frame 0   time 0.000 s   reference file at 0.240 s   distorted file at 0.320 s");
}

TEST_F(WorstFrames, AreFoundWhereTheClipWasAligned) {
  SQLite::Database& db = database([&](store::Writer& writer) {
    store::ScoringRecord aligned = record("clip");
    aligned.options += " auto_align=true";
    aligned.pictures = "distorted scaled 8x8 -> 16x16 bicubic; " + io::alignment_note(6, std::nullopt);
    add(writer, aligned, "psnr_y", Scores(10, 40.0));
  });
  expect_shows(pictures(db, {.clip = "clip", .frames = {3}}).at(0), 9, 3);
}

TEST_F(WorstFrames, OfTheFirstModelScoreAreTheUsualOnes) {
  const auto fill = [&](bool with_model) {
    return [this, with_model](store::Writer& writer) {
      store::ScoringRecord scored = record("clip");
      if (with_model) scored.models.push_back({"psnr_like", "m.json", "hash"});
      const std::vector<store::ColumnSpec> columns = {{"motion", store::ColumnScope::kFrame, "motion", 0},
                                                      {"psnr_y", store::ColumnScope::kFrame, "psnr", 1},
                                                      {"psnr_like", store::ColumnScope::kFrame, "psnr_like", 2}};
      const auto begun = writer.begin_scoring(scored, columns, std::vector<store::ExtractorSpec>{{"psnr", ""}});
      ASSERT_OK(begun);
      for (int frame = 0; frame < 5; ++frame) {
        ASSERT_OK(writer.add_value(begun->id, 0, frame, frame == 1 ? 0 : 9));
        ASSERT_OK(writer.add_value(begun->id, 1, frame, frame == 2 ? 0 : 9));
        ASSERT_OK(writer.add_value(begun->id, 2, frame, frame == 3 ? 0 : 9));
      }
      store::ScoringEnd end;
      end.frames = 5;
      ASSERT_OK(writer.finish_scoring(begun->id, end));
    };
  };
  EXPECT_EQ(pictures(database(fill(true)), {.clip = "clip", .worst = 1}).at(0).frame, 3);
  EXPECT_EQ(pictures(*database_, {.clip = "clip", .worst = 1, .among = {"psnr_y"}}).at(0).frame, 2) << "of those that are shown";
  EXPECT_EQ(error(*database_, {.clip = "clip", .worst = 1, .among = {"vmaf*"}}),
            "the clip \"clip\" has no value per frame of the features that are shown");
  std::filesystem::remove(folder_.path("a.db"));
  EXPECT_EQ(pictures(database(fill(false)), {.clip = "clip", .worst = 1}).at(0).frame, 2) << "motion tells no quality";
}

TEST_F(WorstFrames, AreThoseOfTheNewestScoringOrOfALabel) {
  SQLite::Database& db = database([&](store::Writer& writer) {
    store::ScoringRecord old = record("clip");
    old.label = "old";
    add(writer, old, "psnr_y", {9, 1, 9});
    add(writer, record("clip"), "psnr_y", {9, 9, 1});
  });
  EXPECT_EQ(pictures(db, {.clip = "clip", .worst = 1}).at(0).frame, 2);
  const FramePicture labelled = pictures(db, {.clip = "clip", .label = "old", .worst = 1}).at(0);
  EXPECT_EQ(labelled.frame, 1);
  EXPECT_TRUE(labelled.caption[0].starts_with("clip (old)   frame 1"));
  EXPECT_EQ(pictures(db, {.scoring = 1, .worst = 1}).at(0).frame, 1);
  EXPECT_EQ(error(db, {.clip = "clip", .label = "none", .worst = 1}),
            "there is no finished scoring of a clip \"clip\" under the label \"none\"; `vmafbatch query` lists the clips");
  EXPECT_EQ(error(db, {.scoring = 77, .worst = 1}), "there is no scoring 77 in the database");
}

TEST_F(WorstFrames, ThatAreNotInTheClipHaveAProblem) {
  SQLite::Database& db = one_clip("psnr_y", Scores(20, 40.0));
  const std::vector<FramePicture> made = pictures(db, {.clip = "clip", .frames = {20, 3, -1}});
  ASSERT_EQ(made.size(), 3U);
  EXPECT_EQ(made[0].problem, "frame 20 is not in the clip, which has frames 0 to 19");
  EXPECT_TRUE(made[0].bytes.empty());
  expect_shows(made[1], 3, 3);
  EXPECT_NE(made[2].problem, "");
}

TEST_F(WorstFrames, ThatCannotBeDecodedHaveAProblem) {
  SQLite::Database& db = one_clip("psnr_y", Scores(25, 40.0));  // five more than the files have
  const std::vector<FramePicture> made = pictures(db, {.clip = "clip", .frames = {22, 19}});
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[0].problem, "frame 22 cannot be decoded: the clip ends after 20 frames");
  expect_shows(made[1], 19, 19);
}

TEST_F(WorstFrames, BeforeTheDamageOfAFileAreShown) {
  testing::cut_file(folder_.path("d.y4m"), std::filesystem::file_size(folder_.path("d.y4m")) - 1000);
  SQLite::Database& db = one_clip("psnr_y", Scores(20, 40.0));
  const std::vector<FramePicture> made = pictures(db, {.clip = "clip", .frames = {18, 19}});
  expect_shows(made.at(0), 18, 18);
  EXPECT_NE(made.at(1).problem.find("damaged at frame 19"), std::string::npos) << made[1].problem;
}

TEST_F(WorstFrames, AreNotShownFromOtherFiles) {
  SQLite::Database& db = one_clip("psnr_y", Scores(20, 40.0));
  const FrameWish wish{.clip = "clip", .worst = 1};
  const std::string distorted = folder_.path("d.y4m");
  const auto time = std::filesystem::last_write_time(distorted);
  std::filesystem::last_write_time(distorted, time + std::chrono::seconds(1));
  EXPECT_EQ(error(db, wish), distorted +
                                 ": the file has changed since it was scored (its modification time is another one); score the "
                                 "clip again, or bring the old file back");
  testing::write_counted({.frames = 19}, distorted);
  EXPECT_NE(error(db, wish).find("it had 46237 bytes and has 43927)"), std::string::npos) << error(db, wish);
  std::filesystem::remove(distorted);
  EXPECT_EQ(error(db, wish), distorted + ": the frames are decoded from the scored files, and this one is not there; bring it back");
  std::filesystem::create_directory(distorted);
  EXPECT_EQ(error(db, wish), distorted + ": this is no plain file, so its pictures cannot be read again");
}

TEST_F(WorstFrames, OfAClipWithoutPicturesAreNone) {
  SQLite::Database& db = database([&](store::Writer& writer) {
    store::ScoringRecord imported = record("imported");
    imported.options = "imported format=json log=xxh3:0";
    add(writer, imported, "psnr_y", {1, 2});
    ASSERT_OK(writer.add_failed_clip(record("failed"), "it is broken"));
    store::ScoringRecord newer = record("newer");
    newer.options += " wonder=1";
    add(writer, newer, "psnr_y", {1, 2});
    add(writer, record("clip"), "psnr_y", {1, 2});
  });
  EXPECT_EQ(error(db, {.clip = "imported", .worst = 1}),
            "the clip \"imported\" was imported from a log, which has no pictures; score its files to see them");
  EXPECT_EQ(error(db, {.clip = "failed", .worst = 1}), "the clip \"failed\" failed, so none of its frames was scored: it is broken");
  EXPECT_NE(error(db, {.clip = "newer", .worst = 1}).find("\"wonder=1\" among the options"), std::string::npos);
  EXPECT_EQ(error(db, {.clip = "none", .worst = 1}), "there is no finished scoring of a clip \"none\"; `vmafbatch query` lists the clips");
  EXPECT_EQ(error(db, {.clip = "clip", .worst = 1, .feature = "vmaf"}),
            "the clip \"clip\" has no feature \"vmaf\" with a value per frame; it has psnr_y");
}

TEST_F(WorstFrames, OfADamagedDatabaseAreNone) {
  one_clip("psnr_y", {30, 20});
  for (const char* frames : {"9000000000000000000", "9223372036854775807", "-1", "'many'"}) {
    store::run_sql(folder_.path("a.db"), "UPDATE scoring SET frames = " + std::string(frames));
    const std::string said = error(*database_, {.clip = "clip", .frames = {0}});
    EXPECT_NE(said.find("a.db: the database is damaged (a scoring has \""), std::string::npos) << frames << ": " << said;
  }
}

TEST_F(WorstFrames, AreSmallerOrJpegsWhereThatIsAskedFor) {
  SQLite::Database& db = one_clip("psnr_y", Scores(20, 40.0));
  const FramePicture picture =
      pictures(db, {.clip = "clip", .frames = {5}}, {.format = io::ImageFormat::kJpeg, .max_width = kLeastWidth}).at(0);
  EXPECT_EQ(picture.media_type, "image/jpeg");
  EXPECT_LE(picture.width, kLeastWidth);
  EXPECT_EQ(testing::decode_image(picture.bytes, io::ImageFormat::kJpeg).width, picture.width);
}

TEST_F(WorstFrames, StopWhenTheyAreToldTo) {
  SQLite::Database& db = one_clip("psnr_y", Scores(20, 40.0));
  int asked = 0;
  EXPECT_EQ(error(db, {.clip = "clip", .frames = {15}}, {.should_stop = [&] { return ++asked > 3; }}),
            "stopped before the pictures were made");
  EXPECT_LT(asked, 10);  // of 15 frames; files are waited for with it, too
}

TEST_F(WorstFrames, EndWithTheErrorOfWhoTakesThem) {
  SQLite::Database& db = one_clip("psnr_y", Scores(20, 40.0));
  int taken = 0;
  const PicturePlan plan = plan_pictures(db, {.clip = "clip", .frames = {9, 3, 30}}).value();
  const Status status = each_frame_picture(plan, {}, [&](const FramePicture&) -> Status {
    if (++taken == 2) return Error{"the disk is full"};
    return {};
  });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "the disk is full");
  EXPECT_EQ(taken, 2);
}

}  // namespace
}  // namespace vmafbatch::report
