#include "report/scored_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/utf8.h"
#include "store/database.h"
#include "store/newest_scoring.h"
#include "store/records.h"

namespace vmafbatch::report {
namespace {

using store::column_bytes;

ScoredFile file_at(const SQLite::Statement& row, int first) {
  return {column_bytes(row, first),
          {static_cast<std::uint64_t>(row.getColumn(first + 1).getInt64()), row.getColumn(first + 2).getInt64()},
          std::nullopt};
}

std::string first_failure(SQLite::Database& database, std::int64_t scoring) {
  SQLite::Statement find(database, "SELECT reason FROM failure WHERE scoring = ? ORDER BY id LIMIT 1");
  find.bind(1, scoring);
  return find.executeStep() ? ": " + display_text(column_bytes(find, 0)) : "";
}

Status check_file(const ScoredFile& file) {
  const Error missing{fmt::format(
      "{}: the frames are decoded from the scored files, and this one is not there{}", display_text(file.path),
      std::filesystem::path(file.path).is_absolute() ? "; bring it back" : "; run this in the folder in which the clip was scored")};
  std::error_code error;
  const auto type =
      file.path.find('\0') == std::string::npos ? std::filesystem::status(file.path, error).type() : std::filesystem::file_type::not_found;
  if (type == std::filesystem::file_type::not_found || type == std::filesystem::file_type::none) return missing;
  if (type != std::filesystem::file_type::regular) {
    return Error{fmt::format("{}: this is no plain file, so its pictures cannot be read again", display_text(file.path))};
  }
  const Result<io::FileIdentity> now = io::file_identity(file.path);
  if (!now.ok()) return missing;
  return check_identity(file, *now);
}

std::string scoring_name(const ScoredPair& pair) {
  return fmt::format("the clip \"{}\"{}", display_text(pair.clip),
                     pair.label.empty() ? "" : fmt::format(" (label \"{}\")", display_text(pair.label)));
}

}  // namespace

Result<ScoredPair> scored_pair(SQLite::Database& database, std::int64_t scoring) {
  SQLite::Statement find(database,
                         "SELECT c.name, s.label, s.reference_path, s.reference_size, s.reference_mtime_ns, s.distorted_path, "
                         "s.distorted_size, s.distorted_mtime_ns, s.options, s.pictures, s.fps, s.frames, s.subsample, s.status, "
                         "s.decoded_reference, s.decoded_distorted "
                         "FROM scoring s JOIN clip c ON c.id = s.clip WHERE s.id = ?");
  find.bind(1, scoring);
  if (!find.executeStep()) return Error{fmt::format("there is no scoring {} in the database", scoring)};
  ScoredPair pair;
  pair.scoring = scoring;
  pair.clip = column_bytes(find, 0);
  pair.label = column_bytes(find, 1);
  pair.reference = file_at(find, 2);
  pair.distorted = file_at(find, 5);
  pair.reference.decoded = store::column_frames(find, 14);
  pair.distorted.decoded = store::column_frames(find, 15);
  const std::string options = column_bytes(find, 8);
  pair.treatment = column_bytes(find, 9);
  if (!find.getColumn(10).isNull()) pair.fps = find.getColumn(10).getDouble();
  pair.frames = store::column_frames(find, 11);
  pair.subsample = std::max<std::int64_t>(1, find.getColumn(12).getInt64());
  if (store::is_imported(options)) {
    return Error{fmt::format("{} was imported from a log, which has no pictures; score its files to see them", scoring_name(pair))};
  }
  if (column_bytes(find, 13) == "failed") {
    return Error{fmt::format("{} failed, so none of its frames was scored{}", scoring_name(pair), first_failure(database, scoring))};
  }
  const Result<io::PairOptions> parsed = io::parse_pair_options(options);
  if (!parsed.ok()) return Error{fmt::format("{}: {}", scoring_name(pair), display_text(parsed.error().message))};
  pair.options = *parsed;
  if (const Status aligned = io::apply_alignment_note(pair.treatment, pair.options); !aligned.ok()) {
    return Error{fmt::format("{}: {}", scoring_name(pair), display_text(aligned.error().message))};
  }
  return pair;
}

Result<ScoredPair> scored_pair(SQLite::Database& database, const std::string& clip, const std::optional<std::string>& label) {
  const auto scoring = store::newest_ended(database, clip, label);
  if (!scoring.ok()) return scoring.error();
  return scored_pair(database, *scoring);
}

Status check_identity(const ScoredFile& file, const io::FileIdentity& now) {
  if (now == file.identity) return {};
  return Error{fmt::format(
      "{}: the file has changed since it was scored ({}); score the clip again, or bring the old file back", display_text(file.path),
      now.size_bytes != file.identity.size_bytes ? fmt::format("it had {} bytes and has {}", file.identity.size_bytes, now.size_bytes)
                                                 : std::string("its modification time is another one"))};
}

Status check_files(const ScoredPair& pair) {
  if (Status status = check_file(pair.reference); !status.ok()) return status;
  return check_file(pair.distorted);
}

}  // namespace vmafbatch::report
