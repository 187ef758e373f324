// Rows of an open scoring, and its end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "store/clock.h"
#include "store/pooling.h"
#include "store/writer_impl.h"

namespace vmafbatch::store {
namespace {

// Rows per INSERT. Measured: 1 row a statement 1.3 M values/s, 16 rows 2.5 M values/s, more gains nothing (bench/store_bench.cpp).
constexpr size_t kRowsPerInsert = 16;
// Values that wait in memory, 16 bytes each, before they go to SQLite without a commit.
constexpr size_t kMaxPendingValues = size_t{1} << 20;

std::string insert_sql(size_t rows) {
  std::string sql = "INSERT INTO frame_score (scoring_feature, frame, value) VALUES (?, ?, ?)";
  for (size_t row = 1; row < rows; ++row) sql += ", (?, ?, ?)";
  return sql;
}

// The statements' cache is keyed by the literal's text, so these live as long as the program.
const char* insert_many_sql() {
  static const std::string sql = insert_sql(kRowsPerInsert);
  return sql.c_str();
}

const char* insert_one_sql() {
  static const std::string sql = insert_sql(1);
  return sql.c_str();
}

void bind_row(SQLite::Statement& insert, int first, std::int64_t column, const FrameValue& row) {
  insert.bind(first, column);
  insert.bind(first + 1, row.first);
  insert.bind(first + 2, row.second);
}

void bind_or_null(SQLite::Statement& statement, int index, double value) {
  if (std::isnan(value)) {
    statement.bind(index);
  } else {
    statement.bind(index, value);
  }
}

void sort_by_frame(std::vector<FrameValue>& values) {
  const auto by_frame = [](const FrameValue& a, const FrameValue& b) { return a.first < b.first; };
  if (!std::is_sorted(values.begin(), values.end(), by_frame)) std::stable_sort(values.begin(), values.end(), by_frame);
}

}  // namespace

// -- Places -------------------------------------------------------------------------------------------------------------------------

Result<OpenScoring*> Writer::Impl::find_open(ScoringId scoring) {
  const auto place = open_.find(scoring);
  if (place == open_.end()) return Error{fmt::format("scoring {} is not open", scoring)};
  return &place->second;
}

Result<OpenScoring*> Writer::Impl::find_extractor(ScoringId scoring, int extractor) {
  auto open = find_open(scoring);
  if (open.ok() && (extractor < 0 || extractor >= (*open)->extractors)) {
    return Error{fmt::format("scoring {} has no extractor {}", scoring, extractor)};
  }
  return open;
}

Result<OpenColumn*> Writer::Impl::find_column(ScoringId scoring, int column) {
  auto open = find_open(scoring);
  if (!open.ok()) return open.error();
  std::vector<OpenColumn>& columns = (*open)->columns;
  if (column < 0 || static_cast<size_t>(column) >= columns.size()) {
    return Error{fmt::format("scoring {} has no column {}", scoring, column)};
  }
  return &columns[static_cast<size_t>(column)];
}

// -- Values -------------------------------------------------------------------------------------------------------------------------

Status Writer::Impl::add_value(ScoringId scoring, int column, std::int64_t frame, double value) {
  auto place = find_column(scoring, column);
  if (!place.ok()) return place.error();
  OpenColumn& target = **place;
  if (target.scope == ColumnScope::kAggregate) {
    return Error{fmt::format("\"{}\" is one value for the whole clip, it has none for frame {}", display_text(target.key), frame)};
  }
  if (std::isnan(value)) return Error{fmt::format("\"{}\" at frame {} is not a number", display_text(target.key), frame)};
  target.pending.emplace_back(frame, value);
  if (++pending_values_ >= kMaxPendingValues) flush_all();
  return {};
}

Status Writer::Impl::add_aggregate(ScoringId scoring, int column, double value) {
  auto place = find_column(scoring, column);
  if (!place.ok()) return place.error();
  OpenColumn& target = **place;
  if (target.scope != ColumnScope::kAggregate || target.has_aggregate) {
    return Error{fmt::format("\"{}\" {}", display_text(target.key),
                             target.has_aggregate ? "has its value for the whole clip already" : "has values per frame")};
  }
  if (std::isnan(value)) return Error{fmt::format("\"{}\" is not a number", display_text(target.key))};
  ensure_transaction();
  SQLite::Statement& insert = statement("INSERT INTO aggregate_score (scoring_feature, value) VALUES (?, ?)");
  insert.bind(1, target.id);
  insert.bind(2, value);
  insert.exec();
  target.has_aggregate = true;
  return {};
}

void Writer::Impl::flush(OpenColumn& column) {
  if (column.pending.empty()) return;
  ensure_transaction();
  sort_by_frame(column.pending);
  size_t at = 0;
  while (at < column.pending.size()) {
    const size_t rows = column.pending.size() - at >= kRowsPerInsert ? kRowsPerInsert : 1;
    SQLite::Statement& insert = statement(rows == 1 ? insert_one_sql() : insert_many_sql());
    for (size_t row = 0; row < rows; ++row) bind_row(insert, 1 + 3 * static_cast<int>(row), column.id, column.pending[at + row]);
    insert.exec();
    at += rows;
  }
  pending_values_ -= column.pending.size();
  column.pending.clear();
  column.has_stored_values = true;
}

std::vector<FrameValue> Writer::Impl::values_of(OpenColumn& column) {
  if (!column.has_stored_values) {
    sort_by_frame(column.pending);
    return column.pending;
  }
  std::vector<FrameValue> values;
  SQLite::Statement& find = statement("SELECT frame, value FROM frame_score WHERE scoring_feature = ? ORDER BY frame");
  find.bind(1, column.id);
  while (find.executeStep()) values.emplace_back(find.getColumn(0).getInt64(), find.getColumn(1).getDouble());
  values.insert(values.end(), column.pending.begin(), column.pending.end());
  sort_by_frame(values);
  return values;
}

Result<std::vector<FrameValue>> Writer::Impl::column_values(ScoringId scoring, int column) {
  auto place = find_column(scoring, column);
  if (!place.ok()) return place.error();
  return values_of(**place);
}

// -- Measurements and notes -----------------------------------------------------------------------------------------------------------

Status Writer::Impl::add_measurement(ScoringId scoring, int extractor, std::int64_t frame, std::span<const std::uint64_t> words) {
  auto place = find_extractor(scoring, extractor);
  if (!place.ok()) return place.error();
  (*place)->pending.push_back({extractor, frame, {words.begin(), words.end()}, std::nullopt});
  pending_values_ += words.size() + 1;
  if (pending_values_ >= kMaxPendingValues) flush_all();
  return {};
}

Status Writer::Impl::add_pair(ScoringId scoring, std::int64_t frame, PairRecord pair) {
  auto place = find_open(scoring);
  if (!place.ok()) return place.error();
  PendingMeasurement pending{PendingMeasurement::kPair, frame, std::move(pair.words), std::nullopt};
  if (pair.reference_ns && pair.distorted_ns) pending.times_ns.emplace(*pair.reference_ns, *pair.distorted_ns);
  pending_values_ += pending.words.size() + 1;
  (*place)->pending.push_back(std::move(pending));
  if (pending_values_ >= kMaxPendingValues) flush_all();
  return {};
}

void Writer::Impl::flush_measurements(ScoringId scoring, OpenScoring& open) {
  if (open.pending.empty()) return;
  ensure_transaction();
  for (const PendingMeasurement& row : open.pending) {
    SQLite::Statement& insert = statement("INSERT INTO measurement (scoring, extractor, frame, words) VALUES (?, ?, ?, ?)");
    insert.bind(1, scoring);
    insert.bind(2, row.extractor);
    insert.bind(3, row.frame);
    // An empty list may have no address, which SQLite would take for NULL.
    const void* const words = row.words.empty() ? static_cast<const void*>("") : row.words.data();
    insert.bind(4, words, static_cast<int>(row.words.size() * sizeof(std::uint64_t)));
    insert.exec();
    pending_values_ -= row.words.size() + 1;
    if (!row.times_ns) continue;
    SQLite::Statement& times = statement("INSERT INTO frame_time (scoring, frame, reference_ns, distorted_ns) VALUES (?, ?, ?, ?)");
    times.bind(1, scoring);
    times.bind(2, row.frame);
    times.bind(3, row.times_ns->first);
    times.bind(4, row.times_ns->second);
    times.exec();
  }
  open.pending.clear();
  open.has_stored_measurements = true;
}

void Writer::Impl::drop_measurements(ScoringId scoring, OpenScoring& open) {
  for (const PendingMeasurement& row : open.pending) pending_values_ -= row.words.size() + 1;
  open.pending.clear();
  if (!open.has_stored_measurements) return;
  for (const char* sql : {"DELETE FROM measurement WHERE scoring = ?", "DELETE FROM frame_time WHERE scoring = ?"}) {
    SQLite::Statement& erase = statement(sql);
    erase.bind(1, scoring);
    erase.exec();
  }
}

Result<std::vector<std::vector<std::uint64_t>>> Writer::Impl::measurements(ScoringId scoring, int extractor) {
  if (auto place = find_extractor(scoring, extractor); !place.ok()) return place.error();
  return stored_words(scoring, extractor);
}

Result<std::vector<std::vector<std::uint64_t>>> Writer::Impl::pairs(ScoringId scoring) {
  return stored_words(scoring, PendingMeasurement::kPair);
}

Result<std::vector<std::vector<std::uint64_t>>> Writer::Impl::stored_words(ScoringId scoring, int extractor) {
  std::vector<std::pair<std::int64_t, std::vector<std::uint64_t>>> rows;
  const auto open = open_.find(scoring);
  if (open == open_.end() || open->second.has_stored_measurements) {
    SQLite::Statement& find = statement("SELECT frame, words FROM measurement WHERE scoring = ? AND extractor = ? ORDER BY frame");
    find.bind(1, scoring);
    find.bind(2, extractor);
    while (find.executeStep()) rows.emplace_back(find.getColumn(0).getInt64(), column_words(find, 1));
  }
  if (open != open_.end()) {
    for (const PendingMeasurement& row : open->second.pending) {
      if (row.extractor == extractor) rows.emplace_back(row.frame, row.words);
    }
  }
  std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.first; });
  std::vector<std::vector<std::uint64_t>> words;
  words.reserve(rows.size());
  for (auto& [frame, list] : rows) words.push_back(std::move(list));
  return words;
}

