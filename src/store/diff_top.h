// The largest differences alone.
#pragma once

#include <cstdint>
#include <set>

#include "store/diff.h"

namespace vmafbatch::store {

// Keeps the `count` largest differences and reports them at the end, one a call, the largest first. What is missing, failed or counted
// differently comes first, then values by how far they are apart, then pooled values and backends; equals in the order found.
class TopReport : public DiffReport {
 public:
  // REQUIRES: count > 0; `report` outlives this.
  TopReport(DiffReport& report, std::int64_t count) : report_(report), count_(static_cast<size_t>(count)) {}

  void add(const ClipDifference& clip) override;
  void equal(const ClipDifference& clip) override { report_.equal(clip); }
  void end(const DiffSummary& summary) override;

 private:
  struct Item {
    double size = 0;
    std::int64_t number = 0;
    ClipDifference clip;  // with one difference, or none where the clip is only on one side
    bool operator<(const Item& other) const { return size != other.size ? size > other.size : number < other.number; }
  };
  void keep(double size, const ClipDifference& clip, const Difference* difference);

  DiffReport& report_;
  size_t count_;
  std::int64_t found_ = 0;
  std::set<Item> items_;
};

}  // namespace vmafbatch::store
