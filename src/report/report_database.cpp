#include "report/report_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/glob.h"
#include "base/utf8.h"
#include "report/read_guard.h"
#include "store/database.h"
#include "store/newest_scoring.h"

namespace vmafbatch::report {
namespace {

// A database of ours has tens of features; more would only fill the memory of those who read it.
constexpr int kMostFeatures = 10'000;
constexpr std::size_t kMostRows = 5'000'000;
constexpr int kRowsPerClock = 1000;

// A row of each (clip, label): the newest that ended, else the newest; beside it the newest that has not ended, if it is newer.
std::string rows_sql() {
  const std::string same = "n.clip = s.clip AND n.label = s.label";
  return "SELECT s.id, c.name, s.label, " + store::newest_open_sql(same + " AND n.id > s.id") +
         " FROM clip c JOIN scoring s ON s.clip = c.id WHERE s.id = coalesce(" + store::newest_ended_sql(same) + ", " +
         store::newest_open_sql(same) + ") ORDER BY c.name, s.label";
}

}  // namespace

Result<std::unique_ptr<ReportDatabase>> ReportDatabase::open(const std::string& path, ShownPart shown) {
  auto source = store::UntrustedDatabase::open(path);
  if (!source.ok()) return source.error();
  return std::make_unique<ReportDatabase>(std::move(*source), std::move(shown));
}

ReportDatabase::ReportDatabase(std::unique_ptr<store::UntrustedDatabase> source, ShownPart shown)
    : source_(std::move(source)), shown_(std::move(shown)) {
  let_only_read(source_->database());
}

std::string ReportDatabase::title() const { return std::filesystem::path(path()).filename().string(); }

void ReportDatabase::begin() {
  deadline_.reset();
  if (time_limit_) deadline_ = std::chrono::steady_clock::now() + *time_limit_;
  rows_until_clock_ = 0;
  refused_.reset();
  source_->row_read();
}

void ReportDatabase::row_read() {
  source_->row_read();
  if (--rows_until_clock_ > 0) return;
  rows_until_clock_ = kRowsPerClock;
  if (stopping_ != nullptr && *stopping_) throw store::UntrustedError("the server ends");
  if (!deadline_ || std::chrono::steady_clock::now() < *deadline_) return;
  throw store::UntrustedError(fmt::format("{}: this takes longer than {} s; ask for less", display_text(path()),
                                          static_cast<double>(time_limit_->count()) / 1000.0));
}

std::vector<RowKey> ReportDatabase::rows() {
  std::vector<RowKey> rows;
  SQLite::Statement statement(database(), rows_sql());
  while (statement.executeStep()) {
    row_read();
    if (shown_.label && store::column_bytes(statement, 2) != *shown_.label) continue;
    if (!is_chosen(store::column_bytes(statement, 1), shown_.clips)) continue;
    if (rows.size() == kMostRows) store::throw_damage("it has more clips than can be shown");
    RowKey row{statement.getColumn(0).getInt64(), std::nullopt};
    if (!statement.isColumnNull(3)) row.running = statement.getColumn(3).getInt64();
    rows.push_back(row);
  }
  return rows;
}

std::vector<ReportDatabase::Feature> ReportDatabase::features() {
  std::vector<Feature> features;
  SQLite::Statement statement(database(), "SELECT id, name FROM feature ORDER BY id");
  for (int count = 0; statement.executeStep(); ++count) {
    if (count == kMostFeatures) store::throw_damage("it has more features than one can have");
    row_read();
    std::string name = store::column_bytes(statement, 1);
    if (is_chosen(name, shown_.features)) features.push_back({statement.getColumn(0).getInt64(), std::move(name)});
  }
  return features;
}

}  // namespace vmafbatch::report
