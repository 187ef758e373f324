#include "graph/alignment_search.h"

#include <algorithm>
#include <limits>

#include "graph/alignment_evidence.h"

namespace vmafbatch::graph {
namespace {

constexpr std::int64_t kMostCompared = 500;  // distorted pictures for each offset
constexpr int kLeastCommon = 40;             // of them that must meet a reference picture

using Pictures = std::vector<LumaSignature>;

std::int64_t size_of(const Pictures& pictures) { return static_cast<std::int64_t>(pictures.size()); }

// Compares offsets on the same sample of the distorted pictures.
class Search {
 public:
  Search(const Pictures& reference, const Pictures& distorted)
      : reference_(reference), distorted_(distorted), stride_(std::max<std::int64_t>(1, size_of(distorted) / kMostCompared)) {}

  // The mean mismatch of the pictures that meet; nothing where too few do.
  std::optional<float> mean(std::int64_t behind) const {
    double sum = 0;
    int common = 0;
    for (std::int64_t n = 0; n < size_of(distorted_); n += stride_) {
      if (!meets(n, behind)) continue;
      sum += at(n, behind);
      ++common;
    }
    if (common < kLeastCommon) return std::nullopt;
    return static_cast<float>(sum / common);
  }

  bool clearly_better(std::int64_t ours, std::int64_t theirs) const {
    Evidence evidence;
    for (std::int64_t n = 0; n < size_of(distorted_); n += stride_) {
      if (meets(n, ours) && meets(n, theirs)) evidence.add(at(n, ours), at(n, theirs));
    }
    // Offsets that share no picture are compared by their means alone.
    return evidence.frames < kLeastVotes || evidence.clear();
  }

 private:
  bool meets(std::int64_t n, std::int64_t behind) const { return n - behind >= 0 && n - behind < size_of(reference_); }
  float at(std::int64_t n, std::int64_t behind) const {
    return mismatch(reference_[static_cast<size_t>(n - behind)], distorted_[static_cast<size_t>(n)]);
  }

  const Pictures& reference_;
  const Pictures& distorted_;
  std::int64_t stride_;
};

}  // namespace

std::optional<std::int64_t> search_offset(const Pictures& reference, const Pictures& distorted, std::int64_t most) {
  const Search search(reference, distorted);
  std::vector<std::pair<std::int64_t, float>> means;
  std::pair<std::int64_t, float> best{0, std::numeric_limits<float>::infinity()};
  for (std::int64_t behind = -most; behind <= most; ++behind) {
    const std::optional<float> mean = search.mean(behind);
    if (!mean) continue;
    means.emplace_back(behind, *mean);
    if (*mean < best.second) best = means.back();
  }
  if (means.size() < 3 || best.first == means.front().first || best.first == means.back().first) return std::nullopt;
  for (const auto& [behind, mean] : means) {
    if (behind == best.first) continue;
    // By mean first: an offset that is nearly as good makes the answer doubtful, whatever pictures it met.
    if (mean - best.second < kSpeaks || !search.clearly_better(best.first, behind)) return std::nullopt;
  }
  return best.first;
}

}  // namespace vmafbatch::graph
