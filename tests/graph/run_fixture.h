// Whole runs in this process: clips from formulas, a database, and what is in it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "graph/run.h"
#include "store/writer.h"
#include "support/synthetic_clip.h"
#include "support/temporary_folder.h"

namespace vmafbatch::graph {

using Rows = std::vector<std::string>;

// The rows of a query, columns joined by "|", doubles with all their bits.
Rows query(const std::string& database, const std::string& sql);

// Changes a database as nobody should.
void run_sql(const std::string& database, const std::string& sql);

inline constexpr const char* kAllValues = "SELECT clip, feature, frame, value FROM frame_features ORDER BY 1, 2, 3";

std::shared_ptr<const ScoringRequest> request_of(const std::vector<std::string>& features);

class RunFixture : public ::testing::Test {
 protected:
  // Writes the clip's two sides as Y4M files.
  ClipTask make_task(const std::string& name, const testing::SyntheticClip& clip, std::shared_ptr<const ScoringRequest> request);

  // Scores into a database; a run that cannot start is a test failure.
  RunSummary score(const std::vector<ClipTask>& tasks, const std::string& database, const RunOptions& options = {},
                   bool stop_at_once = false);

  testing::TemporaryFolder folder_;
};

}  // namespace vmafbatch::graph
