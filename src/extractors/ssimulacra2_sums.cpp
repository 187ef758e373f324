#include "extractors/ssimulacra2_sums.h"

#include <utility>
#include <vector>

namespace vmafbatch::extractors::ssimulacra2 {
namespace {

// One pass over a line whose sample n is in[n * step].
void blur_line(const float* in, float* out, int length, ptrdiff_t in_step, ptrdiff_t out_step) {
  BlurState state;
  for (int n = -kBlurLead; n < length; ++n) {
    const float behind = n >= kBlurBehind ? in[(n - kBlurBehind) * in_step] : 0.0f;
    const float ahead = n + kBlurAhead < length ? in[(n + kBlurAhead) * in_step] : 0.0f;
    const float value = blur_step(behind, ahead, state);
    if (n >= 0) out[n * out_step] = value;
  }
}

FloatPlane blurred(io::Plane<const float> in) {
  FloatPlane out(in.width, in.height);
  slow_blur(in, out.view());
  return out;
}

FloatPlane blurred_product(io::Plane<const float> a, io::Plane<const float> b) {
  FloatPlane product(a.width, a.height);
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) product.view().row(y)[x] = a.row(y)[x] * b.row(y)[x];
  }
  return blurred(std::as_const(product).view());
}

}  // namespace

void slow_blur(io::Plane<const float> in, io::Plane<float> out) {
  FloatPlane along_rows(in.width, in.height);
  const io::Plane<float> between = along_rows.view();
  for (int y = 0; y < in.height; ++y) blur_line(in.row(y), between.row(y), in.width, 1, 1);
  for (int x = 0; x < in.width; ++x) blur_line(between.data + x, out.data + x, in.height, between.stride, out.stride);
}

ChannelSums slow_channel_sums(io::Plane<const float> reference, io::Plane<const float> distorted) {
  const FloatPlane mean1 = blurred(reference);
  const FloatPlane mean2 = blurred(distorted);
  const FloatPlane square1 = blurred_product(reference, reference);
  const FloatPlane square2 = blurred_product(distorted, distorted);
  const FloatPlane product = blurred_product(reference, distorted);
  ChannelSums sums{};
  for (int y = 0; y < reference.height; ++y) {
    for (int x = 0; x < reference.width; ++x) {
      const MapTerms terms = map_terms({.reference = reference.row(y)[x],
                                        .distorted = distorted.row(y)[x],
                                        .mean1 = mean1.view().row(y)[x],
                                        .mean2 = mean2.view().row(y)[x],
                                        .square1 = square1.view().row(y)[x],
                                        .square2 = square2.view().row(y)[x],
                                        .product = product.view().row(y)[x]});
      for (size_t i = 0; i < kSums; ++i) sums[i] = sums[i] + terms.term[i];
    }
  }
  return sums;
}

size_t slow_channel_sums_bytes(int width, int height) {
  constexpr size_t kPlanes = 7;  // five blurred ones, one of products and one between the passes
  return kPlanes * FloatPlane::bytes_of(width, height);
}

}  // namespace vmafbatch::extractors::ssimulacra2
