// The queue of a device: every frame is done once, with the right words or with the sentence that says why not.
#include "hip/device_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "hip/host/host_schedule.h"
#include "support/random_frames.h"
#include "toy_twins.h"

namespace vmafbatch::testing {
namespace {

constexpr io::PictureFormat kFormat{.width = 37, .height = 11, .chroma = io::Chroma::k400, .bit_depth = 8};

// A ladder: every reference has some renditions.
struct Ladder {
  int frames = 4;
  int renditions = 2;
  std::size_t memory_limit = std::size_t{1} << 30;
  int streams = 2;
  hip::HostConfig config{};
  std::function<void(hip::Device&)> submitted = [](hip::Device&) {};
  std::function<void()> running = [] {};  // called by a kernel of each frame
};

struct Outcome {
  std::optional<std::string> error;
  bool right = false;  // both words
};

struct LadderRun {
  std::vector<Outcome> outcomes;  // frame by frame, the renditions of each
  std::optional<std::string> retired;
  std::int64_t launches = 0;
  std::int64_t uploads = 0;
  std::int64_t waits = 0;

  int errors() const {
    return static_cast<int>(std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.error.has_value(); }));
  }
};

// One task with the place that its `done` reports to.
struct Item {
  std::unique_ptr<io::FrameWindow> window;
  std::shared_ptr<hip::FrameTask> task;
  std::promise<void> done;
  Outcome outcome;
  std::atomic<int> calls{0};
};

// Windows of a rendition: frame n with frame n - 1 behind it.
std::vector<std::unique_ptr<Item>> items_of(const Ladder& ladder) {
  std::vector<std::unique_ptr<Item>> items;
  std::vector<std::vector<std::shared_ptr<const io::FramePair>>> recent(static_cast<std::size_t>(ladder.renditions));
  for (std::uint32_t n = 0; n < static_cast<std::uint32_t>(ladder.frames); ++n) {
    const auto reference = random_frame(kFormat, n, RandomKind::kUniform);
    for (std::uint32_t r = 0; r < static_cast<std::uint32_t>(ladder.renditions); ++r) {
      auto& pairs = recent[r];
      pairs.insert(pairs.begin(),
                   std::make_shared<io::FramePair>(reference, random_frame(kFormat, 1000 + 100 * r + n, RandomKind::kUniform)));
      if (pairs.size() > 2) pairs.pop_back();
      items.push_back(std::make_unique<Item>());
      items.back()->window = std::make_unique<io::FrameWindow>(n, pairs);
    }
  }
  return items;
}

Outcome outcome_of(const Item& item) {
  if (item.task->error()) return {.error = item.task->error()};
  extractors::Measurements first;
  extractors::Measurements second;
  item.task->collect(0, first);
  item.task->collect(1, second);
  return {.error = {}, .right = first.integer(0) == reference_word(*item.window) && second.integer(0) == pair_word(*item.window)};
}

// Puts all tasks at once; each frame goes when it is done.
LadderRun run(const Ladder& ladder) {
  hip::set_host_config(ladder.config);
  hip::Device device(toy_module(), 0);
  const ReferenceTwin reference(kFormat);
  const PairTwin pair(kFormat, ladder.submitted, ladder.running);
  std::vector<std::unique_ptr<Item>> items = items_of(ladder);
  LadderRun result;
  {
    hip::DeviceQueue queue(device, ladder.memory_limit, ladder.streams);
    for (const auto& item : items) {
      const std::vector<hip::FrameTask::Job> jobs{{&reference, "reference"}, {&pair, ""}};
      item->task = std::make_shared<hip::FrameTask>(*item->window, jobs, [&item = *item] {
        if (++item.calls > 1) return;
        item.outcome = outcome_of(item);
        item.window.reset();
        item.task.reset();
        item.done.set_value();
      });
      queue.put(item->task);
    }
    for (const auto& item : items) {
      if (item->done.get_future().wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
        ADD_FAILURE() << "a frame was never done";
        std::abort();  // the queue would wait for ever
      }
      result.outcomes.push_back(item->outcome);
    }
    result.retired = queue.retired();
  }
  for (const auto& item : items) EXPECT_EQ(item->calls, 1);
  EXPECT_LE(device.bytes_in_use(), kToyTableBytes) << "all but the table was given back";
  result.launches = device.counters().launches;
  result.uploads = device.counters().uploads;
  result.waits = device.counters().waits;
  return result;
}

constexpr const char* kInjected = " failed: a fault that VMAFBATCH_HOST_FAIL asked for";

bool contains(const std::optional<std::string>& text, const std::string& part) { return text && text->find(part) != std::string::npos; }

void expect_all_right(const LadderRun& ladder_run) {
  for (std::size_t i = 0; i < ladder_run.outcomes.size(); ++i) {
    EXPECT_EQ(ladder_run.outcomes[i].error.value_or(""), "") << "task " << i;
    EXPECT_TRUE(ladder_run.outcomes[i].right) << "task " << i;
  }
}

