// A database that somebody else may have made, cut or changed: read without trust. Nothing in it may crash the program, make it read
// without end or fill its memory.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/result.h"

namespace vmafbatch::store {

// The one sentence, with the file's name, that says why a database cannot be read on.
class UntrustedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The sentence for a failed SQLite call on a database that may be anything.
Error untrusted_error(const std::string& path, const SQLite::Exception& exception);

class UntrustedDatabase {
 public:
  UntrustedDatabase(std::string path, std::unique_ptr<SQLite::Database> database);  // for open()

  // Opens `path` for reading only. Error: as open_read_only() and check_tables() say; or a table computes its columns.
  static Result<std::unique_ptr<UntrustedDatabase>> open(const std::string& path);
  ~UntrustedDatabase();
  UntrustedDatabase(const UntrustedDatabase&) = delete;
  UntrustedDatabase& operator=(const UntrustedDatabase&) = delete;

  SQLite::Database& database() { return *database_; }
  const std::string& path() const { return path_; }

  // Says that the program is getting on: SQLite may work only so long between two calls, or the read fails.
  void row_read() { ticks_ = 0; }

  // Runs `action`; a failure of SQLite becomes an UntrustedError.
  template <class Action>
  auto guard(Action&& action) {
    row_read();
    try {
      return std::forward<Action>(action)();
    } catch (const SQLite::Exception& exception) {
      throw UntrustedError(untrusted_error(path_, exception).message);
    }
  }

 private:
  Status check_content();

  std::string path_;
  std::unique_ptr<SQLite::Database> database_;
  int ticks_ = 0;
};

}  // namespace vmafbatch::store
