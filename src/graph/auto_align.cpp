#include "graph/auto_align.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "base/number_text.h"
#include "graph/alignment.h"
#include "graph/alignment_search.h"
#include "graph/clip_record.h"
#include "io/pair_options.h"

namespace vmafbatch::graph {
namespace {

constexpr double kSeconds = 10;               // that are looked at, beside those of the search
constexpr double kAssumedRate = 25;           // where the reference names none
constexpr std::int64_t kLeastFrames = 120;    // slow clips need some pictures too
constexpr double kMostFramesPerSecond = 120;  // bounds the memory for streams that name a wild rate

struct Sequences {
  std::vector<LumaSignature> reference, distorted;
};

double frames_per_second(const io::StreamInfo& info) {
  if (info.fps_numerator <= 0) return kAssumedRate;
  return std::min(kMostFramesPerSecond, static_cast<double>(info.fps_numerator) / info.fps_denominator);
}

AlignmentFindings findings_of(const Sequences& pictures, const Skips& dropped) {
  Alignment alignment;
  for (size_t n = 0;; ++n) {
    const size_t r = n + static_cast<size_t>(dropped.reference);
    const size_t d = n + static_cast<size_t>(dropped.distorted);
    if (r >= pictures.reference.size() || d >= pictures.distorted.size()) return alignment.finish();
    alignment.add(pictures.reference[r], pictures.distorted[d]);
  }
}

bool is_in_step(const AlignmentFindings& findings) { return findings.clear && !findings.doubtful && findings.in_step(); }

// The offset of a pair: 0 too where it is clear; nothing where none is.
std::optional<std::int64_t> offset_of(const Sequences& pictures, std::int64_t reach) {
  const AlignmentFindings near = findings_of(pictures, {});
  if (const std::optional<int> behind = near.constant_offset()) return *behind;
  if (is_in_step(near)) return 0;
  if (near.clear || reach == 0) return std::nullopt;  // clear, and changing or doubtful
  const std::optional<std::int64_t> far = search_offset(pictures.reference, pictures.distorted, reach);
  if (!far || !is_in_step(findings_of(pictures, skips_for(*far, {})))) return std::nullopt;
  return far;
}

AlignedClip aligned(const Skips& now, std::optional<std::int64_t> behind, const RunOptions& options) {
  AlignedClip clip{.skips = now, .note = {}, .warnings = {}};
  const std::string option = options.align_search_s ? "--align-search " + format_double(*options.align_search_s) : "--auto-align";
  if (!behind && options.align_search_s) {
    clip.warnings.push_back(option + " found no offset within " + format_double(*options.align_search_s) +
                            " s that explains the clip clearly; it is scored as it is");
  }
  if (behind.value_or(0) == 0) return clip;
  clip.skips = skips_for(*behind, now);
  const auto changed = [](std::int64_t to, std::int64_t from) { return to != from ? std::optional(to) : std::nullopt; };
  clip.note = io::alignment_note(changed(clip.skips.reference, now.reference), changed(clip.skips.distorted, now.distorted));
  clip.warnings.push_back(offset_sentence(*behind) + ": " + option + " scores it with " + skips_text(clip.skips, now));
  return clip;
}

std::string not_looked_text(const std::string& why) {
  return "no offset was looked for, it is scored as it is: " + (why.empty() ? "no pair of pictures could be read" : why);
}

std::vector<AlignedClip> not_looked_at(std::vector<AlignedClip> clips, const std::string& why) {
  for (AlignedClip& clip : clips) clip.warnings.push_back(not_looked_text(why));
  return clips;
}

}  // namespace

std::vector<AlignedClip> align_group(const std::vector<ClipTask>& tasks, const std::vector<size_t>& members, const RunOptions& options,
                                     io::FramePool& pool, const io::ReadLimits& limits) {
  std::vector<AlignedClip> clips;
  for (const size_t task : members) clips.push_back({{tasks[task].row.skip_reference, tasks[task].row.skip_distorted}, {}, {}});
  io::GroupSpec spec = group_spec(tasks, members, options, 1);
  spec.limits = limits;
  spec.frames.reset();
  spec.strict_length = false;
  const Result<std::unique_ptr<io::GroupReader>> reader = io::GroupReader::open(spec, pool);
  if (!reader.ok()) return not_looked_at(std::move(clips), reader.error().message);

  const double rate = frames_per_second((*reader)->reference_info());
  const auto reach = static_cast<std::int64_t>(std::lround(options.align_search_s.value_or(0) * rate));
  const std::int64_t frames = std::max(kLeastFrames, static_cast<std::int64_t>(std::lround(kSeconds * rate))) + reach;
  std::vector<Sequences> sequences(members.size());
  io::Step step;
  while ((step.pairs.empty() || step.index + 1 < frames) && !limits.stopped() && (*reader)->next(step)) {
    for (size_t i = 0; i < members.size(); ++i) {
      if (!step.pairs[i]) continue;
      sequences[i].reference.push_back(luma_signature(step.pairs[i]->reference()));
      sequences[i].distorted.push_back(luma_signature(step.pairs[i]->distorted()));
    }
  }
  if (limits.stopped()) return clips;
  for (size_t i = 0; i < members.size(); ++i) {
    if (!sequences[i].reference.empty()) {
      clips[i] = aligned(clips[i].skips, offset_of(sequences[i], reach), options);
    } else {
      clips[i].warnings.push_back(not_looked_text((*reader)->end(i).text));
    }
  }
  return clips;
}

}  // namespace vmafbatch::graph
