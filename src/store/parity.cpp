#include "store/parity.h"

#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "store/database.h"
#include "store/diff_equality.h"
#include "store/records.h"

namespace vmafbatch::store {
namespace {

// Every value of the newest scorings in one order; aggregates have frame -1.
constexpr const char* kValues =
    "SELECT c.name, f.name, v.frame, v.value, sf.source FROM newest_scoring s JOIN clip c ON c.id = s.clip "
    "JOIN scoring_feature sf ON sf.scoring = s.id JOIN feature f ON f.id = sf.feature "
    "JOIN (SELECT scoring_feature, frame, value FROM frame_score UNION ALL SELECT scoring_feature, -1, value FROM aggregate_score) v "
    "ON v.scoring_feature = sf.id ORDER BY 1, 2, 3";

class Values {
 public:
  explicit Values(SQLite::Database& database) : statement_(database, kValues) { next(); }

  using Key = std::tuple<std::string, std::string, std::int64_t>;  // clip, feature, frame
  const std::optional<Key>& key() const { return key_; }
  double value() const { return value_; }
  const std::string& source() const { return source_; }

  void next() {
    if (!statement_.executeStep()) {
      key_.reset();
      return;
    }
    key_ = {column_bytes(statement_, 0), column_bytes(statement_, 1), statement_.getColumn(2).getInt64()};
    value_ = statement_.getColumn(3).getDouble();
    source_ = source_name(column_bytes(statement_, 4));
  }

 private:
  SQLite::Statement statement_;
  std::optional<Key> key_;
  double value_ = 0;
  std::string source_;
};

std::string place_text(const Values::Key& key) {
  const auto& [clip, feature, frame] = key;
  return clip + ", " + feature + (frame < 0 ? "" : ", frame " + std::to_string(frame));
}

using Rows = std::map<std::string, ParityRow>;

ParityRow& row_of(Rows& rows, const std::string& source) {
  ParityRow& row = rows[source];
  row.source = source;
  return row;
}

void compare_pair(ParityRow& row, const Values::Key& key, double a, double b) {
  ++row.values;
  if (same_bits(a, b)) {
    ++row.identical;
    return;
  }
  if (row.worst_at.empty() || distance(a, b) > row.worst) {
    row.worst = distance(a, b);
    row.worst_at = place_text(key);
  }
}

void note_one_sided(ParityRow& row, const Values::Key& key) {
  ++row.values;
  ++row.one_sided;
  row.worst = std::numeric_limits<double>::infinity();
  row.worst_at = place_text(key);
}

void compare_values(SQLite::Database& first, SQLite::Database& second, Rows& rows) {
  Values a(first);
  Values b(second);
  while (a.key() || b.key()) {
    const bool only_a = a.key() && (!b.key() || *a.key() < *b.key());
    const bool only_b = !only_a && (!a.key() || *b.key() < *a.key());
    if (only_a) {
      note_one_sided(row_of(rows, a.source()), *a.key());
      a.next();
    } else if (only_b) {
      note_one_sided(row_of(rows, b.source()), *b.key());
      b.next();
    } else {
      compare_pair(row_of(rows, a.source()), *a.key(), a.value(), b.value());
      a.next();
      b.next();
    }
  }
}

void find_fallbacks(SQLite::Database& database, const std::string& backend, Rows& rows) {
  SQLite::Statement statement(database, "SELECT clip, extractor, backend, reason FROM backends WHERE backend <> ? ORDER BY 2, 1");
  statement.bind(1, backend);
  while (statement.executeStep()) {
    const std::string reason = column_bytes(statement, 3);
    row_of(rows, column_bytes(statement, 1))
        .fallbacks.push_back(column_bytes(statement, 0) + " ran on " + column_bytes(statement, 2) +
                             (reason.empty() ? ", not on " + backend : ": " + reason));
  }
}

}  // namespace

Result<std::vector<ParityRow>> compare_backends(const ParitySide& first, const ParitySide& second) {
  auto a = open_read_only(first.database);
  if (!a.ok()) return a.error();
  auto b = open_read_only(second.database);
  if (!b.ok()) return b.error();
  Rows rows;
  try {
    compare_values(**a, **b, rows);
    find_fallbacks(**a, first.backend, rows);
    find_fallbacks(**b, second.backend, rows);
  } catch (const SQLite::Exception& e) {
    return database_error(second.database, e);
  }
  std::vector<ParityRow> list;
  for (auto& [source, row] : rows) list.push_back(std::move(row));
  return list;
}

}  // namespace vmafbatch::store
