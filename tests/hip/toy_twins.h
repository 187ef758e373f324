// Two small twins for tests of the queue. Between them they use all that a twin can: uploads, derived planes, history, scratch, tables,
// clears. Their kernels share nothing between threads, so that ThreadSanitizer follows them (it does not follow fibers).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "hip/twin.h"

namespace vmafbatch::testing {

// The HOST's module with the kernels of these twins in place of the program's.
const hip::ModuleTable& toy_module();

// Depends on the reference alone. Its plane is made by two launches, one for every second row.
// Word 0: the weighted sum of 2 * reference.
class ReferenceTwin final : public hip::Twin {
 public:
  std::size_t result_bytes() const override { return sizeof(std::uint64_t); }
  std::size_t device_bytes() const override;
  void submit(const io::FrameWindow& window, hip::FrameWork& work, std::byte* results) const override;
  void collect(const io::FrameWindow& window, const std::byte* results, extractors::Measurements& out) const override;

  explicit ReferenceTwin(const io::PictureFormat& format) : format_(format) {}

 private:
  io::PictureFormat format_;
};

// Word 0: the weighted sum of |reference - distorted|, plus that of 2 * the reference one frame earlier.
class PairTwin final : public hip::Twin {
 public:
  std::size_t result_bytes() const override { return sizeof(std::uint64_t); }
  std::size_t device_bytes() const override;
  void submit(const io::FrameWindow& window, hip::FrameWork& work, std::byte* results) const override;
  void collect(const io::FrameWindow& window, const std::byte* results, extractors::Measurements& out) const override;

  // `submitted(device)` is called when a frame's work was put into the streams; it may throw. `running()` is called by a kernel.
  PairTwin(const io::PictureFormat& format, std::function<void(hip::Device&)> submitted, std::function<void()> running)
      : format_(format), submitted_(std::move(submitted)), running_(std::move(running)) {}

 private:
  io::PictureFormat format_;
  std::function<void(hip::Device&)> submitted_;
  std::function<void()> running_;
};

// Launches a kernel that fails while it runs.
class FaultyTwin final : public hip::Twin {
 public:
  std::size_t result_bytes() const override { return sizeof(std::uint64_t); }
  std::size_t device_bytes() const override { return 0; }
  void submit(const io::FrameWindow& window, hip::FrameWork& work, std::byte* results) const override;
  void collect(const io::FrameWindow& window, const std::byte* results, extractors::Measurements& out) const override;
};

// Device memory that stays with a device once a twin was there: the weights.
inline constexpr std::size_t kToyTableBytes = 4 * sizeof(std::uint64_t);

// What the twins must find, computed plainly.
std::uint64_t reference_word(const io::FrameWindow& window);
std::uint64_t pair_word(const io::FrameWindow& window);

}  // namespace vmafbatch::testing
