// What the files of this room share of SQLite: opening, bytes in and out, errors as sentences. Only this room includes it.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/no_room.h"
#include "store/schema.h"

namespace vmafbatch::store {

class RawStatement;

// One sentence for a failed SQLite call on the database `path`.
Error database_error(const std::string& path, const SQLite::Exception& exception);

// Why the write that failed on `database` just now found no room; nothing where it failed for another reason.
std::optional<NoRoom> no_room(SQLite::Database& database, const SQLite::Exception& exception);

// Throws what database_error says as "the database is damaged (`what`)": rows that this program cannot have written.
[[noreturn]] void throw_damage(const std::string& what);

// A path as a "file:" URI (sqlite.org/uri.html) that names this file whatever its bytes: SQLite reads ":memory:", "" and "file:x"
// otherwise.
std::string uri_of(const std::string& path);

// True where the file is there and begins as every SQLite file does.
bool is_database_file(const std::string& path);

// Nothing wrong, or the sentence: no name, a folder, no SQLite file, or a pipe or device in its place or in that of its journals. A file
// that is absent or empty is fine.
Status check_file(const std::string& path);

// The schema of an opened database. Error: newer, or of another program.
Status check_schema(SQLite::Database& database, const std::string& path);

// Every table of the schema's first version is there and is a plain table. Error: the database is damaged, or not made by this program.
Status check_tables(SQLite::Database& database, const std::string& path);

// Makes the tables and says whose they are. REQUIRES: an empty database outside a transaction.
void create_schema(SQLite::Database& database, int application_id = kApplicationId);

// The application_id in the head of a database file, also of one that SQLite cannot open; nothing where the file is none.
std::optional<std::int32_t> application_id_of(const std::string& path);

// What SQLite keeps beside a database (sqlite.org/tempfiles.html): the write-ahead log, its index, the rollback journal.
inline constexpr std::array<const char*, 3> kJournals = {"-wal", "-shm", "-journal"};

// True where the database holds no table yet.
bool is_empty(SQLite::Database& database);

// Opens a database of ours for reading only, also one that is being written, and one in WAL mode in a read-only folder.
Result<std::unique_ptr<SQLite::Database>> open_read_only(const std::string& path);

// TEXT where `bytes` is UTF-8 without NUL, else a BLOB. Equal bytes are always stored alike.
void bind_bytes(SQLite::Statement& statement, int index, std::string_view bytes);

// The bytes of a TEXT or BLOB; nothing for NULL.
std::string column_bytes(const SQLite::Statement& statement, int index);

// No clip has more: doubles and JSON hold all numbers up to here.
inline constexpr std::int64_t kMostFrames = (std::int64_t{1} << 53) - 1;

// The same number, a scoring's number of frames. Throws as throw_damage() where no clip has so many.
std::int64_t checked_frames(std::int64_t frames);
// From a column; nothing for NULL.
std::optional<std::int64_t> column_frames(const SQLite::Statement& statement, int index);
std::optional<std::int64_t> column_frames(const RawStatement& statement, int index);

// The 64-bit words of a BLOB (little endian); a rest of less than a word is left out.
std::vector<std::uint64_t> column_words(const SQLite::Statement& statement, int index);

}  // namespace vmafbatch::store
