#include "store/verify.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/content_hash.h"
#include "store/import.h"
#include "store/scratch.h"

namespace vmafbatch::store {
namespace {

class Verify : public ::testing::Test {
 protected:
  Verify() { make_database(path_); }

  void sql(const std::string& text) const { run_sql(path_, text); }
  // What was printed, or the error's sentence.
  std::string verified(const VerifyOptions& options = {}) const {
    std::ostringstream out;
    const auto summary = verify_database(path_, options, out);
    return summary.ok() ? out.str() : summary.error().message;
  }
  // The first line.
  std::string first(const VerifyOptions& options = {}) const {
    const std::string text = verified(options);
    return text.substr(0, text.find('\n'));
  }
  static constexpr VerifyOptions kHash{true, VerifyFormat::kText};

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("x.db");
};

TEST_F(Verify, AWholeDatabaseIsClean) {
  // The helper's scorings say for one of their two extractors only what ran.
  sql("INSERT INTO feature_backend SELECT scoring, 1, 0, 9, 'motion', 'cpu', '', '' FROM feature_backend");
  EXPECT_EQ(verified(), "clean: 3 scorings, 60 values\n");
  EXPECT_EQ(verified({false, VerifyFormat::kJson}),
            "{\"problems\": [],\n\"redo\": [],\n\"summary\": {\"scorings\": 3, \"values\": 60, \"problems\": 0, \"clips_to_redo\": 0, "
            "\"failed_or_partial\": 0, \"files_compared\": 0, \"files_changed\": 0, \"files_unread\": 0, \"files_without_hash\": 0}}\n");
}

class VerifyProblems : public Verify {
 protected:
  VerifyProblems() { sql("INSERT INTO feature_backend SELECT scoring, 1, 0, 9, 'motion', 'cpu', '', '' FROM feature_backend"); }
};

TEST_F(VerifyProblems, AMissingValueIsNamedAndToRedo) {
  sql("DELETE FROM frame_score WHERE scoring_feature = 4 AND frame IN (3, 7); DELETE FROM pooled_score WHERE scoring_feature = 4");
  EXPECT_EQ(verified(),
            "b: psnr_y lacks 2 values, the first at frame 3\n"
            "b: psnr_y has no pooled values\n"
            "to redo:\n  b\n"
            "2 problems: 3 scorings, 58 values\n");
}

TEST_F(VerifyProblems, TheLastFramesCountToo) {
  sql("DELETE FROM frame_score WHERE scoring_feature = 2 AND frame = 9");
  EXPECT_EQ(first(), "a: integer_motion2 lacks 1 value, the first at frame 9");
}

TEST_F(VerifyProblems, SubsamplingDecidesWhichFramesCount) {
  sql("UPDATE scoring SET subsample = 3 WHERE id = 1; DELETE FROM frame_score WHERE scoring_feature = 1 AND frame % 3 <> 0;"
      "DELETE FROM frame_score WHERE scoring_feature = 2 AND frame % 3 <> 0 AND frame <> 4; DELETE FROM frame_score WHERE frame = 6 AND "
      "scoring_feature = 2");
  const std::string text = verified();
  EXPECT_EQ(text.find("psnr_y lacks"), std::string::npos) << text;
  EXPECT_NE(text.find("a: integer_motion2 lacks 1 value, the first at frame 6\n"), std::string::npos) << text;
  EXPECT_NE(text.find("a: integer_motion2 has 1 value at frames that were not to be reported\n"), std::string::npos) << text;
}

TEST_F(VerifyProblems, AFailureExplainsWhatIsMissingBehindIt) {
  sql("DELETE FROM frame_score WHERE scoring_feature = 1 AND frame >= 6; UPDATE scoring SET status = 'partial' WHERE id = 1;"
      "INSERT INTO failure (scoring, extractor, frame, reason) VALUES (1, 0, 6, 'x'); UPDATE feature_backend SET last_frame = 5 WHERE "
      "scoring = 1 AND extractor = 0;"
      "DELETE FROM aggregate_score WHERE scoring_feature = 3");
  EXPECT_EQ(first(), "a: the pooled values of psnr_y are not those of its frames");
  sql("DELETE FROM frame_score WHERE scoring_feature = 1 AND frame = 2");
  EXPECT_EQ(first(), "a: psnr_y lacks 1 value, the first at frame 2");
}

TEST_F(VerifyProblems, FailedScoringsThatSayWhyAreNoProblem) {
  auto writer = Writer::open(path_);
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->begin_run(some_run()));
  ASSERT_OK((*writer)->add_failed_clip(some_record("d"), "none"));
  ASSERT_OK((*writer)->close());
  EXPECT_EQ(verified(), "clean: 4 scorings, 60 values; 1 scorings failed or are partial and say why\n");
  sql("DELETE FROM failure");
  EXPECT_EQ(first(), "d: it is failed, and nothing says why");
}

TEST_F(VerifyProblems, DoneHasNoFailure) {
  sql("INSERT INTO failure (scoring, reason) VALUES (2, 'x')");
  EXPECT_EQ(first(), "b: it is done, but has failures");
}

TEST_F(VerifyProblems, AnUnfinishedScoringIsToRedo) {
  auto writer = Writer::open(path_);
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->begin_run(some_run()));
  ASSERT_OK((*writer)->begin_scoring(some_record("d", "psnr", "second"), some_columns(), some_extractors()));
  ASSERT_OK((*writer)->close());
  EXPECT_EQ(verified(),
            "d (second): it did not end; score again, and it goes on or starts anew\nto redo:\n  d (second)\n1 problem: 4 scorings, 60 "
            "values\n");
}

