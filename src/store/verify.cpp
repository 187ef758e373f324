#include "store/verify.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <system_error>

#include "base/content_hash.h"
#include "base/utf8.h"
#include "store/database.h"
#include "store/newest_scoring.h"
#include "store/records.h"
#include "store/text.h"
#include "store/untrusted.h"
#include "store/verify_rules.h"
#include "store/verify_scoring.h"

namespace vmafbatch::store {
namespace {

// A damaged database can have thousands of each kind; the first say enough.
constexpr int kMostOfAKind = 20;

// The newest finished scorings of each (clip, label) that know the hash of a file, by path, so that each file is read once.
std::string files_sql() {
  return "WITH newest AS (SELECT * FROM scoring s WHERE s.id = " + newest_ended_sql("n.clip = s.clip AND n.label = s.label") + R"()
  SELECT path, size, hash, clip, label FROM (
    SELECT reference_path AS path, reference_size AS size, reference_hash AS hash, clip, label FROM newest
    UNION ALL SELECT distorted_path, distorted_size, distorted_hash, clip, label FROM newest) f
  WHERE path <> '' ORDER BY path, hash)";
}

using ClipKey = std::pair<std::string, std::string>;  // name, label

std::string problems_text(std::int64_t count) {
  return count == 0 ? "clean" : count == 1 ? "1 problem" : fmt::format("{} problems", count);
}

class Printer {
 public:
  Printer(std::ostream& out, VerifyFormat format) : out_(out), is_json_(format == VerifyFormat::kJson) {}

  // clip: nothing where the database itself is meant.
  void problem(const ClipKey* clip, const std::string& text) {
    if (is_json_) {
      out_ << (count_ == 0 ? "{\"problems\": [\n  {" : ",\n  {");
      if (clip != nullptr) out_ << "\"clip\": " << json_string(clip->first) << ", \"label\": " << json_string(clip->second) << ", ";
      out_ << "\"problem\": " << json_string(text) << '}';
    } else {
      out_ << (clip == nullptr ? "the database" : name_of(*clip)) << ": " << text << '\n';
    }
    ++count_;
  }

  void end(const std::set<ClipKey>& redo, const VerifySummary& summary) { is_json_ ? end_json(redo, summary) : end_text(redo, summary); }

 private:
  static std::string name_of(const ClipKey& clip) {
    return display_text(clip.first) + (clip.second.empty() ? "" : " (" + display_text(clip.second) + ")");
  }

  void end_json(const std::set<ClipKey>& redo, const VerifySummary& summary) {
    out_ << (count_ == 0 ? "{\"problems\": [],\n" : "\n],\n") << "\"redo\": [";
    const char* separator = "";
    for (const auto& [clip, label] : redo) {
      out_ << separator << "{\"clip\": " << json_string(clip) << ", \"label\": " << json_string(label) << '}';
      separator = ", ";
    }
    out_ << fmt::format(
        "],\n\"summary\": {{\"scorings\": {}, \"values\": {}, \"problems\": {}, \"clips_to_redo\": {}, \"failed_or_partial\": {}, "
        "\"files_compared\": {}, \"files_changed\": {}, \"files_unread\": {}, \"files_without_hash\": {}}}}}\n",
        summary.scorings, summary.values, summary.problems, summary.clips_to_redo, summary.explained, summary.files - summary.files_unread,
        summary.files_changed, summary.files_unread, summary.files_unknown);
  }

  void end_text(const std::set<ClipKey>& redo, const VerifySummary& summary) {
    if (!redo.empty()) out_ << "to redo:\n";
    for (const ClipKey& clip : redo) out_ << "  " << name_of(clip) << '\n';
    out_ << fmt::format("{}: {} scorings, {} values", problems_text(summary.problems), summary.scorings, summary.values);
    if (summary.explained > 0) out_ << fmt::format("; {} scorings failed or are partial and say why", summary.explained);
    if (summary.files > 0) {
      out_ << fmt::format("; {} of {} files have their content", summary.files - summary.files_changed - summary.files_unread,
                          summary.files);
    }
    if (summary.files_unknown > 0) out_ << fmt::format("; of {} files no hash is stored", summary.files_unknown);
    out_ << '\n';
  }

