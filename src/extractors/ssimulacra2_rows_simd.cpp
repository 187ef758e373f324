#include "extractors/ssimulacra2_picture.h"
#include "extractors/ssimulacra2_sums.h"

namespace vmafbatch::extractors::ssimulacra2 {

void linear_row(const std::uint8_t* y, const std::uint8_t* u, const std::uint8_t* v, int width, int shift, const Conversion& conversion,
                const RgbRow& out) {
  slow_linear_row(y, u, v, width, shift, conversion, out);
}

void linear_row(const std::uint16_t* y, const std::uint16_t* u, const std::uint16_t* v, int width, int shift, const Conversion& conversion,
                const RgbRow& out) {
  slow_linear_row(y, u, v, width, shift, conversion, out);
}

void xyb_row(const ConstRgbRow& in, int width, const RgbRow& out) { slow_xyb_row(in, width, out); }

void halve_rows(const float* upper, const float* lower, int width, float* out) { slow_halve_rows(upper, lower, width, out); }

ChannelSums channel_sums(io::Plane<const float> reference, io::Plane<const float> distorted) {
  return slow_channel_sums(reference, distorted);
}

// Five blurred planes, one of products and one between the passes.
size_t channel_sums_bytes(int width, int height) { return 7 * FloatPlane::bytes_of(width, height); }

}  // namespace vmafbatch::extractors::ssimulacra2
