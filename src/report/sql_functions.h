// SQLite's functions whose work grows with the product of their arguments' lengths, or that give NULL in the place of a text that is too
// long, in a form that strangers may call.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <map>
#include <memory>

#include "report/read_guard.h"

struct sqlite3_stmt;

namespace vmafbatch::report {

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const;
};
using StatementOwner = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

// Puts functions of the same names and results in the place of trim(X,Y), ltrim(X,Y), rtrim(X,Y), instr(), replace(), like(), glob(),
// format() and printf() of one connection. SQLite counts a call as one step, so that a statement of such calls is never asked whether its
// time is over: these ask `time` at each call, and fail with SQLITE_INTERRUPT. trim, instr and replace take time that grows with the sum of
// the lengths; format fails where its text is longer than the connection's limit.
class BoundFunctions {
 public:
  // REQUIRES: this and `time` live while statements of `database` run, and its limits stay as they are.
  BoundFunctions(SQLite::Database& database, const TimeGuard& time);
  BoundFunctions(const BoundFunctions&) = delete;
  BoundFunctions& operator=(const BoundFunctions&) = delete;

  // -- For the functions.

  bool is_over() const { return time_.is_over(); }
  // Of SQLite's own format() with so many parameters: the text, and whether it would have been too long.
  sqlite3_stmt* format(int parameters);

 private:
  const TimeGuard& time_;
  SQLite::Database plain_;  // with SQLite's own functions
  std::map<int, StatementOwner> formats_;
};

}  // namespace vmafbatch::report
