#include "extractors/cambi_contrast_simd.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "extractors/cambi_math.h"
#include "extractors/cambi_picture.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/cambi_contrast_simd.cpp"
#include <hwy/foreach_target.h>
// Behind foreach_target.h
#include <hwy/highway.h>

#ifndef VMAFBATCH_CAMBI_CONTRAST_SIMD_ONCE
#define VMAFBATCH_CAMBI_CONTRAST_SIMD_ONCE
namespace vmafbatch::extractors {

// The columns that share one histogram, which then fits a second-level cache.
inline constexpr int kCambiTile = 256;
// Columns that a row of the histogram has beyond those that samples change: whole vectors are read and written there.
inline constexpr int kCambiSlack = 64;

inline int cambi_histogram_stride(int reach) { return kCambiTile + 4 * reach + kCambiSlack; }

}  // namespace vmafbatch::extractors
#endif

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using U16 = hn::ScalableTag<std::uint16_t>;
using I32 = hn::ScalableTag<std::int32_t>;
using F32 = hn::RebindToFloat<I32>;
using Ints = hn::Vec<I32>;
using Floats = hn::Vec<F32>;

// One row of codes.
void encode(const std::uint16_t* samples, const std::uint8_t* mask, int n, const CambiCodes& codes, std::uint16_t* out) {
  const U16 d;
  const hn::Rebind<std::uint8_t, U16> bytes;
  const auto lowest = hn::Set(d, static_cast<std::uint16_t>(codes.lowest));
  const auto range = hn::Set(d, static_cast<std::uint16_t>(codes.highest - codes.lowest));
  const auto first_code = hn::Set(d, static_cast<std::uint16_t>(codes.lowest + codes.offset));
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= n; x += lanes) {
    const auto above = hn::Sub(hn::LoadU(d, samples + x), lowest);  // wraps around for samples that are too low
    const auto marked = hn::Ne(hn::PromoteTo(d, hn::LoadU(bytes, mask + x)), hn::Zero(d));
    const auto counts = hn::And(marked, hn::Eq(hn::Min(above, range), above));
    hn::StoreU(hn::IfThenElseZero(counts, hn::Add(above, first_code)), d, out + x);
  }
  for (; x < n; ++x) {
    const bool counts = mask[x] != 0 && samples[x] >= codes.lowest && samples[x] <= codes.highest;
    out[x] = counts ? static_cast<std::uint16_t>(samples[x] + codes.offset) : std::uint16_t{0};
  }
}

// The histograms of the windows around one row, for the columns of a tile.
class Tile {
 public:
  Tile(const io::Plane<const std::uint16_t>& codes, const CambiCodes& range, const CambiWindow& window, std::vector<std::uint16_t>& bins)
      : codes_(codes), range_(range), window_(window), bins_(bins.data()), stride_(cambi_histogram_stride(window.reach)) {}

  void run(int first_x, const io::Plane<float>& out, const std::uint16_t* no_codes) {
    first_x_ = first_x;
    end_x_ = std::min(first_x + kCambiTile, codes_.width);
    std::fill_n(bins_, static_cast<size_t>(range_.bins) * static_cast<size_t>(stride_), std::uint16_t{0});
    for (int y = 0; y < std::min(window_.reach, codes_.height); ++y) exchange(codes_.row(y), no_codes);
    for (int y = 0; y < codes_.height; ++y) {
      const int entering = y + window_.reach;
      const int leaving = y - window_.reach - 1;
      exchange(entering < codes_.height ? codes_.row(entering) : no_codes, leaving >= 0 ? codes_.row(leaving) : no_codes);
      contrasts(codes_.row(y), out.row(y));
    }
  }

 private:
  // The bin of a code, for the column of first_x_.
  std::uint16_t* bin(int code) const { return bins_ + static_cast<ptrdiff_t>(code) * stride_ + 2 * window_.reach; }

  // One row of samples enters the windows, another leaves. Where both are alike nothing changes; neighbours that bring the same change
  // make it together.
  void exchange(const std::uint16_t* entering, const std::uint16_t* leaving) const {
    const U16 d;
    const int end = std::min(end_x_ + window_.reach, codes_.width);
    const int lanes = static_cast<int>(hn::Lanes(d));
    int x = std::max(first_x_ - window_.reach, 0);
    while (x < end) {
      if (entering[x] == leaving[x]) {
        if (x + lanes > end) {
          ++x;
          continue;
        }
        const ptrdiff_t change = hn::FindFirstTrue(d, hn::Ne(hn::LoadU(d, entering + x), hn::LoadU(d, leaving + x)));
        x += change < 0 ? lanes : static_cast<int>(change);
        continue;
      }
      const int first = x;
      do ++x;
      while (x < end && entering[x] == entering[first] && leaving[x] == leaving[first]);
      if (entering[first] != 0) change_counts<true>(entering[first], first, x - first);
      if (leaving[first] != 0) change_counts<false>(leaving[first], first, x - first);
    }
  }

