#include "store/merge_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/utf8.h"
#include "store/database.h"
#include "store/database_lock.h"
#include "store/schema.h"

namespace vmafbatch::store {
namespace {

// Behind the output's name until it is complete.
constexpr const char* kUnfinished = ".part";

Error cannot_write(const std::string& path) {
  return Error{fmt::format("{}: cannot be written ({}); check its folder and the room there", display_text(path), std::strerror(errno))};
}

bool contains(const std::vector<std::string>& names, const char* name) { return std::ranges::find(names, name) != names.end(); }

bool sync(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool synced = ::fsync(descriptor) == 0;
  ::close(descriptor);
  return synced;
}

// Whatever it is: also a link that leads nowhere.
bool is_anything(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::symlink_status(path, error));
}

Status check_absent(const std::string& path) {
  if (path.empty()) return Error{"the name of the database is empty; name a file"};
  if (is_anything(path)) return Error{fmt::format("{}: is there already; name a new file for the merged database", display_text(path))};
  return {};
}

// SQLite would take one for a part of the new database.
Status check_no_journal(const std::string& path) {
  for (const char* suffix : kJournals) {
    if (!is_anything(path + suffix)) continue;
    return Error{fmt::format("{}{}: is there without its database; remove it, or name another file for the merged database",
                             display_text(path), suffix)};
  }
  return {};
}

// A file that a killed merge was writing: it has the mark, or, where its lock was left behind, not one byte yet.
bool is_left_behind(const std::string& path, const LockFile& lock) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(path, error))) return false;
  if (lock.was_left_behind() && std::filesystem::file_size(path, error) == 0 && !error) return true;
  return application_id_of(path) == kUnfinishedMergeId;
}

// Makes room at `path`, where the merge writes. `lock` is the output's: no merge of that name writes now, but one of another name of its
// folder may.
Status remove_left_behind(const std::string& path, const LockFile& lock) {
  if (!is_anything(path)) return check_no_journal(path);
  if (!is_left_behind(path, lock)) {
    return Error{fmt::format("{}: is there already, and no merge left it behind; remove it, or name another file for the merged database",
                             display_text(path))};
  }
  const auto taken = DatabaseLock::take(path);
  if (!taken.ok()) return taken.error();
  if (const auto holder = (*taken)->reader())
    return Error{fmt::format("{}: {} is merging into it; wait until it ends, or name another file", display_text(path), *holder)};
  std::error_code error;
  std::filesystem::remove(path, error);
  return check_no_journal(path);
}

}  // namespace

Error MergeOutput::write_error(const SQLite::Exception& exception) {
  if (const auto cause = database_ ? no_room(*database_, exception) : std::nullopt)
    return no_room_error(path_, *cause, "nothing was kept, and the result takes as much as all the databases together");
  return database_error(path_, exception);
}

// -- The file -----------------------------------------------------------------------------------------------------------------------

MergeOutput::MergeOutput(std::string path, std::unique_ptr<LockFile> lock)
    : path_(std::move(path)), unfinished_path_(path_ + kUnfinished), lock_(std::move(lock)), lock_on_signal_(lock_->path()) {}

MergeOutput::~MergeOutput() {
  database_.reset();
  std::error_code error;
  if (file_on_signal_ && !is_published_) std::filesystem::remove(unfinished_path_, error);
}

Result<std::unique_ptr<MergeOutput>> MergeOutput::create(const std::string& path) {
  if (Status absent = check_absent(path); !absent.ok()) return absent.error();
  auto lock = LockFile::take(path + ".lock", is_network_mount(path));
  if (!lock.ok()) return lock.error();
  auto output = std::make_unique<MergeOutput>(path, std::move(*lock));
  if (Status status = output->prepare(); !status.ok()) return status.error();
  return output;
}

// The file is this merge's own from the moment at which it is there.
Status MergeOutput::make_file() {
  constexpr mode_t kMode = 0644;  // as SQLite makes it
  if (Status free = check_no_journal(path_); !free.ok()) return free;
  if (Status removed = remove_left_behind(unfinished_path_, *lock_); !removed.ok()) return removed;
  const int descriptor = ::open(unfinished_path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode);
  if (descriptor < 0) return cannot_write(unfinished_path_);
  ::close(descriptor);
  file_on_signal_.emplace(unfinished_path_);
  return {};
}

Status MergeOutput::prepare() {
  if (Status made = make_file(); !made.ok()) return made;
  try {
    database_ =
        std::make_unique<SQLite::Database>(uri_of(unfinished_path_), SQLite::OPEN_READWRITE | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX);
    // A file that is only good when it is complete needs no journal, and is made durable once, at the end.
    database_->exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536");
    create_schema(*database_, kUnfinishedMergeId);
    if (Status status = classify_tables(); !status.ok()) return status;
    database_->exec("CREATE TEMP TABLE source (scoring INTEGER PRIMARY KEY, input INTEGER NOT NULL); BEGIN");
  } catch (const SQLite::Exception& exception) {
    return write_error(exception);
  }
  return {};
}

