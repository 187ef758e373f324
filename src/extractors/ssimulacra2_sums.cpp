#include "extractors/ssimulacra2_sums.h"

#include <utility>
#include <vector>

namespace vmafbatch::extractors::ssimulacra2 {
namespace {

void blur_row(const float* in, float* out, int length) {
  BlurState state;
  for (int n = -kBlurLead; n < length; ++n) {
    const float behind = n >= kBlurBehind ? in[n - kBlurBehind] : 0.0f;
    const float ahead = n + kBlurAhead < length ? in[n + kBlurAhead] : 0.0f;
    const float value = blur_step(behind, ahead, state);
    if (n >= 0) out[n] = value;
  }
}

// All columns side by side, because memory is fast along the rows.
void blur_columns(io::Plane<const float> in, io::Plane<float> out) {
  std::vector<BlurState> states(static_cast<size_t>(in.width));
  const std::vector<float> zeros(static_cast<size_t>(in.width), 0.0f);
  for (int n = -kBlurLead; n < in.height; ++n) {
    const float* const behind = n >= kBlurBehind ? in.row(n - kBlurBehind) : zeros.data();
    const float* const ahead = n + kBlurAhead < in.height ? in.row(n + kBlurAhead) : zeros.data();
    for (int x = 0; x < in.width; ++x) {
      const float value = blur_step(behind[x], ahead[x], states[static_cast<size_t>(x)]);
      if (n >= 0) out.row(n)[x] = value;
    }
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
  for (int y = 0; y < in.height; ++y) blur_row(in.row(y), along_rows.view().row(y), in.width);
  blur_columns(std::as_const(along_rows).view(), out);
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
