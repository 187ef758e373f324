// Finds out whether the distorted pictures of a clip run behind or ahead of the reference's, from signatures alone. Free of the
// graph and of files. It says nothing rather than something wrong: see docs/alignment.md for what it was tried on.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "graph/luma_signature.h"

namespace vmafbatch::graph {

// From frame `first` on, to the next stretch or the end, the distorted picture n shows the reference's picture n - behind.
struct Stretch {
  std::int64_t first = 0;
  int behind = 0;  // frames; negative: the distorted runs ahead
  // Where the pictures did not move at the change, it can lie anywhere from `first` to here.
  std::int64_t latest_first = first;

  bool operator==(const Stretch&) const = default;
};

// Distorted pictures that stand still while the reference moves.
struct Freeze {
  std::int64_t first = 0;  // the first repeated picture
  std::int64_t last = 0;

  bool operator==(const Freeze&) const = default;
};

struct AlignmentFindings {
  std::vector<Stretch> stretches;  // the first begins at the first frame; {first frame, 0} alone: in step, or nothing can be said
  std::int64_t more_stretches = 0;
  std::vector<Freeze> freezes;
  std::int64_t more_freezes = 0;
  bool clear = false;     // somewhere one offset, be it 0, was clearly the best
  bool doubtful = false;  // but what came before it was not clear, and spoke for another one: better nothing is said of the clip

  // Offset and changes that may be told.
  bool in_step() const { return doubtful || (stretches.size() == 1 && more_stretches == 0 && stretches[0].behind == 0); }
  // The offset, where one offset other than 0 holds for the whole clip.
  std::optional<int> constant_offset() const;
};

// One clip, pair by pair. Its memory is bounded (about 20 KiB), however long the clip is. One thread at a time.
class Alignment {
 public:
  static constexpr int kReach = 12;       // offsets that are looked for, either way
  static constexpr size_t kKept = 16;     // stretches and freezes that are kept; the others are counted
  static constexpr size_t kMemory = 128;  // frames that a decision can look back to

  // first_frame: the index of the first pair that is added.
  explicit Alignment(std::int64_t first_frame = 0);

  void add(const LumaSignature& reference, const LumaSignature& distorted);
  // After the last pair.
  AlignmentFindings finish();

 private:
  static constexpr int kLooked = kReach + 1;  // one more either way: an answer is better than both its neighbours
  static constexpr size_t kOffsets = 2 * kLooked + 1;
  // How badly each offset explains one distorted picture: log2 of the squared difference, NaN where the reference has no such picture.
  using Row = std::array<float, kOffsets>;

  void judge_frame(std::int64_t frame);
  void decide(size_t window);
  void change_to(int behind, size_t window);
  void watch_for_freeze(std::int64_t frame);
  void end_freeze();
  // Rows of the present stretch.
  size_t rows_of_stretch() const;
  // The picture `index`, or null where it does not exist or is gone.
  static const LumaSignature* at(const std::deque<LumaSignature>& pictures, std::int64_t first, std::int64_t index);

  std::int64_t first_frame_;
  std::int64_t added_ = 0;   // pairs
  std::int64_t judged_ = 0;  // rows made
  std::deque<LumaSignature> references_;
  std::deque<LumaSignature> distorted_;
  std::deque<double> motions_;   // of the same references against the ones before them
  std::int64_t first_kept_ = 0;  // the pair that the front of both holds, counted from 0
  std::deque<Row> rows_;         // of the newest judged frames
  bool forgot_ = false;          // of the first stretch, rows that were no longer at hand when it was decided on, and that said something
  bool confirmed_ = false;       // the present stretch's offset is itself clearly the best somewhere in it
  AlignmentFindings findings_;

  std::optional<Freeze> still_;  // that goes on
  int moving_ = 0;               // distorted pictures in a row that moved as the reference does, before it
};

}  // namespace vmafbatch::graph
