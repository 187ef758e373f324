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
            "\"failed_or_partial\": 0, \"files_compared\": 0, \"files_without_hash\": 0}}\n");
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
            "\"files_compared\": 0, \"files_without_hash\": 0}}\n");
}

TEST_F(VerifyProblems, FilesAreComparedByContent) {
  const std::string file = folder_.path("r.y4m");
  write_file(file, "content");
  ContentHash hash;
  hash.update("content");
  sql("UPDATE scoring SET reference_path = '" + file + "', reference_size = 7, reference_hash = '" + hash.text() + "' WHERE id < 3");
  EXPECT_EQ(verified(kHash), "clean: 3 scorings, 60 values; 1 files have their content; of 4 files no hash is stored\n");
  EXPECT_EQ(verified(), "clean: 3 scorings, 60 values\n");
  write_file(file, "Content");
  EXPECT_EQ(verified(kHash).substr(0, 30 + file.size() * 2 + 110),
            ("a: " + file + " has other content than when it was scored\nb: " + file +
             " has other content than when it was scored\nto redo:\n  a\n  b\n2 problems: 3 scorings, 60 values; 1 files have their "
             "content; of 4 "
             "files no hash is stored\n")
                .substr(0, 30 + file.size() * 2 + 110));
  write_file(file, "content and more");
  EXPECT_EQ(first(kHash), "a: " + file + " has 16 bytes, and had 7 when it was scored");
  std::filesystem::remove(file);
  EXPECT_EQ(first(kHash), "a: " + file + ": cannot be read (No such file or directory)");
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
