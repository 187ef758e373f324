#include "store/diff_words.h"

#include <fmt/format.h>

#include "base/number_text.h"
#include "store/text.h"

namespace vmafbatch::store {
namespace {

std::string value_text(const std::optional<double>& value) { return value ? format_double(*value) : std::string("nothing"); }

std::string change_text(const std::string& before, const std::string& after) {
  const auto shown = [](const std::string& text) { return text.empty() ? std::string("nothing") : line_text(text); };
  return fmt::format("old: {}; new: {}", shown(before), shown(after));
}

std::string frames_text(const Difference& difference) {
  std::string text;
  const auto append = [&text](const std::string& part) { text += text.empty() ? part : "; " + part; };
  if (difference.changed > 0) {
    append(fmt::format("{} of {} frames changed, largest difference {} at frame {} ({} -> {})", difference.changed, difference.compared,
                       format_double(*difference.new_value - *difference.old_value), *difference.largest_frame,
                       value_text(difference.old_value), value_text(difference.new_value)));
  }
  if (difference.only_old > 0) append(fmt::format("{} frames only in old, first {}", difference.only_old, *difference.first_only_old));
  if (difference.only_new > 0) append(fmt::format("{} frames only in new, first {}", difference.only_new, *difference.first_only_new));
  return text;
}

}  // namespace

const char* kind_name(Difference::Kind kind) {
  switch (kind) {
    case Difference::Kind::kStatus: return "status";
    case Difference::Kind::kFrameCount: return "frame_count";
    case Difference::Kind::kFeature: return "feature";
    case Difference::Kind::kFrames: return "frames";
    case Difference::Kind::kAggregate: return "aggregate";
    case Difference::Kind::kPooled: return "pooled";
    case Difference::Kind::kBackend: return "backend";
    case Difference::Kind::kFailure: break;
  }
  return "failure";
}

std::string difference_text(const Difference& difference) {
  const std::string name = line_text(difference.name);
  switch (difference.kind) {
    case Difference::Kind::kStatus: return "status, " + change_text(difference.old_text, difference.new_text);
    case Difference::Kind::kFrameCount: return "frame count, " + change_text(difference.old_text, difference.new_text);
    case Difference::Kind::kFeature: return fmt::format("feature {}: only in {}", name, difference.in_old ? "old" : "new");
    case Difference::Kind::kFrames: return fmt::format("feature {}: {}", name, frames_text(difference));
    case Difference::Kind::kAggregate:
      return fmt::format("clip value {}: {} -> {}", name, value_text(difference.old_value), value_text(difference.new_value));
    case Difference::Kind::kPooled: return fmt::format("feature {}: pooled values changed, no frame did", name);
    case Difference::Kind::kBackend: return fmt::format("backend of {}, {}", name, change_text(difference.old_text, difference.new_text));
    case Difference::Kind::kFailure: break;
  }
  return fmt::format("failures of {}, {}", name.empty() ? "the clip" : name, change_text(difference.old_text, difference.new_text));
}

std::string cause_text(const Cause& cause) {
  return fmt::format("{}, {}", line_text(cause.name), change_text(cause.old_text, cause.new_text));
}

std::string clip_text(const ClipDifference& clip) {
  return line_text(clip.clip) + (clip.label.empty() ? "" : fmt::format(" [{}]", line_text(clip.label)));
}

std::string summary_text(const DiffSummary& summary) {
  const std::string near =
      summary.tolerated_values > 0 ? fmt::format(", {} of them other bits but near enough", summary.tolerated_values) : "";
  const std::string counts = fmt::format("{} clips, {} values compared{}", summary.clips, summary.values, near);
  switch (summary.outcome) {
    case DiffOutcome::kEqual: return "equal: " + counts;
    case DiffOutcome::kDifferent:
      return fmt::format("different: {}, {} values changed, {} differences{}", counts, summary.changed_values, summary.differences,
                         summary.shown < summary.differences ? fmt::format(", {} shown", summary.shown) : "");
    case DiffOutcome::kNothingCompared: break;
  }
  return "nothing to compare: no clip with chosen values is in both databases under one label";
}

}  // namespace vmafbatch::store
