// A row of samples with room for the reflected ones beside it: what a horizontal filter reads.
#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>

namespace vmafbatch::extractors {

// Sample 0 stands at a multiple of 64 bytes. Up to kPadding samples to the left of it and, to the right of the last, as many and a whole
// vector more may be read; they are zero at first.
template <class T>
class PaddedRow {
 public:
  static constexpr int kPadding = 32;  // more than half of the widest window, 65 taps; a multiple of 64 bytes of floats
  static constexpr int kVector = static_cast<int>(64 / sizeof(T));

  explicit PaddedRow(int width) : width_(width), samples_(hwy::AllocateAligned<T>(size_of(width))) {
    if (!samples_) throw std::bad_alloc();
    std::fill_n(samples_.get(), size_of(width), T{});
  }

  T* data() { return samples_.get() + kPadding; }
  const T* data() const { return samples_.get() + kPadding; }

  // Fills `radius` places on both sides by reflection without repeating the border sample. REQUIRES: radius <= kPadding, radius < width
  void mirror(int radius) {
    T* row = data();
    for (int i = 1; i <= radius; ++i) {
      row[-i] = row[i];
      row[width_ - 1 + i] = row[width_ - 1 - i];
    }
  }

  static size_t bytes_of(int width) { return size_of(width) * sizeof(T); }

 private:
  static size_t size_of(int width) { return static_cast<size_t>(width + 2 * kPadding + 2 * kVector); }

  int width_;
  hwy::AlignedFreeUniquePtr<T[]> samples_;
};

}  // namespace vmafbatch::extractors