  // `run` neighbours of one code, from column `first` on, enter the windows or leave them: each column changes by as many of them as
  // lie within its reach, which rises from 1, stays, and falls to 1 again.
  template <bool kEnter>
  void change_counts(int code, int first, int run) const {
    const U16 d;
    std::uint16_t* counts = bin(code) + (first - first_x_ - window_.reach);
    const int length = run + 2 * window_.reach;
    const auto most = hn::Set(d, static_cast<std::uint16_t>(std::min(run, 2 * window_.reach + 1)));
    const auto lanes = hn::Set(d, static_cast<std::uint16_t>(hn::Lanes(d)));
    auto rising = hn::Iota(d, 1);
    auto falling = hn::SaturatedSub(hn::Set(d, static_cast<std::uint16_t>(length)), hn::Iota(d, 0));  // 0 behind the last column
    for (int i = 0; i < length; i += static_cast<int>(hn::Lanes(d))) {
      const auto change = hn::Min(hn::Min(rising, falling), most);
      const auto before = hn::LoadU(d, counts + i);
      hn::StoreU(kEnter ? hn::Add(before, change) : hn::Sub(before, change), d, counts + i);
      rising = hn::Add(rising, lanes);
      falling = hn::SaturatedSub(falling, lanes);
    }
  }

  void contrasts(const std::uint16_t* codes, float* out) const {
    const I32 d;
    const F32 f;
    const hn::Rebind<std::uint16_t, I32> words;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int x = first_x_;
    for (; x + lanes <= end_x_; x += lanes) {
      hn::StoreU(contrasts_of(hn::PromoteTo(d, hn::LoadU(words, codes + x)), codes + x, x - first_x_), f, out + x);
    }
    if (x == end_x_) return;
    // The last columns, with codes of 0 beside them.
    HWY_ALIGN std::uint16_t last_codes[HWY_MAX_BYTES / sizeof(std::int32_t)] = {};
    HWY_ALIGN float last_out[HWY_MAX_BYTES / sizeof(float)];
    std::copy(codes + x, codes + end_x_, last_codes);
    hn::Store(contrasts_of(hn::PromoteTo(d, hn::LoadU(words, last_codes)), last_codes, x - first_x_), f, last_out);
    std::copy_n(last_out, end_x_ - x, out + x);
  }

  // The largest contrast of neighbouring samples; `column`: of the first, from first_x_.
  Floats contrasts_of(Ints codes, const std::uint16_t* first_code, int column) const {
    const I32 d;
    const auto scored = hn::And(hn::Gt(codes, hn::Set(d, range_.above[static_cast<size_t>(window_.steps)])),
                                hn::Lt(codes, hn::Set(d, range_.below[static_cast<size_t>(window_.steps)])));
    const auto valid = hn::And(scored, hn::Gt(codes, hn::Zero(d)));
    const ptrdiff_t first = hn::FindFirstTrue(d, valid);
    if (first < 0) return hn::Zero(F32());
    const int code = first_code[first];
    if (hn::AllTrue(d, hn::Or(hn::Not(valid), hn::Eq(codes, hn::Set(d, code))))) {
      const std::uint16_t* counts = bin(code) + column;
      return largest(codes, valid, [&](int step) {
        return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint16_t, I32>(), counts + static_cast<ptrdiff_t>(step) * stride_));
      });
    }
    const Ints places =
        hn::Add(hn::Mul(hn::IfThenElse(valid, codes, hn::Set(d, code)), hn::Set(d, stride_)), hn::Iota(d, column + 2 * window_.reach));
    return largest(codes, valid, [&](int step) { return counts_at(hn::Add(places, hn::Set(d, step * stride_))); });
  }

  Ints counts_at(Ints places) const {
    const I32 d;
#if HWY_TARGET <= HWY_AVX2  // gathers of the processor; they take any address
    const Ints pairs = hn::GatherOffset(d, reinterpret_cast<const std::int32_t*>(bins_), hn::Add(places, places));
    return hn::And(pairs, hn::Set(d, 0xFFFF));
#else
    HWY_ALIGN std::int32_t counts[HWY_MAX_BYTES / sizeof(std::int32_t)];
    hn::Store(places, d, counts);
    for (size_t i = 0; i < hn::Lanes(d); ++i) counts[i] = bins_[counts[i]];
    return hn::Load(d, counts);
#endif
  }

  // count(step): how many samples of the windows lie `step` above the samples themselves.
  template <class Count>
  Floats largest(Ints codes, hn::Mask<I32> valid, const Count& count) const {
    const I32 d;
    const F32 f;
    const float* const reciprocals = cambi_reciprocals().data();
    const Ints own = hn::IfThenElseZero(valid, count(0));
    Floats best = hn::Zero(f);
    for (int step = 1; step <= window_.steps; ++step) {
      const auto counts = hn::And(valid, hn::And(hn::Gt(codes, hn::Set(d, range_.above[static_cast<size_t>(step)])),
                                                 hn::Lt(codes, hn::Set(d, range_.below[static_cast<size_t>(step)]))));
      const Ints other = hn::IfThenElseZero(counts, hn::Max(count(step), count(-step)));
      if (hn::AllTrue(d, hn::Eq(other, hn::Zero(d)))) continue;
      const Ints product = hn::Mul(hn::Mul(hn::Set(d, cambi_weight(step)), own), other);
      best = hn::Max(best, hn::Mul(hn::ConvertTo(f, product), hn::GatherIndex(f, reciprocals, hn::Add(own, other))));
    }
    return best;
  }

  io::Plane<const std::uint16_t> codes_;
  const CambiCodes& range_;
  const CambiWindow& window_;
  std::uint16_t* bins_;
  int stride_;
  int first_x_ = 0;
  int end_x_ = 0;
};

