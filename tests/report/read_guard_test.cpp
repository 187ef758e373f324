// Statements of strangers: what they may take at a time.
#include "report/read_guard.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <memory>
#include <string>
#include <vector>

#include "report/temporary_files.h"
#include "support/temporary_folder.h"

namespace vmafbatch::report {
namespace {

constexpr const char* kManyRows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 400000) ";

// What a step works on: what a sort holds outside of its files.
TEST(SqlGuard, SortsInPartsWhateverTheFileAsksFor) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("a.db");
  SQLite::Database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE t (a); PRAGMA default_cache_size = 1000000");
  SQLite::Database database(path, SQLite::OPEN_READONLY, 0, "unix");
  const SqlGuard guard(database);
  const auto before = sqlite3_memory_used();
  sqlite3_memory_highwater(1);
  SQLite::Statement statement(database, std::string(kManyRows) + "SELECT i FROM n ORDER BY abs(i % 1000 - 500), i");
  ASSERT_TRUE(statement.executeStep());
  EXPECT_EQ(statement.getColumn(0).getInt(), 500);
  EXPECT_LT(sqlite3_memory_highwater(0) - before, 5'000'000) << "all rows are 12 MB";
}

// One process-wide switch: no other test of this program may mind.
class TemporaryFiles : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { keep_temporary_files_in_memory(); }

  static std::unique_ptr<SQLite::Database> open(const char* store, const char* vfs) {
    auto database = std::make_unique<SQLite::Database>(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 0, vfs);
    database->exec(std::string("PRAGMA cache_size = -200; PRAGMA temp_store = ") + store);
    return database;
  }
};

TEST_F(TemporaryFiles, HoldWhatStatementsPutIntoThem) {
  const auto expected = open("MEMORY", "unix");
  const auto found = open("FILE", "vmafbatch");
  for (const auto* database : {&expected, &found}) {
    (*database)->exec(
        "CREATE TEMP TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60000) "
        "SELECT i AS a, i * 7919 % 60013 AS b, printf('%d %.*c', i % 997, i % 300, 'x') AS c FROM n; CREATE INDEX temp.i ON t (c);"
        "BEGIN; UPDATE t SET c = c || 'y', b = -b; DELETE FROM t WHERE a % 3 = 0; ROLLBACK;"
        "BEGIN; UPDATE t SET c = c || 'z' WHERE a % 5 = 0; SAVEPOINT s; DELETE FROM t; ROLLBACK TO s; COMMIT");
  }
  for (const std::string sql :
       {"SELECT b, c FROM t ORDER BY b DESC", "SELECT c, count(*), sum(b) FROM t GROUP BY c ORDER BY 2 DESC, 1",
        "SELECT DISTINCT b % 5003 || c FROM t ORDER BY 1", "SELECT lead(b, 20000) OVER (ORDER BY c, a), sum(b) OVER (ORDER BY b) FROM t",
        "SELECT a FROM t EXCEPT SELECT b FROM t WHERE b % 2 UNION SELECT -b FROM t"}) {
    SQLite::Statement one(*expected, sql), other(*found, sql);
    while (one.executeStep()) {
      ASSERT_TRUE(other.executeStep()) << sql;
      ASSERT_EQ(one.getColumn(0).getString(), other.getColumn(0).getString()) << sql;
      ASSERT_EQ(one.getColumn(one.getColumnCount() - 1).getString(), other.getColumn(one.getColumnCount() - 1).getString()) << sql;
    }
    EXPECT_FALSE(other.executeStep()) << sql;
  }
}

TEST_F(TemporaryFiles, CountAgainstTheLimitAndAreGivenBack) {
  const auto database = open("FILE", "vmafbatch");
  const auto before = sqlite3_memory_used();
  const auto sort = [&] {
    SQLite::Statement statement(*database, std::string(kManyRows) + "SELECT i FROM n ORDER BY hex(i)");
    return statement.tryExecuteStep();
  };
  sqlite3_hard_heap_limit64(before + 3'000'000);
  EXPECT_EQ(sort() & 0xFF, SQLITE_NOMEM);
  sqlite3_hard_heap_limit64(0);
  EXPECT_EQ(sort(), SQLITE_ROW);
  EXPECT_LT(sqlite3_memory_used() - before, 1'000'000);
}

}  // namespace
}  // namespace vmafbatch::report
