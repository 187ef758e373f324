#include "graph/task_order.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include "io/file_identity.h"

namespace vmafbatch::graph {
namespace {

// What one byte of an encoded file is worth against uncompressed video: 12 bits a pixel (8-bit 4:2:0) against a quarter of a bit, which
// is between what a streaming encode and a mezzanine take. Only catalogues that mix both kinds depend on it.
constexpr double kBytesPerEncodedByte = 48;

double guessed_bytes(const std::string& path, bool is_raw, const std::optional<io::FileIdentity>& file) {
  if (!file) return 0;
  const auto size = static_cast<double>(file->size_bytes);
  return is_raw || path.ends_with(".y4m") ? size : kBytesPerEncodedByte * size;
}

double reference_bytes(const ClipTask& task) {
  return guessed_bytes(task.row.reference, task.row.reference_raw.has_value(), task.reference_file);
}
double distorted_bytes(const ClipTask& task) {
  return guessed_bytes(task.row.distorted, task.row.distorted_raw.has_value(), task.distorted_file);
}

}  // namespace

void put_longest_first(const std::vector<ClipTask>& tasks, std::vector<ClipGroup>& groups) {
  std::vector<double> bytes;
  for (const ClipGroup& group : groups) {
    bytes.push_back(std::accumulate(group.begin(), group.end(), reference_bytes(tasks[group.front()]),
                                    [&](double sum, size_t task) { return sum + distorted_bytes(tasks[task]); }));
  }
  std::vector<size_t> order(groups.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return bytes[a] > bytes[b]; });
  std::vector<ClipGroup> sorted;
  for (const size_t index : order) sorted.push_back(std::move(groups[index]));
  groups = std::move(sorted);
}

}  // namespace vmafbatch::graph
