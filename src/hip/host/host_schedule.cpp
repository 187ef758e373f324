#include "hip/host/host_schedule.h"

#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace vmafbatch::hip {
namespace {

constexpr size_t kCallKinds = 4;
constexpr std::array<std::string_view, kCallKinds> kCallNames{"allocate", "copy", "launch", "wait"};

struct State {
  HostConfig config;
  std::array<std::atomic<std::uint64_t>, kCallKinds> calls{};
};

State& state() {
  static State the_state;
  return the_state;
}

// Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014 (the finaliser of SplitMix64).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Error refused(std::string_view variable, std::string_view text, std::string_view grammar) {
  return Error{std::string(variable) + "=" + std::string(text) + " is not understood; it takes " + std::string(grammar)};
}

Status read_schedule(std::string_view text, HostConfig& config) {
  constexpr std::string_view kShuffle = "shuffle:";
  if (!text.starts_with(kShuffle)) return refused("VMAFBATCH_HOST_SCHEDULE", text, "shuffle:SEED");
  config.shuffle_seed = number(text.substr(kShuffle.size()));
  if (!config.shuffle_seed) return refused("VMAFBATCH_HOST_SCHEDULE", text, "shuffle:SEED with a whole number");
  return {};
}

Status read_failure(std::string_view text, HostConfig& config) {
  constexpr std::string_view kGrammar = "allocate:N, copy:N, launch:N or wait:N with N from 1";
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return refused("VMAFBATCH_HOST_FAIL", text, kGrammar);
  for (size_t kind = 0; kind < kCallKinds; ++kind) {
    if (kCallNames[kind] == text.substr(0, colon)) config.failing_call = static_cast<HostCall>(kind);
  }
  config.failing_number = number(text.substr(colon + 1)).value_or(0);
  if (!config.failing_call || config.failing_number == 0) return refused("VMAFBATCH_HOST_FAIL", text, kGrammar);
  return {};
}

Status read_devices(std::string_view text, HostConfig& config) {
  constexpr std::uint64_t kMostDevices = 16;
  const std::optional<std::uint64_t> count = number(text);
  if (!count || *count == 0 || *count > kMostDevices) return refused("VMAFBATCH_HOST_DEVICES", text, "a number from 1 to 16");
  config.devices = static_cast<int>(*count);
  return {};
}

}  // namespace

Result<HostConfig> host_config_from_environment() {
  HostConfig config;
  const auto read = [&config](const char* variable, auto&& reader) -> Status {
    const char* const text = std::getenv(variable);
    return text == nullptr ? Status{} : reader(text, config);
  };
  if (Status s = read("VMAFBATCH_HOST_SCHEDULE", read_schedule); !s.ok()) return s.error();
  if (Status s = read("VMAFBATCH_HOST_FAIL", read_failure); !s.ok()) return s.error();
  if (Status s = read("VMAFBATCH_HOST_DEVICES", read_devices); !s.ok()) return s.error();
  return config;
}

void set_host_config(const HostConfig& config) {
  state().config = config;
  for (auto& count : state().calls) count.store(0);
}

const HostConfig& host_config() { return state().config; }

bool host_call_fails(HostCall call) {
  const std::uint64_t number = state().calls[static_cast<size_t>(call)].fetch_add(1) + 1;
  return state().config.failing_call == call && state().config.failing_number == number;
}

std::uint64_t host_calls(HostCall call) { return state().calls[static_cast<size_t>(call)].load(); }

HostRandom::HostRandom(std::uint64_t launch) : state_(mixed(mixed(host_config().shuffle_seed.value_or(0)) + launch)) {}

std::uint64_t HostRandom::next() { return mixed(state_++); }

unsigned char host_fill_byte() {
  // Without a seed a value that makes integers huge and floats odd.
  constexpr unsigned char kPattern = 0xA5;
  if (!host_config().shuffle_seed) return kPattern;
  return static_cast<unsigned char>(mixed(*host_config().shuffle_seed) | 1u);
}

}  // namespace vmafbatch::hip
