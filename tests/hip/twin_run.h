// Runs a twin on the HOST build and compares its measurements with the extractor's, word by word.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hip/host/host_schedule.h"
#include "io/frame.h"

namespace vmafbatch::testing {

using Pairs = std::vector<std::shared_ptr<const io::FramePair>>;

// Frames of their own with the same samples: what a device run leaves on a frame must go before the device does.
Pairs clone_pairs(const Pairs& pairs);

struct TwinRun {
  std::string difference;  // "" where every word of every frame is the same; else the first difference, or what failed
  bool declined = false;   // the twin gave the clip to the CPU; `difference` holds the reason
  std::int64_t uploads = 0;
  std::int64_t waits = 0;
  std::int64_t launches = 0;
};

// feature: the grammar of --feature. All frames go through a DeviceQueue at once; `config` says how the HOST build behaves.
TwinRun compare_twin(const std::string& feature, const Pairs& pairs, const hip::HostConfig& config = {}, int streams = 2);

}  // namespace vmafbatch::testing
