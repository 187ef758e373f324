#include "graph/resume_place.h"

#include <algorithm>

#include "graph/clip_record.h"
#include "graph/luma_signature.h"
#include "graph/pair_words.h"

namespace vmafbatch::graph {
namespace {

// The stored pair `frame`, where it is among the newest.
const store::PairRecord* stored_pair(const store::StoredPrefix& prefix, std::int64_t frame) {
  const std::int64_t index = frame - (prefix.frames - static_cast<std::int64_t>(prefix.newest.size()));
  return index >= 0 && frame < prefix.frames ? &prefix.newest[static_cast<size_t>(index)] : nullptr;
}

bool is_same_file(const std::optional<io::FileIdentity>& looked_at, const store::FileIdentity& opened) {
  return looked_at && looked_at->size_bytes == opened.size && looked_at->modified_ns == opened.mtime_ns;
}

// Every value and measurement that its extractors gave for the stored frames, up to where one failed, is there.
// REQUIRES: columns and extractors of the two are the same
bool has_all_rows(const store::StoredPrefix& prefix, const Scoring& scoring) {
  const auto in_steps_of = [](int step, std::int64_t frames) { return (frames + step - 1) / step; };
  for (size_t index = 0; index < scoring.plan.jobs.size(); ++index) {
    const Job& job = *scoring.plan.jobs[index];
    std::int64_t frames = prefix.frames;
    for (const auto& [failed, at] : prefix.failures) {
      if (failed == static_cast<int>(index)) frames = std::min(frames, at);
    }
    const std::int64_t measured = in_steps_of(job.needs.every_frame ? 1 : scoring.subsample, frames);
    if (job.needs.series && prefix.measurements[index] != measured) return false;
    for (const std::optional<size_t>& column : job.column_of) {
      if (column && scoring.plan.columns[*column].scope == extractors::FeatureScope::kFrame &&
          prefix.values[*column] != in_steps_of(scoring.subsample, frames))
        return false;
    }
  }
  return true;
}

}  // namespace

std::optional<std::string> why_not_resumed(const store::StoredPrefix& prefix, const ClipTask& task, const Scoring& scoring) {
  if (!is_same_file(task.reference_file, scoring.record.reference)) return "the reference file is another one";
  if (!is_same_file(task.distorted_file, scoring.record.distorted)) return "the distorted file is another one";
  if (prefix.pictures != scoring.record.pictures) return "its pictures were prepared in another way";
  if (prefix.columns != column_specs(scoring.plan) ||
      !std::ranges::equal(prefix.extractors, producer_specs(scoring.plan), store::is_same_producer)) {
    return "its extractors are others";
  }
  if (!has_all_rows(prefix, scoring)) return "some of their values are missing";
  return std::nullopt;
}

bool add_times(const store::StoredPrefix& prefix, std::int64_t frame, size_t member, io::PositionTimes& times) {
  const store::PairRecord* const before = stored_pair(prefix, frame - 1);
  const store::PairRecord* const pair = stored_pair(prefix, frame);
  if (before == nullptr || pair == nullptr || !before->reference_ns || !before->distorted_ns || !pair->reference_ns || !pair->distorted_ns)
    return false;
  if (*before->reference_ns >= *pair->reference_ns || *before->distorted_ns >= *pair->distorted_ns) return false;
  times.reference_ns = *pair->reference_ns;
  times.distorted_ns[member] = *pair->distorted_ns;
  return true;
}

Likeness compare_pictures(const store::StoredPrefix& prefix, std::int64_t frame, const io::FramePair& pair) {
  const store::PairRecord* const stored = stored_pair(prefix, frame);
  if (stored == nullptr) return Likeness::kUnknown;
  const std::optional<PairFacts> facts = pair_facts(stored->words);
  const bool same = facts && facts->reference == luma_signature(pair.reference()) && facts->distorted == luma_signature(pair.distorted());
  return same ? Likeness::kSame : Likeness::kOther;
}

}  // namespace vmafbatch::graph
