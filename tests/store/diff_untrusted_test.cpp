// A database from anywhere is an error in one sentence, with its name; never a crash and never "equal".
#include <gtest/gtest.h>

#include "store/diff_fixture.h"
#include "store/schema.h"
#include "store/schema_sql.h"
#include "store/untrusted.h"

namespace vmafbatch::store {
namespace {

class DiffUntrusted : public DiffTest {
 protected:
  // The sentence after `sql` changed the new side; it names the file and has one line.
  std::string error_after(const std::string& sql) {
    run_sql(new_, sql);
    const std::string sentence = error();
    EXPECT_TRUE(sentence.starts_with(new_ + ": ")) << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    return sentence;
  }
  // The same for a change that the schema's checks would refuse.
  std::string error_after_forced(const std::string& sql) { return error_after("PRAGMA ignore_check_constraints = ON; " + sql); }
};

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(DiffUntrusted, AFileThatIsNotThere) {
  std::ostringstream out;
  const auto summary = print_diff(old_, folder_.path("absent.db"), DiffFormat::kJson, out);
  ASSERT_FALSE(summary.ok());
  EXPECT_HAS(summary.error().message, "absent.db: there is no such file");
  EXPECT_EQ(out.str(), "");
}

TEST_F(DiffUntrusted, AForeignFileOrFolder) {
  write_file(new_, "no database at all");
  EXPECT_HAS(error(), new_ + ": this file is no vmafbatch database");
  write_file(new_, "");
  EXPECT_HAS(error(), new_ + ": the database is empty");
  std::filesystem::remove(new_);
  run_sql(new_, "CREATE TABLE t (a)");
  EXPECT_HAS(error(), new_ + ": this is a database of another program");
  std::filesystem::remove(new_);
  std::filesystem::create_directory(new_);
  EXPECT_HAS(error(), new_ + ": this is a folder");
}

TEST_F(DiffUntrusted, DamagedBytes) {
  std::string bytes = read_file(new_);
  for (size_t at = 4096; at < bytes.size(); ++at) bytes[at] = static_cast<char>(at * 31);
  write_file(new_, bytes);
  EXPECT_HAS(error(), new_ + ": ");
}

TEST_F(DiffUntrusted, EveryTruncatedFileIsAnError) {
  const std::string bytes = read_file(new_);
  for (size_t size = 4096; size < bytes.size(); size += 4096) {
    write_file(new_, std::string_view(bytes).substr(0, size));
    EXPECT_HAS(error(), new_ + ": ");
  }
}

TEST_F(DiffUntrusted, AnotherVersion) {
  EXPECT_HAS(error_after("PRAGMA user_version = 1000"), "the database has schema version 1000");
  EXPECT_HAS(error_after("PRAGMA user_version = -1"), "another program");
}

TEST_F(DiffUntrusted, ANumberOfFramesThatNoClipHas) {
  EXPECT_EQ(error_after("UPDATE scoring SET frames = 9000000000000000000"),
            new_ + ": the database is damaged (a scoring has \"9000000000000000000\" frames, which no clip has); restore it from a copy");
  for (const char* frames : {"9223372036854775807", "-1", "9e18", "1e300", "'many'", "x'00'"}) {
    EXPECT_HAS(error_after("UPDATE scoring SET frames = " + std::string(frames)), "which no clip has");
  }
  EXPECT_HAS(error_after("UPDATE scoring SET frames = 10, identical_frames = -5"), "a scoring has \"-5\" frames");
}

TEST_F(DiffUntrusted, AMissingTableOrColumn) {
  EXPECT_HAS(error_after("ALTER TABLE failure RENAME COLUMN reason TO why"), "its tables are not those of a vmafbatch database");
  EXPECT_HAS(error_after("PRAGMA foreign_keys = OFF; DROP VIEW failures; DROP VIEW all_failures; DROP TABLE failure"),
             "the database has no table \"failure\"");
}

// Found by fuzz_diff: SQLite quotes the schema's text, line breaks included.
TEST_F(DiffUntrusted, ADamagedSchemaIsOneLineToo) {
  EXPECT_HAS(
      error_after("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'started_at ', '[') WHERE name = 'scoring'"),
      "malformed database schema (scoring)");
}

TEST_F(DiffUntrusted, AViewInATablesPlace) {
  const char* endless =
      "ALTER TABLE frame_score RENAME TO kept; CREATE VIEW frame_score AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) "
      "SELECT 1 AS scoring_feature, i AS frame, 1.0 AS value FROM n";
  EXPECT_HAS(error_after(endless), "the database has no table \"frame_score\"");
}

TEST_F(DiffUntrusted, AComputedColumn) {
  EXPECT_HAS(error_after("DROP TABLE aggregate_score; CREATE TABLE aggregate_score (scoring_feature INTEGER PRIMARY KEY, value AS (1.0))"),
             "its table aggregate_score has computed columns");
}

TEST_F(DiffUntrusted, TextOrNothingInAValuesPlace) {
  EXPECT_HAS(error_after_forced(set_frame(4, "'high'")), "the value at frame 4 in frame_score is no number");
  EXPECT_HAS(error_after_forced(set_frame(4, "NULL")), "the value at frame 4 in frame_score is no number");
  EXPECT_HAS(error_after_forced(set_frame(4, "31")), "the value at frame 4 in frame_score is no number");
}

TEST_F(DiffUntrusted, TextInOtherNumbers) {
  EXPECT_HAS(error_after_forced("UPDATE pooled_score SET p50 = 'x'"), "a score is no number");
  EXPECT_HAS(error_after_forced("UPDATE aggregate_score SET value = x'00'"), "a score is no number");
  EXPECT_HAS(error_after_forced("UPDATE aggregate_score SET value = NULL"), "a clip's value is no number");
}

TEST_F(DiffUntrusted, ANameThatIsNoText) {
  EXPECT_HAS(error_after("UPDATE clip SET name = 7 WHERE name = 'b'"), "a name in it is no text");
}

TEST_F(DiffUntrusted, ATextWithoutEnd) {
  EXPECT_HAS(error_after("UPDATE scoring SET options = zeroblob(3000000) WHERE id = 2"), "a text in it is too long");
}

TEST_F(DiffUntrusted, FramesOutOfOrder) {
  EXPECT_HAS(
      error_after("CREATE TABLE copy AS SELECT * FROM frame_score; DROP TABLE frame_score; CREATE TABLE frame_score (scoring_feature, "
                  "frame COLLATE NOCASE, value); INSERT INTO frame_score SELECT * FROM copy UNION ALL SELECT * FROM copy"),
      "the frames in frame_score are out of order");
}

TEST_F(DiffUntrusted, ClipsTwice) {
  EXPECT_HAS(
      error_after("UPDATE scoring SET finished = 1; INSERT INTO scoring SELECT 77, run, clip, label, status, finished, reference_path, "
                  "reference_size, reference_mtime_ns, reference_hash, distorted_path, distorted_size, distorted_mtime_ns, "
                  "distorted_hash, options, width, height, pixel_format, fps, pictures, program_version, c_library, processor, decoder, "
                  "subsample, frames, identical_frames, decoded_reference, decoded_distorted, seconds, decode_seconds, started_at, "
                  "ended_at FROM scoring WHERE id = 2"),
      "its clips are out of order");
}

TEST_F(DiffUntrusted, TextsOfAnotherEncoding) {
  std::filesystem::remove(new_);
  run_sql(new_, std::string("PRAGMA encoding = 'UTF-16'; ") + std::string(kSchemaSql) + "; PRAGMA user_version = " +
                    std::to_string(kSchemaVersion) + "; PRAGMA application_id = " + std::to_string(kApplicationId));
  EXPECT_HAS(error(), "its texts are not stored as UTF-8");
}

TEST_F(DiffUntrusted, ReadingWithoutEndIsStopped) {
  auto opened = UntrustedDatabase::open(old_);
  ASSERT_OK(opened);
  const auto endless = [&] {
    (*opened)->database().execAndGet("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n");
  };
  try {
    (*opened)->guard(endless);
    FAIL() << "it came to an end";
  } catch (const UntrustedError& error) {
    EXPECT_HAS(std::string(error.what()), "reading it does not come to an end");
  }
}

TEST_F(DiffUntrusted, TheSideThatIsDamagedIsNamed) {
  run_sql(old_, "PRAGMA ignore_check_constraints = ON; " + set_frame(4, "'x'"));
  EXPECT_TRUE(error().starts_with(old_ + ": ")) << error();
}

}  // namespace
}  // namespace vmafbatch::store
