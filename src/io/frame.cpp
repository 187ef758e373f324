#include "io/frame.h"

#include <cstdlib>
#include <new>

namespace vmafbatch::io {
namespace {

size_t round_up(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

}  // namespace

FrameBuffer::FrameBuffer(const PictureFormat& format) {
  size_t total = 0;
  for (int plane = 0; plane < format.plane_count(); ++plane) {
    const auto i = static_cast<size_t>(plane);
    strides_[i] = round_up(static_cast<size_t>(format.plane_width(plane)) * format.bytes_per_sample(), kAlignment);
    offsets_[i] = total;
    total += strides_[i] * static_cast<size_t>(format.plane_height(plane));
  }
  size_ = round_up(total, kAlignment);
  bytes_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, size_)));
  if (!bytes_) throw std::bad_alloc();
}

void FrameBuffer::Free::operator()(std::byte* p) const { std::free(p); }

}  // namespace vmafbatch::io
