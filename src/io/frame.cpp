#include "io/frame.h"

#include <cstdlib>
#include <new>

namespace vmafbatch::io {
namespace {

size_t round_up(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

std::shared_ptr<std::byte> heap_bytes(size_t size) {
  auto* const bytes = static_cast<std::byte*>(std::aligned_alloc(FrameBuffer::kAlignment, size));
  if (bytes == nullptr) throw std::bad_alloc();
  return {bytes, [](std::byte* p) { std::free(p); }};
}

}  // namespace

FrameBuffer::FrameBuffer(const PictureFormat& format, PictureMemory* memory) {
  size_t total = 0;
  for (int plane = 0; plane < format.plane_count(); ++plane) {
    const auto i = static_cast<size_t>(plane);
    strides_[i] = round_up(static_cast<size_t>(format.plane_width(plane)) * format.bytes_per_sample(), kAlignment);
    offsets_[i] = total;
    total += strides_[i] * static_cast<size_t>(format.plane_height(plane));
  }
  size_ = round_up(total, kAlignment);
  bytes_ = memory != nullptr ? memory->allocate(size_) : heap_bytes(size_);
}

}  // namespace vmafbatch::io