TEST_F(VerifyProblems, PooledValuesAreComparedByBits) {
  for (const char* column : {"mean", "min", "max", "harmonic_mean", "stddev", "p1", "p99", "finite_mean"}) {
    sql(std::string("UPDATE pooled_score SET ") + column + " = " + column + " * (1 + 3e-16) WHERE scoring_feature = 1");
    EXPECT_EQ(first(), "a: the pooled values of psnr_y are not those of its frames") << column;
    sql(std::string("UPDATE pooled_score SET ") + column + " = (SELECT " + column +
        " FROM pooled_score WHERE scoring_feature = 4) WHERE scoring_feature = 1");
  }
  EXPECT_EQ(first(), "clean: 3 scorings, 60 values");
}

TEST_F(VerifyProblems, WhatIsNoDoubleIsTold) {
  sql("PRAGMA ignore_check_constraints = ON; UPDATE frame_score SET value = NULL WHERE scoring_feature = 1 AND frame = 4");
  const std::string text = verified();
  EXPECT_NE(text.find("a: psnr_y has 1 value that are no doubles\n"), std::string::npos) << text;
}

TEST_F(VerifyProblems, BackendsCoverTheFrames) {
  sql("UPDATE feature_backend SET last_frame = 6 WHERE scoring = 1 AND extractor = 0");
  EXPECT_EQ(first(), "a: nothing says what computed psnr at 3 frames");
  sql("INSERT INTO feature_backend VALUES (1, 0, 8, 9, 'psnr', 'hip', '', '')");
  EXPECT_EQ(first(), "a: nothing says what computed psnr at 1 frames");
  sql("UPDATE feature_backend SET first_frame = 6 WHERE first_frame = 8");
  EXPECT_EQ(first(), "a: the backends of psnr have a range from frame 6 to 9 that cannot be");
  sql("UPDATE feature_backend SET first_frame = 7 WHERE first_frame = 6");
  EXPECT_EQ(first(), "clean: 3 scorings, 60 values");
}

TEST_F(VerifyProblems, AMissingAggregateIsNamed) {
  sql("DELETE FROM aggregate_score WHERE scoring_feature = 6");
  EXPECT_EQ(first(), "b: apsnr_y lacks its value of the whole clip");
}

TEST_F(VerifyProblems, RowsWithoutTheirOwnerAreTold) {
  sql("INSERT INTO frame_score VALUES (99, 0, 1.0); UPDATE scoring SET finished = 2 WHERE id = 3");
  EXPECT_NE(verified().find("the database: 1 rows of frame_score belong to a row of scoring_feature that is not there\n"),
            std::string::npos);
  EXPECT_NE(verified().find("the database: 2 scorings have the number 2 in the order in which they ended\n"), std::string::npos);
}

