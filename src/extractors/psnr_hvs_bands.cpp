#include "extractors/psnr_hvs_bands.h"

#include <vector>

#include "extractors/ordered_bands.h"

namespace vmafbatch::extractors {
namespace {

template <class Sample>
void load_block(const io::Plane<const Sample>& plane, int x, int y, std::int32_t (&block)[kHvsSamples]) {
  for (int i = 0; i < kHvsBlock; ++i) {
    const Sample* row = plane.row(y + i) + x;
    for (int j = 0; j < kHvsBlock; ++j) block[kHvsBlock * i + j] = row[j];
  }
}

}  // namespace

void slow_hvs_band_terms(const io::Frame& reference, const io::Frame& distorted, int plane, int band, HvsBandTerms& out) {
  out.count = 0;
  io::with_sample_type(reference.format(), [&](auto sample) {
    using Sample = decltype(sample);
    const auto a = reference.plane<Sample>(plane);
    const auto b = distorted.plane<Sample>(plane);
    for (int block = 0; block < hvs_blocks(a.width); ++block) {
      std::int32_t of_a[kHvsSamples];
      std::int32_t of_b[kHvsSamples];
      load_block(a, kHvsStep * block, kHvsStep * band, of_a);
      load_block(b, kHvsStep * block, kHvsStep * band, of_b);
      float terms[kHvsSamples];
      hvs_block_terms(of_a, of_b, kHvsTables[static_cast<size_t>(plane)], terms);
      for (const float term : terms) {
        if (term != 0.0f) out.append(term);
      }
    }
  });
}

float hvs_error_sum(const io::FramePair& pair, int plane) {
  const io::PictureFormat& format = pair.reference().format();
  std::vector<HvsBandTerms> slots;
  for (size_t i = 0; i < kBandsInFlight; ++i) slots.emplace_back(hvs_blocks(format.plane_width(plane)));
  float sum = 0.0f;
  fold_in_order(
      hvs_blocks(format.plane_height(plane)), slots,
      [&](int band, HvsBandTerms& terms) { hvs_band_terms(pair.reference(), pair.distorted(), plane, band, terms); },
      [&](const HvsBandTerms& terms) {
        for (const float term : terms.terms()) sum = sum + term;
      });
  return sum;
}

size_t hvs_error_sum_bytes(int plane_width) {
  return kBandsInFlight * static_cast<size_t>(hvs_blocks(plane_width)) * static_cast<size_t>(kHvsSamples) * sizeof(float);
}

}  // namespace vmafbatch::extractors
