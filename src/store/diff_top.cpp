#include "store/diff_top.h"

#include <limits>

#include "store/diff_equality.h"

namespace vmafbatch::store {
namespace {

constexpr double kFirst = std::numeric_limits<double>::infinity();
constexpr double kLast = -1;

double size_of(const Difference& difference) {
  switch (difference.kind) {
    case Difference::Kind::kStatus:
    case Difference::Kind::kFrameCount:
    case Difference::Kind::kFeature:
    case Difference::Kind::kFailure: return kFirst;
    case Difference::Kind::kFrames:
      if (difference.only_old > 0 || difference.only_new > 0) return kFirst;
      [[fallthrough]];
    case Difference::Kind::kAggregate:
      return difference.old_value && difference.new_value ? distance(*difference.old_value, *difference.new_value) : kFirst;
    case Difference::Kind::kPooled:
    case Difference::Kind::kBackend: break;
  }
  return kLast;
}

}  // namespace

void TopReport::add(const ClipDifference& clip) {
  if (!clip.in_old || !clip.in_new) keep(kFirst, clip, nullptr);
  for (const Difference& difference : clip.differences) keep(size_of(difference), clip, &difference);
}

void TopReport::keep(double size, const ClipDifference& clip, const Difference* difference) {
  Item item;
  item.size = size;
  item.number = found_++;
  if (items_.size() == count_) {
    if (!(item < *items_.rbegin())) return;
    items_.erase(std::prev(items_.end()));
  }
  item.clip.clip = clip.clip;
  item.clip.label = clip.label;
  item.clip.in_old = clip.in_old;
  item.clip.in_new = clip.in_new;
  item.clip.causes = clip.causes;
  if (difference != nullptr) item.clip.differences.push_back(*difference);
  items_.insert(std::move(item));
}

void TopReport::end(const DiffSummary& summary) {
  for (const Item& item : items_) report_.add(item.clip);
  DiffSummary shown = summary;
  shown.shown = static_cast<std::int64_t>(items_.size());
  report_.end(shown);
}

}  // namespace vmafbatch::store
