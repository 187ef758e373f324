#include "graph/alignment_evidence.h"

#include <cstdint>

namespace vmafbatch::graph {
namespace {

constexpr auto kBlocks = static_cast<double>(LumaSignature::kBlocks);
constexpr double kFloor = squared_steps(1.0 / 32);  // differences below this are rounding
constexpr double kLeastContrast = 0.7;
constexpr double kMostContrast = 1.4;

}  // namespace

double squared_difference(const LumaSignature& a, const LumaSignature& b) {
  std::int64_t sum = 0;
  for (size_t i = 0; i < LumaSignature::kBlocks; ++i) {
    const std::int64_t d = std::int64_t{a.means[i]} - b.means[i];
    sum += d * d;
  }
  return static_cast<double>(sum);
}

double unexplained(const LumaSignature& reference, const LumaSignature& distorted) {
  std::int64_t r = 0;
  std::int64_t d = 0;
  std::int64_t rr = 0;
  std::int64_t rd = 0;
  std::int64_t dd = 0;
  for (size_t i = 0; i < LumaSignature::kBlocks; ++i) {
    const std::int64_t a = reference.means[i];
    const std::int64_t b = distorted.means[i];
    r += a;
    d += b;
    rr += a * a;
    rd += a * b;
    dd += b * b;
  }
  const auto moment = [](std::int64_t product, std::int64_t x, std::int64_t y) {
    return static_cast<double>(product) - static_cast<double>(x) * static_cast<double>(y) / kBlocks;
  };
  const double var_r = moment(rr, r, r);
  const double cov = moment(rd, r, d);
  const double contrast = var_r > 0 ? std::clamp(cov / var_r, kLeastContrast, kMostContrast) : 1.0;
  return std::max(0.0, moment(dd, d, d) - 2 * contrast * cov + contrast * contrast * var_r);
}

float mismatch(const LumaSignature& reference, const LumaSignature& distorted) {
  return static_cast<float>(std::log2(unexplained(reference, distorted) + kFloor));
}

}  // namespace vmafbatch::graph
