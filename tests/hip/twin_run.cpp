#include "twin_run.h"

#include <algorithm>
#include <cstring>
#include <latch>
#include <map>

#include "extractors/registry.h"
#include "hip/device_queue.h"
#include "hip/host/host_runtime.h"
#include "hip/twin.h"

namespace vmafbatch::testing {
namespace {

std::shared_ptr<const io::Frame> clone(const io::Frame& frame) {
  auto copy = std::make_shared<io::Frame>(frame.format(), std::make_unique<io::FrameBuffer>(frame.format()));
  io::with_sample_type(frame.format(), [&](auto type) {
    using Sample = decltype(type);
    for (int p = 0; p < frame.format().plane_count(); ++p) {
      const io::Plane<const Sample> from = frame.plane<Sample>(p);
      const io::Plane<Sample> to = copy->writable_plane<Sample>(p);
      for (int y = 0; y < from.height; ++y) std::memcpy(to.row(y), from.row(y), static_cast<size_t>(from.width) * sizeof(Sample));
    }
  });
  return copy;
}

std::vector<io::FrameWindow> windows_of(const Pairs& pairs, int history) {
  std::vector<io::FrameWindow> windows;
  for (size_t n = 0; n < pairs.size(); ++n) {
    Pairs recent;
    for (size_t back = 0; back <= std::min(n, static_cast<size_t>(history)); ++back) recent.push_back(pairs[n - back]);
    windows.emplace_back(static_cast<std::int64_t>(n), recent);
  }
  return windows;
}

std::string difference(const extractors::Measurements& want, const extractors::Measurements& got, size_t frame) {
  const std::string where = "frame " + std::to_string(frame) + ": ";
  if (want.size() != got.size()) return where + std::to_string(got.size()) + " words, want " + std::to_string(want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    if (want.words()[i] != got.words()[i]) {
      return where + "word " + std::to_string(i) + " is " + std::to_string(got.words()[i]) + ", want " + std::to_string(want.words()[i]);
    }
  }
  return "";
}

}  // namespace

Pairs clone_pairs(const Pairs& pairs) {
  std::map<const io::Frame*, std::shared_ptr<const io::Frame>> clones;
  const auto cloned = [&](const io::Frame& frame) {
    auto& known = clones[&frame];
    if (!known) known = clone(frame);
    return known;
  };
  Pairs copies;
  for (const auto& pair : pairs) copies.push_back(std::make_shared<io::FramePair>(cloned(pair->reference()), cloned(pair->distorted())));
  return copies;
}

TwinRun compare_twin(const std::string& feature, const Pairs& pairs, const hip::HostConfig& config, int streams) {
  TwinRun run;
  const Result<extractors::FeatureRequest> request = extractors::parse_feature(feature);
  if (!request.ok()) return {.difference = request.error().message};
  const extractors::ClipInfo clip{pairs.front()->reference().format(), "twin_run"};
  const auto extractor = request->extractor->create(request->options, clip);
  if (!extractor.ok()) return {.difference = extractor.error().message, .declined = true};
  const hip::TwinInfo* const info = hip::find_twin(request->extractor->name);
  if (info == nullptr) return {.difference = "no twin of " + feature};
  const auto twin = info->create(request->options, clip);
  if (!twin.ok()) return {.difference = twin.error().message, .declined = true};

  hip::set_host_config(config);
  hip::Device device(hip::host_module(), 0);
  const extractors::Needs needs = (*extractor)->needs();
  const std::string shared_key = needs.distorted ? "" : feature;
  const Pairs copies = clone_pairs(pairs);
  const std::vector<io::FrameWindow> windows = windows_of(copies, needs.history);
  std::vector<std::shared_ptr<hip::FrameTask>> tasks;
  {
    hip::DeviceQueue queue(device, size_t{1} << 30, streams);
    std::latch ended(static_cast<ptrdiff_t>(windows.size()));
    for (const io::FrameWindow& window : windows) {
      const std::vector<hip::FrameTask::Job> jobs{{twin->get(), shared_key}};
      tasks.push_back(std::make_shared<hip::FrameTask>(window, jobs, [&] { ended.count_down(); }));
      queue.put(tasks.back());
    }
    ended.wait();
  }
  for (size_t n = 0; n < tasks.size() && run.difference.empty(); ++n) {
    extractors::Measurements want;
    extractors::Measurements got;
    (*extractor)->measure(windows[n], want);
    if (tasks[n]->error()) {
      run.difference = *tasks[n]->error();
    } else {
      tasks[n]->collect(0, got);
      run.difference = difference(want, got, n);
    }
  }
  run.uploads = device.counters().uploads;
  run.waits = device.counters().waits;
  run.launches = device.counters().launches;
  return run;
}

}  // namespace vmafbatch::testing
