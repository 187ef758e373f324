// `diff` with a damaged or hostile database on one side or both: an answer or one sentence, never a crash, never without end.
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "fuzz/fuzz_main.h"
#include "store/diff.h"
#include "store/writer.h"
#include "support/temporary_folder.h"

namespace vmafbatch {
namespace {

void require(bool ok, const std::string& what) {
  if (!ok) throw std::runtime_error(what);
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void add_clip(store::Writer& writer, const std::string& name) {
  store::ScoringRecord record;
  record.clip = name;
  record.options = "psnr";
  record.models = {{"vmaf", "a.json", "h1"}};
  record.program_version = "0.1.0";
  const std::vector<store::ColumnSpec> columns = {{"psnr_y", store::ColumnScope::kFrame, "psnr", 0},
                                                  {"apsnr_y", store::ColumnScope::kAggregate, "psnr", 1}};
  const std::vector<store::ExtractorSpec> extractors = {{"psnr", "enable_apsnr=true"}};
  const auto begun = writer.begin_scoring(record, columns, extractors);
  require(begun.ok(), "begin_scoring");
  for (int frame = 0; frame < 40; ++frame) require(writer.add_value(begun->id, 0, frame, 30 + 0.1 * frame).ok(), "add_value");
  require(writer.add_aggregate(begun->id, 1, 33.25).ok(), "add_aggregate");
  require(writer.add_backend(begun->id, 0, {"psnr", "cpu", "", "", 0, 39}).ok(), "add_backend");
  require(writer.add_failure(begun->id, 0, 7, "no memory").ok(), "add_failure");
  store::ScoringEnd end;
  end.frames = 40;
  require(writer.finish_scoring(begun->id, end).ok(), "finish_scoring");
}

// A small whole database as bytes. Small pages: a damage hits more kinds of them.
std::string whole_database(const std::string& path) {
  {
    auto writer = store::Writer::open(path);
    require(writer.ok() && (*writer)->begin_run({}).ok(), "open");
    for (const char* name : {"a", "b", "c"}) add_clip(**writer, name);
    require((*writer)->end_run().ok() && (*writer)->close().ok(), "close");
  }
  sqlite3* database = nullptr;
  require(sqlite3_open(path.c_str(), &database) == SQLITE_OK, "sqlite3_open");
  require(sqlite3_exec(database, "PRAGMA page_size = 512; VACUUM", nullptr, nullptr, nullptr) == SQLITE_OK, "VACUUM");
  sqlite3_close(database);
  return bytes_of(path);
}

// What somebody could do with SQL; a statement that fails changes nothing.
constexpr const char* kHostileSql[] = {
    "UPDATE frame_score SET value = 'text' WHERE frame = 3",
    "UPDATE frame_score SET value = x'00FF' WHERE frame = 5",
    "UPDATE frame_score SET value = 9e999 WHERE frame < 9",
    "UPDATE frame_score SET frame = -frame",
    "UPDATE frame_score SET frame = 9223372036854775807 WHERE frame = 39",
    "DELETE FROM frame_score WHERE frame % 3 = 0",
    "UPDATE aggregate_score SET value = NULL",
    "UPDATE pooled_score SET mean = 'x', p1 = x''",
    "UPDATE clip SET name = x'FF00' || name",
    "UPDATE clip SET name = 7 WHERE id = 2",
    "UPDATE clip SET name = char(10) || '<&\"' || char(0) || char(65535) || name",
    "UPDATE scoring SET label = zeroblob(2000000)",
    "UPDATE scoring SET label = id, finished = 1",
    "UPDATE scoring SET finished = -1, frames = 'many', reference_mtime_ns = -9223372036854775808",
    "UPDATE scoring SET clip = 1",
    "UPDATE feature SET name = 'x' || char(27)",
    "UPDATE scoring_feature SET scoring = 1",
    "UPDATE scoring_feature SET id = id + 1000",
    "UPDATE scoring_model SET hash = x'80'",
    "UPDATE feature_backend SET backend = zeroblob(100), device = 1.5",
    "INSERT INTO failure (scoring, extractor, frame, reason) SELECT 1, NULL, 'x', x'FE' FROM frame_score",
    "DROP TABLE failure",
    "ALTER TABLE scoring RENAME COLUMN pictures TO images",
    "ALTER TABLE frame_score RENAME TO kept",
    "CREATE VIEW frame_score AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT 1 scoring_feature, i frame, 1.0 "
    "value FROM n",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 2",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'WITHOUT ROWID', '')",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'value', 'value COLLATE nonsense')",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE ' || name || '(a AS (1))' WHERE type = 'table'",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'index' WHERE name = 'clip'",
    "PRAGMA user_version = 7",
    "PRAGMA application_id = 1",
};

void change_with_sql(const std::string& path, fuzz::Random& random) {
  sqlite3* database = nullptr;
  if (sqlite3_open(path.c_str(), &database) == SQLITE_OK) {
    sqlite3_exec(database, "PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY", nullptr, nullptr,
                 nullptr);
    for (size_t count = 1 + random.index(3); count > 0; --count) {
      sqlite3_exec(database, random.pick(kHostileSql), nullptr, nullptr, nullptr);
    }
  }
  sqlite3_close(database);
}

class Case {
 public:
  Case() : whole_(whole_database(folder_.path("whole.db"))) {}

