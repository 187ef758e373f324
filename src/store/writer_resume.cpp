// Scorings that an earlier run was interrupted in, and that go on.
#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "store/writer_impl.h"

namespace vmafbatch::store {
namespace {

Error does_not_fit(const ScoringRecord& record) {
  return Error{fmt::format("clip \"{}\": what an interrupted run stored of it does not fit this run; score it with --fresh",
                           display_text(record.clip))};
}

}  // namespace

Result<std::optional<StoredPrefix>> Writer::Impl::find_unfinished(const ScoringRecord& record) {
  // To go on, what decoded and computed must be the same, too.
  SQLite::Statement& find = statement(
      "SELECT s.id FROM scoring s JOIN clip c ON c.id = s.clip WHERE c.name = ? AND s.finished IS NULL AND s.label = ? "
      "AND s.c_library = ? AND s.decoder = ?");
  bind_bytes(find, 1, record.clip);
  bind_bytes(find, 2, record.label);
  find.bind(3, record.c_library);
  find.bind(4, record.decoder);
  const ScoringIdentity now = identity_of(record);
  std::optional<ScoringId> id;
  while (!id && find.executeStep()) {
    const ScoringId candidate = find.getColumn(0).getInt64();
    if (is_same_scoring(stored_identity(candidate), now)) id = candidate;
  }
  if (!id) {
    if (Status status = check_other_unfinished(record); !status.ok()) return status.error();
    return std::optional<StoredPrefix>();
  }

  SQLite::Statement& count = statement("SELECT count(*), max(frame) FROM measurement WHERE scoring = ? AND extractor = ?");
  count.bind(1, *id);
  count.bind(2, PendingMeasurement::kPair);
  count.executeStep();
  StoredPrefix prefix{*id, count.getColumn(0).getInt64()};
  if (prefix.frames == 0 || count.getColumn(1).getInt64() != prefix.frames - 1) return std::optional<StoredPrefix>();

  SQLite::Statement& newest = statement(
      "SELECT m.words, t.reference_ns, t.distorted_ns FROM measurement m LEFT JOIN frame_time t ON t.scoring = m.scoring "
      "AND t.frame = m.frame WHERE m.scoring = ? AND m.extractor = ? AND m.frame >= ? ORDER BY m.frame");
  newest.bind(1, *id);
  newest.bind(2, PendingMeasurement::kPair);
  newest.bind(3, prefix.frames - StoredPrefix::kMostNewest);
  while (newest.executeStep()) {
    PairRecord& pair = prefix.newest.emplace_back();
    pair.words = column_words(newest, 0);
    if (!newest.isColumnNull(1)) pair.reference_ns = newest.getColumn(1).getInt64();
    if (!newest.isColumnNull(2)) pair.distorted_ns = newest.getColumn(2).getInt64();
  }
  read_beginning(prefix);
  return std::optional(std::move(prefix));
}

// How the scoring began, and what failed since.
void Writer::Impl::read_beginning(StoredPrefix& prefix) {
  SQLite::Statement& pictures = statement("SELECT pictures FROM scoring WHERE id = ?");
  pictures.bind(1, prefix.id);
  if (pictures.executeStep()) prefix.pictures = column_bytes(pictures, 0);
  SQLite::Statement& columns = statement(
      "SELECT f.name, sf.scope, sf.source, sf.position, (SELECT count(*) FROM frame_score v WHERE v.scoring_feature = sf.id AND v.frame < "
      "?) "
      "FROM scoring_feature sf JOIN feature f ON f.id = sf.feature WHERE sf.scoring = ? ORDER BY sf.id");
  columns.bind(1, prefix.frames);
  columns.bind(2, prefix.id);
  while (columns.executeStep()) {
    const std::string scope = columns.getColumn(1).getString();
    const ColumnScope as = scope == scope_name(ColumnScope::kFrame)    ? ColumnScope::kFrame
                           : scope == scope_name(ColumnScope::kSeries) ? ColumnScope::kSeries
                                                                       : ColumnScope::kAggregate;
    prefix.columns.push_back({column_bytes(columns, 0), as, column_bytes(columns, 2), columns.getColumn(3).getInt()});
    prefix.values.push_back(columns.getColumn(4).getInt64());
  }
  SQLite::Statement& extractors = statement(
      "SELECT e.name, e.options, (SELECT count(*) FROM measurement m WHERE m.scoring = e.scoring AND m.extractor = e.extractor AND "
      "m.frame < ?) FROM scoring_extractor e WHERE e.scoring = ? ORDER BY e.extractor");
  extractors.bind(1, prefix.frames);
  extractors.bind(2, prefix.id);
  while (extractors.executeStep()) {
    prefix.extractors.push_back({column_bytes(extractors, 0), column_bytes(extractors, 1)});
    prefix.measurements.push_back(extractors.getColumn(2).getInt64());
  }
  SQLite::Statement& failures = statement("SELECT extractor, frame FROM failure WHERE scoring = ? AND extractor IS NOT NULL AND frame < ?");
  failures.bind(1, prefix.id);
  failures.bind(2, prefix.frames);
  while (failures.executeStep()) prefix.failures.emplace_back(failures.getColumn(0).getInt(), failures.getColumn(1).getInt64());
}

// What an interrupted run scored for hours must not be thrown away because the next one has a typing error in its options.
Status Writer::Impl::check_other_unfinished(const ScoringRecord& record) {
  SQLite::Statement& find = statement(
      "SELECT s.id, (SELECT count(*) FROM measurement m WHERE m.scoring = s.id AND m.extractor = ?) FROM scoring s "
      "JOIN clip c ON c.id = s.clip WHERE c.name = ? AND s.label = ? AND s.finished IS NULL");
  find.bind(1, PendingMeasurement::kPair);
  bind_bytes(find, 2, record.clip);
  bind_bytes(find, 3, record.label);
  const ScoringIdentity now = identity_of(record);
  while (find.executeStep()) {
    const std::int64_t frames = find.getColumn(1).getInt64();
    if (frames == 0 || has_same_setup(stored_identity(find.getColumn(0).getInt64()), now)) continue;
    return Error{
        fmt::format("clip \"{}\": an interrupted run scored {} of its frames under {} with other options or models; give this "
                    "scoring another --label, or give those frames up with --fresh",
                    display_text(record.clip), frames, label_text(record.label))};
  }
  return {};
}

Result<ResumedScoring> Writer::Impl::resume_scoring(const StoredPrefix& prefix, const ScoringRecord& record,
                                                    std::span<const ColumnSpec> columns, std::span<const ExtractorSpec> extractors) {
  ensure_transaction();
  OpenScoring open;
  open.clip = record.clip;
  open.label = record.label;
  open.extractors = static_cast<int>(extractors.size());
  open.has_stored_measurements = true;
  if (!open_columns(prefix.id, open, columns).ok() || !std::ranges::equal(prefix.extractors, extractors, is_same_producer))
    return does_not_fit(record);
  forget_from(prefix);

  SQLite::Statement& update = statement("UPDATE scoring SET run = ?, reference_path = ?, distorted_path = ?, processor = ? WHERE id = ?");
  update.bind(1, run_);
  bind_bytes(update, 2, record.reference.path);
  bind_bytes(update, 3, record.distorted.path);
  update.bind(4, record.processor);
  update.bind(5, prefix.id);
  update.exec();
  SQLite::Statement& find_clip = statement("SELECT clip FROM scoring WHERE id = ?");
  find_clip.bind(1, prefix.id);
  if (!find_clip.executeStep()) return does_not_fit(record);
  replace_tags(find_clip.getColumn(0).getInt64(), record.tags);

  ResumedScoring resumed;
  resumed.backends.resize(extractors.size());
  const auto is_extractor = [&](int index) { return index >= 0 && index < open.extractors; };
  SQLite::Statement& failures =
      statement("SELECT extractor, frame, reason FROM failure WHERE scoring = ? AND extractor IS NOT NULL ORDER BY frame, id");
  failures.bind(1, prefix.id);
  while (failures.executeStep()) {
    const int extractor = failures.getColumn(0).getInt();
    if (!is_extractor(extractor)) return does_not_fit(record);
    resumed.failures.push_back({extractor, failures.getColumn(1).getInt64(), column_bytes(failures, 2)});
  }
  SQLite::Statement& backends = statement(
      "SELECT extractor, implementation, backend, device, reason, first_frame, last_frame FROM feature_backend WHERE scoring = ? "
      "ORDER BY extractor, first_frame");
  backends.bind(1, prefix.id);
  while (backends.executeStep()) {
    const int extractor = backends.getColumn(0).getInt();
    if (!is_extractor(extractor)) return does_not_fit(record);
    resumed.backends[static_cast<size_t>(extractor)].push_back({column_bytes(backends, 1), column_bytes(backends, 2),
                                                                column_bytes(backends, 3), column_bytes(backends, 4),
                                                                backends.getColumn(5).getInt64(), backends.getColumn(6).getInt64()});
  }
  SQLite::Statement& values =
      statement("SELECT EXISTS (SELECT 1 FROM scoring_feature f CROSS JOIN frame_score v ON v.scoring_feature = f.id WHERE f.scoring = ?)");
  values.bind(1, prefix.id);
  values.executeStep();
  resumed.has_values = values.getColumn(0).getInt() != 0;
  open_.emplace(prefix.id, std::move(open));
  return resumed;
}

Status Writer::Impl::open_columns(ScoringId scoring, OpenScoring& open, std::span<const ColumnSpec> columns) {
  SQLite::Statement& find = statement(
      "SELECT sf.id, f.name, sf.scope FROM scoring_feature sf JOIN feature f ON f.id = sf.feature WHERE sf.scoring = ? ORDER BY sf.id");
  find.bind(1, scoring);
  while (find.executeStep()) {
    const size_t index = open.columns.size();
    if (index >= columns.size()) return Error{"more columns"};
    if (column_bytes(find, 1) != columns[index].key || find.getColumn(2).getString() != scope_name(columns[index].scope))
      return Error{"other columns"};
    OpenColumn& column = open.columns.emplace_back();
    column.id = find.getColumn(0).getInt64();
    column.key = columns[index].key;
    column.scope = columns[index].scope;
    column.has_stored_values = true;
  }
  if (open.columns.size() != columns.size()) return Error{"fewer columns"};
  return {};
}

// What was begun of the frames behind the prefix, and what is said anew when the clip is opened.
void Writer::Impl::forget_from(const StoredPrefix& prefix) {
  for (const char* sql : {
           "DELETE FROM frame_score WHERE frame >= ? AND scoring_feature IN (SELECT id FROM scoring_feature WHERE scoring = ?)",
           "DELETE FROM measurement WHERE frame >= ? AND scoring = ?",
           "DELETE FROM frame_time WHERE frame >= ? AND scoring = ?",
           "DELETE FROM feature_backend WHERE first_frame >= ? AND scoring = ?",
           "DELETE FROM failure WHERE (frame IS NULL OR frame >= ?) AND scoring = ?",
       }) {
    SQLite::Statement& erase = statement(sql);
    erase.bind(1, prefix.frames);
    erase.bind(2, prefix.id);
    erase.exec();
  }
  for (const char* sql : {
           "DELETE FROM warning WHERE scoring = ?",
           // What only the end of a clip gives: it may have been interrupted in there.
           "DELETE FROM aggregate_score WHERE scoring_feature IN (SELECT id FROM scoring_feature WHERE scoring = ?)",
           "DELETE FROM frame_score WHERE scoring_feature IN (SELECT id FROM scoring_feature WHERE scoring = ?1 AND (scope <> 'frame' OR "
           "source IN (SELECT name FROM scoring_model WHERE scoring = ?1)))",
       }) {
    SQLite::Statement& erase = statement(sql);
    erase.bind(1, prefix.id);
    erase.exec();
  }
}

}  // namespace vmafbatch::store
