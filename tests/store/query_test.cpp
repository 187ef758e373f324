#include "store/query.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "store/scratch.h"

namespace vmafbatch::store {
namespace {

class QueryTest : public ::testing::Test {
 protected:
  void SetUp() override { make_database(path_); }

  std::string output(const std::string& sql, OutputFormat format) const {
    std::ostringstream out;
    const Status status = run_query(path_, sql, format, out);
    return status.ok() ? out.str() : status.error().message;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("scores.db");
};

TEST_F(QueryTest, TableIsAligned) {
  EXPECT_EQ(output("SELECT 'caf\xC3\xA9' AS name, 1.5 AS mean UNION ALL SELECT 'x', 100", OutputFormat::kTable),
            "name  mean\ncaf\xC3\xA9   1.5\nx      100\n");
}

TEST_F(QueryTest, CsvKeepsEveryDigitAndQuotes) {
  EXPECT_EQ(output("SELECT 'a,\"b' AS \"n,1\", 0.1 + 0.2, NULL, 9e999, -9e999, 5", OutputFormat::kCsv).substr(0, 6), "\"n,1\",");
  EXPECT_EQ(csv_of(path_, "SELECT 'a,\"b', 0.1 + 0.2, NULL, 9e999, -9e999, 5"), "\"a,\"\"b\",0.30000000000000004,,inf,-inf,5\n");
}

TEST_F(QueryTest, JsonIsValidWithInfinitiesAndBytes) {
  const auto rows =
      nlohmann::json::parse(output("SELECT x'E9' AS a, 9e999 AS b, -9e999 AS c, NULL AS d, 1.0 AS e, 2 AS a", OutputFormat::kJson));
  EXPECT_EQ(rows, nlohmann::json::parse(R"([{"a": "\\xE9", "b": "inf", "c": "-inf", "d": null, "e": 1.0, "a_2": 2}])"));
  EXPECT_EQ(nlohmann::json::parse(output("SELECT 1 WHERE 0", OutputFormat::kJson)), nlohmann::json::array());
}

TEST_F(QueryTest, OverviewShowsEveryClip) {
  const std::string table = output(std::string(kOverviewSql), OutputFormat::kTable);
  EXPECT_NE(table.find("a     psnr_y"), std::string::npos) << table;
  EXPECT_NE(table.find("c     integer_motion2"), std::string::npos) << table;
}

TEST_F(QueryTest, OnlyReads) {
  for (const char* sql : {"DELETE FROM clip", "DROP TABLE clip", "PRAGMA user_version = 7", "CREATE TABLE x(y)"}) {
    EXPECT_NE(output(sql, OutputFormat::kCsv).find("the SQL cannot be run"), std::string::npos) << sql;
  }
  EXPECT_NE(output("VACUUM INTO '" + folder_.path("copy.db") + "'", OutputFormat::kCsv).find("the SQL cannot be run"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("copy.db")));
  EXPECT_EQ(csv_of(path_, "SELECT count(*) FROM clip"), "3\n");
}

TEST_F(QueryTest, SaysWhatIsWrongWithTheSql) {
  EXPECT_NE(output("SELECT missing", OutputFormat::kCsv).find("no such column: missing"), std::string::npos);
  EXPECT_NE(output("SELECT 1; SELECT 2", OutputFormat::kCsv).find("more than one statement"), std::string::npos);
  EXPECT_NE(output("  ", OutputFormat::kCsv).find("it is empty"), std::string::npos);
  EXPECT_EQ(csv_of(path_, "SELECT 1; -- a comment\n ;"), "1\n");
}

TEST_F(QueryTest, OneFeatureOfOneClipIsFoundByKeys) {
  const std::string plan =
      output("EXPLAIN QUERY PLAN SELECT * FROM frame_features WHERE clip = 'a' AND feature = 'psnr_y'", OutputFormat::kCsv);
  EXPECT_EQ(plan.find("SCAN"), std::string::npos) << plan;
}

TEST_F(QueryTest, NamesWithAMeaningInUrisAreOpened) {
  const std::string odd = folder_.path("a?b#c%20 d\xE9.db");
  std::filesystem::copy_file(path_, odd);
  EXPECT_EQ(csv_of(odd, "SELECT count(*) FROM clip"), "3\n");
}

// A kill in the middle of a change leaves a rollback journal: the file alone is half of something.
TEST_F(QueryTest, AChangeThatWasNotTakenBackIsNeverRead) {
  const std::string killed = folder_.path("killed.db");
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
  const auto exec = [&](const char* sql) { ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db); };
  exec("PRAGMA journal_mode = DELETE");
  exec("PRAGMA cache_size = 1");
  exec("BEGIN");
  exec("UPDATE frame_score SET value = 1.0");
  exec(
      "INSERT INTO failure (scoring, reason) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
      "SELECT 1, hex(zeroblob(100)) FROM n");
  for (const char* suffix : {"", "-journal"}) std::filesystem::copy_file(path_ + suffix, killed + suffix);
  exec("ROLLBACK");
  sqlite3_close(db);
  std::ostringstream out;
  const Status status = run_query(killed, "SELECT count(*) FROM failure", OutputFormat::kCsv, out);
  ASSERT_FALSE(status.ok()) << out.str();
  EXPECT_NE(status.error().message.find("a run was killed in the middle of a change to it"), std::string::npos) << status.error().message;
  ASSERT_TRUE(Writer::open(killed).ok());
  EXPECT_EQ(csv_of(killed, "SELECT count(*) FROM failure"), "0\n");
}

TEST_F(QueryTest, FilesThatAreNoDatabaseAreNamed) {
  write_file(folder_.path("text.db"), "this is a text file, longer than sixteen bytes");
  write_file(folder_.path("empty.db"), "");
  run_sql(folder_.path("other.db"), "CREATE TABLE t(x)");
  EXPECT_NE(csv_of(folder_.path("text.db"), "SELECT 1").find("text.db: this file is no vmafbatch database"), std::string::npos);
  EXPECT_NE(csv_of(folder_.path("empty.db"), "SELECT 1").find("empty.db: the database is empty"), std::string::npos);
  EXPECT_NE(csv_of(folder_.path("other.db"), "SELECT 1").find("other.db: this is a database of another program"), std::string::npos);
  EXPECT_NE(csv_of(folder_.path("absent.db"), "SELECT 1").find("absent.db: there is no such file"), std::string::npos);
  EXPECT_NE(csv_of(folder_.path().native(), "SELECT 1").find("this is a folder"), std::string::npos);
}

TEST_F(QueryTest, AnOutputThatIsFullIsAnError) {
  std::ofstream full("/dev/full");
  const Status status = run_query(path_, "SELECT 1", OutputFormat::kCsv, full);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "the output cannot be written; check its place and the room there");
}

}  // namespace
}  // namespace vmafbatch::store
