// How the HOST build is told to misbehave, so that tests find what a device would only show now and then.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace vmafbatch::hip {

enum class HostCall { kAllocate, kCopy, kLaunch, kWait };

struct HostConfig {
  // Order of blocks and of threads between barriers, and the bytes that fresh memory holds, from this seed; none: in order, and
  // fresh memory holds one fixed pattern.
  std::optional<std::uint64_t> shuffle_seed{};
  // The n-th call of this kind fails, n from 1.
  std::optional<HostCall> failing_call{};
  std::uint64_t failing_number = 0;
  int devices = 1;  // how many the HOST pretends to have
};

// VMAFBATCH_HOST_SCHEDULE=shuffle:SEED, VMAFBATCH_HOST_FAIL=allocate|copy|launch|wait:N, VMAFBATCH_HOST_DEVICES=N. The error names the
// variable and what it may hold.
Result<HostConfig> host_config_from_environment();

// Sets the configuration and starts the counting anew. REQUIRES: no HOST device is in use.
void set_host_config(const HostConfig& config);
const HostConfig& host_config();

// Counts a call; true where it is the one that must fail.
bool host_call_fails(HostCall call);
// So many calls of a kind were made since set_host_config.
std::uint64_t host_calls(HostCall call);

// Numbers for the order of one launch: they come from the seed and the launch's number alone, so that a run can be repeated.
class HostRandom {
 public:
  explicit HostRandom(std::uint64_t launch);
  std::uint64_t next();

 private:
  std::uint64_t state_;
};
// The byte that fills memory which nothing has written.
unsigned char host_fill_byte();

}  // namespace vmafbatch::hip
