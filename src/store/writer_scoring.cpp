// Scorings that begin: what is already there, what is in the way, and the rows that describe a scoring.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/utf8.h"
#include "store/clock.h"
#include "store/writer_impl.h"

namespace vmafbatch::store {
namespace {

ScoringStatus status_of(const std::string& name) {
  if (name == "done") return ScoringStatus::kDone;
  if (name == "partial") return ScoringStatus::kPartial;
  return name == "failed" ? ScoringStatus::kFailed : ScoringStatus::kRunning;
}

void bind_optional(SQLite::Statement& statement, int index, const std::optional<std::string>& text) {
  if (text) {
    statement.bind(index, *text);
  } else {
    statement.bind(index);
  }
}

// Path, size, time and hash of a side at parameters first..first+3.
void bind_file(SQLite::Statement& statement, int first, const FileIdentity& file) {
  bind_bytes(statement, first, file.path);
  statement.bind(first + 1, static_cast<std::int64_t>(file.size));
  statement.bind(first + 2, file.mtime_ns);
  bind_optional(statement, first + 3, file.content_hash);
}

std::optional<std::string> twice_in(std::span<const ColumnSpec> columns) {
  std::set<std::string_view> seen;
  for (const ColumnSpec& column : columns) {
    if (!seen.insert(column.key).second) return column.key;
  }
  return std::nullopt;
}

}  // namespace

std::string label_text(const std::string& label) {
  return label.empty() ? "no label" : fmt::format("the label \"{}\"", display_text(label));
}

std::optional<std::int64_t> Writer::Impl::known_clip(const std::string& name) {
  SQLite::Statement& find = statement("SELECT id FROM clip WHERE name = ?");
  bind_bytes(find, 1, name);
  return find.executeStep() ? std::optional(find.getColumn(0).getInt64()) : std::nullopt;
}

Result<std::optional<EndedScoring>> Writer::Impl::find_ended(const ScoringRecord& record) {
  const std::optional<std::int64_t> clip = known_clip(record.clip);
  if (!clip) return std::optional<EndedScoring>();
  if (const auto same = find_same(*clip, record)) return std::optional(EndedScoring{same->id, *clip, record.label, same->status});
  if (Status status = check_other_options(*clip, record); !status.ok()) return status.error();
  return std::optional<EndedScoring>();
}

Status Writer::Impl::keep(const EndedScoring& ended, const Tags& tags) {
  if (!has_tags(ended.clip, tags)) {
    ensure_transaction();
    replace_tags(ended.clip, tags);
  }
  // What --fresh or --retry-failed left of it and nobody goes on with; a failed clip's may be gone on with once its files are back.
  SQLite::Statement& unfinished = statement("SELECT EXISTS (SELECT 1 FROM scoring WHERE clip = ? AND label = ? AND finished IS NULL)");
  unfinished.bind(1, ended.clip);
  bind_bytes(unfinished, 2, ended.label);
  unfinished.executeStep();
  if (ended.status != ScoringStatus::kFailed && unfinished.getColumn(0).getInt() != 0) {
    ensure_transaction();
    discard_unfinished(ended.clip, ended.label);
  }
  SQLite::Statement& newer =
      statement("SELECT EXISTS (SELECT 1 FROM scoring WHERE clip = ? AND finished > (SELECT finished FROM scoring WHERE id = ?))");
  newer.bind(1, ended.clip);
  newer.bind(2, ended.id);
  newer.executeStep();
  if (newer.getColumn(0).getInt() == 0) return {};
  ensure_transaction();
  SQLite::Statement& update = statement("UPDATE scoring SET finished = ? WHERE id = ?");
  update.bind(1, ++finished_);
  update.bind(2, ended.id);
  update.exec();
  return {};
}

Result<BeginOutcome> Writer::Impl::begin_scoring(const ScoringRecord& record, std::span<const ColumnSpec> columns,
                                                 std::span<const ExtractorSpec> extractors, const BeginOptions& options) {
  if (const auto twice = twice_in(columns)) {
    return Error{fmt::format("clip \"{}\": two columns have the name \"{}\"", display_text(record.clip), display_text(*twice))};
  }
  for (const auto& [id, open] : open_) {
    if (open.clip == record.clip && open.label == record.label) {
      return Error{
          fmt::format("clip \"{}\" is being scored already under this label; give each row a name of its own", display_text(record.clip))};
    }
  }
  ensure_transaction();
  const std::int64_t clip = clip_id(record.clip);
  if (const auto same = find_same(clip, record)) {
    if (!options.again) {
      if (Status kept = keep({same->id, clip, record.label, same->status}, record.tags); !kept.ok()) return kept.error();
      return *same;
    }
  }
  if (Status status = check_other_options(clip, record); !status.ok()) return status.error();
  discard_unfinished(clip, record.label);
  replace_tags(clip, record.tags);

  OpenScoring open;
  open.clip = record.clip;
  open.label = record.label;
  open.extractors = static_cast<int>(extractors.size());
  const ScoringId id = insert_scoring(clip, record);
  insert_columns(id, open, columns);
  insert_extractors(id, extractors);
  open_.emplace(id, std::move(open));
  return BeginOutcome{BeginOutcome::Kind::kNew, id, ScoringStatus::kRunning};
}

ScoringId Writer::Impl::add_failed_clip(const ScoringRecord& record, const std::string& reason) {
  ensure_transaction();
  const std::int64_t clip = clip_id(record.clip);
  const auto same = find_same(clip, record);
  if (same && same->status == ScoringStatus::kFailed) erase_scoring(same->id);
  replace_tags(clip, record.tags);
  const ScoringId id = insert_scoring(clip, record);
  insert_failure(id, std::nullopt, std::nullopt, reason);
  ScoringEnd end;
  end.status = ScoringStatus::kFailed;
  end_scoring(id, end);
  commit();
  return id;
}

std::int64_t Writer::Impl::id_of(const char* find_sql, const char* insert_sql, std::string_view name) {
  SQLite::Statement& find = statement(find_sql);
  bind_bytes(find, 1, name);
  if (find.executeStep()) return find.getColumn(0).getInt64();
  SQLite::Statement& insert = statement(insert_sql);
  bind_bytes(insert, 1, name);
  insert.exec();
  return database_->getLastInsertRowid();
}

std::int64_t Writer::Impl::clip_id(const std::string& name) {
  return id_of("SELECT id FROM clip WHERE name = ?", "INSERT INTO clip (name) VALUES (?)", name);
}

bool Writer::Impl::has_tags(std::int64_t clip, const Tags& tags) {
  std::map<std::string, std::string> wanted;
  for (const auto& [name, value] : tags) wanted.insert_or_assign(name, value);
  std::map<std::string, std::string> stored;
  SQLite::Statement& find = statement("SELECT name, value FROM tag WHERE clip = ?");
  find.bind(1, clip);
  while (find.executeStep()) stored.emplace(column_bytes(find, 0), column_bytes(find, 1));
  return stored == wanted;
}

void Writer::Impl::replace_tags(std::int64_t clip, const Tags& tags) {
  SQLite::Statement& erase = statement("DELETE FROM tag WHERE clip = ?");
  erase.bind(1, clip);
  erase.exec();
  for (const auto& [name, value] : tags) {
    SQLite::Statement& insert = statement("INSERT OR REPLACE INTO tag (clip, name, value) VALUES (?, ?, ?)");
    insert.bind(1, clip);
    bind_bytes(insert, 2, name);
    bind_bytes(insert, 3, value);
    insert.exec();
  }
}

// -- What is there ------------------------------------------------------------------------------------------------------------------

ScoringIdentity Writer::Impl::stored_identity(ScoringId scoring) {
  if (!identities_) identities_.emplace(*database_);
  return identities_->read(scoring);
}

std::optional<BeginOutcome> Writer::Impl::find_same(std::int64_t clip, const ScoringRecord& record) {
  SQLite::Statement& find =
      statement("SELECT id, status FROM scoring WHERE clip = ? AND finished IS NOT NULL AND label = ? ORDER BY finished DESC");
  find.bind(1, clip);
  bind_bytes(find, 2, record.label);
  const ScoringIdentity now = identity_of(record);
  while (find.executeStep()) {
    const ScoringId id = find.getColumn(0).getInt64();
    if (is_same_scoring(stored_identity(id), now))
      return BeginOutcome{BeginOutcome::Kind::kKept, id, status_of(find.getColumn(1).getString())};
  }
  return std::nullopt;
}

Status Writer::Impl::check_other_options(std::int64_t clip, const ScoringRecord& record) {
  SQLite::Statement& find =
      statement("SELECT id FROM scoring WHERE clip = ? AND label = ? AND status IN ('done', 'partial') ORDER BY finished DESC");
  find.bind(1, clip);
  bind_bytes(find, 2, record.label);
  const ScoringIdentity now = identity_of(record);
  while (find.executeStep()) {
    if (has_same_setup(stored_identity(find.getColumn(0).getInt64()), now)) continue;
    return Error{fmt::format("clip \"{}\" was scored under {} with other options or models; give this scoring another --label",
                             display_text(record.clip), label_text(record.label))};
  }
  return {};
}

void Writer::Impl::discard_unfinished(std::int64_t clip, const std::string& label) {
  std::vector<ScoringId> unfinished;
  SQLite::Statement& find = statement("SELECT id FROM scoring WHERE clip = ? AND label = ? AND finished IS NULL");
  find.bind(1, clip);
  bind_bytes(find, 2, label);
  while (find.executeStep()) unfinished.push_back(find.getColumn(0).getInt64());
  for (const ScoringId id : unfinished) erase_scoring(id);
}

void Writer::Impl::erase_scoring(ScoringId scoring) {
  for (const char* sql : {
           "DELETE FROM frame_score WHERE scoring_feature IN (SELECT id FROM scoring_feature WHERE scoring = ?)",
           "DELETE FROM aggregate_score WHERE scoring_feature IN (SELECT id FROM scoring_feature WHERE scoring = ?)",
           "DELETE FROM pooled_score WHERE scoring_feature IN (SELECT id FROM scoring_feature WHERE scoring = ?)",
           "DELETE FROM scoring_feature WHERE scoring = ?",
           "DELETE FROM scoring_extractor WHERE scoring = ?",
           "DELETE FROM scoring_model WHERE scoring = ?",
           "DELETE FROM measurement WHERE scoring = ?",
           "DELETE FROM frame_time WHERE scoring = ?",
           "DELETE FROM feature_backend WHERE scoring = ?",
           "DELETE FROM failure WHERE scoring = ?",
           "DELETE FROM warning WHERE scoring = ?",
           "DELETE FROM scoring WHERE id = ?",
       }) {
    SQLite::Statement& erase = statement(sql);
    erase.bind(1, scoring);
    erase.exec();
  }
}

// -- The rows of a new scoring ------------------------------------------------------------------------------------------------------

std::int64_t Writer::Impl::insert_scoring(std::int64_t clip, const ScoringRecord& record) {
  SQLite::Statement& insert = statement(
      "INSERT INTO scoring (run, clip, label, status, reference_path, reference_size, reference_mtime_ns, reference_hash, distorted_path, "
      "distorted_size, distorted_mtime_ns, distorted_hash, options, width, height, pixel_format, fps, pictures, program_version, "
      "c_library, processor, decoder, started_at) "
      "VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(1, run_);
  insert.bind(2, clip);
  bind_bytes(insert, 3, record.label);
  bind_file(insert, 4, record.reference);
  bind_file(insert, 8, record.distorted);
  bind_bytes(insert, 12, record.options);
  insert.bind(13, record.width);
  insert.bind(14, record.height);
  insert.bind(15, record.pixel_format);
  if (record.fps) insert.bind(16, *record.fps);
  bind_bytes(insert, 17, record.pictures);
  insert.bind(18, record.program_version);
  insert.bind(19, record.c_library);
  insert.bind(20, record.processor);
  insert.bind(21, record.decoder);
  insert.bind(22, utc_now());
  insert.exec();
  const ScoringId id = database_->getLastInsertRowid();
  for (const ModelFile& model : record.models) {
    SQLite::Statement& insert_model = statement("INSERT INTO scoring_model (scoring, name, path, hash) VALUES (?, ?, ?, ?)");
    insert_model.bind(1, id);
    bind_bytes(insert_model, 2, model.key);
    bind_bytes(insert_model, 3, model.path);
    insert_model.bind(4, model.hash);
    insert_model.exec();
  }
  return id;
}

void Writer::Impl::insert_columns(ScoringId scoring, OpenScoring& open, std::span<const ColumnSpec> columns) {
  for (const ColumnSpec& column : columns) {
    const std::int64_t feature = id_of("SELECT id FROM feature WHERE name = ?", "INSERT INTO feature (name) VALUES (?)", column.key);
    SQLite::Statement& insert = statement("INSERT INTO scoring_feature (scoring, feature, scope, source, position) VALUES (?, ?, ?, ?, ?)");
    insert.bind(1, scoring);
    insert.bind(2, feature);
    insert.bind(3, scope_name(column.scope));
    insert.bind(4, column.source);
    insert.bind(5, column.position);
    insert.exec();
    OpenColumn opened;
    opened.id = database_->getLastInsertRowid();
    opened.key = column.key;
    opened.scope = column.scope;
    open.columns.push_back(std::move(opened));
  }
}

void Writer::Impl::insert_extractors(ScoringId scoring, std::span<const ExtractorSpec> extractors) {
  for (size_t index = 0; index < extractors.size(); ++index) {
    SQLite::Statement& insert = statement("INSERT INTO scoring_extractor (scoring, extractor, name, options) VALUES (?, ?, ?, ?)");
    insert.bind(1, scoring);
    insert.bind(2, static_cast<int>(index));
    insert.bind(3, extractors[index].name);
    insert.bind(4, extractors[index].options);
    insert.exec();
  }
}

}  // namespace vmafbatch::store
