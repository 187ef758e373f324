// Runs one extractor over a clip in this process, without the graph.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "extractors/registry.h"
#include "io/frame.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::testing {

struct ExtractorRun {
  std::map<std::pair<std::int64_t, std::string>, double> values;  // (frame, key) of reported frames
  std::map<std::string, double> aggregates;
};

// feature: the grammar of --feature. Frames are measured from last to first: measure() must not depend on the order.
// The error is the extractor's refusal, the text of its exception, or a NaN with its key and frame.
Result<ExtractorRun> run_extractor(const std::string& feature, const std::vector<std::shared_ptr<const io::FramePair>>& pairs,
                                   int subsample = 1);

// "0x1.8p+1 (3)": for messages about bits.
std::string bits_text(double value);
bool same_bits(double a, double b);

}  // namespace vmafbatch::testing
