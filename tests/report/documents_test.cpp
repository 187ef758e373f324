#include "report/documents.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "report_fixture.h"

namespace vmafbatch::report {
namespace {

using Documents = ReportTest;
using nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST_F(Documents, OfAnEmptyDatabase) {
  const json summary = this->summary();
  EXPECT_EQ(summary["counts"], json({{"clips", 0}, {"done", 0}, {"partial", 0}, {"failed", 0}, {"running", 0}}));
  EXPECT_EQ(summary["features"], json::array());
  EXPECT_EQ(summary["primary"], json());
  EXPECT_EQ(summary["runs"].size(), 1U);
  EXPECT_EQ(clips(), json::parse(R"({"first": 0, "total": 0, "clips": []})"));
  EXPECT_EQ(parse(ladders_document(*reader())), json::parse(R"({"ladders": [], "bd_rates": [], "left_out": [], "more_bd_rates": 0})"));
}

TEST_F(Documents, RowsHaveTheDatabasesValues) {
  auto record = some_record("film", "features=psnr;cambi scale=bicubic");
  record.tags = {{"codec", "av1"}};
  const auto id = add(record, {{"psnr_y", {40, 42, 38.5, 41}}, {"cambi", {0.5, 3, 3, 1}, "cambi"}});
  const json clips = this->clips();
  EXPECT_EQ(clips["total"], 1);
  const json row = clips["clips"][0];
  EXPECT_EQ(row["id"], id);
  EXPECT_EQ(row["name"], "film");
  EXPECT_EQ(row["status"], "done");
  EXPECT_EQ(row["running"], json());
  EXPECT_EQ(row["tags"], json({{"codec", "av1"}}));
  EXPECT_EQ(row["frames"], 4);
  EXPECT_EQ(row["fps"], 25.0);
  EXPECT_EQ(row["duration_s"], 4 / 25.0);
  EXPECT_EQ(row["distorted_size"], 500);
  EXPECT_EQ(row["bitrate"], 8 * 500 / (4 / 25.0));
  const json psnr = row["scores"][0];
  EXPECT_EQ(store::csv_of(path_, "SELECT mean, harmonic_mean, p1, p5, min, max FROM clip_scores WHERE feature = 'psnr_y'"),
            psnr["mean"].dump() + "," + psnr["harmonic_mean"].dump() + "," + psnr["p1"].dump() + "," + psnr["p5"].dump() + ",38.5,42\n");
  EXPECT_EQ(psnr["worst_frame"], 2);
  EXPECT_EQ(numbers_of<float>(psnr["spark"]), (std::vector<float>{40, 42, 38.5, 41}));
  EXPECT_EQ(row["scores"][1]["worst_frame"], 1);  // lower is better, the first of two
}

TEST_F(Documents, ASparklineShowsTheWorstOfEachStretch) {
  std::vector<double> high(4000, 90.0);
  high[1234] = 1.0;
  std::vector<double> low(4000, 0.5);
  low[1234] = 20.0;
  add(some_record("a"), {{"vmaf", high, "vmaf"}, {"cambi", low, "cambi"}});
  const json row = clips()["clips"][0];
  const auto vmaf = numbers_of<float>(row["scores"][0]["spark"]);
  const auto cambi = numbers_of<float>(row["scores"][1]["spark"]);
  ASSERT_EQ(vmaf.size(), 40U);
  EXPECT_EQ(vmaf[12], 1.0F);
  EXPECT_EQ(cambi[12], 20.0F);
  EXPECT_EQ(vmaf[11], 90.0F);
}

TEST_F(Documents, AFrameThatDropsToZeroInALongClipIsShownAndListedAsWorst) {
  std::vector<double> values(200'000, 95.5);
  values[123'456] = 0.0;
  const auto id = add(some_record("long"), {{"vmaf", values, "vmaf"}});
  const json feature = clip(id)["features"][0];
  EXPECT_EQ(feature["worst"][0], json({{"frame", 123'456}, {"value", 0.0}}));
  const json& curve = feature["curve"];
  EXPECT_EQ(curve["count"], 1000);
  EXPECT_EQ(numbers_of<float>(curve["min"]).at(123'456 / curve["step"].get<size_t>()), 0.0F);
  EXPECT_EQ(feature["histogram"]["counts"][0], 1);
  EXPECT_EQ(feature["histogram"]["counts"].back(), 199'999);
  const json frames = parse(frames_document(*reader(), id, 0, 123'000, 124'000));
  EXPECT_EQ(frames["curve"]["encoding"], "f64");
  EXPECT_EQ(numbers_of<double>(frames["curve"]["values"]).at(456), 0.0);
}

TEST_F(Documents, FramesAreExactOrAnEnvelope) {
  const auto id = add(some_record("a"), {{"vmaf", ramp(10'000), "vmaf"}});
  const json exact = parse(frames_document(*reader(), id, 0, 5000, 5009));
  EXPECT_EQ(exact["curve"]["first"], 5000);
  EXPECT_EQ(numbers_of<double>(exact["curve"]["values"]), ramp(10, 5000));
  const json envelope = parse(frames_document(*reader(), id, 0, 0, 100'000'000));
  EXPECT_EQ(envelope["curve"]["encoding"], "f32");
  EXPECT_EQ(envelope["curve"]["step"], 3);
  const json none = parse(frames_document(*reader(), id, 0, 10'000, 20'000));
  EXPECT_EQ(none["curve"]["count"], 0);
  for (const auto& [first, last] : {std::pair<std::int64_t, std::int64_t>{5, 4}, {-1, 4}, {0, std::int64_t{1} << 60}}) {
    EXPECT_FALSE(frames_document(*reader(), id, 0, first, last).ok()) << first;
  }
  EXPECT_NE(frames_document(*reader(), id, 7, 0, 4).error().message.find("no frame values of feature 7"), std::string::npos);
  EXPECT_NE(frames_document(*reader(), 999, 0, 0, 4).error().message.find("no scoring 999"), std::string::npos);
  EXPECT_NE(clip_document(*reader(), -3).error().message.find("no scoring -3"), std::string::npos);
}

TEST_F(Documents, InfinitiesAreTextsAndNegativeZeroKeepsItsSign) {
  const auto id = add(some_record("a"), {{"psnr_y", {kInfinity, 50, -kInfinity, 20}}, {"ssim", {-0.0, -0.0}, "ssim"}});
  const json row = clips()["clips"][0];
  EXPECT_EQ(row["scores"][0]["min"], "-inf");
  EXPECT_EQ(row["scores"][0]["max"], "inf");
  EXPECT_EQ(row["scores"][0]["mean"], json());  // inf - inf
  EXPECT_EQ(row["scores"][0]["worst_frame"], 2);
  EXPECT_TRUE(std::signbit(row["scores"][1]["min"].get<double>()));
  const json feature = clip(id)["features"][0];
  EXPECT_EQ(feature["pooled"]["infinite"], 2);
  EXPECT_EQ(feature["pooled"]["finite_mean"], 35.0);
  EXPECT_EQ(feature["histogram"]["low"], 20.0);
  EXPECT_EQ(feature["histogram"]["high"], 50.0);
  EXPECT_EQ(feature["histogram"]["below"], 1);
  EXPECT_EQ(feature["histogram"]["above"], 1);
  EXPECT_EQ(feature["worst"][0]["value"], "-inf");
  EXPECT_EQ(feature["worst"][3]["value"], "inf");
}

TEST_F(Documents, NamesAreShownWhateverTheirBytes) {
  auto record = some_record("<img src=x onerror=alert(1)>\xE9\n\x01");
  record.tags = {{"t\xFF", "</script>"}};
  const auto id = add(record, {{"vmaf\"<b>", {1, 2}, "vmaf"}});
  const json row = clips()["clips"][0];
  EXPECT_EQ(row["name"], "<img src=x onerror=alert(1)>\\xE9\\x0A\\x01");
  EXPECT_EQ(row["tags"], json({{"t\\xFF", "</script>"}}));
  EXPECT_EQ(clip(id)["features"][0]["name"], "vmaf\"<b>");
  EXPECT_EQ(summary()["features"][0]["name"], "vmaf\"<b>");
}

TEST_F(Documents, AClipThatCouldNotBeOpenedHasItsReason) {
  auto record = some_record("broken");
  record.width = record.height = 0;
  record.fps.reset();
  record.pixel_format.clear();
  ASSERT_OK(writer_->add_failed_clip(record, "d/broken.mp4: there is no such file"));
  add(some_record("fine"), {{"vmaf", {1, 2}, "vmaf"}});
  const json row = clips()["clips"][0];
  EXPECT_EQ(row["status"], "failed");
  EXPECT_EQ(row["first_failure"], "d/broken.mp4: there is no such file");
  EXPECT_EQ(row["failures"], 1);
  EXPECT_EQ(row["fps"], json());
  EXPECT_EQ(row["width"], json());
  EXPECT_EQ(row["pixel_format"], json());
  EXPECT_EQ(row["scores"], json::parse("[null]"));
  const json summary = this->summary();
  EXPECT_EQ(summary["counts"]["failed"], 1);
  EXPECT_EQ(summary["failures"][0]["clips"], json::array({row["id"]}));
  const json clip = this->clip(row["id"].get<std::int64_t>());
  EXPECT_EQ(clip["failures"][0]["extractor"], json());
  EXPECT_EQ(clip["features"], json::array());
}

TEST_F(Documents, ARunningClipShowsWhatIsThere) {
  const auto id = begin_clip(*writer_, some_record("now"), {{"vmaf", {90, 80, 100}, "vmaf"}, {"psnr_y", {}}});
  const auto live = reader({}, true);
  const json row = parse(clips_document(*live, 0, 10, nullptr))["clips"][0];
  EXPECT_EQ(row["id"], id);
  EXPECT_EQ(row["status"], "running");
  EXPECT_EQ(row["frames"], 3);
  EXPECT_EQ(row["scores"][0]["mean"], 90.0);
  EXPECT_EQ(row["scores"][0]["p5"], json());
  EXPECT_EQ(row["scores"][0]["worst_frame"], 1);
  EXPECT_EQ(row["scores"][1]["mean"], json());
  const json clip = parse(clip_document(*live, id));
  EXPECT_EQ(clip["features"][0]["pooled"]["harmonic_mean"].get<double>(), 3 / (1 / 91.0 + 1 / 81.0 + 1 / 101.0) - 1);
  EXPECT_EQ(numbers_of<double>(clip["features"][0]["curve"]["values"]), (std::vector<double>{90, 80, 100}));
  EXPECT_EQ(clip["features"][0]["histogram"]["low"], 80.0);
  EXPECT_EQ(clip["features"][1]["curve"], json());
  EXPECT_EQ(parse(summary_document(*live, {.live = true}))["counts"]["running"], 1);

  ASSERT_OK(writer_->add_value(id, 0, 3, 10.0));  // it grows
  ASSERT_OK(writer_->commit());
  EXPECT_EQ(parse(clips_document(*live, 0, 10, nullptr))["clips"][0]["frames"], 4);
}

TEST_F(Documents, ARunThatWasStoppedLeavesItsClipReadable) {
  add(some_record("done"), {{"vmaf", {1, 2}, "vmaf"}});
  begin_clip(*writer_, some_record("half"), {{"vmaf", {90, 80}, "vmaf"}});
  ASSERT_OK(writer_->commit());
  // What a killed process leaves: database and WAL as they are on the disk now.
  const std::string copy = folder_.path("killed.db");
  for (const char* suffix : {"", "-wal"}) std::filesystem::copy_file(path_ + suffix, copy + suffix);
  auto killed = ReportDatabase::open(copy);
  ASSERT_OK(killed);
  const json clips = parse(clips_document(**killed, 0, 10, nullptr));
  EXPECT_EQ(clips["clips"][0]["status"], "done");
  EXPECT_EQ(clips["clips"][1]["status"], "running");
  EXPECT_EQ(clips["clips"][1]["frames"], 2);
}

TEST_F(Documents, EachLabelHasItsNewestScoring) {
  auto before = some_record("a", "psnr", "x264");
  before.program_version = "0.0.9";
  add(before, {{"vmaf", {1, 1}, "vmaf"}});
  const auto x264 = add(some_record("a", "psnr", "x264"), {{"vmaf", {2, 2}, "vmaf"}});
  const auto x265 = add(some_record("a", "psnr", "x265"), {{"vmaf", {3, 3}, "vmaf"}});
  const json all = clips();
  ASSERT_EQ(all["total"], 2);
  EXPECT_EQ(all["clips"][0]["id"], x264);
  EXPECT_EQ(all["clips"][1]["id"], x265);
  EXPECT_EQ(all["clips"][1]["label"], "x265");
  const json one = clips({.label = "x265"});
  ASSERT_EQ(one["total"], 1);
  EXPECT_EQ(one["clips"][0]["id"], x265);
  EXPECT_EQ(summary({.label = "x265"})["label"], "x265");
  EXPECT_EQ(summary()["labels"].size(), 2U);
  EXPECT_EQ(clips({.label = "none"})["total"], 0);
}

TEST_F(Documents, ANewerScoringThatRunsIsNamedBesideTheOneThatEnded) {
  auto before = some_record("a");
  before.program_version = "0.0.9";
  const auto ended = add(before, {{"vmaf", {1, 1}, "vmaf"}});
  const auto now = begin_clip(*writer_, some_record("a"), {{"vmaf", {5}, "vmaf"}});
  const auto live = reader({}, true);
  ScoresCache cache;
  const json row = parse(clips_document(*live, 0, 10, &cache))["clips"][0];
  EXPECT_EQ(row["id"], ended);
  EXPECT_EQ(row["running"], now);
  EXPECT_EQ(parse(clip_document(*live, ended))["running"], now);
  EXPECT_EQ(parse(clip_document(*live, now))["status"], "running");
  end_clip(*writer_, now, 1);
  const json after = parse(clips_document(*live, 0, 10, &cache))["clips"][0];
  EXPECT_EQ(after["id"], now);
  EXPECT_EQ(after["running"], json());
}

TEST_F(Documents, PatternsChooseClipsAndFeatures) {
  add(some_record("a1"), {{"vmaf", {1, 1}, "vmaf"}, {"psnr_y", {30, 31}}});
  add(some_record("b1"), {{"vmaf", {2, 2}, "vmaf"}});
  const json clips = this->clips({.clips = {"a*"}, .features = {"psnr*"}});
  ASSERT_EQ(clips["total"], 1);
  ASSERT_EQ(clips["clips"][0]["scores"].size(), 1U);
  EXPECT_EQ(clips["clips"][0]["scores"][0]["mean"], 30.5);
  EXPECT_EQ(summary({.features = {"psnr*"}})["features"][0]["name"], "psnr_y");
}

TEST_F(Documents, PagesOfRowsFollowEachOther) {
  for (const char* name : {"c", "a", "b"}) add(some_record(name), {{"vmaf", {1, 1}, "vmaf"}});
  const auto database = reader();
  ScoresCache cache;
  for (int round = 0; round < 2; ++round) {  // the second time from the cache
    const json second = parse(clips_document(*database, 1, 1, &cache));
    EXPECT_EQ(second["first"], 1);
    EXPECT_EQ(second["total"], 3);
    ASSERT_EQ(second["clips"].size(), 1U);
    EXPECT_EQ(second["clips"][0]["name"], "b");
  }
  EXPECT_EQ(parse(clips_document(*database, 9, 1, &cache))["clips"].size(), 0U);
  EXPECT_EQ(parse(clips_document(*database, 2, std::numeric_limits<size_t>::max(), &cache))["clips"].size(), 1U);
}

TEST_F(Documents, APageOfRowsEndsInTimeAndTheNextGoesOn) {
  for (const char* name : {"a", "b", "c"}) add(some_record(name), {{"vmaf", {1, 2}, "vmaf"}});
  const auto database = reader();
  for (size_t row = 0; row < 3; ++row) {
    const json page = parse(clips_document(*database, row, 500, nullptr, std::chrono::milliseconds(0)));
    EXPECT_EQ(page["first"], row);
    EXPECT_EQ(page["total"], 3);
    ASSERT_EQ(page["clips"].size(), 1U) << "one at least, or it would never go on";
    EXPECT_EQ(page["clips"][0]["name"], std::string(1, static_cast<char>('a' + row)));
  }
  EXPECT_EQ(parse(clips_document(*database, 0, 500, nullptr, std::chrono::hours(1)))["clips"].size(), 3U);
}

TEST_F(Documents, KeptRowsHaveABoundOfBytes) {
  ScoresCache cache;
  ScoringData scoring;
  const auto add_row = [&](std::size_t bytes) {
    ++scoring.id;
    cache.add(scoring, 1, std::string(bytes, 'x'));
  };
  add_row(ScoresCache::kMostBytes - 1);
  add_row(1);
  EXPECT_EQ(cache.bytes(), ScoresCache::kMostBytes);
  EXPECT_NE(cache.find(scoring, 1), nullptr);
  add_row(10);
  EXPECT_EQ(cache.bytes(), 10U);
  EXPECT_NE(cache.find(scoring, 1), nullptr);
  cache.add(scoring, 1, "shorter");
  EXPECT_EQ(cache.bytes(), 7U);
}

TEST_F(Documents, ARowsTagsAndFailureAreThoseOfTheLastRunAlsoFromTheCache) {
  auto record = some_record("a");
  record.tags = {{"codec", "h264"}};
  add(record, {{"vmaf", {1, 3}, "vmaf"}});
  const auto failed = writer_->add_failed_clip(some_record("b"), "no such file");
  ASSERT_OK(failed);
  const auto live = reader({}, true);
  ScoresCache cache;
  const auto rows = [&] { return parse(clips_document(*live, 0, 10, &cache))["clips"]; };
  EXPECT_EQ(rows()[0]["tags"], json({{"codec", "h264"}}));
  EXPECT_EQ(rows()[1]["first_failure"], "no such file");

  record.tags = {{"codec", "av1"}, {"title", "x"}};
  const auto kept = writer_->begin_scoring(record, {}, {});
  ASSERT_OK(kept);
  EXPECT_EQ(kept->kind, store::BeginOutcome::Kind::kKept);
  const auto again = writer_->add_failed_clip(some_record("b"), "it is a folder");
  ASSERT_OK(again);
  EXPECT_EQ(*again, *failed) << "a number that stands for another scoring now";
  EXPECT_EQ(rows()[0]["tags"], json({{"codec", "av1"}, {"title", "x"}}));
  EXPECT_EQ(rows()[0]["scores"][0]["mean"], 2.0);
  EXPECT_EQ(rows()[1]["first_failure"], "it is a folder");
}

TEST_F(Documents, SummaryGroupsWarningsAndSaysWhatWasUsed) {
  auto record = some_record("a");
  record.models = {{"vmaf", "m/vmaf.json", "abc"}};
  record.tags = {{"codec", "av1"}};
  for (const char* name : {"a", "b"}) {
    record.clip = name;
    const auto id = begin_clip(*writer_, record, {{"vmaf", {1, 2, 3}, "vmaf"}, {"psnr_y", {1, 2, 3}}});
    ASSERT_OK(writer_->add_warning(id, "r.y4m ends after 3 frames, d.mp4 goes on; the common 3 frames are scored"));
    ASSERT_OK(writer_->add_warning(
        id, "the distorted starts 2 frames late (its picture n is the reference's n + 2): skip_reference 2 brings them in step"));
    ASSERT_OK(writer_->add_backend(id, 0, {"psnr_hip", "hip", "gfx90a", "", 0, 2}));
    ASSERT_OK(writer_->add_failure(id, 0, 1, "it broke"));
    end_clip(*writer_, id, 3, store::ScoringStatus::kPartial);
  }
  const json summary = this->summary();
  EXPECT_EQ(summary["counts"]["partial"], 2);
  EXPECT_EQ(summary["frames"], 6);
  EXPECT_EQ(summary["seconds"], 4.0);
  EXPECT_EQ(summary["decode_seconds"], 1.0);
  ASSERT_EQ(summary["warnings"].size(), 2U);
  EXPECT_EQ(summary["warnings"][0]["kind"], "alignment");
  EXPECT_EQ(summary["warnings"][1]["kind"], "lengths");
  EXPECT_EQ(summary["warnings"][1]["count"], 2);
  EXPECT_EQ(summary["warnings"][1]["texts"][0]["clips"].size(), 2U);
  EXPECT_EQ(summary["failures"][0]["text"], "psnr: it broke");
  EXPECT_EQ(summary["failures"][0]["count"], 2);
  EXPECT_EQ(summary["backends"][0], json::parse(R"({"extractor": "psnr", "implementation": "psnr_hip", "backend": "hip", "device": "gfx90a",
                                                    "reason": "", "clips": 2, "frames": 6})"));
  EXPECT_EQ(summary["models"][0]["clips"], 2);
  EXPECT_EQ(summary["made_with"]["c_library"][0]["text"], "glibc 2.36");
  EXPECT_EQ(summary["tags"][0], json::parse(R"({"name": "codec", "values": ["av1"], "more": 0})"));
  EXPECT_EQ(summary["runs"][0]["scorings"], 2);
  EXPECT_EQ(summary["runs"][0]["command_line"], "vmafbatch score");
  EXPECT_EQ(summary["primary"], 0);
  EXPECT_EQ(summary["features"][0]["direction"], "higher");
  EXPECT_EQ(summary["features"][0]["range"], "0 .. 100, higher is better");
  EXPECT_EQ(summary["features"][0]["clips"], 2);
  EXPECT_EQ(summary["features"][1]["unit"], "dB");
}

TEST_F(Documents, TheFirstFeatureIsTheModelsWhateverItsName) {
  auto record = some_record("a");
  record.models.push_back({"psnr_like", "m.json", "hash"});
  add(record, {{"psnr_y", {1, 2}}, {"psnr_like", {3, 4}, "psnr_like"}});
  EXPECT_EQ(summary()["primary"], 1);
}

TEST_F(Documents, SumsOfAMadeDatabaseStayNumbers) {
  const auto id = add(some_record("a"), {{"psnr_y", {1, 2}}});
  close();
  for (int row = 0; row < 3; ++row) {
    store::run_sql(path_, "INSERT INTO feature_backend VALUES (" + std::to_string(id) + ", 0, " + std::to_string(row) +
                              ", 9007199254740991, 'psnr', 'cpu', '', '')");
  }
  EXPECT_EQ(summary()["backends"][0]["frames"], 9007199254740991);
}

TEST_F(Documents, ATimeLimitEndsADocument) {
  add(some_record("a"), {{"vmaf", ramp(100'000), "vmaf"}});
  const auto database = reader();
  database->set_time_limit(std::chrono::milliseconds(0));
  EXPECT_NE(clips_document(*database, 0, 10, nullptr).error().message.find("takes longer than 0 s"), std::string::npos);
  database->set_time_limit(std::nullopt);
  EXPECT_TRUE(clips_document(*database, 0, 10, nullptr).ok());
}

TEST_F(Documents, DamageIsOneSentence) {
  const auto id = add(some_record("a"), {{"vmaf", {1, 2, 3}, "vmaf"}});
  close();
  store::run_sql(path_,
                 "PRAGMA ignore_check_constraints = ON; UPDATE frame_score SET value = 'x' WHERE frame = 1;"
                 "UPDATE scoring SET fps = -1, width = 'wide', frames = 9e18, seconds = 9e999, status = 'odd'");
  const auto refused = clips_document(*reader(), 0, 10, nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("the value at frame 1 in frame_score is no number"), std::string::npos);
  EXPECT_FALSE(clip_document(*reader(), id).ok());
  EXPECT_EQ(summary()["counts"]["clips"], 1);
  store::run_sql(path_, "UPDATE frame_score SET frame = -7, value = 1.0 WHERE frame = 1");
  const json row = clips()["clips"][0];
  EXPECT_EQ(row["fps"], json());
  EXPECT_EQ(row["width"], json());
  EXPECT_EQ(row["frames"], json());
  EXPECT_EQ(row["seconds"], json());
}

TEST_F(Documents, ANumberOfFramesThatCannotBeIsNotKnownAndSpoilsNoSum) {
  add(some_record("a"), {{"vmaf", {1, 2, 3}, "vmaf"}});
  add(some_record("b"), {{"vmaf", {1, 2, 3}, "vmaf"}});
  const auto id = add(some_record("c"), {{"vmaf", {1, 2, 3}, "vmaf"}});
  close();
  for (const char* frames : {"9000000000000000000", "9223372036854775807", "-9223372036854775808", "9e18", "'many'", "x'00'"}) {
    SCOPED_TRACE(frames);
    store::run_sql(path_, fmt::format("UPDATE scoring SET frames = {} WHERE id < {}", frames, id));
    EXPECT_EQ(summary()["frames"], 3);
    EXPECT_EQ(summary()["runs"][0]["frames"], 3);
    EXPECT_EQ(clips()["clips"][0]["frames"], json());
    EXPECT_TRUE(clip_document(*reader(), 1).ok());
    EXPECT_TRUE(ladders_document(*reader()).ok());
  }
}

}  // namespace
}  // namespace vmafbatch::report