Status Writer::Impl::add_failure(ScoringId scoring, std::optional<int> extractor, std::optional<std::int64_t> frame,
                                 const std::string& reason) {
  auto place = extractor ? find_extractor(scoring, *extractor) : find_open(scoring);
  if (!place.ok()) return place.error();
  ensure_transaction();
  insert_failure(scoring, extractor, frame, reason);
  return {};
}

void Writer::Impl::insert_failure(ScoringId scoring, std::optional<int> extractor, std::optional<std::int64_t> frame,
                                  const std::string& reason) {
  SQLite::Statement& insert = statement("INSERT INTO failure (scoring, extractor, frame, reason) VALUES (?, ?, ?, ?)");
  insert.bind(1, scoring);
  if (extractor) insert.bind(2, *extractor);
  if (frame) insert.bind(3, *frame);
  bind_bytes(insert, 4, reason);
  insert.exec();
}

Status Writer::Impl::add_warning(ScoringId scoring, const std::string& text) {
  if (auto place = find_open(scoring); !place.ok()) return place.error();
  ensure_transaction();
  SQLite::Statement& insert = statement("INSERT INTO warning (scoring, text) VALUES (?, ?)");
  insert.bind(1, scoring);
  bind_bytes(insert, 2, text);
  insert.exec();
  return {};
}

