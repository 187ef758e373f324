// SQLite's functions whose work grows with the product of their arguments' lengths, in a form that strangers may call.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include "report/read_guard.h"

namespace vmafbatch::report {

// Puts functions of the same names and results in the place of trim(X,Y), ltrim(X,Y), rtrim(X,Y), instr(), replace(), like() and glob() of
// one connection. SQLite counts a call as one step, so that a statement of such calls is never asked whether its time is over: these ask
// `time` at each call, and fail with SQLITE_INTERRUPT. trim, instr and replace take time that grows with the sum of the lengths.
// REQUIRES: `time` lives while statements of the connection run.
void bound_functions(SQLite::Database& database, const TimeGuard& time);

}  // namespace vmafbatch::report
