// A database as documents read it: for reading only, without trust, one read transaction a document, also while a run writes it.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/untrusted.h"

namespace vmafbatch::report {

// What of a database is shown.
struct ShownPart {
  std::optional<std::string> label{};   // only scorings under this label; nothing: all, each label a row of its own
  std::vector<std::string> clips{};     // patterns (base/glob.h) of the clips to show; none: all
  std::vector<std::string> features{};  // patterns of the features to show; none: all
};

// Thrown inside read(): what was asked for is not there, or was asked wrongly. The database is not to blame.
class Refused : public store::UntrustedError {
 public:
  enum class Why { kNotThere, kWrong };
  Refused(Why why, const std::string& sentence) : store::UntrustedError(sentence), why_(why) {}
  Why why() const { return why_; }

 private:
  Why why_;
};

// A row of the catalogue: one clip under one label.
struct RowKey {
  std::int64_t scoring = 0;             // the newest that ended, else the newest
  std::optional<std::int64_t> running;  // a newer one that has not ended
};

class ReportDatabase {
 public:
  // Error: one sentence, as UntrustedDatabase::open.
  static Result<std::unique_ptr<ReportDatabase>> open(const std::string& path, ShownPart shown = {});
  ReportDatabase(std::unique_ptr<store::UntrustedDatabase> source, ShownPart shown);  // for open()

  const std::string& path() const { return source_->path(); }
  std::string title() const;  // bytes: its file's name
  store::UntrustedDatabase& source() { return *source_; }
  const ShownPart& shown() const { return shown_; }

  // Documents that take longer fail with a sentence; nothing: no limit. stopping: where it is not null and becomes true they fail, too;
  // outlives this.
  void set_time_limit(std::optional<std::chrono::milliseconds> limit, const std::atomic<bool>* stopping = nullptr) {
    time_limit_ = limit;
    stopping_ = stopping;
  }

  // Makes a document in one read transaction: `make` sees one state of the database. Every failure becomes the Error.
  // Threads: one document of a ReportDatabase at a time; threads that work side by side open one each.
  template <class Make>
  auto read(Make&& make) -> Result<decltype(make())>;
  // Why the last read() was refused; nothing where it was not, or failed for the database's sake.
  std::optional<Refused::Why> refused() const { return refused_; }

  // -- For use inside read(); they throw as store::UntrustedDatabase::guard(), or SQLite::Exception.

  SQLite::Database& database() { return source_->database(); }
  // To be called for every row, and wherever as much is computed: the document is getting on.
  void row_read();

  // Rows in order of name, then label.
  std::vector<RowKey> rows();

  // The shown features, by their ids in the database, which never change and only grow while a run is on: the place in this list is
  // the feature's number in the documents.
  struct Feature {
    std::int64_t id = 0;
    std::string name;  // bytes
  };
  std::vector<Feature> features();

 private:
  void begin();

  std::unique_ptr<store::UntrustedDatabase> source_;
  ShownPart shown_;
  std::optional<std::chrono::milliseconds> time_limit_;
  const std::atomic<bool>* stopping_ = nullptr;
  std::optional<Refused::Why> refused_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  int rows_until_clock_ = 0;
};

template <class Make>
auto ReportDatabase::read(Make&& make) -> Result<decltype(make())> {
  try {
    begin();
    SQLite::Transaction transaction(database());  // rolled back at the end: nothing was written
    return std::forward<Make>(make)();
  } catch (const Refused& refused) {
    refused_ = refused.why();
    return Error{refused.what()};
  } catch (const store::UntrustedError& error) {
    return Error{error.what()};
  } catch (const SQLite::Exception& exception) {
    return store::untrusted_error(path(), exception);
  }
}

}  // namespace vmafbatch::report
