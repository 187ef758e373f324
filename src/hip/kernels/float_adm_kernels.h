// float_adm: the steps of the wavelet transform, and the terms of the energy sums of a scale.
#pragma once

#include <cstdint>
#include <type_traits>

#include "extractors/float_adm_math.h"
#include "hip/kernels/row_sum_kernels.h"
#include "hip/kernels/wavelet_kernel.h"
#include "hip/platform/kernel.h"
#include "hip/platform/kernel_list.h"
#include "io/plane.h"

namespace vmafbatch::hip {

namespace float_adm = extractors::float_adm;

// The steps of float_adm's transform: of samples at scale 0, of floats above.
template <class Sample>
struct FloatAdmStep {
  using Input = Sample;
  using Coefficient = float;
  static constexpr bool kOfSamples = !std::is_same_v<Sample, float>;
  static constexpr const char* kName =
      kOfSamples ? (sizeof(Sample) == 1 ? "float_adm_transform_8" : "float_adm_transform_16") : "float_adm_transform";
  static constexpr int kRows = kOfSamples ? 16 : 8;

  float unit;  // 2^(8 - depth), of samples
  float_adm::Taps low, high;

  VB_HOST_DEVICE float value(Input x) const {
    if constexpr (kOfSamples) {
      return float_adm::centred(static_cast<float>(x), unit);
    } else {
      return x;
    }
  }
  VB_HOST_DEVICE float vertical(bool is_high, float s0, float s1, float s2, float s3) const {
    return float_adm::filter(is_high ? high : low, s0, s1, s2, s3);
  }
  VB_HOST_DEVICE float horizontal(bool is_high, float s0, float s1, float s2, float s3) const { return vertical(is_high, s0, s1, s2, s3); }
};

constexpr int kFloatAdmSums = static_cast<int>(float_adm::kSignals * float_adm::kBands);

// One scale for FloatAdmTermsKernel.
struct FloatAdmScale {
  io::Plane<const float> reference[adm::kBands];  // the reach: the region that is stored
  io::Plane<const float> distorted[adm::kBands];
  adm::Region inner, reach;  // inner: the score region
  int width, height;         // of the band
  float_adm::BandWeights weights;
  // Terms of RowSumKernel: a plane as wide as the score region, with the rows of the nine sums one below the other.
  float* terms;
  unsigned first_block;
  unsigned columns;  // blocks in a row
};

// The terms of the nine sums at every sample of the score regions of kScales scales. The grid is one line: the blocks() of each scale,
// row after row, from first_block on. A block takes kInnerColumns x kInnerRows samples and one around them, whose masks the inner
// ones read.
template <int kCount>
struct FloatAdmTermsKernel {
  static constexpr const char* kName = kCount == 1 ? "float_adm_terms_fine" : "float_adm_terms_coarse";
  static constexpr int kScales = kCount;
  static constexpr int kWidth = 32, kHeight = 16;
  static constexpr int kEach = 2;  // rows of a thread, kHeight apart
  static constexpr int kTile = kWidth;
  static_assert(kHeight * kEach == kTile, "a square: its terms are turned");
  using Columns = MaskAxis<kTile - 2>;
  using Rows = MaskAxis<kTile - 2>;
  static constexpr int kInnerColumns = Columns::kOutputs;
  static constexpr int kInnerRows = Rows::kOutputs;
  static constexpr int kMaskers = 2;  // the restored and the additive part
  struct Masks {
    float of[kMaskers][adm::kBands][kTile][kTile];
  };
  struct Terms {
    float of[kFloatAdmSums][kInnerRows][kInnerColumns + 3];  // odd: columns are read from different banks
  };
  union Shared {
    Masks masks;
    Terms terms;
  };

  FloatAdmScale scales[kScales];
  double gain_limit;
  bool masking;  // false: thresholds are 0
  bool cubed;

  // Blocks of one scale; the launch has them all in one line.
  static Grid blocks(int inner_width, int inner_height) {
    return {blocks_for(inner_width, kInnerColumns), blocks_for(inner_height, kInnerRows), 1};
  }

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared& shared) const {
    const auto block = static_cast<unsigned>(t.block_x());
    if constexpr (kScales == 1) {
      run(t, shared, scales[0], block);
    } else {
      // One call, so that the code is there once.
      const int s = block >= scales[2].first_block ? 2 : (block >= scales[1].first_block ? 1 : 0);
      run(t, shared, scales[s], block - scales[s].first_block);
    }
  }

 private:
  // Weighted magnitudes, then terms, of one sample: signal * 3 + band.
  struct Nine {
    float of[kFloatAdmSums];
  };

  template <class Thread>
  VB_HOST_DEVICE void run(Thread& t, Shared& shared, const FloatAdmScale& g, unsigned block) const {
    const auto block_x = static_cast<int>(block % g.columns);
    const auto block_y = static_cast<int>(block / g.columns);
    Nine kept[kEach];
    VB_UNROLL for (int k = 0; k < kEach; ++k) kept[k] = weigh_sample(shared.masks, g, block_x, block_y, t.x(), t.y() + k * kHeight);
    t.sync();
    VB_UNROLL for (int k = 0; k < kEach; ++k) {
      if (is_inner(t.x(), t.y() + k * kHeight)) mask_sample(shared.masks, t.x(), t.y() + k * kHeight, kept[k]);
    }
    t.sync();
    VB_UNROLL for (int k = 0; k < kEach; ++k) {
      if (!is_inner(t.x(), t.y() + k * kHeight)) continue;
      VB_UNROLL for (int i = 0; i < kFloatAdmSums; ++i) shared.terms.of[i][t.y() + k * kHeight - 1][t.x() - 1] = kept[k].of[i];
    }
    t.sync();
    store_terms(t, shared.terms, g, block_x * kInnerColumns, block_y * kInnerRows);
  }

