// Compares two databases: the newest finished scoring of each (clip, label), value by value. Equal means the same bits, unless the
// options allow a distance. Both sides are walked in key order, so memory does not grow with the databases. The databases may come from
// anywhere: damage is an error, never a crash.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace vmafbatch::store {

class UntrustedDatabase;

enum class DiffFormat { kText, kJson, kJunit, kCsv };

enum class DiffOutcome {
  kEqual,
  kDifferent,
  kNothingCompared,  // no (clip, label) is on both sides, or those that are have no values and no difference
};

// Values of the features that match a pattern (base/glob.h) are equal where they are at most `largest` apart.
struct Tolerance {
  std::string features;
  double largest = 0;  // finite, not negative; 0: -0.0 equals 0.0
};

// "FEATURE=X" as a tolerance; the last '=' counts. Error: a sentence.
Result<Tolerance> parse_tolerance(const std::string& text);

// What is compared and when values are equal. A value that a side lacks is a difference whatever is allowed; an infinite one equals
// itself alone.
struct DiffOptions {
  std::vector<Tolerance> tolerances;  // the last that matches a feature counts
  std::int64_t ulps = 0;              // values are also equal where at most so many doubles lie between them, the second one included
  std::vector<std::string> clips;     // patterns of the clips to compare; none: all
  std::vector<std::string> features;  // patterns of the features to compare; none: all
  std::optional<std::string> label;   // only scorings under this label
  bool ignore_backend = false;        // what computed a value is no difference
  std::int64_t top = 0;               // report only so many differences, the largest first; 0: all, in order
};

// One difference inside a clip. Texts are bytes.
struct Difference {
  enum class Kind {
    kStatus,      // old_text, new_text: done, partial, failed
    kFrameCount,  // old_text, new_text: picture pairs seen, and how many of them were identical
    kFeature,     // the feature `name` is only on one side
    kFrames,      // frame values of the feature `name`; see below
    kAggregate,   // the clip's value of the feature `name`: old_value, new_value; nothing where a side has none
    kPooled,      // the pooled values of the feature `name` differ although all its frames have the same bits
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
  std::int64_t compared = 0;   // frames with a value on both sides
  std::int64_t changed = 0;    // of these, not equal
  std::int64_t tolerated = 0;  // of these, with other bits but near enough
  std::int64_t only_old = 0;   // frames with a value on one side only
  std::int64_t only_new = 0;
  std::optional<std::int64_t> largest_frame;  // of the largest absolute difference: its first frame
  std::optional<std::int64_t> first_only_old;
  std::optional<std::int64_t> first_only_new;
  std::optional<double> old_value;  // at largest_frame
  std::optional<double> new_value;
};

// Something that the values were computed from or with and that is not the same on both sides.
struct Cause {
  std::string name;  // reference file, distorted file, options, model NAME, treatment of the pictures, program version, C library,
                     // processor, decoder, backend of EXTRACTOR, device of EXTRACTOR
  std::string old_text;
  std::string new_text;
};

// A (clip, label) that was compared, or is only on one side.
struct ClipDifference {
  std::string clip;
  std::string label;
  bool in_old = true;  // one of them false: the clip is only on the other side
  bool in_new = true;
  std::vector<std::string> features;  // that were compared
  std::vector<Difference> differences;
  std::vector<Cause> causes;  // what may explain the differences
};

struct DiffSummary {
  DiffOutcome outcome = DiffOutcome::kNothingCompared;
  std::int64_t clips = 0;             // (clip, label) pairs on both sides
  std::int64_t values = 0;            // frame and clip values on both sides
  std::int64_t differences = 0;       // clips on one side only, and Difference items
  std::int64_t changed_values = 0;    // frame and clip values that are not equal
  std::int64_t tolerated_values = 0;  // frame and clip values with other bits but near enough
  std::int64_t shown = 0;             // differences that were reported: fewer under DiffOptions::top
};

// Takes what differs as it is found, ordered by clip and label; under DiffOptions::top one difference a call, the largest first.
class DiffReport {
 public:
  virtual ~DiffReport() = default;
  virtual void add(const ClipDifference& difference) = 0;
  virtual void equal(const ClipDifference& /*clip*/) {}
  virtual void end(const DiffSummary& summary) = 0;
};

// Error: a side cannot be read, in one sentence with the file's name. Damage inside a database may show only after differences were
// reported; end() is not called then.
Result<DiffSummary> diff_databases(const std::string& old_path, const std::string& new_path, const DiffOptions& options,
                                   DiffReport& report);
// The same of two that are open, in the state that their read transactions see where there are any.
Result<DiffSummary> diff_databases(UntrustedDatabase& old_database, UntrustedDatabase& new_database, const DiffOptions& options,
                                   DiffReport& report);

// text: a line a difference, a line a cause, and a summary.
// json: {"clips": [{"clip", "label", "causes": [{"name", "old", "new"}, ...], "differences": [...]}, ...], "summary": {...}}.
// junit: a test suite a clip, a test case a feature, for CI systems. csv: a line a difference, with a header.
// REQUIRES: `out` outlives the report.
std::unique_ptr<DiffReport> make_diff_report(DiffFormat format, std::ostream& out);

// Compares and writes the report to `out`.
Result<DiffSummary> print_diff(const std::string& old_path, const std::string& new_path, DiffFormat format, std::ostream& out,
                               const DiffOptions& options = {});

}  // namespace vmafbatch::store
