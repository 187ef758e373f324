// What must hold of the rows of a database, but for the values of frames (verify_scoring.h).
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace vmafbatch::store {

// Takes each problem's sentence, and the scoring that has it; none: the database itself.
using TellProblem = std::function<void(std::optional<std::int64_t> scoring, const std::string& text)>;

// Views and indices are there, and every column of every table has values of its type. SQLite's integrity check leaves NOT NULL and CHECK
// out where a database is opened for reading only. Throws SQLite::Exception.
void check_structure(SQLite::Database& database, const TellProblem& tell);

// The rules of docs/schema.md, "What must hold", table by table. Throws SQLite::Exception.
void check_rules(SQLite::Database& database, const TellProblem& tell);

}  // namespace vmafbatch::store
