// Checks of extractor runs, bit for bit.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "support/run_extractor.h"

namespace vmafbatch::testing {

using Pairs = std::vector<std::shared_ptr<const io::FramePair>>;

// The run, or an empty one and a test failure.
ExtractorRun run_or_fail(const std::string& feature, const Pairs& pairs, int subsample = 1);

// The key has exactly these values at frames 0, 1, 2, ... (and none behind them).
void expect_series(const ExtractorRun& run, const std::string& key, const std::vector<double>& want);
// The key has this value at this frame.
void expect_value(const ExtractorRun& run, std::int64_t frame, const std::string& key, double want);
void expect_aggregate(const ExtractorRun& run, const std::string& key, double want);
// Per-frame keys and aggregates of the run.
std::set<std::string> keys_of(const ExtractorRun& run);

void expect_bits(double got, double want, const std::string& what);

}  // namespace vmafbatch::testing
