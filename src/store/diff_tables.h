// The reports of a comparison for CI systems and spreadsheets. Both write with the first clip or at the end: nothing is on the output
// when a database cannot be opened.
#pragma once

#include <iosfwd>

#include "store/diff.h"

namespace vmafbatch::store {

// JUnit's XML, as CI systems read it: a test suite is a clip, a test case a feature that was compared (or a status, a backend ... that
// differs), a failure holds the differences and what may explain them. Nothing to compare is an error.
class JunitReport : public DiffReport {
 public:
  explicit JunitReport(std::ostream& out) : out_(out) {}
  void add(const ClipDifference& clip) override;
  void equal(const ClipDifference& clip) override { add(clip); }
  void end(const DiffSummary& summary) override;

 private:
  void begin_once();
  std::ostream& out_;
  bool begun_ = false;
};

// A line a difference after RFC 4180, lines end with LF. Columns: clip, label, kind (as in JSON; "clip": it is only on one side), name,
// compared, changed, only_old, only_new, frame (of the largest difference), old, new, causes (names).
class CsvReport : public DiffReport {
 public:
  explicit CsvReport(std::ostream& out) : out_(out) {}
  void add(const ClipDifference& clip) override;
  void end(const DiffSummary& summary) override;

 private:
  void begin_once();
  std::ostream& out_;
  bool begun_ = false;
};

}  // namespace vmafbatch::store