TEST_F(VerifyProblems, JsonHoldsProblemsAndWhatToRedo) {
  sql("DELETE FROM aggregate_score WHERE scoring_feature = 6; INSERT INTO frame_score VALUES (99, 0, 1.0)");
  EXPECT_EQ(verified({false, VerifyFormat::kJson}),
            "{\"problems\": [\n"
            "  {\"problem\": \"1 rows of frame_score belong to a row of scoring_feature that is not there\"},\n"
            "  {\"clip\": \"b\", \"label\": \"\", \"problem\": \"apsnr_y lacks its value of the whole clip\"}\n"
            "],\n"
            "\"redo\": [{\"clip\": \"b\", \"label\": \"\"}],\n"
            "\"summary\": {\"scorings\": 3, \"values\": 60, \"problems\": 2, \"clips_to_redo\": 1, \"failed_or_partial\": 0, "
            "\"files_compared\": 0, \"files_changed\": 0, \"files_unread\": 0, \"files_without_hash\": 0}}\n");
}

// One change of a clean database each, and the sentence that must come of it.
struct Damage {
  const char* name;
  const char* sql;
  const char* sentence;
};

void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.sql; }

class VerifyDamage : public VerifyProblems, public ::testing::WithParamInterface<Damage> {};

TEST_P(VerifyDamage, IsFound) {
  sql(std::string("PRAGMA ignore_check_constraints = ON; ") + GetParam().sql);
  const std::string text = verified();
  EXPECT_NE(text.find(std::string(GetParam().sentence) + "\n"), std::string::npos) << text;
}

