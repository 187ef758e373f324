// Short ways to fill a database.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "store/query.h"
#include "store/writer.h"
#include "support/temporary_folder.h"

namespace vmafbatch::store {

using testing::TemporaryFolder;

inline RunRecord some_run() { return RunRecord{"vmafbatch score", "0.1.0", "glibc 2.36", "a processor", "a host"}; }

inline ScoringRecord some_record(const std::string& clip, const std::string& options = "psnr", const std::string& label = "") {
  ScoringRecord record;
  record.clip = clip;
  record.label = label;
  record.reference = {"r/" + clip + ".y4m", 1000, 111, std::nullopt};
  record.distorted = {"d/" + clip + ".mp4", 500, 222, std::nullopt};
  record.options = options;
  record.width = 64;
  record.height = 48;
  record.pixel_format = "yuv420p";
  record.fps = 25.0;
  record.program_version = "0.1.0";
  record.c_library = "glibc 2.36";
  record.processor = "a processor";
  return record;
}

inline std::vector<ColumnSpec> some_columns() {
  return {{"psnr_y", ColumnScope::kFrame, "psnr", 0},
          {"integer_motion2", ColumnScope::kSeries, "motion", 1},
          {"apsnr_y", ColumnScope::kAggregate, "psnr", 2}};
}

inline std::vector<ExtractorSpec> some_extractors() { return {{"psnr", "enable_apsnr=true"}, {"motion", ""}}; }

inline double some_value(int column, std::int64_t frame) { return 30.0 + column + 0.1 * static_cast<double>(frame * 7 % 13); }

inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

#define ASSERT_OK(expression)                               \
  do {                                                      \
    const auto& outcome_ = (expression);                    \
    ASSERT_TRUE(outcome_.ok()) << outcome_.error().message; \
  } while (false)

// A finished scoring of `frames` frames in both columns, with an aggregate and a backend.
inline void add_clip(Writer& writer, const ScoringRecord& record, int frames = 10) {
  const auto begun = writer.begin_scoring(record, some_columns(), some_extractors());
  ASSERT_OK(begun);
  ASSERT_EQ(begun->kind, BeginOutcome::Kind::kNew);
  for (int frame = 0; frame < frames; ++frame) {
    for (const int column : {0, 1}) ASSERT_OK(writer.add_value(begun->id, column, frame, some_value(column, frame)));
  }
  ASSERT_OK(writer.add_aggregate(begun->id, 2, 33.25));
  ASSERT_OK(writer.add_backend(begun->id, 0, {"psnr", "cpu", "", "", 0, frames - 1}));
  ScoringEnd end;
  end.frames = frames;
  end.seconds = 0.5;
  ASSERT_OK(writer.finish_scoring(begun->id, end));
}

// A database with the clips a, b and c.
inline void make_database(const std::string& path) {
  auto writer = Writer::open(path);
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->begin_run(some_run()));
  for (const char* clip : {"a", "b", "c"}) add_clip(**writer, some_record(clip));
  ASSERT_OK((*writer)->end_run());
  ASSERT_OK((*writer)->close());
}

// The rows of one statement as CSV without the header, or the error's sentence.
inline std::string csv_of(const std::string& path, const std::string& sql) {
  std::ostringstream out;
  const Status status = run_query(path, sql, OutputFormat::kCsv, out);
  if (!status.ok()) return status.error().message;
  const std::string text = out.str();
  return text.substr(text.find('\n') + 1);
}

// Changes a database behind the program's back.
inline void run_sql(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_free(message);
  sqlite3_close(database);
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
}

}  // namespace vmafbatch::store
