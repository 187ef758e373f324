// Runs on the HOST devices: the same scores, whatever fails.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hip/host/host_schedule.h"
#include "hip/runtime.h"
#include "run_fixture.h"

namespace vmafbatch::graph {
namespace {

using hip::HostCall;
using hip::HostConfig;
using testing::SyntheticClip;

constexpr const char* kBackends =
    "SELECT clip, extractor, implementation, backend, device, first_frame, last_frame FROM all_backends ORDER BY 1, 2, 6";

// `threads` is 1: the order of the device's calls is then the same in every run.
class DeviceRun : public RunFixture {
 protected:
  std::string score_on_host(const std::vector<ClipTask>& tasks, const std::string& name, const HostConfig& config,
                            RunOptions options = {}) {
    const std::string database = folder_.path(name + ".db");
    auto runtime = hip::Runtime::host();
    EXPECT_TRUE(runtime.ok());
    hip::set_host_config(config);
    for (const auto& device : (*runtime)->devices()) options.devices.push_back(device.get());
    options.device_backend = "hip-host";
    summary_ = score(tasks, database, options);
    uploads_ = waits_ = frames_ = 0;
    busy_devices_ = 0;
    for (const auto& device : (*runtime)->devices()) {
      uploads_ += device->counters().uploads;
      waits_ += device->counters().waits;
      frames_ += device->counters().frames;
      if (device->counters().frames > 0) ++busy_devices_;
    }
    return database;
  }

  std::string score_on_cpu(const std::vector<ClipTask>& tasks) {
    const std::string database = folder_.path("cpu.db");
    score(tasks, database);
    return database;
  }

  RunSummary summary_;
  std::int64_t uploads_ = 0;
  std::int64_t waits_ = 0;
  std::int64_t frames_ = 0;
  int busy_devices_ = 0;
};

TEST_F(DeviceRun, GivesTheScoresOfTheCpuAndSaysWhereTheyCameFrom) {
  const SyntheticClip clip{.frames = 4, .distortion = "grain:3000"};
  const std::vector<ClipTask> tasks{make_task("clip", clip, request_of({"psnr", "psnr_hvs"}))};
  const std::string cpu = score_on_cpu(tasks);
  const std::string device = score_on_host(tasks, "device", {});
  EXPECT_EQ(query(device, kAllValues), query(cpu, kAllValues));
  EXPECT_EQ(query(device, kBackends), (Rows{"clip|psnr|psnr_hip|hip-host|CPU threads|0|3", "clip|psnr_hvs|psnr_hvs|cpu||0|3"}));
  EXPECT_EQ(query(device, "SELECT reason FROM backends WHERE extractor = 'psnr_hvs'"), (Rows{"psnr_hvs has no HIP twin"}));
}

TEST_F(DeviceRun, UploadsEachPlaneOnceAndWaitsOnceAFrame) {
  constexpr int kFrames = 6;
  const SyntheticClip clip{.frames = kFrames, .distortion = "grain:3000"};
  score_on_host({make_task("clip", clip, request_of({"psnr", "psnr=enable_chroma=false:min_sse=0"}))}, "device", {});
  EXPECT_EQ(frames_, kFrames);
  EXPECT_EQ(uploads_, kFrames * 2 * 3);
  EXPECT_EQ(waits_, kFrames);
}

TEST_F(DeviceRun, UploadsTheReferenceOfALadderOnce) {
  constexpr int kFrames = 3;
  constexpr int kRenditions = 4;
  std::vector<ClipTask> tasks;
  for (int i = 0; i < kRenditions; ++i) {
    const SyntheticClip clip{.frames = kFrames, .distortion = "grain:" + std::to_string(1000 * (i + 1))};
    tasks.push_back(make_task("rendition" + std::to_string(i), clip, request_of({"psnr"})));
  }
  const std::string device = score_on_host(tasks, "device", {});
  EXPECT_EQ(uploads_, kFrames * 3 * (kRenditions + 1));
  EXPECT_EQ(query(device, kAllValues), query(score_on_cpu(tasks), kAllValues));
}

TEST_F(DeviceRun, SpreadsClipsOverDevices) {
  std::vector<ClipTask> tasks;
  for (int i = 0; i < 6; ++i) {
    const SyntheticClip clip{.frames = 3, .seed = static_cast<std::uint32_t>(i), .distortion = "grain:3000"};
    tasks.push_back(make_task("clip" + std::to_string(i), clip, request_of({"psnr"})));
  }
  RunOptions options;
  options.threads = 4;
  const auto runtime_of_two = [&] {
    ::setenv("VMAFBATCH_HOST_DEVICES", "3", 1);
    const std::string database = score_on_host(tasks, "device", {.devices = 3}, options);
    ::unsetenv("VMAFBATCH_HOST_DEVICES");
    return database;
  };
  const std::string device = runtime_of_two();
  EXPECT_EQ(query(device, kAllValues), query(score_on_cpu(tasks), kAllValues));
  EXPECT_EQ(frames_, 18);
  EXPECT_EQ(busy_devices_, 3);
}

// Every call that can fail, one after the other, in a short run.
TEST_F(DeviceRun, ScoresOnTheCpuWhereTheDeviceFails) {
  const SyntheticClip clip{.frames = 3, .distortion = "grain:3000"};
  const std::vector<ClipTask> tasks{make_task("one", clip, request_of({"psnr"})), make_task("two", clip, request_of({"psnr"}))};
  const Rows want = query(score_on_cpu(tasks), kAllValues);
  for (const HostCall call : {HostCall::kAllocate, HostCall::kCopy, HostCall::kLaunch, HostCall::kWait}) {
    bool reached = true;
    for (std::uint64_t n = 1; reached; ++n) {
      const std::string what = std::to_string(static_cast<int>(call)) + " call " + std::to_string(n);
      const std::string database = score_on_host(tasks, "fault_" + std::to_string(static_cast<int>(call)) + "_" + std::to_string(n),
                                                 {.failing_call = call, .failing_number = n});
      reached = hip::host_calls(call) >= n;
      EXPECT_EQ(query(database, kAllValues), want) << what;
      for (const ClipOutcome& outcome : summary_.clips) EXPECT_EQ(outcome.status, store::ScoringStatus::kDone) << what;
      for (const std::string& reason : query(database, "SELECT reason FROM backends WHERE backend = 'cpu'")) {
        EXPECT_NE(reason.find("host device 0"), std::string::npos) << what << ": " << reason;
      }
      EXPECT_EQ(query(database, "SELECT clip, sum(last_frame - first_frame + 1) FROM all_backends GROUP BY clip ORDER BY clip"),
                (Rows{"one|3", "two|3"}))
          << what;
      if (n > 1 || !reached) continue;
      const bool told = !query(database, "SELECT reason FROM backends WHERE backend = 'cpu'").empty();
      EXPECT_TRUE(told || call == HostCall::kAllocate) << what;  // pinned pictures fall back to the heap without a word
    }
  }
}

}  // namespace
}  // namespace vmafbatch::graph
