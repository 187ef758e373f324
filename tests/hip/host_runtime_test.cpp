// The HOST runtime: streams, events, and how it is told to fail.
#include "hip/host/host_runtime.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "hip/device.h"
#include "hip/host/host_launch.h"
#include "hip/host/host_schedule.h"
#include "hip/platform/launcher.h"
#include "hip/runtime.h"

namespace vmafbatch::testing {
namespace {

using hip::Grid;

// Waits until the test opens the gate.
struct GateKernel {
  static constexpr const char* kName = "test_gate";
  static constexpr int kWidth = 1, kHeight = 1;
  using Shared = hip::NoShared;
  std::atomic<bool>* open;

  template <class Thread>
  void operator()(Thread&, Shared&) const {
    open->wait(false);
  }
};

struct AssignKernel {
  static constexpr const char* kName = "test_assign";
  static constexpr int kWidth = 1, kHeight = 1;
  using Shared = hip::NoShared;
  const std::uint64_t* from;
  std::uint64_t* to;

  template <class Thread>
  void operator()(Thread&, Shared&) const {
    *to = *from + 1;
  }
};

template <class T>
struct AtomicKernel {
  static constexpr const char* kName = sizeof(T) == 4 ? (std::is_signed_v<T> ? "test_atomic_i32" : "test_atomic_u32")
                                                      : (std::is_signed_v<T> ? "test_atomic_i64" : "test_atomic_u64");
  static constexpr int kWidth = 32, kHeight = 1;
  using Shared = hip::NoShared;
  T* total;
  T value;

  template <class Thread>
  void operator()(Thread& t, Shared&) const {
    t.atomic_add(total, value);
  }
};

struct FaultyKernel {
  static constexpr const char* kName = "test_faulty";
  static constexpr int kWidth = 2, kHeight = 1;
  using Shared = hip::NoShared;
  int unused;

  template <class Thread>
  void operator()(Thread& t, Shared&) const {
    t.sync();
  }
};

const hip::ModuleTable& module() {
  static const std::vector<hip::ModuleKernel> kernels =
      hip::kernel_table(hip::KernelList<GateKernel, AssignKernel, AtomicKernel<std::int32_t>, AtomicKernel<std::uint32_t>,
                                        AtomicKernel<std::int64_t>, AtomicKernel<std::uint64_t>, FaultyKernel>{});
  static const hip::ModuleTable table = [] {
    hip::ModuleTable t = hip::host_module();
    t.kernels = kernels.data();
    t.kernel_count = kernels.size();
    return t;
  }();
  return table;
}

// Long enough for a stream that does not wait to have run on.
void give_streams_time() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

class HostRuntime : public ::testing::Test {
 protected:
  HostRuntime() { hip::set_host_config({}); }
  void TearDown() override {
    open();
    hip::set_host_config({});
  }
  void open() {
    gate_ = true;
    gate_.notify_all();
  }