  VB_HOST_DEVICE static constexpr bool is_inner(int x, int y) { return x >= 1 && x <= kInnerColumns && y >= 1 && y <= kInnerRows; }

  // Column x, row y of the block: writes its masks.
  VB_HOST_DEVICE Nine weigh_sample(Masks& masks, const FloatAdmScale& g, int block_x, int block_y, int x, int y) const {
    const int column = Columns::index(block_x, x, g.width, g.inner.left, g.reach.left, g.reach.width());
    const int row = Rows::index(block_y, y, g.height, g.inner.top, g.reach.top, g.reach.height());
    const auto bands_at = [&](const io::Plane<const float>(&plane)[adm::kBands]) {
      return float_adm::Bands{plane[0].row(row)[column], plane[1].row(row)[column], plane[2].row(row)[column]};
    };
    const float_adm::Bands reference = bands_at(g.reference);
    const float_adm::Bands distorted = bands_at(g.distorted);
    const float_adm::Bands restored = float_adm::restored_bands(reference, distorted, gain_limit);
    const float_adm::Bands additive{distorted.h - restored.h, distorted.v - restored.v, distorted.d - restored.d};
    Nine sample;
    weigh(reference, g.weights, sample.of + float_adm::kReference * float_adm::kBands);
    weigh(restored, g.weights, sample.of + float_adm::kRestored * float_adm::kBands);
    weigh(additive, g.weights, sample.of + float_adm::kAdditive * float_adm::kBands);
    VB_UNROLL for (int m = 0; m < kMaskers; ++m) {
      VB_UNROLL for (int b = 0; b < adm::kBands; ++b) {
        masks.of[m][b][y][x] = float_adm::neighbour_mask(sample.of[(m + 1) * adm::kBands + b]);
      }
    }
    return sample;
  }

  VB_HOST_DEVICE static void weigh(const float_adm::Bands& part, const float_adm::BandWeights& weights, float* magnitudes) {
    magnitudes[0] = float_adm::weighted_magnitude(part.h, weights.hv);
    magnitudes[1] = float_adm::weighted_magnitude(part.v, weights.hv);
    magnitudes[2] = float_adm::weighted_magnitude(part.d, weights.d);
  }

  // From magnitudes to terms: each part shows where it is above the other's threshold.
  VB_HOST_DEVICE void mask_sample(const Masks& masks, int x, int y, Nine& sample) const {
    float* const reference = sample.of;
    float* const restored = reference + adm::kBands;
    float* const additive = restored + adm::kBands;
    const float of_restored = masking ? threshold(masks.of[0], x, y, restored) : 0.0f;
    const float of_additive = masking ? threshold(masks.of[1], x, y, additive) : 0.0f;
    VB_UNROLL for (int b = 0; b < adm::kBands; ++b) {
      reference[b] = float_adm::energy_term(reference[b], cubed);
      restored[b] = float_adm::energy_term(float_adm::visible(restored[b], of_additive), cubed);
      additive[b] = float_adm::energy_term(float_adm::visible(additive[b], of_restored), cubed);
    }
  }

  VB_HOST_DEVICE static float threshold(const float (&masks)[adm::kBands][kTile][kTile], int x, int y, const float* magnitudes) {
    float sum = 0.0f;
    VB_UNROLL for (int b = 0; b < adm::kBands; ++b) {
      sum = sum + float_adm::band_threshold(&masks[b][y - 1][x - 1], &masks[b][y][x - 1], &masks[b][y + 1][x - 1], magnitudes[b]);
    }
    return sum;
  }

  // Neighbouring threads store neighbouring rows, as the terms lie. `left`, `top`: of the block in the score region.
  template <class Thread>
  VB_HOST_DEVICE static void store_terms(Thread& t, const Terms& terms, const FloatAdmScale& g, int left, int top) {
    const int row = t.x();
    if (row >= kInnerRows || top + row >= g.inner.height()) return;
    for (int i = t.y(); i < kFloatAdmSums * kInnerColumns; i += kHeight) {
      const int sum = i / kInnerColumns;
      const int column = i % kInnerColumns;
      if (left + column >= g.inner.width()) continue;
      g.terms[row_term_index(left + column, sum * g.inner.height() + top + row, g.inner.width())] = terms.of[sum][row][column];
    }
  }
};

using FloatAdmKernels = KernelList<WaveletKernel<FloatAdmStep<std::uint8_t>>, WaveletKernel<FloatAdmStep<std::uint16_t>>,
                                   WaveletKernel<FloatAdmStep<float>>, FloatAdmTermsKernel<1>, FloatAdmTermsKernel<adm::kScales - 1>>;

}  // namespace vmafbatch::hip
