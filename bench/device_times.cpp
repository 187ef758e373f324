// What a device does with frames that are in pinned memory already: no file, no decoder, no database. For each list of extractors:
// frames per second of the kernels (the pictures are on the device) and of all (each picture is uploaded), and what the host adds up.
//
// usage: device_times [--host] WIDTH HEIGHT DEPTH FRAMES EXTRACTOR[,EXTRACTOR...] ...
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <semaphore>
#include <string>
#include <vector>

#include "extractors/registry.h"
#include "hip/device_queue.h"
#include "hip/runtime.h"
#include "io/frame_pool.h"

namespace vmafbatch {
namespace {

constexpr int kStreams = 4;
constexpr int kInFlight = 16;

class Pinned final : public io::PictureMemory {
 public:
  explicit Pinned(hip::Device& device) : device_(device) {}
  std::shared_ptr<std::byte> allocate(size_t bytes) override {
    const auto memory = std::make_shared<hip::DeviceMemory>(device_, hip::DeviceMemory::Kind::kPinned, bytes);
    std::memset(memory->data(), 0x35, bytes);
    return {memory, memory->as<std::byte>()};
  }

 private:
  hip::Device& device_;
};

struct Measured {
  std::vector<std::unique_ptr<hip::Twin>> twins;
  std::vector<hip::FrameTask::Job> jobs;
};

Measured make_twins(const std::string& list, const io::PictureFormat& format) {
  Measured measured;
  for (size_t start = 0; start < list.size();) {
    const size_t comma = std::min(list.find(',', start), list.size());
    const auto request = extractors::parse_feature(list.substr(start, comma - start));
    start = comma + 1;
    if (!request.ok()) {
      std::fprintf(stderr, "%s\n", request.error().message.c_str());
      std::exit(2);
    }
    const hip::TwinInfo* const info = hip::find_twin(request->extractor->name);
    auto twin = info == nullptr ? Result<std::unique_ptr<hip::Twin>>(Error{"no twin"}) : info->create(request->options, {format, "bench"});
    if (!twin.ok()) {
      std::fprintf(stderr, "%s: %s\n", request->text().c_str(), twin.error().message.c_str());
      std::exit(2);
    }
    measured.twins.push_back(std::move(*twin));
    measured.jobs.push_back({measured.twins.back().get(), ""});
  }
  return measured;
}

using PairPointer = std::shared_ptr<const io::FramePair>;

// What the host does with a frame's results, in this thread; adds up in `seconds`.
void collect(const hip::FrameTask& task, size_t jobs, double& seconds) {
  const auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < jobs; ++i) {
    extractors::Measurements out;
    task.collect(i, out);
  }
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Seconds for `frames` frames; `next` gives frame n.
template <class Next>
double run(hip::Device& device, const Measured& measured, int frames, Next&& next, double& collect_seconds) {
  hip::DeviceQueue queue(device, size_t{64} << 30, kStreams);
  std::counting_semaphore<kInFlight> free(kInFlight);
  std::deque<std::pair<std::unique_ptr<io::FrameWindow>, std::shared_ptr<hip::FrameTask>>> flying;
  PairPointer earlier;
  const auto start = std::chrono::steady_clock::now();
  for (int n = 0; n < frames; ++n) {
    free.acquire();
    if (flying.size() > 2 * kInFlight) {  // frames end in their order: the first has
      collect(*flying.front().second, measured.jobs.size(), collect_seconds);
      flying.pop_front();
    }
    const PairPointer current = next(n);
    std::vector<PairPointer> pairs{current};
    if (earlier) pairs.push_back(earlier);
    earlier = current;
    auto window = std::make_unique<io::FrameWindow>(n, std::move(pairs));
    auto task = std::make_shared<hip::FrameTask>(*window, measured.jobs, [&free] { free.release(); });
    queue.put(task);
    flying.emplace_back(std::move(window), std::move(task));
  }
  for (int i = 0; i < kInFlight; ++i) free.acquire();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const auto& [window, task] : flying) {
    if (task->error()) std::fprintf(stderr, "%s\n", task->error()->c_str());
  }
  return seconds;
}

int bench(int argc, char** argv) {
  int first = 1;
  const bool host = argc > 1 && std::string(argv[1]) == "--host";
  if (host) ++first;
  if (argc < first + 5) {
    std::fprintf(stderr, "usage: device_times [--host] WIDTH HEIGHT DEPTH FRAMES EXTRACTOR[,EXTRACTOR...] ...\n");
    return 2;
  }
  std::unique_ptr<hip::Runtime> runtime = host ? std::move(hip::Runtime::host().value()) : hip::Runtime::find();
  if (runtime->devices().empty()) {
    for (const hip::ModuleReport& module : runtime->modules()) std::fprintf(stderr, "%s: %s\n", module.name.c_str(), module.text.c_str());
    return 2;
  }
  hip::Device& device = *runtime->devices().front();
  io::PictureFormat format;
  format.width = std::atoi(argv[first]);
  format.height = std::atoi(argv[first + 1]);
  format.bit_depth = std::atoi(argv[first + 2]);
  const int frames = std::atoi(argv[first + 3]);
  std::printf("%s, %dx%d %d-bit 4:2:0, %d frames, %d in flight on %d streams\n", device.text().c_str(), format.width, format.height,
              format.bit_depth, frames, kInFlight, kStreams);
  std::printf("%-40s %12s %12s %14s %14s\n", "extractors", "kernels fps", "all fps", "upload GB/s", "host sums, us");
  const auto pinned = std::make_shared<Pinned>(device);
  io::FramePool pool(size_t{16} << 30, pinned);
  const auto fresh = [&] { return std::make_shared<io::FramePair>(pool.acquire(format), pool.acquire(format)); };
  for (int i = first + 4; i < argc; ++i) {
    const Measured measured = make_twins(argv[i], format);
    std::vector<PairPointer> resident;
    for (int k = 0; k < 4; ++k) resident.push_back(fresh());
    const auto again = [&](int n) { return resident[static_cast<size_t>(n) % resident.size()]; };
    const auto anew = [&](int) { return fresh(); };
    double sums = 0;
    run(device, measured, 2 * kInFlight, again, sums);
    const double kernels = run(device, measured, frames, again, sums);
    run(device, measured, 2 * kInFlight, anew, sums);
    sums = 0;
    const std::int64_t before = device.counters().upload_bytes;
    const double all = run(device, measured, frames, anew, sums);
    const double bytes = static_cast<double>(device.counters().upload_bytes - before);
    std::printf("%-40s %12.1f %12.1f %14.2f %14.2f\n", argv[i], frames / kernels, frames / all, bytes / all * 1e-9,
                sums * 1e6 / (frames - 2 * kInFlight - 1));
  }
  return 0;
}

}  // namespace
}  // namespace vmafbatch

int main(int argc, char** argv) { return vmafbatch::bench(argc, argv); }
