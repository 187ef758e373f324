// Two databases of the same clips that were scored by two backends: is every double the same?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace vmafbatch::store {

// One extractor or model over all clips.
struct ParityRow {
  std::string source;  // "psnr", or a model's name
  std::int64_t values = 0;
  std::int64_t identical = 0;            // equal bits
  std::int64_t one_sided = 0;            // values that only one of the two has
  double worst = 0;                      // the largest difference; infinite where only one of the two is
  std::string worst_at;                  // "clip, feature, frame 12"; "" no difference
  std::vector<std::string> fallbacks{};  // one sentence for each instance that ran elsewhere than asked, in either database
};

// One side: a database and where its extractors were asked to run.
struct ParitySide {
  std::string database;
  std::string backend;
};

// Rows by source. The error names the database that cannot be read.
Result<std::vector<ParityRow>> compare_backends(const ParitySide& first, const ParitySide& second);

}  // namespace vmafbatch::store