TEST(DeviceQueue, GivesEveryTaskItsOwnWords) {
  for (const int streams : {1, 2, 5}) {
    const LadderRun all = run({.frames = 12, .renditions = 3, .streams = streams});
    expect_all_right(all);
    EXPECT_EQ(all.retired, std::nullopt);
    EXPECT_EQ(all.waits, 36);
  }
}

TEST(DeviceQueue, GivesTheSameWordsInEveryThreadOrder) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) expect_all_right(run({.config = {.shuffle_seed = seed}}));
}

// --- ladders

TEST(DeviceQueue, MeasuresASharedReferenceOnce) {
  const LadderRun one = run({.frames = 3, .renditions = 1});
  const LadderRun four = run({.frames = 3, .renditions = 4});
  expect_all_right(four);
  // A rendition more uploads its own pictures and launches PairTwin's kernels: three, and one for the frame before.
  EXPECT_EQ(four.uploads, one.uploads + 3 * 3);
  EXPECT_EQ(four.launches, one.launches + 3 * (3 * 3 + 2));
}

TEST(DeviceQueue, ARenditionWhoseReferenceFailedHasAnErrorToo) {
  // The first task's last launch: the shared result has its place by then.
  const LadderRun failed = run({.frames = 1, .renditions = 3, .config = {.failing_call = hip::HostCall::kLaunch, .failing_number = 5}});
  EXPECT_EQ(failed.errors(), 3);
  EXPECT_TRUE(contains(failed.outcomes[0].error, kInjected));
}

TEST(DeviceQueue, ARenditionWhoseReferenceLackedMemoryHasAnErrorToo) {
  // Memory of the first task's scratch: the second rendition finds a place that nothing fills.
  int shared = 0;
  for (std::uint64_t n = 1; n <= 6; ++n) {
    const LadderRun failed = run({.frames = 1, .config = {.failing_call = hip::HostCall::kAllocate, .failing_number = n}});
    ASSERT_TRUE(contains(failed.outcomes[0].error, "out of memory")) << n;
    const Outcome& second = failed.outcomes[1];
    EXPECT_TRUE(second.right || (second.error && second.error->find("out of memory") != std::string::npos)) << n;
    shared += second.error ? 1 : 0;
  }
  EXPECT_GT(shared, 0);
  EXPECT_LT(shared, 6) << "before it has its place, the second rendition measures the reference itself";
}

// --- faults

// Fails every call of one kind in turn, until a run has no call of that number.
void fail_each_call(hip::HostCall call, const std::string& kind) {
  std::uint64_t failing = 1;
  int runs_with_errors = 0;
  for (;; ++failing) {
    SCOPED_TRACE(kind + ":" + std::to_string(failing));
    const LadderRun ladder_run = run({.frames = 3, .config = {.failing_call = call, .failing_number = failing}});
    for (const Outcome& outcome : ladder_run.outcomes) EXPECT_TRUE(outcome.right || !outcome.error.value_or("").empty());
    if (hip::host_calls(call) < failing) {
      EXPECT_EQ(ladder_run.errors(), 0);
      break;
    }
    runs_with_errors += ladder_run.errors() > 0 ? 1 : 0;
    EXPECT_EQ(ladder_run.retired.has_value(), ladder_run.errors() > 0 && call != hip::HostCall::kAllocate);
    ASSERT_LT(failing, 1000u);
  }
  // 6 tasks: each has more than one call of each kind but the wait.
  EXPECT_GE(runs_with_errors, 6);
}

TEST(DeviceQueue, NeverGivesAWrongWordWhereAnAllocationFails) { fail_each_call(hip::HostCall::kAllocate, "allocate"); }
TEST(DeviceQueue, NeverGivesAWrongWordWhereACopyFails) { fail_each_call(hip::HostCall::kCopy, "copy"); }
TEST(DeviceQueue, NeverGivesAWrongWordWhereALaunchFails) { fail_each_call(hip::HostCall::kLaunch, "launch"); }
TEST(DeviceQueue, NeverGivesAWrongWordWhereAWaitFails) { fail_each_call(hip::HostCall::kWait, "wait"); }

TEST(DeviceQueue, LackOfMemoryFailsThatFrameAlone) {
  for (const std::uint64_t n : {1u, 20u}) {
    const LadderRun lacking =
        run({.frames = 8, .renditions = 1, .config = {.failing_call = hip::HostCall::kAllocate, .failing_number = n}});
    EXPECT_EQ(lacking.errors(), 1);
    EXPECT_EQ(lacking.retired, std::nullopt);
  }
}