  std::atomic<bool> gate_{false};  // outlives the streams
  hip::Device device_{module(), 0};
};

// --- streams and events

TEST_F(HostRuntime, WorkOfAStreamIsDoneInOrder) {
  std::uint64_t value = 0;
  hip::DeviceStream stream(device_);
  for (int i = 0; i < 100; ++i) stream.launch(Grid{}, AssignKernel{&value, &value});
  stream.drain();
  EXPECT_EQ(value, 100u);
}

TEST_F(HostRuntime, AStreamWaitsForAnEventOfAnother) {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  hip::DeviceStream a(device_);
  hip::DeviceStream b(device_);
  const hip::DeviceEvent event(device_);
  a.launch(Grid{}, GateKernel{&gate_});
  a.launch(Grid{}, AssignKernel{&first, &first});
  a.record(event);
  b.wait_for(event);
  b.launch(Grid{}, AssignKernel{&first, &second});
  give_streams_time();
  open();
  b.drain();
  EXPECT_EQ(second, 2u);
}

TEST_F(HostRuntime, ALaterRecordDoesNotReleaseWhoWaitsForTheEarlier) {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  hip::DeviceStream slow(device_);
  hip::DeviceStream waiting(device_);
  hip::DeviceStream quick(device_);
  const hip::DeviceEvent event(device_);
  slow.launch(Grid{}, GateKernel{&gate_});
  slow.launch(Grid{}, AssignKernel{&first, &first});
  slow.record(event);
  waiting.wait_for(event);
  waiting.launch(Grid{}, AssignKernel{&first, &second});
  quick.record(event);
  device_.wait(event);  // for the newest record: the gate is still shut
  give_streams_time();
  open();
  waiting.drain();
  EXPECT_EQ(second, 2u);
}

TEST_F(HostRuntime, AnEventThatWasNeverRecordedHoldsNobody) {
  const hip::DeviceEvent event(device_);
  device_.wait(event);
  hip::DeviceStream stream(device_);
  stream.wait_for(event);
  stream.drain();
}

TEST_F(HostRuntime, AnEventMayGoWhileAStreamWaitsForIt) {
  void* slow = nullptr;
  void* waiting = nullptr;
  void* event = nullptr;
  ASSERT_EQ(module().create_stream(&slow) + module().create_stream(&waiting) + module().create_event(&event), 0);
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  hip::enqueue_host_launch(slow, hip::host_launch(Grid{}, GateKernel{&gate_}));
  hip::enqueue_host_launch(slow, hip::host_launch(Grid{}, AssignKernel{&first, &first}));
  module().record_event(event, slow);
  module().stream_wait_event(waiting, event);
  EXPECT_EQ(module().destroy_event(event), 0);
  hip::enqueue_host_launch(waiting, hip::host_launch(Grid{}, AssignKernel{&first, &second}));
  open();
  EXPECT_EQ(module().wait_stream(waiting), 0);
  EXPECT_EQ(second, 2u);
  EXPECT_EQ(module().destroy_stream(slow) + module().destroy_stream(waiting), 0);
}

TEST_F(HostRuntime, AStreamGoesWhenItsWorkIsDone) {
  std::uint64_t value = 0;
  {
    hip::DeviceStream stream(device_);
    for (int i = 0; i < 1000; ++i) stream.launch(Grid{}, AssignKernel{&value, &value});
  }
  EXPECT_EQ(value, 1000u);
}

template <class T>
void expect_atomic_sums(hip::Device& device) {
  T total = 5;
  {
    hip::DeviceStream a(device);
    hip::DeviceStream b(device);
    for (int i = 0; i < 20; ++i) {
      a.launch(Grid{50, 1, 1}, AtomicKernel<T>{&total, 3});
      b.launch(Grid{50, 1, 1}, AtomicKernel<T>{&total, static_cast<T>(-1)});
    }
  }
  EXPECT_EQ(total, static_cast<T>(5 + 20 * 50 * 32 * 2));
}

TEST_F(HostRuntime, AtomicsOfTwoStreamsLoseNothing) {
  expect_atomic_sums<std::int32_t>(device_);
  expect_atomic_sums<std::uint32_t>(device_);
  expect_atomic_sums<std::int64_t>(device_);
  expect_atomic_sums<std::uint64_t>(device_);
}

// --- faults

template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const hip::DeviceError& e) {
    return e.what();
  }
  return "no error";
}

TEST_F(HostRuntime, AFaultOfAKernelComesToWhoWaitsForItsStreamOrEvent) {
  hip::DeviceStream stream(device_);
  hip::DeviceStream other(device_);
  const hip::DeviceEvent event(device_);
  const hip::DeviceEvent behind(device_);
  const std::string want = "host device 0 (CPU threads, host): wait_event failed: a kernel without shared memory called a barrier";
  stream.launch(Grid{}, GateKernel{&gate_});
  stream.launch(Grid{}, FaultyKernel{0});
  stream.record(event);
  other.wait_for(event);
  other.record(behind);
  open();
  EXPECT_EQ(error_of([&] { device_.wait(event); }), want);
  EXPECT_EQ(error_of([&] { device_.wait(behind); }), want);
  EXPECT_EQ(error_of([&] { stream.record(event); }),
            "host device 0 (CPU threads, host): record_event failed: a kernel without shared memory called a barrier");
}

TEST_F(HostRuntime, AGridWithoutBlocksIsAnError) {
  hip::DeviceStream stream(device_);
  const hip::DeviceEvent event(device_);
  std::uint64_t value = 0;
  stream.launch(Grid{1, 0, 1}, AssignKernel{&value, &value});
  // Whoever comes first finds it: the record or the wait.
  const std::string error = error_of([&] {
    stream.record(event);
    device_.wait(event);
  });
  EXPECT_NE(error.find("a grid without blocks or with more than a device takes"), std::string::npos) << error;
  EXPECT_EQ(value, 0u);
}