  std::ostream& out_;
  const bool is_json_;
  std::int64_t count_ = 0;
};

class Verification {
 public:
  Verification(const std::string& path, SQLite::Database& database, const VerifyOptions& options, std::ostream& out)
      : path_(path), database_(database), options_(options), printer_(out, options.format) {}

  VerifySummary run() {
    try {
      check_integrity();
      check_references();
      check_order();
      check_structure(database_, [this](auto, const std::string& text) { tell(nullptr, text); });
      check_all_rules();
      check_scorings();
      if (options_.hash) check_files();
    } catch (const SQLite::Exception& exception) {
      tell(nullptr, untrusted_error(path_, exception).message);
    }
    summary_.clips_to_redo = static_cast<std::int64_t>(redo_.size());
    printer_.end(redo_, summary_);
    return summary_;
  }

 private:
  void tell(const ClipKey* clip, const std::string& text) {
    printer_.problem(clip, text);
    ++summary_.problems;
    if (clip != nullptr) redo_.insert(*clip);
  }

  void check_integrity();
  void check_references();
  void check_order();
  void check_all_rules();
  void check_scorings();
  void check_files();
  void note_unread(const std::string& path);
  void tell_unread();
  void check_file(const std::string& path, std::int64_t size, const std::string& hash, const std::set<ClipKey>& clips);

