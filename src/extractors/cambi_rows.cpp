#include "extractors/cambi_rows.h"

#include "base/simd.h"
#include "extractors/cambi_math.h"

namespace vmafbatch::extractors {
namespace {

template <class Sample>
void ten_bits(const Sample* in, int n, int bit_depth, std::uint16_t* out) {
  for (int x = 0; x < n; ++x) out[x] = static_cast<std::uint16_t>(cambi_ten_bits(in[x], bit_depth));
}

void mean_in_place(std::uint16_t* row, const std::uint16_t* below, int n) {
  for (int x = 0; x < n; ++x) row[x] = static_cast<std::uint16_t>(cambi_mean4(row[x], row[x + 1], below[x], below[x + 1]));
}

void flat(const std::uint16_t* row, const std::uint16_t* below, int n, std::uint8_t* out) {
  for (int x = 0; x < n; ++x) out[x] = row[x] == row[x + 1] && row[x] == below[x] ? 1 : 0;
}

void move_counts(const std::uint8_t* entering, const std::uint8_t* leaving, int n, std::uint8_t* counts) {
  for (int x = 0; x < n; ++x) counts[x] = static_cast<std::uint8_t>(counts[x] + entering[x] - leaving[x]);
}

void mask(const std::uint8_t* counts, int n, int threshold, std::uint8_t* out) {
  for (int x = 0; x < n; ++x) {
    int count = 0;
    for (int u = x - 3; u <= x + 3; ++u) count += counts[u];
    out[x] = count > threshold ? 1 : 0;
  }
}

void mode(const std::uint16_t* a, const std::uint16_t* b, const std::uint16_t* c, int n, std::uint16_t* out) {
  for (int x = 0; x < n; ++x) out[x] = static_cast<std::uint16_t>(cambi_mode(a[x], b[x], c[x]));
}

}  // namespace

const CambiRows& slow_cambi_rows() {
  static constexpr CambiRows kRows = {ten_bits<std::uint8_t>, ten_bits<std::uint16_t>, mean_in_place, flat, move_counts, mask, mode};
  return kRows;
}

const CambiRows& cambi_rows() { return simd_mode() == SimdMode::kScalar ? slow_cambi_rows() : fast_cambi_rows(); }

}  // namespace vmafbatch::extractors
