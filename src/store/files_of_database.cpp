#include "store/files_of_database.h"

#include "base/utf8.h"
#include "store/database.h"
#include "store/untrusted.h"

namespace vmafbatch::store {
namespace {

void add_paths(KeptFiles& kept, UntrustedDatabase& source, const char* sql, const std::string& what) {
  SQLite::Statement find(source.database(), sql);
  while (find.executeStep()) {
    source.row_read();
    kept.add(column_bytes(find, 0), what);
  }
}

}  // namespace

void keep_database(KeptFiles& kept, const std::string& database) {
  kept.add(database, "the database");
  const std::string resolved = resolved_path(database);  // SQLite keeps its files beside the file, not beside a link to it
  for (const std::string& path : {database, resolved}) {
    for (const char* end : {"-wal", "-shm", "-journal", ".lock"}) kept.add(path + end, "a part of the database");
    if (resolved == database) return;
  }
}

void keep_database_and_sources(KeptFiles& kept, const std::string& database) {
  keep_database(kept, database);
  const auto source = UntrustedDatabase::open(database);
  if (!source.ok()) return;
  const std::string whose = " that " + display_text(database) + " was scored from";
  try {
    add_paths(kept, **source, "SELECT reference_path FROM scoring UNION SELECT distorted_path FROM scoring", "a video" + whose);
    add_paths(kept, **source, "SELECT DISTINCT path FROM scoring_model", "a model" + whose);
  } catch (const SQLite::Exception&) {
    return;  // as a database that cannot be opened
  }
}

}  // namespace vmafbatch::store
