// Several databases become one. Inputs are only read. Memory does not grow with them.
//
// What is the same: two finished scorings are the same where clip, label, both files' size and time, options, models and program version
// are equal (as the writer has it). Of two that are the same
// - with the same status, the values (of frames, of the clip, pooled) must be equal to the bit, and the numbers of frames and what failed
// at
//   which frame must be equal; they are kept once, with what the one that ended first says of backends, warnings, reasons and times;
// - done is kept before partial, and partial before failed; the values that both have must be equal.
// Values that differ are an error, as are files with other contents. So are other options or models under the label of another input's
// scoring of that clip.
//
// Order: scorings are numbered anew by the time at which they ended, and in the order in which they stood in their database. The views show
// the newest of a clip by that order.
// Unfinished scorings come along, with what a later `score` needs to go on, unless one that is the same is finished; of two for one clip
// and label the one with more values stays. Of two values of one tag, that of the input named later stays.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace vmafbatch::store {

struct MergeSummary {
  std::int64_t clips = 0;
  std::int64_t finished = 0;    // scorings of the result
  std::int64_t unfinished = 0;  // of the result
  std::int64_t same = 0;        // finished scorings left out because the result has them already, or a more complete one
};

struct MergeOptions {
  // An input, in any spelling of its path, and the label that all its scorings get.
  std::vector<std::pair<std::string, std::string>> labels;
};

// Writes `output`, which must not be there yet: under another name ("<output>.part") until it is complete. Holds its lock meanwhile.
// Errors: a label for a file that is no input, or a second one for the same; an input that cannot be read, scorings that contradict each
// other, an output that cannot be written.
Result<MergeSummary> merge_databases(const std::vector<std::string>& inputs, const std::string& output, const MergeOptions& options = {});

}  // namespace vmafbatch::store