constexpr Damage kDamage[] = {
    {"RunTime", "UPDATE run SET ended_at = 'noon'", "the database: run 1 has a begin or an end that is no time"},
    {"Status", "UPDATE scoring SET status = 'banana' WHERE id = 1", "a: its status is unknown (banana)"},
    {"EndedRunning", "UPDATE scoring SET status = 'running' WHERE id = 1", "a: its status is running, but it ended"},
    {"DoneWithoutEnd", "UPDATE scoring SET finished = NULL WHERE id = 1", "a: its status is done, but it did not end"},
    {"Order", "UPDATE scoring SET finished = -3 WHERE id = 1", "a: it has the number -3 in the order in which scorings ended"},
    {"FramesUnknown", "UPDATE scoring SET frames = NULL WHERE id = 1",
     "a: it ended, and its frames, seconds or the time of its end are not stored"},
    {"ScoringTime", "UPDATE scoring SET started_at = '' WHERE id = 1", "a: its begin or its end is no time"},
    {"NegativeNumber", "UPDATE scoring SET decoded_distorted = -1 WHERE id = 1",
     "a: one of its numbers cannot be (sizes, frames, seconds, subsample, frame rate)"},
    {"FramesBeyondAll", "UPDATE scoring SET frames = 9000000000000000000 WHERE id = 1",
     "a: one of its numbers cannot be (sizes, frames, seconds, subsample, frame rate)"},
    {"Subsample", "UPDATE scoring SET subsample = 0 WHERE id = 1",
     "a: one of its numbers cannot be (sizes, frames, seconds, subsample, frame rate)"},
    {"Identical", "UPDATE scoring SET identical_frames = 1000 WHERE id = 1", "a: 1000 identical frames are more than it has"},
    {"Pictures", "UPDATE scoring SET width = 0 WHERE id = 1", "a: it is done, and the size or format of its pictures is not stored"},
    {"FileHash", "UPDATE scoring SET distorted_hash = 'xxh3:12' WHERE id = 1", "a: the hash of a file is no hash"},
    {"ModelUnknown", "INSERT INTO scoring_model VALUES (1, 'vmaf', 'p', 'h')", "a: the model vmaf is not among what computed it"},
    {"ModelHash", "INSERT INTO scoring_model VALUES (1, 'vmaf', 'p', '')", "a: the hash of the model vmaf is not stored"},
    {"ExtractorNumbers", "UPDATE scoring_extractor SET extractor = 5 WHERE scoring = 1 AND extractor = 1",
     "a: what computed it is not numbered 0, 1, 2 ..."},
    {"NoExtractors", "DELETE FROM scoring_extractor WHERE scoring = 1", "a: it is done, and nothing says what was to compute it"},
    {"NoColumns", "DELETE FROM scoring_feature; DELETE FROM frame_score; DELETE FROM pooled_score; DELETE FROM aggregate_score",
     "a: it has no column of motion, and nothing says why"},
    {"NoValues", "DELETE FROM scoring_feature; DELETE FROM frame_score; DELETE FROM pooled_score; DELETE FROM aggregate_score",
     "a: it is done, but has no values"},
    {"ModelFile", "INSERT INTO scoring_extractor VALUES (1, 2, 'vmaf', 'model vmaf.json')", "a: the file of the model vmaf is not stored"},
    {"Scope", "UPDATE scoring_feature SET scope = 'zzz' WHERE id = 1", "a: the scope of psnr_y is unknown (zzz)"},
    {"Source", "UPDATE scoring_feature SET source = 'ssim' WHERE id = 1", "a: what gives psnr_y (ssim) is not among what computed it"},
    {"Position", "UPDATE scoring_feature SET position = 1 WHERE id = 1", "a: 2 columns have the place 1"},
    {"FramesOfAnAggregate", "INSERT INTO frame_score VALUES (3, 0, 1.0)",
     "a: apsnr_y is one value for the whole clip, and has values of frames"},
    {"AggregateOfFrames", "INSERT INTO aggregate_score VALUES (1, 1.0)", "a: psnr_y has values of frames, and one for the whole clip"},
    {"Measurement", "INSERT INTO measurement VALUES (1, 0, 0, x'00')", "a: it ended, and what only an unfinished one needs is still there"},
    {"FrameTime", "INSERT INTO frame_time VALUES (1, 0, 0, 0)", "a: it ended, and what only an unfinished one needs is still there"},
    {"CutMeasurement",
     "UPDATE scoring SET status = 'running', finished = NULL WHERE id = 1; INSERT INTO measurement VALUES (1, 0, 0, x'00')",
     "a: 1 measurements are of no extractor, or are cut"},
    {"TimeWithoutPair", "UPDATE scoring SET status = 'running', finished = NULL WHERE id = 1; INSERT INTO frame_time VALUES (1, 0, 0, 0)",
     "a: presentation times of 1 frames are of no pair of pictures"},
    {"Backend", "UPDATE feature_backend SET backend = 'banana' WHERE scoring = 1 AND extractor = 0",
     "a: the backend of psnr is unknown (banana)"},
    {"BackendOfNothing", "INSERT INTO feature_backend VALUES (1, 7, 0, 9, 'x', 'cpu', '', '')",
     "a: a backend is of extractor 7, which it does not have"},
    {"FailureOfNothing", "INSERT INTO failure (scoring, extractor, reason) VALUES (1, 7, 'x')",
     "a: a failure is of extractor 7, which it does not have"},
    {"FailureFrame", "INSERT INTO failure (scoring, frame, reason) VALUES (1, -1, 'x')", "a: a failure is at frame -1"},
    {"FailureReason", "INSERT INTO failure (scoring, reason) VALUES (1, '')", "a: a failure has no reason"},
    {"Warning", "INSERT INTO warning (scoring, text) VALUES (1, '')", "a: a warning has no text"},
    {"FailedWithValues", "UPDATE scoring SET status = 'failed' WHERE id = 1; INSERT INTO failure (scoring, reason) VALUES (1, 'x')",
     "a: it is failed, but has values"},
    {"Type", "UPDATE scoring SET frames = 'ten' WHERE id = 1",
     "the database: 1 rows of scoring have a frames of another type than the schema says"},
    {"NameType", "UPDATE tag SET value = 7; INSERT INTO tag VALUES (1, 'codec', 7)",
     "the database: 1 rows of tag have a value of another type than the schema says"},
    {"View", "DROP VIEW clip_scores", "the database: its view clip_scores is not there"},
    {"Index", "DROP INDEX scoring_by_clip", "the database: its index scoring_by_clip is not there"},
};

