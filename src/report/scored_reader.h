// Reads positions of a scored pair again, in rising order, and goes straight to far ones where that is safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "io/frame_pool.h"
#include "io/group_reader.h"
#include "report/scored_pair.h"

namespace vmafbatch::report {

struct ScoredReaderOptions {
  int decoder_threads = 1;              // of each decoder
  std::function<bool()> should_stop{};  // asked before every decoded frame, and while a file is waited for; may be empty
};

// One thread at a time.
class ScoredReader {
 public:
  // Error: a file cannot be opened, or what was opened is not what was scored. REQUIRES: `scored` outlives it
  static Result<std::unique_ptr<ScoredReader>> open(const ScoredPair& scored, const ScoredReaderOptions& options);
  ScoredReader(const ScoredPair& scored, const ScoredReaderOptions& options);  // for open()

  const io::GroupReader& group() const { return *group_; }

  // Null where the frame cannot be decoded; group().end(0) says why. Error: should_stop; a file has changed since it was opened, so that
  // nobody knows whose pixels these are.
  // REQUIRES: frame is not below 0 and greater than the one before.
  Result<std::shared_ptr<const io::FramePair>> read(std::int64_t frame);

 private:
  Result<std::unique_ptr<io::GroupReader>> open_group();
  io::ReadLimits limits() const;
  bool should_stop() const { return options_.should_stop && options_.should_stop(); }
  bool skip_to(std::int64_t frame);
  void go_near(std::int64_t frame);
  std::optional<io::PositionTimes> times_of(std::int64_t frame);
  void find_times();

  const ScoredPair& scored_;
  ScoredReaderOptions options_;
  io::FramePool pool_;  // outlives the group
  std::unique_ptr<io::GroupReader> group_;
  std::int64_t position_ = 0;  // of group_
  bool may_seek_ = true;
  std::vector<std::int64_t> reference_ns_, distorted_ns_;  // times of all pictures of each file; empty: not known yet
};

}  // namespace vmafbatch::report