  const std::string& path_;
  SQLite::Database& database_;
  const VerifyOptions& options_;
  Printer printer_;
  VerifySummary summary_;
  std::set<ClipKey> redo_;
  std::set<std::int64_t> broken_;  // scorings that break a rule
  std::string first_unread_;
  bool has_relative_unread_ = false;
};

void Verification::check_integrity() {
  RawStatement check(database_, fmt::format("PRAGMA integrity_check({})", kMostOfAKind));
  while (check.step()) {
    if (check.bytes(0) != "ok") tell(nullptr, "damaged: " + check.bytes(0));
  }
}

void Verification::check_references() {
  RawStatement check(database_, "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2");
  while (check.step()) {
    tell(nullptr, fmt::format("{} rows of {} belong to a row of {} that is not there", check.integer(2), check.bytes(0), check.bytes(1)));
  }
}

void Verification::check_order() {
  RawStatement check(database_, "SELECT finished, count(*) FROM scoring WHERE finished IS NOT NULL GROUP BY 1 HAVING count(*) > 1");
  for (int told = 0; told < kMostOfAKind && check.step(); ++told) {
    tell(nullptr, fmt::format("{} scorings have the number {} in the order in which they ended", check.integer(1), check.integer(0)));
  }
}

void Verification::check_all_rules() {
  RawStatement find(database_, "SELECT coalesce(c.name, ''), s.label FROM scoring s LEFT JOIN clip c ON c.id = s.clip WHERE s.id = ?");
  check_rules(database_, [&](std::optional<std::int64_t> scoring, const std::string& text) {
    if (!scoring) return tell(nullptr, text);
    find.reset();
    find.bind(1, *scoring);
    if (!find.step()) return tell(nullptr, text);  // rows of a scoring that is not there
    broken_.insert(*scoring);
    const ClipKey clip{find.bytes(0), find.bytes(1)};
    tell(&clip, text);
  });
}

void Verification::check_scorings() {
  RawStatement find(
      database_,
      "SELECT s.id, coalesce(c.name, ''), s.label, s.status, s.finished IS NOT NULL, coalesce(s.frames, 0), s.subsample, s.options "
      "FROM scoring s LEFT JOIN clip c ON c.id = s.clip ORDER BY c.name, s.label, s.id");
  ClipKey clip;
  ScoringVerifier verifier(database_, [&](const std::string& text) { tell(&clip, text); });
  while (find.step()) {
    ++summary_.scorings;
    clip = {find.bytes(1), find.bytes(2)};
    VerifiedScoring scoring;
    scoring.id = find.integer(0);
    scoring.status = find.bytes(3);
    scoring.has_ended = find.integer(4) != 0;
    scoring.frames = find.integer(5);
    scoring.subsample = find.integer(6);
    scoring.imported = is_imported(find.bytes(7));
    const std::int64_t before = summary_.problems;
    verifier.verify(scoring);
    if (summary_.problems == before && !broken_.contains(scoring.id) && (scoring.status == "failed" || scoring.status == "partial"))
      ++summary_.explained;
  }
  summary_.values = verifier.values();
}

void Verification::check_files() {
  RawStatement find(database_, files_sql());
  RawStatement name(database_, "SELECT name FROM clip WHERE id = ?");
  std::string path;
  std::string hash;
  std::int64_t size = 0;
  std::set<ClipKey> clips;
  const auto check = [&] {
    if (!clips.empty()) check_file(path, size, hash, clips);
    clips.clear();
  };
  while (find.step()) {
    if (find.bytes(0) != path || find.bytes(2) != hash) check();
    path = find.bytes(0);
    size = find.integer(1);
    hash = find.bytes(2);
    name.reset();
    name.bind(1, find.integer(3));
    clips.emplace(name.step() ? name.bytes(0) : std::string(), find.bytes(4));
  }
  check();
  tell_unread();
}

void Verification::check_file(const std::string& path, std::int64_t size, const std::string& hash, const std::set<ClipKey>& clips) {
  if (hash.empty()) {
    ++summary_.files_unknown;
    return;
  }
  ++summary_.files;
  std::error_code error;
  const auto size_now = std::filesystem::file_size(path, error);
  if (error) return note_unread(path);
  const auto tell_all = [&](const std::string& text) {
    ++summary_.files_changed;
    for (const ClipKey& clip : clips) tell(&clip, text);
  };
  if (size_now != static_cast<std::uintmax_t>(size)) {
    return tell_all(fmt::format("{} has {} bytes, and had {} when it was scored", display_text(path), size_now, size));
  }
  const auto read = hash_file(path);
  if (!read.ok()) return note_unread(path);
  if (read->text != hash) tell_all(fmt::format("{} has other content than when it was scored", display_text(path)));
}

void Verification::note_unread(const std::string& path) {
  if (summary_.files_unread++ == 0) first_unread_ = path;
  has_relative_unread_ = has_relative_unread_ || !path.starts_with('/');
}

// Once for all: away are most often all files of a library, or all whose paths are relative.
void Verification::tell_unread() {
  if (summary_.files_unread == 0) return;
  tell(nullptr, fmt::format("{} of {} scored files cannot be read, the first is {}; {}", summary_.files_unread, summary_.files,
                            display_text(first_unread_),
                            has_relative_unread_ ? "paths are stored as they were given: run this in the folder in which they were scored"
                                                 : "bring them back, and run this again"));
}

// As UntrustedDatabase's, but for statements that read the whole database: a row has ten bytes and more, and costs a few hundred steps.
class EndlessGuard {
 public:
  EndlessGuard(SQLite::Database& database, const std::string& path) : database_(database) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    ticks_left_ = 1000 + 100 * static_cast<std::int64_t>(error ? 0 : bytes >> 20);
    sqlite3_progress_handler(database.getHandle(), 1'000'000, count, this);
  }
  ~EndlessGuard() { sqlite3_progress_handler(database_.getHandle(), 0, nullptr, nullptr); }
  EndlessGuard(const EndlessGuard&) = delete;
  EndlessGuard& operator=(const EndlessGuard&) = delete;

 private:
  static int count(void* self) { return --static_cast<EndlessGuard*>(self)->ticks_left_ < 0 ? 1 : 0; }
  SQLite::Database& database_;
  std::int64_t ticks_left_ = 0;
};

}  // namespace

Result<VerifySummary> verify_database(const std::string& path, const VerifyOptions& options, std::ostream& out) {
  auto opened = UntrustedDatabase::open(path);
  if (!opened.ok()) return opened.error();
  SQLite::Database& database = (*opened)->database();
  try {
    database.exec("BEGIN");  // one state for all checks, also while somebody writes
    EndlessGuard guard(database, path);
    return Verification(path, database, options, out).run();
  } catch (const SQLite::Exception& exception) {
    return untrusted_error(path, exception);
  }
}

}  // namespace vmafbatch::store
