// One decoded picture, with the planes that were derived from it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "io/derived_cache.h"
#include "io/picture_format.h"
#include "io/plane.h"

namespace vmafbatch::io {

// Where the samples of pictures live. Any thread may call it.
class PictureMemory {
 public:
  PictureMemory() = default;
  PictureMemory(const PictureMemory&) = delete;
  PictureMemory& operator=(const PictureMemory&) = delete;
  virtual ~PictureMemory() = default;

  // At least 64-byte aligned; freed with its last owner. Throws std::bad_alloc.
  virtual std::shared_ptr<std::byte> allocate(size_t bytes) = 0;
};

// A block of memory that holds all planes of one picture; every row starts at a multiple of kAlignment bytes.
class FrameBuffer {
 public:
  static constexpr size_t kAlignment = 64;

  // `memory`: where its bytes come from; null: the heap.
  explicit FrameBuffer(const PictureFormat& format, PictureMemory* memory = nullptr);

  std::byte* plane(int index) { return bytes_.get() + offsets_[static_cast<size_t>(index)]; }
  const std::byte* plane(int index) const { return bytes_.get() + offsets_[static_cast<size_t>(index)]; }
  size_t stride_bytes(int index) const { return strides_[static_cast<size_t>(index)]; }
  size_t size_bytes() const { return size_; }

 private:
  std::array<size_t, 3> offsets_{};
  std::array<size_t, 3> strides_{};
  size_t size_ = 0;
  std::shared_ptr<std::byte> bytes_;
};

// Filled by one thread, then shared as `const Frame` and read by any number of threads.
class Frame {
 public:
  Frame(const PictureFormat& format, std::unique_ptr<FrameBuffer> buffer) : format_(format), buffer_(std::move(buffer)) {}

  const PictureFormat& format() const { return format_; }

  // The samples of a plane. REQUIRES: sizeof(Sample) == format().bytes_per_sample(), plane < format().plane_count()
  template <class Sample>
  Plane<const Sample> plane(int index) const {
    return {reinterpret_cast<const Sample*>(std::as_const(*buffer_).plane(index)),
            static_cast<ptrdiff_t>(buffer_->stride_bytes(index) / sizeof(Sample)), format_.plane_width(index), format_.plane_height(index)};
  }
  template <class Sample>
  Plane<Sample> writable_plane(int index) {
    return {reinterpret_cast<Sample*>(buffer_->plane(index)), static_cast<ptrdiff_t>(buffer_->stride_bytes(index) / sizeof(Sample)),
            format_.plane_width(index), format_.plane_height(index)};
  }

  // Planes derived from this picture alone.
  const DerivedCache& derived() const { return derived_; }

  // Presentation time in seconds, where the container gives one.
  std::optional<double> time_s;

  // Gives the buffer back (the pool calls this when the last user is gone).
  std::unique_ptr<FrameBuffer> release_buffer() { return std::move(buffer_); }

 private:
  PictureFormat format_;
  std::unique_ptr<FrameBuffer> buffer_;
  DerivedCache derived_;
};

// Two pictures of one position, same format.
class FramePair {
 public:
  FramePair(std::shared_ptr<const Frame> reference, std::shared_ptr<const Frame> distorted)
      : reference_(std::move(reference)), distorted_(std::move(distorted)) {}

  const Frame& reference() const { return *reference_; }
  const Frame& distorted() const { return *distorted_; }
  // Planes that need both pictures.
  const DerivedCache& derived() const { return derived_; }

 private:
  std::shared_ptr<const Frame> reference_;
  std::shared_ptr<const Frame> distorted_;
  DerivedCache derived_;
};

// Frame n of a clip with the frames before it that the extractors need.
class FrameWindow {
 public:
  // pairs[0] is the current pair, pairs[k] the one k frames earlier. REQUIRES: pairs is not empty.
  FrameWindow(std::int64_t index, std::vector<std::shared_ptr<const FramePair>> pairs) : index_(index), pairs_(std::move(pairs)) {}

  // Position in the clip, from 0, after skipping.
  std::int64_t index() const { return index_; }
  // How many earlier frames are at hand: at the start of a clip fewer than the extractors asked for.
  int history() const { return static_cast<int>(pairs_.size()) - 1; }
  const PictureFormat& format() const { return reference().format(); }

  // The pictures `back` frames earlier. REQUIRES: 0 <= back <= history()
  const Frame& reference(int back = 0) const { return pairs_[static_cast<size_t>(back)]->reference(); }
  const Frame& distorted(int back = 0) const { return pairs_[static_cast<size_t>(back)]->distorted(); }
  const FramePair& pair(int back = 0) const { return *pairs_[static_cast<size_t>(back)]; }

 private:
  std::int64_t index_;
  std::vector<std::shared_ptr<const FramePair>> pairs_;
};

// Calls f with a value of the sample type of `format`: f(uint8_t{}) or f(uint16_t{}).
template <class F>
decltype(auto) with_sample_type(const PictureFormat& format, F&& f) {
  if (format.bytes_per_sample() == 1) return f(std::uint8_t{});
  return f(std::uint16_t{});
}

}  // namespace vmafbatch::io
