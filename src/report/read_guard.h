// Limits of a database connection on which strangers' SQL, or much of our own, is run.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <atomic>
#include <chrono>
#include <set>
#include <string>

namespace vmafbatch::report {

// Ends statements of a connection that take too long, or when `stopping` becomes true: they fail with SQLITE_INTERRUPT.
// Its progress handler takes the place of UntrustedDatabase's, which is gone from then on. REQUIRES: `database` outlives it; one at a time.
class TimeGuard {
 public:
  TimeGuard(SQLite::Database& database, std::chrono::milliseconds limit, const std::atomic<bool>& stopping);
  ~TimeGuard();
  TimeGuard(const TimeGuard&) = delete;
  TimeGuard& operator=(const TimeGuard&) = delete;

  bool is_over() const;
  std::chrono::milliseconds limit() const { return limit_; }
  double seconds() const;  // since the beginning

 private:
  SQLite::Database& database_;
  std::chrono::milliseconds limit_;
  std::chrono::steady_clock::time_point start_;
  const std::atomic<bool>& stopping_;
};

// Lets a connection run SELECTs over the tables and views of its own database, with functions that have no effect outside, and nothing
// else: no writing, ATTACH, PRAGMA, temporary tables, transactions or extensions. Statements have bounded size, depth, texts and calls, and
// sort in many small steps, through temporary files. It stays so until the connection is closed. REQUIRES: `database` outlives it.
class SqlGuard {
 public:
  explicit SqlGuard(SQLite::Database& database);
  ~SqlGuard();
  SqlGuard(const SqlGuard&) = delete;
  SqlGuard& operator=(const SqlGuard&) = delete;

  // What the last statement wanted and may not; "" where it was nothing.
  const std::string& denied() const { return denied_; }
  // REQUIRES: called before each statement is prepared.
  void begin_statement();

 private:
  static int on_action(void* self, int action, const char* first, const char* second, const char* database, const char* trigger);
  bool allows(int action, const char* first, const char* second);
  bool allows_function(const char* name);

  SQLite::Database& database_;
  std::set<std::string> tables_;
  std::string denied_;
  int calls_ = 0;  // of functions that the statement names, in calls of usual ones
};

// Texts and blobs that SQL of strangers makes or reads are at most so long, in bytes: a function over one takes milliseconds at most.
inline constexpr int kLongestSqlText = 100'000;

// Lets a connection read and begin transactions from now on, and nothing else: for statements of ours over a database of a stranger.
void let_only_read(SQLite::Database& database);

// All databases of the process together hold at most so much memory from now on, their temporary files included, which are in memory; a
// statement that wants more fails. For a server, before it starts threads: the threads share their heaps, so that what one gave back
// serves the others. REQUIRES: no database was opened before.
void limit_database_memory(long long bytes);

// Gives memory that nothing holds any more back to the system: what a statement needed would otherwise stay with the process.
void give_back_memory();

}  // namespace vmafbatch::report