// One call of each kind, in this order: allocate, copy, launch, wait.
std::string error_of_each_call(const hip::HostConfig& config) {
  hip::set_host_config(config);
  hip::Device device(module(), 0);
  return error_of([&] {
    const hip::DeviceMemory memory(device, hip::DeviceMemory::Kind::kDevice, 120);
    hip::DeviceStream stream(device);
    std::array<std::byte, 60> bytes{};
    stream.upload(memory.data(), 60, bytes.data(), 10, 10, 2);
    std::uint64_t value = 0;
    stream.launch(Grid{}, AssignKernel{&value, &value});
    const hip::DeviceEvent event(device);
    stream.record(event);
    device.wait(event);
  });
}

TEST_F(HostRuntime, AnInjectedFaultNamesCallDeviceAndSize) {
  const std::string device = "host device 0 (CPU threads, host): ";
  const std::string reason = " failed: a fault that VMAFBATCH_HOST_FAIL asked for";
  EXPECT_EQ(error_of_each_call({}), "no error");
  EXPECT_EQ(error_of_each_call({.failing_call = hip::HostCall::kAllocate, .failing_number = 1}),
            device + "allocate of 120 bytes failed: out of memory");
  EXPECT_EQ(error_of_each_call({.failing_call = hip::HostCall::kCopy, .failing_number = 1}), device + "upload of 20 bytes" + reason);
  EXPECT_EQ(error_of_each_call({.failing_call = hip::HostCall::kLaunch, .failing_number = 1}), device + "launch of test_assign" + reason);
  EXPECT_EQ(error_of_each_call({.failing_call = hip::HostCall::kWait, .failing_number = 1}), device + "wait_event" + reason);
}

TEST_F(HostRuntime, OnlyTheCallThatWasNamedFails) {
  for (const hip::HostCall call : {hip::HostCall::kAllocate, hip::HostCall::kCopy, hip::HostCall::kLaunch}) {
    EXPECT_EQ(error_of_each_call({.failing_call = call, .failing_number = 2}), "no error");
  }
}

TEST_F(HostRuntime, OtherCallsNameTheirSizeToo) {
  const auto failing_copy = [this](auto&& action) {
    hip::set_host_config({.failing_call = hip::HostCall::kCopy, .failing_number = 1});
    hip::DeviceStream stream(device_);
    return error_of([&] { action(stream); });
  };
  const std::string device = "host device 0 (CPU threads, host): ";
  const std::string reason = " failed: a fault that VMAFBATCH_HOST_FAIL asked for";
  std::array<std::byte, 16> from{};
  std::array<std::byte, 16> to{};
  EXPECT_EQ(failing_copy([&](auto& s) { s.download(to.data(), from.data(), 16); }), device + "download of 16 bytes" + reason);
  EXPECT_EQ(failing_copy([&](auto& s) { s.clear(to.data(), 8); }), device + "clear of 8 bytes" + reason);
  EXPECT_EQ(failing_copy([&](auto& s) { s.upload_table(to.data(), from.data(), 12); }), device + "upload of a table of 12 bytes" + reason);
  hip::set_host_config({.failing_call = hip::HostCall::kAllocate, .failing_number = 1});
  EXPECT_EQ(error_of([&] { hip::DeviceMemory(device_, hip::DeviceMemory::Kind::kPinned, 99); }),
            device + "allocate_pinned of 99 bytes failed: out of memory");
}

TEST_F(HostRuntime, OnlyLackOfMemoryLeavesTheDeviceSound) {
  const auto out_of_memory = [](int status) {
    hip::Device device(module(), 0);
    try {
      device.check(status, "call");
    } catch (const hip::DeviceError& e) {
      return e.out_of_memory();
    }
    return false;
  };
  EXPECT_TRUE(out_of_memory(hip::kOutOfMemory));
  EXPECT_FALSE(out_of_memory(hip::kDivergentBarrier));
}

TEST_F(HostRuntime, ANewConfigurationCountsAnew) {
  const auto calls = [](hip::HostCall call) { return hip::host_calls(call); };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(error_of_each_call({}), "no error");
    EXPECT_EQ(calls(hip::HostCall::kAllocate), 1u);
    EXPECT_EQ(calls(hip::HostCall::kCopy), 1u);
    EXPECT_EQ(calls(hip::HostCall::kLaunch), 1u);
    EXPECT_EQ(calls(hip::HostCall::kWait), 2u);  // the event, and the stream's end
  }
}

TEST_F(HostRuntime, AKernelThatTheModuleLacksIsASentence) {
  hip::Device other(hip::host_module(), 0);
  hip::DeviceStream stream(other);
  std::uint64_t value = 0;
  EXPECT_EQ(error_of([&] {
              stream.launch(Grid{}, AssignKernel{&value, &value});
            }),
            "host device 0 (CPU threads, host): its module has no kernel \"test_assign\" of this program; it was built from other sources");
}

