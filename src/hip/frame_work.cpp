#include "hip/frame_work.h"

namespace vmafbatch::hip {
namespace {

// Of rows that kernels write: whole lines of a device's cache.
std::size_t aligned_row(std::size_t row_bytes) {
  constexpr std::size_t kRowAlignment = 64;
  return (row_bytes + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
}

// Runs `work`, which gives `stream` work on memory that goes where `work` throws: the device must not be at it any more then.
template <class Work>
auto drained_on_error(DeviceStream& stream, Work&& work) {
  try {
    return work();
  } catch (...) {
    stream.drain();
    throw;
  }
}

}  // namespace

std::size_t DevicePlane::bytes_of(std::size_t sample_bytes, int width, int height) {
  return aligned_row(static_cast<std::size_t>(width) * sample_bytes) * static_cast<std::size_t>(height);
}

DevicePlane::DevicePlane(Device& device, std::size_t sample_bytes, int width, int height, std::size_t host_pitch)
    : width_(width), height_(height), ready_(std::make_unique<DeviceEvent>(device)) {
  const std::size_t row_bytes = static_cast<std::size_t>(width) * sample_bytes;
  pitch_ = device.plane_pitch(row_bytes, host_pitch == 0 ? aligned_row(row_bytes) : host_pitch);
  const auto rows = static_cast<std::size_t>(height);
  memory_ = DeviceMemory(device, DeviceMemory::Kind::kDevice, pitch_ * (rows - 1) + row_bytes);
  for (std::size_t y = 0; y + 1 < rows; ++y) device.forbid(memory_.as<std::byte>() + y * pitch_ + row_bytes, pitch_ - row_bytes);
}

std::size_t DevicePlane::uploaded_bytes(const Device& device, const io::Frame& frame, int index) {
  return io::with_sample_type(frame.format(), [&](auto type) {
    using Sample = decltype(type);
    const io::Plane<const Sample> host = frame.plane<Sample>(index);
    const std::size_t host_pitch = static_cast<std::size_t>(host.stride) * sizeof(Sample);
    return device.plane_pitch(static_cast<std::size_t>(host.width) * sizeof(Sample), host_pitch) * static_cast<std::size_t>(host.height);
  });
}

void DevicePlane::set_ready(DeviceStream& stream) {
  stream.record(*ready_);
  filled_on_ = &stream;
}

void DevicePlane::await(DeviceStream& stream) const {
  if (&stream != filled_on_) stream.wait_for(*ready_);
}

ResultBlock::ResultBlock(Device& gpu, std::size_t bytes)
    : device(gpu, DeviceMemory::Kind::kDevice, bytes), host(gpu, DeviceMemory::Kind::kPinned, bytes) {}

FrameWork::FrameWork(Device& device, DeviceStream& compute, DeviceStream& copies, std::size_t result_bytes)
    : device_(device),
      compute_(compute),
      copies_(copies),
      results_(result_bytes == 0 ? nullptr : std::make_shared<ResultBlock>(device, result_bytes)),
      done_(device) {}

void FrameWork::begin() {
  if (results_) compute_.clear(results_->device.data(), results_->device.bytes());
}

void FrameWork::end() {
  if (results_) compute_.download(results_->host.data(), results_->device.data(), results_->host.bytes());
  compute_.record(done_);
}

const DevicePlane& FrameWork::uploaded(const io::Frame& frame, int index) {
  const std::string key = device_.text() + " plane " + std::to_string(index);
  const DevicePlane& plane = frame.derived().get<DevicePlane>(key, [&] {
    return io::with_sample_type(frame.format(), [&](auto type) {
      using Sample = decltype(type);
      const io::Plane<const Sample> host = frame.plane<Sample>(index);
      const std::size_t host_pitch = static_cast<std::size_t>(host.stride) * sizeof(Sample);
      DevicePlane fresh(device_, sizeof(Sample), host.width, host.height, host_pitch);
      drained_on_error(copies_, [&] {
        copies_.upload(fresh.data(), fresh.pitch(), host.data, host_pitch, static_cast<std::size_t>(host.width) * sizeof(Sample),
                       static_cast<std::size_t>(host.height));
        fresh.set_ready(copies_);
      });
      return fresh;
    });
  });
  plane.await(compute_);
  return plane;
}

const DevicePlane& FrameWork::derived_plane(const io::Frame& frame, std::string_view key, std::size_t sample_bytes, int width, int height,
                                            const std::function<void(DevicePlane&)>& make) {
  const DevicePlane& plane = frame.derived().get<DevicePlane>(device_.text() + " " + std::string(key), [&] {
    DevicePlane fresh(device_, sample_bytes, width, height);
    drained_on_error(compute_, [&] {
      make(fresh);
      fresh.set_ready(compute_);
    });
    return fresh;
  });
  plane.await(compute_);
  return plane;
}

const void* FrameWork::table_bytes(std::string_view key, std::span<const std::byte> values) {
  Device::Table& table = device_.table(key, values.size());
  if (!table.ready) {
    copies_.upload_table(table.memory.data(), values.data(), values.size());
    auto ready = std::make_unique<DeviceEvent>(device_);
    copies_.record(*ready);
    table.ready = std::move(ready);
  }
  compute_.wait_for(*table.ready);
  return table.memory.data();
}

}  // namespace vmafbatch::hip
