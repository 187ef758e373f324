#include "store/scoring_identity.h"

#include <set>
#include <utility>

#include "store/options_text.h"

namespace vmafbatch::store {
namespace {

using Models = std::set<std::pair<std::string, std::string>>;  // name, hash

std::string models_text(const Models& models) {
  std::string text;
  for (const auto& [name, hash] : models) text += name + " " + hash + "\n";
  return text;
}

bool is_same_file(const FileIdentity& stored, const FileIdentity& now) {
  return stored.size == now.size && stored.mtime_ns == now.mtime_ns && may_be_moved(stored.path, now);
}

FileIdentity file_at(const RawStatement& row, int first) {
  FileIdentity file;
  file.path = row.bytes(first);
  file.size = static_cast<std::uint64_t>(row.integer(first + 1));
  file.mtime_ns = row.integer(first + 2);
  return file;
}

}  // namespace

ScoringIdentity identity_of(const ScoringRecord& record) {
  Models models;
  for (const ModelFile& model : record.models) models.emplace(model.key, model.hash);
  return {canonical_options(record.options), models_text(models), record.program_version, record.reference, record.distorted};
}

bool has_same_setup(const ScoringIdentity& a, const ScoringIdentity& b) { return a.options == b.options && a.models == b.models; }

bool is_same_scoring(const ScoringIdentity& stored, const ScoringIdentity& now) {
  return has_same_setup(stored, now) && stored.program_version == now.program_version && is_same_file(stored.reference, now.reference) &&
         is_same_file(stored.distorted, now.distorted);
}

IdentityReader::IdentityReader(SQLite::Database& database)
    : scoring_(database,
               "SELECT options, program_version, reference_path, reference_size, reference_mtime_ns, distorted_path, distorted_size, "
               "distorted_mtime_ns FROM scoring WHERE id = ?"),
      models_(database, "SELECT name, hash FROM scoring_model WHERE scoring = ?") {}

ScoringIdentity IdentityReader::read(std::int64_t scoring) {
  Models models;
  models_.bind(1, scoring);
  while (models_.step()) models.emplace(models_.bytes(0), models_.bytes(1));
  models_.reset();
  ScoringIdentity identity;
  identity.models = models_text(models);
  scoring_.bind(1, scoring);
  if (scoring_.step()) {
    identity.options = canonical_options(scoring_.bytes(0));
    identity.program_version = scoring_.bytes(1);
    identity.reference = file_at(scoring_, 2);
    identity.distorted = file_at(scoring_, 5);
  }
  scoring_.reset();  // a statement on a row would keep the database's state
  return identity;
}

}  // namespace vmafbatch::store
