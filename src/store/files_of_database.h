// What belongs to a database on disk: outputs of the program must not touch it.
#pragma once

#include <string>
#include <vector>

#include "base/kept_files.h"

namespace vmafbatch::store {

// The database, and what SQLite and the program keep beside it (-wal, -shm, -journal, .lock).
void keep_database(KeptFiles& kept, const std::string& database);

// Also the videos and models that it was scored from. A database that cannot be read has none: whoever opens it says why.
void keep_database_and_sources(KeptFiles& kept, const std::string& database);

}  // namespace vmafbatch::store
