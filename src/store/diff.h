// Compares two databases: the newest finished scoring of each (clip, label), value by value. Equal means the same bits.
// Both sides are walked in key order, so memory does not grow with the databases.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace vmafbatch::store {

enum class DiffFormat { kText, kJson };

enum class DiffOutcome {
  kEqual,
  kDifferent,
  kNothingCompared,  // no (clip, label) is on both sides, or those that are have no values and no difference
};

// One difference inside a clip. Texts are bytes.
struct Difference {
  enum class Kind {
    kStatus,      // old_text, new_text: done, partial, failed
    kFrameCount,  // old_text, new_text: picture pairs seen, and how many of them were identical
    kFeature,     // the feature `name` is only on one side
    kFrames,      // frame values of the feature `name`; see below
    kAggregate,   // the clip's value of the feature `name`: old_value, new_value; nothing where a side has none
    kPooled,      // the pooled values of the feature `name` differ although all its frames are equal
    kBackend,     // what ran for the extractor `name`: old_text, new_text; "" nothing
    kFailure,     // failures of the extractor `name`, "" the clip itself: old_text, new_text
  };
  Kind kind = Kind::kFrames;
  std::string name;
  std::string old_text;
  std::string new_text;
  bool in_old = true;  // kFeature: which side has it
  bool in_new = true;

  // kFrames
  std::int64_t compared = 0;  // frames with a value on both sides
  std::int64_t changed = 0;   // of these, with other bits
  std::int64_t only_old = 0;  // frames with a value on one side only
  std::int64_t only_new = 0;
  std::optional<std::int64_t> largest_frame;  // of the largest absolute difference: its first frame
  std::optional<std::int64_t> first_only_old;
  std::optional<std::int64_t> first_only_new;
  std::optional<double> old_value;  // at largest_frame
  std::optional<double> new_value;
};

// A (clip, label) that is not the same on both sides.
struct ClipDifference {
  std::string clip;
  std::string label;
  bool in_old = true;  // one of them false: the clip is only on the other side
  bool in_new = true;
  std::vector<Difference> differences;
  std::vector<std::string> causes;  // what else differs and may explain it: "options", "program version", "distorted file" ...
};

struct DiffSummary {
  DiffOutcome outcome = DiffOutcome::kNothingCompared;
  std::int64_t clips = 0;           // (clip, label) pairs on both sides
  std::int64_t values = 0;          // frame and clip values on both sides
  std::int64_t differences = 0;     // clips on one side only, and Difference items
  std::int64_t changed_values = 0;  // frame and clip values with other bits
};

// Takes what differs as it is found, ordered by clip and label.
class DiffReport {
 public:
  virtual ~DiffReport() = default;
  virtual void add(const ClipDifference& difference) = 0;
  virtual void end(const DiffSummary& summary) = 0;
};

// Error: a side cannot be read, in one sentence with the file's name.
Result<DiffSummary> diff_databases(const std::string& old_path, const std::string& new_path, DiffReport& report);

// The same, written to `out`. text: a line a difference and a summary. json: {"clips": [{"clip", "label", "causes", "differences": [...]},
// ...], "summary": {...}}.
Result<DiffSummary> print_diff(const std::string& old_path, const std::string& new_path, DiffFormat format, std::ostream& out);

}  // namespace vmafbatch::store
