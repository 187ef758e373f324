// One frame on its way through a device: what twins call to upload planes, take memory and launch kernels, and where their results go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hip/device.h"
#include "io/frame.h"

namespace vmafbatch::hip {

// A plane on a device, with the mark behind which it is filled. A plane that a frame owns lives as long as the frame.
class DevicePlane {
 public:
  // Not filled. Gaps between rows are forbidden memory.
  DevicePlane(Device& device, std::size_t sample_bytes, int width, int height, std::size_t host_pitch = 0);
  // What such a plane takes, for Twin::device_bytes().
  static std::size_t bytes_of(std::size_t sample_bytes, int width, int height);

  // Device memory that the plane of a frame takes there.
  static std::size_t uploaded_bytes(const Device& device, const io::Frame& frame, int index);

  // REQUIRES: sizeof(Sample) is the size it was made with
  template <class Sample>
  io::Plane<Sample> view() const {
    return {memory_.as<Sample>(), static_cast<ptrdiff_t>(pitch_ / sizeof(Sample)), width_, height_};
  }
  std::size_t pitch() const { return pitch_; }
  void* data() const { return memory_.data(); }

  // Marks the plane as filled by what `stream` has been given so far.
  void set_ready(DeviceStream& stream);
  // Lets `stream` wait until it is filled.
  void await(DeviceStream& stream) const;

 private:
  DeviceMemory memory_;
  std::size_t pitch_;
  int width_;
  int height_;
  std::unique_ptr<DeviceEvent> ready_;
  DeviceStream* filled_on_ = nullptr;
};

// The results of all twins of one frame: device memory that kernels write, and the pinned copy that the host reads.
struct ResultBlock {
  ResultBlock(Device& device, std::size_t bytes);

  DeviceMemory device;
  DeviceMemory host;
  std::string failure;  // not empty: why nothing of it counts; set before the frame that owns it is told to be done
};

// Called from the device's submitting thread only; nothing here waits for the device. Any call may throw DeviceError.
class FrameWork {
 public:
  // `result_bytes` may be 0.
  FrameWork(Device& device, DeviceStream& compute, DeviceStream& copies, std::size_t result_bytes);

  // The samples of a frame's plane, uploaded by the first who asks. Kernels launched from now on find them there.
  // REQUIRES: sizeof(Sample) == frame.format().bytes_per_sample()
  template <class Sample>
  io::Plane<const Sample> plane(const io::Frame& frame, int index) {
    return uploaded(frame, index).view<const Sample>();
  }

  // A plane of T that depends on `frame` alone, made by the first who asks: make(io::Plane<T>) launches the kernels that fill it. It is
  // kept on the device as long as the frame. `key` holds the parameters it depends on.
  template <class T, class Make>
  io::Plane<const T> derived(const io::Frame& frame, std::string_view key, int width, int height, Make&& make) {
    const DevicePlane& plane = derived_plane(frame, key, sizeof(T), width, height, [&](DevicePlane& fresh) { make(fresh.view<T>()); });
    return plane.view<const T>();
  }

  // Memory of this frame alone, not initialised; it lives until the frame's results were read.
  template <class T>
  T* scratch(std::size_t count) {
    scratch_.emplace_back(device_, DeviceMemory::Kind::kDevice, count * sizeof(T));
    return scratch_.back().as<T>();
  }
  template <class T>
  io::Plane<T> scratch_plane(int width, int height) {
    planes_.emplace_back(device_, sizeof(T), width, height);
    return planes_.back().view<T>();
  }

  // A constant table on the device, uploaded once for each device. `values` must be the same for equal keys and stay as long as the
  // program.
  template <class T>
  const T* table(std::string_view key, std::span<const T> values) {
    return static_cast<const T*>(table_bytes(key, std::as_bytes(values)));
  }

  template <class K>
  void launch(const Grid& grid, const K& kernel) {
    compute_.launch(grid, kernel);
  }
  void clear(void* memory, std::size_t bytes) { compute_.clear(memory, bytes); }

  Device& device() { return device_; }
  const std::shared_ptr<ResultBlock>& results() const { return results_; }

  // The calls of the queue.
  // Zeroes the results: before any kernel.
  void begin();
  // Asks for the results and marks the end.
  void end();
  const DeviceEvent& done() const { return done_; }
  DeviceStream& compute() { return compute_; }

 private:
  const DevicePlane& uploaded(const io::Frame& frame, int index);
  const DevicePlane& derived_plane(const io::Frame& frame, std::string_view key, std::size_t sample_bytes, int width, int height,
                                   const std::function<void(DevicePlane&)>& make);
  const void* table_bytes(std::string_view key, std::span<const std::byte> values);

  Device& device_;
  DeviceStream& compute_;
  DeviceStream& copies_;
  std::shared_ptr<ResultBlock> results_;
  std::vector<DeviceMemory> scratch_;
  std::vector<DevicePlane> planes_;
  DeviceEvent done_;
};

}  // namespace vmafbatch::hip