void contrasts(const io::Plane<const std::uint16_t>& samples, const io::Plane<const std::uint8_t>& mask, const CambiCodes& codes,
               const CambiWindow& window, const io::Plane<float>& out) {
  CambiPlane<std::uint16_t> code_samples(samples.width, samples.height);
  const io::Plane<std::uint16_t> plane = code_samples.view();
  for (int y = 0; y < samples.height; ++y) encode(samples.row(y), mask.row(y), samples.width, codes, plane.row(y));
  const std::vector<std::uint16_t> no_codes(static_cast<size_t>(samples.width));
  // Behind the last bin: what a gather of 32 bits reads beside its 16.
  std::vector<std::uint16_t> bins(static_cast<size_t>(codes.bins) * static_cast<size_t>(cambi_histogram_stride(window.reach)) + 2);
  Tile tile(std::as_const(code_samples).view(), codes, window, bins);
  for (int x = 0; x < samples.width; x += kCambiTile) tile.run(x, out, no_codes.data());
}

}  // namespace vmafbatch::extractors::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {

HWY_EXPORT(contrasts);

CambiCodes::CambiCodes(const CambiWindow& window) {
  const int steps = window.steps;
  const int brightest = window.thresholds[static_cast<size_t>(steps)];
  // A sample is scored from dark_limit - 2 * steps + 1 on, and looks at those `steps` below it.
  lowest = std::max(0, window.dark_limit - 3 * steps + 1);
  highest = std::min(brightest + steps, kCambiLargestSample);
  offset = steps - lowest;
  bins = std::max(highest - lowest, 0) + 1 + 2 * steps;
  for (int d = 1; d <= steps; ++d) {
    above[static_cast<size_t>(d)] = window.dark_limit - steps - d + offset;
    below[static_cast<size_t>(d)] = window.thresholds[static_cast<size_t>(d)] + offset + 1;
  }
}

void fast_cambi_contrasts(io::Plane<const std::uint16_t> samples, io::Plane<const std::uint8_t> mask, const CambiWindow& window,
                          io::Plane<float> out) {
  const CambiCodes codes(window);
  if (codes.highest < codes.lowest) {
    for (int y = 0; y < out.height; ++y) std::fill_n(out.row(y), out.width, 0.0F);
    return;
  }
  HWY_DYNAMIC_DISPATCH(contrasts)(samples, mask, codes, window, out);
}

size_t fast_cambi_contrasts_bytes(int width, int height, const CambiWindow& window) {
  const auto codes = static_cast<size_t>(width) * static_cast<size_t>(height + 1);
  const auto bins = static_cast<size_t>(CambiCodes(window).bins) * static_cast<size_t>(cambi_histogram_stride(window.reach));
  return (codes + bins) * sizeof(std::uint16_t);
}

}  // namespace vmafbatch::extractors
#endif  // HWY_ONCE