// --- configuration

class HostConfigText : public ::testing::Test {
 protected:
  void TearDown() override {
    for (const char* const name : {"VMAFBATCH_HOST_SCHEDULE", "VMAFBATCH_HOST_FAIL", "VMAFBATCH_HOST_DEVICES"}) unsetenv(name);
    hip::set_host_config({});
  }
  static Result<hip::HostConfig> read(const char* variable, const std::string& text) {
    setenv(variable, text.c_str(), 1);
    return hip::host_config_from_environment();
  }
  static std::string refusal(const char* variable, const std::string& text) {
    const Result<hip::HostConfig> config = read(variable, text);
    unsetenv(variable);
    return config.ok() ? "taken" : config.error().message;
  }
};

TEST_F(HostConfigText, NothingSetIsTheDefault) {
  const Result<hip::HostConfig> config = hip::host_config_from_environment();
  ASSERT_TRUE(config.ok());
  EXPECT_FALSE(config->shuffle_seed);
  EXPECT_FALSE(config->failing_call);
  EXPECT_EQ(config->devices, 1);
}

TEST_F(HostConfigText, ReadsAllThree) {
  setenv("VMAFBATCH_HOST_SCHEDULE", "shuffle:18446744073709551615", 1);
  setenv("VMAFBATCH_HOST_DEVICES", "16", 1);
  const std::pair<const char*, hip::HostCall> calls[] = {{"allocate:1", hip::HostCall::kAllocate},
                                                         {"copy:1", hip::HostCall::kCopy},
                                                         {"launch:1", hip::HostCall::kLaunch},
                                                         {"wait:1", hip::HostCall::kWait}};
  for (const auto& [text, call] : calls) {
    const Result<hip::HostConfig> config = read("VMAFBATCH_HOST_FAIL", text);
    ASSERT_TRUE(config.ok()) << config.error().message;
    EXPECT_EQ(config->shuffle_seed, 18446744073709551615u);
    EXPECT_EQ(config->failing_call, call);
    EXPECT_EQ(config->failing_number, 1u);
    EXPECT_EQ(config->devices, 16);
  }
}

TEST_F(HostConfigText, EveryBadTextIsRefusedByName) {
  for (const std::string text : {"", "shuffle", "order:1"}) {
    EXPECT_EQ(refusal("VMAFBATCH_HOST_SCHEDULE", text), "VMAFBATCH_HOST_SCHEDULE=" + text + " is not understood; it takes shuffle:SEED");
  }
  for (const std::string text : {"shuffle:", "shuffle:x", "shuffle:-1", "shuffle:1 ", "shuffle:18446744073709551616"}) {
    EXPECT_EQ(refusal("VMAFBATCH_HOST_SCHEDULE", text),
              "VMAFBATCH_HOST_SCHEDULE=" + text + " is not understood; it takes shuffle:SEED with a whole number");
  }
  for (const std::string text : {"", "launch", "launch:", "launch:0", "launch:x", "launch:-1", "free:1", ":1", "Launch:1"}) {
    EXPECT_EQ(refusal("VMAFBATCH_HOST_FAIL", text),
              "VMAFBATCH_HOST_FAIL=" + text + " is not understood; it takes allocate:N, copy:N, launch:N or wait:N with N from 1");
  }
  for (const std::string text : {"", "0", "17", "two", "-1", "1.0"}) {
    EXPECT_EQ(refusal("VMAFBATCH_HOST_DEVICES", text),
              "VMAFBATCH_HOST_DEVICES=" + text + " is not understood; it takes a number from 1 to 16");
  }
}

TEST_F(HostConfigText, TheRuntimeTellsABadTextAndListsTheDevicesOfAGoodOne) {
  setenv("VMAFBATCH_HOST_DEVICES", "none", 1);
  const auto refused = hip::Runtime::host();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "VMAFBATCH_HOST_DEVICES=none is not understood; it takes a number from 1 to 16");
  setenv("VMAFBATCH_HOST_DEVICES", "3", 1);
  const auto runtime = hip::Runtime::host();
  ASSERT_TRUE(runtime.ok());
  ASSERT_EQ((*runtime)->devices().size(), 3u);
  EXPECT_EQ((*runtime)->devices()[2]->text(), "host device 2 (CPU threads, host)");
}

}  // namespace
}  // namespace vmafbatch::testing
