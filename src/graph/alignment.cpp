#include "graph/alignment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "graph/alignment_evidence.h"

namespace vmafbatch::graph {
namespace {

// The windows that are looked at, in frames: a short one sees clear cases soon, a long one gathers weak evidence.
constexpr std::array<size_t, 3> kWindows = {16, 40, 112};
constexpr std::int64_t kEvery = 4;  // frames between two looks

constexpr int kLeastToKeep = 5;        // frames that make the first offset, 0, worth telling though it was never clear
constexpr float kMostLopsided = 1.6F;  // mean evidence against the neighbour before, minus that against the one behind

// A stand-still: so many frames, the reference moving by half a step a frame on average and an eighth at least, the distorted by
// a fifth of that least at most.
constexpr std::int64_t kLeastFreeze = 3;
constexpr double kLeastMotion = squared_steps(0.5);
constexpr double kStillShare = 1.0 / 25;
// Before it the distorted must have moved, so many frames in a row: a coder that drops all noise does not freeze.
constexpr int kLeastMoving = 4;
constexpr double kMovingShare = 0.25;

constexpr int kLooked = Alignment::kReach + 1;
size_t index_of(int behind) { return static_cast<size_t>(behind + kLooked); }

template <class Rows>
Evidence evidence_for(const Rows& rows, size_t begin, size_t end, size_t ours, size_t theirs) {
  Evidence evidence;
  for (size_t i = begin; i < end; ++i) evidence.add(rows[i][ours], rows[i][theirs]);
  return evidence;
}

// Whether some offset explains the picture better than another one.
template <class Row>
bool says_something(const Row& row) {
  Evidence evidence;
  for (const float mismatch : row) evidence.add(*std::min_element(row.begin(), row.end()), mismatch);
  return evidence.votes > 0;
}

// The offset that explains the rows from `begin` on best.
template <class Rows>
size_t best_offset(const Rows& rows, size_t begin, size_t offsets) {
  size_t best = index_of(0);
  for (size_t k = 0; k < offsets; ++k) {
    if (evidence_for(rows, begin, rows.size(), k, best).sum > 0) best = k;
  }
  return best;
}

// Whether it explains them clearly better than every other one does. Periodic pictures fail here: two offsets are equally good.
template <class Rows>
bool is_clear(const Rows& rows, size_t begin, size_t offsets, size_t best) {
  if (evidence_for(rows, begin, rows.size(), best, index_of(0)).votes < kLeastVotes && best != index_of(0)) return false;
  int rivals = 0;
  for (size_t k = 0; k < offsets; ++k) {
    if (k == best) continue;
    const Evidence evidence = evidence_for(rows, begin, rows.size(), best, k);
    if (evidence.frames == 0) continue;
    if (!evidence.clear()) return false;
    rivals += evidence.votes >= kLeastVotes ? 1 : 0;
  }
  if (rivals == 0) return false;
  if (best == 0 || best + 1 == offsets) return false;  // the best lies farther away
  // A picture that a lazy coder let lag by half a frame lies between two offsets: the truth lies in the middle of its neighbours.
  const float before = evidence_for(rows, begin, rows.size(), best, best - 1).mean();
  const float behind = evidence_for(rows, begin, rows.size(), best, best + 1).mean();
  return std::abs(before - behind) <= kMostLopsided;
}

// The rows at which one offset can stop to explain the pictures and another one begin.
struct Change {
  size_t first;
  size_t latest;
  int votes;  // rows before it that speak for the old one
};

// The place that leaves the least evidence against either.
template <class Rows>
Change find_change(const Rows& rows, size_t begin, size_t old_offset, size_t new_offset) {
  Change change{begin, begin, 0};
  Evidence evidence;  // for the old offset
  float most = 0;
  for (size_t row = begin; row < rows.size(); ++row) {
    evidence.add(rows[row][old_offset], rows[row][new_offset]);
    if (evidence.sum < most) continue;
    change.latest = row + 1;
    if (evidence.sum > most) change = {row + 1, row + 1, evidence.votes};
    most = evidence.sum;
  }
  return change;
}

}  // namespace

std::optional<int> AlignmentFindings::constant_offset() const {
  if (in_step() || stretches.size() != 1 || more_stretches != 0) return std::nullopt;
  return stretches[0].behind;
}

Alignment::Alignment(std::int64_t first_frame) : first_frame_(first_frame) { findings_.stretches.push_back({.first = first_frame}); }

const LumaSignature* Alignment::at(const std::deque<LumaSignature>& pictures, std::int64_t first, std::int64_t index) {
  if (index < first || index >= first + static_cast<std::int64_t>(pictures.size())) return nullptr;
  return &pictures[static_cast<size_t>(index - first)];
}

void Alignment::add(const LumaSignature& reference, const LumaSignature& distorted) {
  motions_.push_back(references_.empty() ? 0 : unexplained(references_.back(), reference));
  references_.push_back(reference);
  distorted_.push_back(distorted);
  ++added_;
  if (added_ > kLooked) judge_frame(judged_);
  if (references_.size() > kOffsets) {
    references_.pop_front();
    distorted_.pop_front();
    motions_.pop_front();
    ++first_kept_;
  }
}

// Both pictures of every offset are at hand, or will never be.
void Alignment::judge_frame(std::int64_t frame) {
  const LumaSignature& distorted = *at(distorted_, first_kept_, frame);
  Row row;
  for (int behind = -kLooked; behind <= kLooked; ++behind) {
    const LumaSignature* const reference = at(references_, first_kept_, frame - behind);
    row[index_of(behind)] = reference != nullptr ? mismatch(*reference, distorted) : std::numeric_limits<float>::quiet_NaN();
  }
  watch_for_freeze(frame);
  rows_.push_back(row);
  if (rows_.size() > kMemory) {
    forgot_ = forgot_ || says_something(rows_.front());
    rows_.pop_front();
  }
  ++judged_;
  if (judged_ % kEvery != 0) return;
  for (const size_t window : kWindows) decide(window);
}

size_t Alignment::rows_of_stretch() const {
  const std::int64_t rows = first_frame_ + judged_ - findings_.stretches.back().first;
  return std::min(static_cast<size_t>(rows), rows_.size());
}

void Alignment::decide(size_t window) {
  const size_t length = std::min(window, rows_of_stretch());
  if (length < static_cast<size_t>(kLeastVotes)) return;
  const size_t begin = rows_.size() - length;
  const size_t best = best_offset(rows_, begin, kOffsets);
  const int behind = static_cast<int>(best) - kLooked;
  const bool same = behind == findings_.stretches.back().behind;
  if ((same && confirmed_) || !is_clear(rows_, begin, kOffsets, best)) return;
  if (!same) change_to(behind, length);
  confirmed_ = findings_.clear = true;
}

void Alignment::change_to(int behind, size_t window) {
  const size_t begin = rows_.size() - rows_of_stretch();
  const Change change = find_change(rows_, begin, index_of(findings_.stretches.back().behind), index_of(behind));
  const auto frame_of = [&](size_t row) { return first_frame_ + judged_ - static_cast<std::int64_t>(rows_.size() - row); };
  const Stretch next{frame_of(change.first), behind, frame_of(change.latest)};
  if (change.votes < kLeastToKeep && !confirmed_) {  // hardly anything ever spoke for the old one
    const Evidence before =
        evidence_for(rows_, begin, rows_.size() - window, index_of(findings_.stretches.back().behind), index_of(behind));
    findings_.doubtful = forgot_ || before.votes > 0;
    findings_.stretches.back().behind = behind;
  } else if (findings_.stretches.size() < kKept) {
    findings_.stretches.push_back(next);
  } else {
    ++findings_.more_stretches;
    findings_.stretches.back() = next;
  }
}

// The reference must move at every offset in reach: else a picture that is merely late would seem to stand still.
void Alignment::watch_for_freeze(std::int64_t frame) {
  const LumaSignature* const before = at(distorted_, first_kept_, frame - 1);
  if (before == nullptr || motions_.size() < kOffsets) return end_freeze();
  const double least = *std::min_element(motions_.begin(), motions_.end());
  const double mean = std::accumulate(motions_.begin(), motions_.end(), 0.0) / static_cast<double>(motions_.size());
  const double change = squared_difference(*at(distorted_, first_kept_, frame), *before);
  if (mean < kLeastMotion || least < kLeastMotion / 16 || change > kStillShare * least) {
    end_freeze();
    moving_ = change > kMovingShare * least ? moving_ + 1 : 0;
    return;
  }
  if (!still_) still_ = Freeze{first_frame_ + frame, 0};
  still_->last = first_frame_ + frame;
}

void Alignment::end_freeze() {
  if (!still_) return;
  const int moved = std::exchange(moving_, 0);
  const Freeze freeze = *still_;
  still_.reset();
  // Where the offset is not known, the reference may have stood still at the same place of the content.
  if (!confirmed_ || moved < kLeastMoving || freeze.last - freeze.first + 1 < kLeastFreeze) return;
  if (findings_.freezes.size() < kKept) {
    findings_.freezes.push_back(freeze);
  } else {
    ++findings_.more_freezes;
  }
}

AlignmentFindings Alignment::finish() {
  while (judged_ < added_) judge_frame(judged_);
  for (const size_t window : kWindows) decide(window);
  end_freeze();
  return findings_;
}

}  // namespace vmafbatch::graph
