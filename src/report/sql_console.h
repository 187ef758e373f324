// One SELECT of a stranger over a database (docs/serve.md): read-only, bounded in time, memory and size of its answer.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "base/result.h"

namespace vmafbatch::report {

struct SqlLimits {
  std::chrono::milliseconds time{10'000};
  size_t rows = 10'000;
  size_t bytes = 16'000'000;  // of the answer
};

// What is wrong with a statement, and where.
struct SqlProblem {
  std::string sentence;
  std::optional<int> line, column;  // from 1, in characters; of the SQL
  bool of_database = false;         // the SQL is not to blame: the database cannot be read
};

// Either the answer, or the problem.
struct SqlAnswer {
  std::string text;
  std::optional<SqlProblem> problem;
};

// {"columns": [...], "rows": [...], "more": false, "seconds": 0.012}. What is over the limits on rows and bytes is left out, and "more"
// says so.
SqlAnswer sql_json(const std::string& database, const std::string& sql, const SqlLimits& limits, const std::atomic<bool>& stopping);

// A header and rows as `vmafbatch query --format csv` writes them. A result over the limits is a problem.
SqlAnswer sql_csv(const std::string& database, const std::string& sql, const SqlLimits& limits, const std::atomic<bool>& stopping);

// {"error": "sentence", "line": 1, "column": 8}
std::string problem_json(const SqlProblem& problem);

}  // namespace vmafbatch::report