INSTANTIATE_TEST_SUITE_P(Rows, VerifyDamage, ::testing::ValuesIn(kDamage), [](const auto& test) { return test.param.name; });

// A database with the clip "two": two instances of vif, the second with options; `plain` as an earlier version stored their columns.
class VerifyInstances : public Verify {
 protected:
  void make(bool plain) {
    std::filesystem::remove(path_);
    auto writer = Writer::open(path_);
    ASSERT_OK(writer);
    ASSERT_OK((*writer)->begin_run(some_run()));
    const std::vector<ColumnSpec> columns = {{"vif", ColumnScope::kFrame, "vif", 0},
                                             {"vif_x", ColumnScope::kFrame, plain ? "vif" : "vif=x=1", 1}};
    const std::vector<ExtractorSpec> extractors = {{"vif", ""}, {"vif", "x=1"}};
    const auto begun = (*writer)->begin_scoring(some_record("two"), columns, extractors);
    ASSERT_OK(begun);
    for (int frame = 0; frame < 10; ++frame) {
      ASSERT_OK((*writer)->add_value(begun->id, 0, frame, 1.0));
      if (frame < 6) ASSERT_OK((*writer)->add_value(begun->id, 1, frame, 2.0));
    }
    ASSERT_OK((*writer)->add_failure(begun->id, 1, 6, "x"));
    ASSERT_OK((*writer)->add_backend(begun->id, 0, {"vif", "cpu", "", "", 0, 9}));
    ASSERT_OK((*writer)->add_backend(begun->id, 1, {"vif", "cpu", "", "", 0, 5}));
    ScoringEnd end;
    end.status = ScoringStatus::kPartial;
    end.frames = 10;
    ASSERT_OK((*writer)->finish_scoring(begun->id, end));
    ASSERT_OK((*writer)->close());
  }
};

TEST_F(VerifyInstances, TwoOfOneExtractorDoNotExcuseEachOther) {
  make(false);
  EXPECT_EQ(verified(), "clean: 1 scorings, 16 values; 1 scorings failed or are partial and say why\n");
  sql("DELETE FROM frame_score WHERE scoring_feature = 1 AND frame = 8");
  EXPECT_EQ(first(), "two: vif lacks 1 value, the first at frame 8");
}

TEST_F(VerifyInstances, ColumnsOfAnEarlierVersionKnowOnlyTheName) {
  make(true);
  EXPECT_EQ(verified(), "clean: 1 scorings, 16 values; 1 scorings failed or are partial and say why\n");
  sql("DELETE FROM frame_score WHERE scoring_feature = 1 AND frame = 3");
  EXPECT_EQ(first(), "two: vif lacks 1 value, the first at frame 3");
}

TEST_F(VerifyInstances, OneThatRefusedTheClipExcusesNothing) {
  make(true);
  sql("DELETE FROM feature_backend WHERE extractor = 1; UPDATE failure SET frame = NULL; DELETE FROM scoring_feature WHERE id = 2;"
      "DELETE FROM frame_score WHERE scoring_feature = 2; DELETE FROM pooled_score WHERE scoring_feature = 2");
  EXPECT_EQ(verified(), "clean: 1 scorings, 10 values; 1 scorings failed or are partial and say why\n");
  sql("DELETE FROM frame_score WHERE scoring_feature = 1 AND frame = 8");
  EXPECT_EQ(first(), "two: vif lacks 1 value, the first at frame 8");
}

TEST_F(VerifyProblems, AFailureAtTheEndExplainsNoMissingFrame) {
  sql("UPDATE scoring SET status = 'partial' WHERE id = 1; INSERT INTO failure (scoring, extractor, reason) VALUES (1, 0, 'the end');"
      "DELETE FROM aggregate_score WHERE scoring_feature = 3");
  EXPECT_EQ(first(), "clean: 3 scorings, 60 values; 1 scorings failed or are partial and say why");
  sql("DELETE FROM frame_score WHERE scoring_feature = 1 AND frame = 8");
  EXPECT_EQ(first(), "a: psnr_y lacks 1 value, the first at frame 8");
}

