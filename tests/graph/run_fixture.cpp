#include "run_fixture.h"

#include <sqlite3.h>

#include <atomic>

#include "extractors/registry.h"
#include "support/run_extractor.h"

namespace vmafbatch::graph {

using testing::SyntheticClip;

Rows query(const std::string& database, const std::string& sql) {
  sqlite3* db = nullptr;
  Rows rows;
  EXPECT_EQ(sqlite3_open_v2(database.c_str(), &db, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    std::string row;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      if (i > 0) row += "|";
      if (sqlite3_column_type(statement, i) == SQLITE_FLOAT) {
        row += testing::bits_text(sqlite3_column_double(statement, i));
      } else if (const void* text = sqlite3_column_blob(statement, i)) {
        row.append(static_cast<const char*>(text), static_cast<size_t>(sqlite3_column_bytes(statement, i)));
      }
    }
    rows.push_back(row);
  }
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return rows;
}

void run_sql(const std::string& database, const std::string& sql) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open(database.c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
}

std::shared_ptr<const ScoringRequest> request_of(const std::vector<std::string>& features) {
  std::vector<extractors::FeatureRequest> list;
  for (const std::string& text : features) list.push_back(extractors::parse_feature(text).value());
  return std::make_shared<const ScoringRequest>(make_request(list, {}).value());
}

ClipTask RunFixture::make_task(const std::string& name, const SyntheticClip& clip, std::shared_ptr<const ScoringRequest> request) {
  SyntheticClip source = clip;
  source.distortion = "none";
  ClipTask task;
  task.row.name = name;
  task.row.reference = folder_.path(clip.scene + std::to_string(clip.seed) + "_" + std::to_string(clip.frames) + "_ref.y4m");
  task.row.distorted = folder_.path(name + "_dis.y4m");
  testing::write_y4m(source, task.row.reference);
  testing::write_y4m(clip, task.row.distorted);
  task.request = std::move(request);
  return task;
}

RunSummary RunFixture::score(const std::vector<ClipTask>& tasks, const std::string& database, const RunOptions& options,
                             bool stop_at_once) {
  auto writer = store::Writer::open(database);
  EXPECT_TRUE(writer.ok()) << writer.error().message;
  ProgressCounters progress;
  std::atomic<bool> stop{stop_at_once};
  Result<RunSummary> summary = run_tasks(tasks, options, **writer, stop, progress);
  EXPECT_TRUE(summary.ok()) << summary.error().message;
  EXPECT_TRUE((*writer)->close().ok());
  return summary.ok() ? *summary : RunSummary{};
}

}  // namespace vmafbatch::graph
