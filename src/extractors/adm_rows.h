// Memory for rows of wavelet coefficients.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace vmafbatch::extractors::adm {

// `height` rows of `width` samples of T. Each row starts at a multiple of 64 bytes and has at least 64 bytes behind its last sample, so
// that a loop over whole vectors may read and write there. Samples are not initialised.
template <class T>
class Rows {
 public:
  static constexpr size_t kAlignment = 64;
  static constexpr size_t kMargin = 64;  // bytes behind each row

  Rows() = default;
  // Throws std::bad_alloc.
  Rows(int width, int height) : stride_(round_up(static_cast<size_t>(width) * sizeof(T) + kMargin) / sizeof(T)) {
    samples_.reset(static_cast<T*>(std::aligned_alloc(kAlignment, stride_ * sizeof(T) * static_cast<size_t>(height))));
    if (!samples_) throw std::bad_alloc();
  }

  T* row(int y) { return samples_.get() + static_cast<size_t>(y) * stride_; }
  const T* row(int y) const { return samples_.get() + static_cast<size_t>(y) * stride_; }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  static size_t round_up(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

  size_t stride_ = 0;
  std::unique_ptr<T, Free> samples_;
};

// One row of each of the bands h, v, d.
template <class T>
using BandRows = std::array<T*, 3>;

}  // namespace vmafbatch::extractors::adm
