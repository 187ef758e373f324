// The arithmetic of ciede for one pixel: YCbCr to Lab, and the CIEDE2000 difference of two Lab colours. Expressions are evaluated as
// written, nothing fused. Sources: Sharma, Wu, Dalal, "The CIEDE2000 color-difference formula", Color Research & Application 30(1),
// 2005; Yang, Ming, Yu, "Color Image Quality Assessment Based on CIEDE2000", Advances in Multimedia 2012 (the three weights).
//
// `Math` gives the functions of the C library, and round(), the rounding to float of a double that came out of one of them: there the
// last bits of the library's result can decide. The CPU calls the library itself (CiedeLibrary); a twin whose functions differ in the
// last bits sees in round() whether the float is certain, and hands the pixel back to the host where it is not.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"

namespace vmafbatch::extractors {

inline constexpr double kCiedePi = 3.14159265358979323846;

struct CiedeLab {
  float l;
  float a;
  float b;
};

// How samples of one bit depth become luma 0..1 and chroma -0.5..0.5 (limited range).
struct CiedeRange {
  double luma_offset;
  double luma_scale;
  double chroma_offset;
  double chroma_scale;
};

VB_HOST_DEVICE inline CiedeRange ciede_range(int bit_depth) {
  const double k = static_cast<double>(1 << (bit_depth - 8));
  return {16.0 * k, 1.0 / (219.0 * k), 128.0 * k, 1.0 / (224.0 * k)};
}

// The C library's functions: the reference. Always the double functions, but for powf.
struct CiedeLibrary {
  double pow(double x, double y) const { return std::pow(x, y); }
  double exp(double x) const { return std::exp(x); }
  double sin(double x) const { return std::sin(x); }
  double cos(double x) const { return std::cos(x); }
  double atan2(double y, double x) const { return std::atan2(y, x); }
  float hue_shape(double h) const;  // ciede_hue_shape
  float pow7f(float x) const { return ::powf(x, 7.0f); }
  float round(double x) const { return static_cast<float>(x); }
};

// The linear light of a gamma-coded component (the curve of sRGB). Values outside 0..1 are not clamped.
template <class Math>
VB_HOST_DEVICE inline double ciede_linear(const Math& math, double c) {
  return c > 10.0 / 255.0 ? math.pow((c + 0.055) * (1.0 / 1.055), 2.4) : c * (1.0 / 12.92);
}

// The cube root of Lab with its straight part near black.
template <class Math>
VB_HOST_DEVICE inline float ciede_root(const Math& math, double c) {
  return c > 216.0 / 24389.0 ? math.round(math.pow(c, 1.0 / 3.0)) : math.round((24389.0 / 27.0 * c + 16.0) * (1.0 / 116.0));
}

// Lab of integer samples; BT.709 primaries, D65.
template <class Math>
VB_HOST_DEVICE inline CiedeLab ciede_lab(const Math& math, const CiedeRange& range, int luma, int cb, int cr) {
  const double y = (luma - range.luma_offset) * range.luma_scale;
  const double u = (cb - range.chroma_offset) * range.chroma_scale;
  const double v = (cr - range.chroma_offset) * range.chroma_scale;
  const double r = ciede_linear(math, y + 1.28033 * v);
  const double g = ciede_linear(math, y - 0.21482 * u - 0.38059 * v);
  const double b = ciede_linear(math, y + 2.12798 * u);

  const double x_d65 = r * 0.4124564390896921 + g * 0.357576077643909 + b * 0.18043748326639894;
  const double y_d65 = r * 0.21267285140562248 + g * 0.715152155287818 + b * 0.07217499330655958;
  const double z_d65 = r * 0.019333895582329317 + g * 0.119192025881303 + b * 0.9503040785363677;
  const double fx = ciede_root(math, x_d65 * (1.0 / 0.95047));
  const double fy = ciede_root(math, y_d65);
  const double fz = ciede_root(math, z_d65 * (1.0 / 1.08883));
  return {static_cast<float>(116.0 * fy - 16.0), static_cast<float>(500.0 * (fx - fy)), static_cast<float>(200.0 * (fy - fz))};
}

VB_HOST_DEVICE inline double ciede_square(float v) { return static_cast<double>(v) * static_cast<double>(v); }

// sqrt(a^2 + b^2)
VB_HOST_DEVICE inline float ciede_chroma(float a, float b) { return static_cast<float>(std::sqrt(ciede_square(a) + ciede_square(b))); }

// The hue angle, 0 .. 2 pi; 0 for grey.
template <class Math>
VB_HOST_DEVICE inline float ciede_hue(const Math& math, float b, float a) {
  if (b == 0.0f && a == 0.0f) return 0.0f;
  const float h = math.round(math.atan2(static_cast<double>(b), static_cast<double>(a)));
  return h < 0.0f ? static_cast<float>(static_cast<double>(h) + 2.0 * kCiedePi) : h;
}

// The signed angle from h1 to h2 the short way round; c1 and c2 are the chromas before the correction of a.
VB_HOST_DEVICE inline float ciede_hue_step(float c1, float c2, float h1, float h2) {
  if (c1 == 0.0f || c2 == 0.0f) return 0.0f;
  const float step = h2 - h1;
  if (static_cast<double>(std::fabs(h1 - h2)) <= kCiedePi) return step;
  if (h2 <= h1) return static_cast<float>(static_cast<double>(step) + 2.0 * kCiedePi);
  return static_cast<float>(static_cast<double>(step) - 2.0 * kCiedePi);
}

VB_HOST_DEVICE inline float ciede_mean_hue(float h1, float h2) {
  const double sum = static_cast<double>(h1 + h2);
  if (static_cast<double>(std::fabs(h1 - h2)) > kCiedePi) return static_cast<float>((sum + 2.0 * kCiedePi) / 2.0);
  return static_cast<float>(sum / 2.0);
}

// T: how the weight of a hue difference goes round the circle.
template <class Math>
VB_HOST_DEVICE inline float ciede_hue_shape(const Math& math, double h) {
  return math.round(1.0 - 0.17 * math.cos(h - kCiedePi / 6.0) + 0.24 * math.cos(2.0 * h) + 0.32 * math.cos(3.0 * h + kCiedePi / 30.0) -
                    0.20 * math.cos(4.0 * h - 7.0 * kCiedePi / 20.0));
}

inline float CiedeLibrary::hue_shape(double h) const { return ciede_hue_shape(*this, h); }

// S_H: the weight of a hue difference by chroma and hue.
template <class Math>
VB_HOST_DEVICE inline float ciede_hue_weight(const Math& math, float mean_chroma, float mean_hue) {
  const float t = math.hue_shape(static_cast<double>(mean_hue));
  return static_cast<float>(1.0 + 0.015 * static_cast<double>(mean_chroma) * static_cast<double>(t));
}

// R_T: how much chroma and hue differences of blue colours act together. 25^7 is a float here, other than in the correction of a.
template <class Math>
VB_HOST_DEVICE inline float ciede_rotation(const Math& math, float mean_chroma, float mean_hue) {
  const float degrees = static_cast<float>(static_cast<double>(mean_hue) * (180.0 / kCiedePi));
  const float z = static_cast<float>((static_cast<double>(degrees) - 275.0) * (1.0 / 25.0));
  // Far from blue the term R_T * c * h vanishes: |R_T| <= 2.1 * exp(-z^2) < 2^-56 there, and c * h <= (c^2 + h^2) / 2, so that adding it to
  // l^2 + c^2 + h^2 in double changes no bit.
  if (z * z > 40.0f) return 0.0f;
  const float bell = math.round(60.0 * math.exp(static_cast<double>(-(z * z))));
  const float angle = static_cast<float>(static_cast<double>(bell) * (kCiedePi / 180.0));
  const float w = math.pow7f(mean_chroma);
  const float part = w / (w + 6103515648.0f);
  return math.round(-2.0 * std::sqrt(static_cast<double>(part)) * math.sin(static_cast<double>(angle)));
}

// The difference of two colours, 0 or more.
template <class Math>
VB_HOST_DEVICE inline float ciede_difference(const Math& math, const CiedeLab& one, const CiedeLab& two) {
  const float c1 = ciede_chroma(one.a, one.b);
  const float c2 = ciede_chroma(two.a, two.b);
  const double p = math.pow(static_cast<double>((c1 + c2) / 2.0f), 7.0);
  const double g = 1.0 - std::sqrt(p / (p + 6103515625.0));  // 25^7
  const float a1 = math.round(static_cast<double>(one.a) + static_cast<double>(one.a / 2.0f) * g);
  const float a2 = math.round(static_cast<double>(two.a) + static_cast<double>(two.a / 2.0f) * g);
  const float corrected1 = ciede_chroma(a1, one.b);
  const float corrected2 = ciede_chroma(a2, two.b);
  const float mean_chroma = (corrected1 + corrected2) / 2.0f;

  const float mean_l = (one.l + two.l) / 2.0f;
  const double q = ciede_square(mean_l - 50.0f);
  const float weight_l = static_cast<float>(1.0 + (0.015 * q) / std::sqrt(20.0 + q));
  const float weight_c = static_cast<float>(1.0 + 0.045 * static_cast<double>(mean_chroma));
  const float l = (two.l - one.l) / (0.65f * weight_l);
  const float c = (corrected2 - corrected1) / weight_c;

  const float h1 = ciede_hue(math, one.b, a1);
  const float h2 = ciede_hue(math, two.b, a2);
  const float step = ciede_hue_step(c1, c2, h1, h2);
  if (step == 0.0f) return static_cast<float>(std::sqrt(ciede_square(l) + ciede_square(c)));  // no hue term: its weights do not matter
  const float mean_hue = ciede_mean_hue(h1, h2);
  const float difference_h =
      math.round(2.0 * std::sqrt(static_cast<double>(corrected1 * corrected2)) * math.sin(static_cast<double>(step) / 2.0));
  const float h = difference_h / (4.0f * ciede_hue_weight(math, mean_chroma, mean_hue));
  const float rotation = ciede_rotation(math, mean_chroma, mean_hue);
  return static_cast<float>(std::sqrt(ciede_square(l) + ciede_square(c) + ciede_square(h) + static_cast<double>((rotation * c) * h)));
}

}  // namespace vmafbatch::extractors
