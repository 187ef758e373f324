#include "extractors/cambi_contrast.h"

#include <algorithm>
#include <array>

#include "base/simd.h"
#include "extractors/cambi_contrast_simd.h"
#include "extractors/cambi_math.h"

namespace vmafbatch::extractors {
namespace {

// How often each sample value occurs among the marked samples of a window; values beside those of samples never do.
class Histogram {
 public:
  int count(int value) const { return counts_[static_cast<size_t>(value + kCambiMostSteps)]; }
  void add(int value, int times) { counts_[static_cast<size_t>(value + kCambiMostSteps)] += times; }

 private:
  std::array<int, kCambiMostSteps + kCambiLargestSample + 1 + kCambiMostSteps> counts_{};
};

struct Rows {
  int first, last;
};

class PlainContrasts {
 public:
  PlainContrasts(const io::Plane<const std::uint16_t>& samples, const io::Plane<const std::uint8_t>& mask, const CambiWindow& window)
      : samples_(samples), mask_(mask), window_(window) {}

  // One row: the window moves along it, and takes in and gives up a column at each step.
  void row(int y, float* out) const {
    const Rows rows{std::max(y - window_.reach, 0), std::min(y + window_.reach, samples_.height - 1)};
    Histogram histogram;
    for (int x = 0; x < std::min(window_.reach, samples_.width); ++x) add_column(histogram, rows, x, 1);
    for (int x = 0; x < samples_.width; ++x) {
      if (x + window_.reach < samples_.width) add_column(histogram, rows, x + window_.reach, 1);
      if (x - window_.reach - 1 >= 0) add_column(histogram, rows, x - window_.reach - 1, -1);
      out[x] = mask_.row(y)[x] != 0 ? largest_contrast(histogram, samples_.row(y)[x]) : 0.0F;
    }
  }

 private:
  void add_column(Histogram& histogram, const Rows& rows, int x, int times) const {
    for (int y = rows.first; y <= rows.last; ++y) {
      if (mask_.row(y)[x] != 0) histogram.add(samples_.row(y)[x], times);
    }
  }

  float largest_contrast(const Histogram& histogram, int value) const {
    const int own = histogram.count(value);
    float largest = 0.0F;
    for (int d = 1; d <= window_.steps; ++d) {
      if (!cambi_step_counts(value, d, window_.steps, window_.thresholds[static_cast<size_t>(d)], window_.dark_limit)) continue;
      const int other = std::max(histogram.count(value + d), histogram.count(value - d));
      largest = std::max(largest, cambi_contrast(cambi_weight(d), own, other, reciprocals_[static_cast<size_t>(own + other)]));
    }
    return largest;
  }

  io::Plane<const std::uint16_t> samples_;
  io::Plane<const std::uint8_t> mask_;
  const CambiWindow& window_;
  const CambiReciprocals& reciprocals_ = cambi_reciprocals();
};

}  // namespace

void slow_cambi_contrasts(io::Plane<const std::uint16_t> samples, io::Plane<const std::uint8_t> mask, const CambiWindow& window,
                          io::Plane<float> out) {
  const PlainContrasts contrasts(samples, mask, window);
  for (int y = 0; y < samples.height; ++y) contrasts.row(y, out.row(y));
}

void cambi_contrasts(io::Plane<const std::uint16_t> samples, io::Plane<const std::uint8_t> mask, const CambiWindow& window,
                     io::Plane<float> out) {
  if (simd_mode() == SimdMode::kScalar) return slow_cambi_contrasts(samples, mask, window, out);
  fast_cambi_contrasts(samples, mask, window, out);
}

size_t cambi_contrasts_bytes(int width, int height, const CambiWindow& window) {
  return std::max(sizeof(Histogram), fast_cambi_contrasts_bytes(width, height, window));
}

}  // namespace vmafbatch::extractors
