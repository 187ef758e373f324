// Databases that tests of merge make, and what they became.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "store/diff.h"
#include "store/merge.h"
#include "store/schema.h"
#include "store/scratch.h"
#include "store/writer.h"

namespace vmafbatch::store {

class Merge : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }

  // A database that one run filled.
  void make(const std::string& name, const std::function<void(Writer&)>& fill) {
    auto writer = Writer::open(path(name));
    ASSERT_OK(writer);
    ASSERT_OK((*writer)->begin_run(some_run()));
    fill(**writer);
    ASSERT_OK((*writer)->end_run());
    ASSERT_OK((*writer)->close());
  }
  void make_clips(const std::string& name, const std::vector<std::string>& clips) {
    make(name, [&](Writer& writer) {
      for (const std::string& clip : clips) add_clip(writer, some_record(clip));
    });
  }
  void sql(const std::string& name, const std::string& text) const { run_sql(path(name), text); }

  Result<MergeSummary> merge(const std::vector<std::string>& names, const MergeOptions& options = {}) const {
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(path(name));
    return merge_databases(paths, path("all.db"), options);
  }
  std::string merge_error(const std::vector<std::string>& names) const {
    const auto merged = merge(names);
    return merged.ok() ? "merged" : merged.error().message;
  }
  std::string all(const std::string& query) const { return csv_of(path("all.db"), query); }
  bool is_there(const std::string& name) const { return std::filesystem::exists(path(name)); }
  // What a killed merge leaves under the unfinished name.
  void make_leftover() const {
    run_sql(path("all.db.part"), fmt::format("CREATE TABLE scoring (id); PRAGMA application_id = {}; PRAGMA user_version = {}",
                                             kUnfinishedMergeId, kSchemaVersion));
  }
  std::string is_no_leftover() const {
    return path("all.db.part") + ": is there already, and no merge left it behind; remove it, or name another file for the merged database";
  }

  DiffOutcome diff(const std::string& a, const std::string& b) const {
    std::ostringstream out;
    const auto summary = print_diff(path(a), path(b), DiffFormat::kText, out);
    EXPECT_TRUE(summary.ok());
    return summary.ok() ? summary->outcome : DiffOutcome::kNothingCompared;
  }

  const TemporaryFolder folder_;
};

}  // namespace vmafbatch::store