TEST_F(VerifyProblems, FilesAreComparedByContent) {
  const std::string file = folder_.path("r.y4m");
  write_file(file, "content");
  ContentHash hash;
  hash.update("content");
  sql("UPDATE scoring SET reference_path = '" + file + "', reference_size = 7, reference_hash = '" + hash.text() + "' WHERE id < 3");
  EXPECT_EQ(verified(kHash), "clean: 3 scorings, 60 values; 1 of 1 files have their content; of 4 files no hash is stored\n");
  EXPECT_EQ(verified(), "clean: 3 scorings, 60 values\n");
  write_file(file, "Content");
  EXPECT_EQ(verified(kHash),
            "a: " + file + " has other content than when it was scored\nb: " + file +
                " has other content than when it was scored\nto redo:\n  a\n  b\n2 problems: 3 scorings, 60 values; 0 of 1 "
                "files have their content; of 4 files no hash is stored\n");
  write_file(file, "content and more");
  EXPECT_EQ(first(kHash), "a: " + file + " has 16 bytes, and had 7 when it was scored");
}

TEST_F(VerifyProblems, FilesThatAreNotThereAreToldOnceAndAreNotCounted) {
  const std::string file = folder_.path("r.y4m");
  write_file(file, "content");
  ContentHash hash;
  hash.update("content");
  sql("UPDATE scoring SET distorted_path = 'd' || id, distorted_hash = '" + hash.text() + "', reference_path = '" + file +
      "', reference_size = 7, reference_hash = '" + hash.text() + "'");
  EXPECT_EQ(
      verified(kHash),
      "the database: 3 of 4 scored files cannot be read, the first is d1; paths are stored as they were given: run this in the folder "
      "in which they were scored\n1 problem: 3 scorings, 60 values; 1 of 4 files have their content\n");
  EXPECT_NE(verified({true, VerifyFormat::kJson})
                .find("\"files_compared\": 1, \"files_changed\": 0, \"files_unread\": 3, \"files_without_hash\": 0}"),
            std::string::npos);
  sql("UPDATE scoring SET distorted_path = '/nowhere/d'");
  EXPECT_EQ(first(kHash), "the database: 1 of 2 scored files cannot be read, the first is /nowhere/d; bring them back, and run this again");
}

TEST_F(Verify, AnImportedScoringMayHaveHoles) {
  write_file(folder_.path("log.csv"), "Frame,x,y,\n0,1,1,\n3,,2,\n4,1,inf,\n");
  const auto prepared = prepare_log(folder_.path("log.csv"), {});
  ASSERT_OK(prepared);
  auto writer = Writer::open(folder_.path("i.db"));
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->begin_run(some_run()));
  ASSERT_OK(store_prepared_log(*prepared, **writer));
  ASSERT_OK((*writer)->close());
  std::ostringstream out;
  ASSERT_OK(verify_database(folder_.path("i.db"), {}, out));
  EXPECT_EQ(out.str(), "clean: 1 scorings, 5 values\n");
}

// -- Damage -----------------------------------------------------------------------------------------------------------------------------

TEST_F(Verify, WhatIsNoDatabaseIsAnError) {
  write_file(path_, "no database");
  EXPECT_EQ(verified(), path_ + ": this file is no vmafbatch database; name another one");
  std::filesystem::remove(path_);
  EXPECT_EQ(verified(), path_ + ": there is no such file; check the name of the database");
  sql("CREATE TABLE t (x)");
  EXPECT_EQ(verified(), path_ + ": this is a database of another program; name another one");
}

TEST_F(Verify, ADamagedPageIsAProblem) {
  auto writer = Writer::open(path_);
  ASSERT_OK(writer);
  add_clip(**writer, some_record("long"), 5000);
  ASSERT_OK((*writer)->close());
  std::string bytes = read_file(path_);
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() - 20'000), 9000, 'x');
  write_file(path_, bytes);
  std::ostringstream out;
  const auto summary = verify_database(path_, {}, out);
  ASSERT_OK(summary);
  EXPECT_GT(summary->problems, 0);
  EXPECT_NE(out.str().find("the database: damaged: "), std::string::npos) << out.str();
}

}  // namespace
}  // namespace vmafbatch::store