Status Writer::Impl::add_backend(ScoringId scoring, int extractor, const BackendRecord& backend) {
  if (auto place = find_extractor(scoring, extractor); !place.ok()) return place.error();
  ensure_transaction();
  // A range that grows is stored again under its first frame.
  SQLite::Statement& insert = statement(
      "INSERT OR REPLACE INTO feature_backend (scoring, extractor, first_frame, last_frame, implementation, backend, device, reason) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(1, scoring);
  insert.bind(2, extractor);
  insert.bind(3, backend.first_frame);
  insert.bind(4, backend.last_frame);
  insert.bind(5, backend.implementation);
  insert.bind(6, backend.backend);
  bind_bytes(insert, 7, backend.device);
  bind_bytes(insert, 8, backend.reason);
  insert.exec();
  return {};
}

// -- The end ------------------------------------------------------------------------------------------------------------------------

Status Writer::Impl::finish_scoring(ScoringId scoring, const ScoringEnd& end) {
  auto place = find_open(scoring);
  if (!place.ok()) return place.error();
  if (end.status == ScoringStatus::kRunning) return Error{fmt::format("scoring {} cannot end as running", scoring)};
  ensure_transaction();
  for (OpenColumn& column : (*place)->columns) {
    if (column.scope == ColumnScope::kAggregate) continue;
    const std::vector<FrameValue> values = values_of(column);
    flush(column);
    if (!values.empty()) insert_pooled(column, values);
  }
  drop_measurements(scoring, **place);
  end_scoring(scoring, end);
  erase_lesser_partials(scoring);
  open_.erase(scoring);
  commit_transaction();  // what the others hold back waits for its checkpoint
  return {};
}

void Writer::Impl::insert_pooled(const OpenColumn& column, std::span<const FrameValue> values) {
  std::vector<double> scores;
  scores.reserve(values.size());
  for (const auto& [frame, value] : values) scores.push_back(value);
  const PooledValues pooled = pool(scores);
  SQLite::Statement& insert = statement(
      "INSERT INTO pooled_score (scoring_feature, frames, infinite, mean, min, max, harmonic_mean, stddev, p1, p5, p10, p50, p90, p95, "
      "p99, "
      "finite_mean) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(1, column.id);
  insert.bind(2, pooled.frames);
  insert.bind(3, pooled.infinite);
  int index = 4;
  for (const double value : {pooled.mean, pooled.min, pooled.max, pooled.harmonic_mean, pooled.stddev, pooled.p1, pooled.p5, pooled.p10,
                             pooled.p50, pooled.p90, pooled.p95, pooled.p99, pooled.finite_mean}) {
    bind_or_null(insert, index++, value);
  }
  insert.exec();
}

void Writer::Impl::end_scoring(ScoringId scoring, const ScoringEnd& end) {
  SQLite::Statement& update = statement(
      "UPDATE scoring SET status = ?, finished = ?, frames = ?, identical_frames = ?, decoded_reference = ?, decoded_distorted = ?, "
      "subsample = ?, seconds = ?, decode_seconds = ?, reference_hash = coalesce(?, reference_hash), "
      "distorted_hash = coalesce(?, distorted_hash), ended_at = ? WHERE id = ?");
  update.bind(1, status_name(end.status));
  update.bind(2, ++finished_);
  update.bind(3, end.frames);
  update.bind(4, end.identical_frames);
  update.bind(5, end.decoded_reference);
  update.bind(6, end.decoded_distorted);
  update.bind(7, end.subsample);
  update.bind(8, end.seconds);
  update.bind(9, end.decode_seconds);
  if (end.reference_hash) update.bind(10, *end.reference_hash);
  if (end.distorted_hash) update.bind(11, *end.distorted_hash);
  update.bind(12, utc_now());
  update.bind(13, scoring);
  update.exec();
}

// A damaged clip that is tried again each night must not leave a copy of its frames each time.
void Writer::Impl::erase_lesser_partials(ScoringId scoring) {
  std::vector<ScoringId> lesser;
  SQLite::Statement& find = statement(
      "SELECT o.id FROM scoring n JOIN scoring o ON o.clip = n.clip AND o.label = n.label AND o.options = n.options "
      "AND o.program_version = n.program_version AND o.reference_size = n.reference_size AND o.reference_mtime_ns = n.reference_mtime_ns "
      "AND o.distorted_size = n.distorted_size AND o.distorted_mtime_ns = n.distorted_mtime_ns AND o.reference_path = n.reference_path "
      "AND o.distorted_path = n.distorted_path WHERE n.id = ? AND o.id <> n.id AND o.status = 'partial' AND n.status <> 'failed' "
      "AND o.frames <= n.frames");
  find.bind(1, scoring);
  while (find.executeStep()) lesser.push_back(find.getColumn(0).getInt64());
  for (const ScoringId id : lesser) erase_scoring(id);
}

}  // namespace vmafbatch::store