// Tasks that ended before are right, all others come back with the reason.
TEST(DeviceQueue, AnErrorRetiresTheDevice) {
  const LadderRun ladder_run =
      run({.frames = 12, .renditions = 1, .streams = 1, .config = {.failing_call = hip::HostCall::kLaunch, .failing_number = 30}});
  ASSERT_TRUE(ladder_run.retired);
  EXPECT_NE(ladder_run.retired->find("host device 0 (CPU threads, host): launch of toy_"), std::string::npos) << *ladder_run.retired;
  EXPECT_NE(ladder_run.retired->find(kInjected), std::string::npos) << *ladder_run.retired;
  EXPECT_TRUE(ladder_run.outcomes.front().right);
  bool failed = false;
  for (const Outcome& outcome : ladder_run.outcomes) {
    if (outcome.error) {
      EXPECT_EQ(outcome.error, ladder_run.retired);
    }
    EXPECT_TRUE(!failed || outcome.error) << "no task is done on a retired device";
    failed = failed || outcome.error;
  }
  EXPECT_TRUE(failed);
}

TEST(DeviceQueue, ATwinThatThrowsFailsItsFrame) {
  std::atomic<int> calls{0};
  const LadderRun ladder_run = run({.frames = 4, .renditions = 1, .streams = 1, .submitted = [&](hip::Device&) {
                                      if (++calls == 4) throw std::runtime_error("a twin's own sentence");
                                    }});
  EXPECT_TRUE(ladder_run.outcomes[0].right) << "it was collected before the failing frame could be sent";
  EXPECT_EQ(ladder_run.outcomes[3].error, "a twin's own sentence");
}

TEST(DeviceQueue, AKernelThatFailsWhileItRunsFailsItsFrame) {
  hip::set_host_config({});
  hip::Device device(toy_module(), 0);
  const FaultyTwin twin;
  const Ladder ladder{.frames = 2, .renditions = 1};
  const std::vector<std::unique_ptr<Item>> items = items_of(ladder);
  hip::DeviceQueue queue(device, 0, 1);
  for (const auto& item : items) {
    item->task = std::make_shared<hip::FrameTask>(*item->window, std::vector<hip::FrameTask::Job>{{&twin, ""}},
                                                  [&item = *item] { item.done.set_value(); });
    queue.put(item->task);
    item->done.get_future().wait();
    EXPECT_TRUE(contains(item->task->error(), "a kernel without shared memory called a barrier"));
  }
  EXPECT_EQ(items[1]->task->error(), queue.retired());
}

// --- memory

// Device memory in use at its highest.
class Peak {
 public:
  void note(const hip::Device& device) {
    const std::lock_guard lock(mutex_);
    bytes_ = std::max(bytes_, device.bytes_in_use());
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::mutex mutex_;
  std::size_t bytes_ = 0;
};

std::size_t peak_with(std::size_t limit) {
  Peak peak;
  const LadderRun ladder_run = run(
      {.frames = 24, .renditions = 1, .memory_limit = limit, .streams = 4, .submitted = [&](hip::Device& device) { peak.note(device); }});
  expect_all_right(ladder_run);
  return peak.bytes();
}

TEST(DeviceQueue, KeepsItsMemoryWithinTheLimit) {
  for (const std::size_t kilobytes : {20u, 24u, 32u}) EXPECT_LE(peak_with(kilobytes << 10), kilobytes << 10);
}

// With too little for one frame: one at a time, with the frame before that it looks at.
TEST(DeviceQueue, GoesOnWithNoMemoryAllowed) {
  EXPECT_LE(peak_with(0), std::size_t{16} << 10);
  EXPECT_LE(peak_with(1), std::size_t{16} << 10);
}

// The limit is what holds frames back: without one, frames are under way together. The host's waits are held up until all four
// frames that two streams take were submitted.
TEST(DeviceQueue, HasSeveralFramesUnderWayWhereMemoryAllows) {
  std::latch all(4);
  const LadderRun ladder_run =
      run({.frames = 4, .renditions = 1, .submitted = [&](hip::Device&) { all.count_down(); }, .running = [&] { all.wait(); }});
  expect_all_right(ladder_run);
}

// --- its end

TEST(DeviceQueue, EndsWithoutEverHavingWorked) {
  hip::set_host_config({});
  hip::Device device(toy_module(), 0);
  for (int i = 0; i < 20; ++i) {
    const hip::DeviceQueue queue(device, 0, 1 + i % 3);
    EXPECT_EQ(queue.retired(), std::nullopt);
  }
}

TEST(DeviceQueue, FramesMayOutliveIt) {
  hip::set_host_config({});
  hip::Device device(toy_module(), 0);
  const PairTwin twin(
      kFormat, [](hip::Device&) {}, [] {});
  const std::vector<std::unique_ptr<Item>> items = items_of({.frames = 3, .renditions = 1});
  {
    hip::DeviceQueue queue(device, std::size_t{1} << 30, 2);
    for (const auto& item : items) {
      item->task = std::make_shared<hip::FrameTask>(*item->window, std::vector<hip::FrameTask::Job>{{&twin, ""}},
                                                    [&item = *item] { item.done.set_value(); });
      queue.put(item->task);
    }
    for (const auto& item : items) item->done.get_future().wait();
  }
  for (const auto& item : items) {
    extractors::Measurements words;
    item->task->collect(0, words);
    EXPECT_EQ(words.integer(0), pair_word(*item->window));
  }
}

}  // namespace
}  // namespace vmafbatch::testing