// Tables are found by what they hang on, so that one that a later schema adds comes along.
Status MergeOutput::classify_tables() {
  SQLite::Statement find(*database_, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  while (find.executeStep()) {
    const std::string table = find.getColumn(0).getString();
    const std::vector<std::string> columns = columns_of(*database_, table);
    if (table == "run" || table == "clip" || table == "tag" || table == "scoring" || table == "feature" || table == "scoring_feature") {
      continue;
    }
    if (!contains(columns, "scoring") && !contains(columns, "scoring_feature")) {
      return Error{fmt::format("the table \"{}\" of the schema is unknown to merge", table)};
    }
    (contains(columns, "scoring") ? scoring_tables_ : value_tables_).push_back(table);
  }
  return {};
}

Status MergeOutput::publish() {
  try {
    database_->exec(fmt::format("PRAGMA application_id = {}; COMMIT; PRAGMA incremental_vacuum", kApplicationId));
    database_.reset();
  } catch (const SQLite::Exception& exception) {
    return write_error(exception);
  }
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  if (!sync(unfinished_path_, O_RDONLY)) return cannot_write(path_);
  if (Status absent = check_absent(path_); !absent.ok()) return absent;  // somebody else made one meanwhile
  if (std::rename(unfinished_path_.c_str(), path_.c_str()) != 0) return cannot_write(path_);
  is_published_ = true;
  sync(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY);  // not every file system can; the file itself is safe
  return {};
}

// -- Runs, clips, tags --------------------------------------------------------------------------------------------------------------

RowCopy& MergeOutput::copy_of(MergeInput& input, const std::string& table, const std::string& key, std::vector<std::string> given) {
  std::unique_ptr<RowCopy>& copy = input.copies()[table];
  if (!copy) copy = std::make_unique<RowCopy>(input.database(), *database_, table, key, std::move(given));
  return *copy;
}

void MergeOutput::take_runs(MergeInput& input) {
  const std::int64_t last = count("SELECT coalesce(max(id), 0) FROM run");
  std::vector<std::int64_t> runs;
  RawStatement find(input.database(), "SELECT id FROM run ORDER BY id");
  while (find.step()) runs.push_back(find.integer(0));
  for (const std::int64_t run : runs) {
    std::int64_t& here = input.runs()[run];
    here = last == 0 ? 0 : find_equal_run(input, run, last);
    if (here != 0) continue;
    copy_of(input, "run", "id", {}).run(run);
    here = database_->getLastInsertRowid();
  }
}

// A run of an earlier input with the same content, or 0.
std::int64_t MergeOutput::find_equal_run(MergeInput& input, std::int64_t run, std::int64_t last) {
  std::vector<std::string> columns = columns_of(*database_, "run");
  const std::vector<std::string> theirs = columns_of(input.database(), "run");
  std::erase_if(columns, [&](const std::string& column) { return column == "id" || std::ranges::find(theirs, column) == theirs.end(); });
  RawStatement row(input.database(), fmt::format("SELECT {} FROM run WHERE id = ?", fmt::join(columns, ", ")));
  RawStatement find(*database_, fmt::format("SELECT id FROM run WHERE {} IS ? AND id <= ?", fmt::join(columns, " IS ? AND ")));
  row.bind(1, run);
  if (!row.step()) return 0;
  const int count = static_cast<int>(columns.size());
  for (int column = 0; column < count; ++column) find.bind(column + 1, row, column);
  find.bind(count + 1, last);
  return find.step() ? find.integer(0) : 0;
}

void MergeOutput::take_clips(MergeInput& input) {
  RawStatement clips(input.database(), "SELECT name FROM clip ORDER BY id");
  while (clips.step()) id_of("clip", clips.bytes(0));
  RawStatement tags(input.database(), "SELECT c.name, t.name, t.value FROM clip c JOIN tag t ON t.clip = c.id");
  RawStatement insert(*database_, "INSERT OR REPLACE INTO tag (clip, name, value) VALUES (?, ?, ?)");
  while (tags.step()) {
    insert.bind(1, id_of("clip", tags.bytes(0)));
    insert.bind(2, tags, 1);
    insert.bind(3, tags, 2);
    insert.exec();
  }
}

std::int64_t MergeOutput::id_of(const char* table, std::string_view name) {
  RawStatement find(*database_, fmt::format("SELECT id FROM {} WHERE name = ?", table));
  find.bind(1, name);
  if (find.step()) return find.integer(0);
  RawStatement insert(*database_, fmt::format("INSERT INTO {} (name) VALUES (?)", table));
  insert.bind(1, name);
  insert.exec();
  return database_->getLastInsertRowid();
}

// -- What is there ------------------------------------------------------------------------------------------------------------------

std::int64_t MergeOutput::bind_clip_and_label(RawStatement& statement, const MergeInput& input) {
  statement.bind(1, id_of("clip", input.scoring().clip));
  statement.bind(2, input.scoring().label);
  return 3;
}

std::optional<KeptScoring> MergeOutput::find_same(MergeInput& input) {
  RawStatement find(*database_,
                    "SELECT s.id, s.status, t.input FROM scoring s JOIN source t ON t.scoring = s.id "
                    "WHERE s.clip = ? AND s.label = ? AND s.finished IS NOT NULL ORDER BY s.finished DESC");
  bind_clip_and_label(find, input);
  IdentityReader identities(*database_);
  while (find.step()) {
    if (is_same_scoring(identities.read(find.integer(0)), input.identity()))
      return KeptScoring{find.integer(0), find.bytes(1), static_cast<size_t>(find.integer(2))};
  }
  return std::nullopt;
}

std::optional<KeptScoring> MergeOutput::find_contradiction(MergeInput& input, size_t index) {
  RawStatement find(*database_,
                    "SELECT s.id, s.status, t.input FROM scoring s JOIN source t ON t.scoring = s.id "
                    "WHERE s.clip = ? AND s.label = ? AND s.status IN ('done', 'partial') AND t.input <> ?");
  const auto next = bind_clip_and_label(find, input);
  find.bind(static_cast<int>(next), static_cast<std::int64_t>(index));
  IdentityReader identities(*database_);
  while (find.step()) {
    if (!has_same_setup(identities.read(find.integer(0)), input.identity()))
      return KeptScoring{find.integer(0), find.bytes(1), static_cast<size_t>(find.integer(2))};
  }
  return std::nullopt;
}

std::optional<KeptScoring> MergeOutput::find_unfinished(MergeInput& input) {
  RawStatement find(*database_,
                    "SELECT s.id, s.status, t.input FROM scoring s JOIN source t ON t.scoring = s.id "
                    "WHERE s.clip = ? AND s.label = ? AND s.finished IS NULL");
  bind_clip_and_label(find, input);
  if (!find.step()) return std::nullopt;
  return KeptScoring{find.integer(0), find.bytes(1), static_cast<size_t>(find.integer(2))};
}

// -- Copying ------------------------------------------------------------------------------------------------------------------------

void MergeOutput::copy(MergeInput& input, size_t index, bool finished) {
  const MergeScoring& from = input.scoring();
  RowCopy& scoring = copy_of(input, "scoring", "id", {"run", "clip", "label", "finished", "options"});
  scoring.give(0, input.runs()[from.run]);
  scoring.give(1, id_of("clip", from.clip));
  scoring.give(2, from.label);
  if (finished) {
    scoring.give(3, ++finished_);
  } else {
    scoring.give_null(3);
  }
  scoring.give(4, input.identity().options);
  scoring.run(from.id);
  const std::int64_t to = database_->getLastInsertRowid();

  RawStatement source(*database_, "INSERT INTO source (scoring, input) VALUES (?, ?)");
  source.bind(1, to);
  source.bind(2, static_cast<std::int64_t>(index));
  source.exec();
  copy_columns(input, from.id, to);
  for (const std::string& table : scoring_tables_) {
    input.row_read();
    RowCopy& rows = copy_of(input, table, "scoring", {"scoring"});
    rows.give(0, to);
    rows.run(from.id);
  }
}

void MergeOutput::copy_columns(MergeInput& input, std::int64_t from, std::int64_t to) {
  RawStatement columns(
      input.database(),
      "SELECT sf.id, f.name FROM scoring_feature sf LEFT JOIN feature f ON f.id = sf.feature WHERE sf.scoring = ? ORDER BY sf.id");
  columns.bind(1, from);
  RowCopy& column = copy_of(input, "scoring_feature", "id", {"scoring", "feature"});
  while (columns.step()) {
    column.give(0, to);
    column.give(1, id_of("feature", columns.bytes(1)));
    column.run(columns.integer(0));
    const std::int64_t id = database_->getLastInsertRowid();
    for (const std::string& table : value_tables_) {
      input.row_read();
      RowCopy& values = copy_of(input, table, "scoring_feature", {"scoring_feature"});
      values.give(0, id);
      values.run(columns.integer(0));
    }
  }
}

void MergeOutput::make_newest(std::int64_t scoring) {
  RawStatement update(*database_, "UPDATE scoring SET finished = ? WHERE id = ?");
  update.bind(1, ++finished_);
  update.bind(2, scoring);
  update.exec();
}

void MergeOutput::erase(std::int64_t scoring) {
  const auto erase_from = [&](const std::string& sql) {
    RawStatement statement(*database_, sql);
    statement.bind(1, scoring);
    statement.exec();
  };
  for (const std::string& table : value_tables_) {
    erase_from(fmt::format("DELETE FROM {} WHERE scoring_feature IN (SELECT id FROM scoring_feature WHERE scoring = ?)", table));
  }
  for (const std::string& table : scoring_tables_) erase_from(fmt::format("DELETE FROM {} WHERE scoring = ?", table));
  erase_from("DELETE FROM scoring_feature WHERE scoring = ?");
  erase_from("DELETE FROM source WHERE scoring = ?");
  erase_from("DELETE FROM scoring WHERE id = ?");
}

std::int64_t MergeOutput::count(const char* sql) { return database_->execAndGet(sql).getInt64(); }

}  // namespace vmafbatch::store