  void operator()(fuzz::Random& random) {
    const std::string old_path = folder_.path("old.db");
    const std::string new_path = folder_.path("new.db");
    write_side(old_path, random.one_in(4), random);
    write_side(new_path, true, random);
    std::ostringstream out;
    constexpr store::DiffFormat kFormats[] = {store::DiffFormat::kText, store::DiffFormat::kJson, store::DiffFormat::kJunit,
                                              store::DiffFormat::kCsv};
    const auto summary = store::print_diff(old_path, new_path, random.pick(kFormats), out, some_options(random));
    if (summary.ok()) return;
    const std::string& sentence = summary.error().message;
    require(!sentence.empty() && sentence.find('\n') == std::string::npos, "the error is no sentence: " + sentence);
    require(sentence.find(".db: ") != std::string::npos, "the error names no file: " + sentence);
  }

 private:
  void write_side(const std::string& path, bool change, fuzz::Random& random) {
    for (const char* suffix : {"-wal", "-shm", "-journal"}) std::filesystem::remove(path + suffix);
    if (!change) return write_bytes(path, whole_);
    const bool by_sql = random.one_in(3);
    write_bytes(path, by_sql ? whole_ : damaged_pages(random));
    if (by_sql) change_with_sql(path, random);
    if (by_sql && random.one_in(4)) write_bytes(path, fuzz::damaged(bytes_of(path), random));
    if (random.one_in(20)) write_bytes(path + "-wal", fuzz::damaged(whole_.substr(0, 2000), random));
  }

  // Damages that move bytes make the rest of the file nonsense at once; half of the cases keep every byte in its place.
  std::string damaged_pages(fuzz::Random& random) {
    if (random.one_in(2)) return fuzz::damaged(whole_, random);
    std::string bytes = whole_;
    for (size_t count = 1 + random.index(4); count > 0; --count) bytes[random.index(bytes.size())] = static_cast<char>(random.bits());
    return bytes;
  }

  static store::DiffOptions some_options(fuzz::Random& random) {
    store::DiffOptions options;
    if (random.one_in(4)) options.tolerances = {{"psnr*", 0.5}};
    if (random.one_in(4)) options.ulps = 3;
    if (random.one_in(8)) options.clips = {"?"};
    if (random.one_in(8)) options.features = {"*_y"};
    if (random.one_in(8)) options.label = "";
    options.ignore_backend = random.one_in(4);
    if (random.one_in(4)) options.top = 2;
    return options;
  }

  const testing::TemporaryFolder folder_;
  const std::string whole_;
};

}  // namespace
}  // namespace vmafbatch

int main(int argc, char** argv) {
  vmafbatch::Case one_case;
  return vmafbatch::fuzz::run(argc, argv, [&](vmafbatch::fuzz::Random& random) { one_case(random); });
}
