#include "extractors/vif_sums.h"

#include <array>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/simd.h"
#include "extractors/vif_log_table.h"
#include "extractors/vif_pyramid.h"
#include "extractors/vif_simd.h"

namespace vmafbatch::extractors {
namespace {

// What the vertical pass gives for one row: the means fit 16 bits, the products 32.
struct ColumnRow {
  explicit ColumnRow(int width) : columns(static_cast<size_t>(width)) {}
  std::vector<VifMoments> columns;
};

// The rows that a window of 2 * radius + 1 rows reads, top to bottom.
template <class Sample>
using WindowRows = std::array<const Sample*, 2 * vif_radius(0) + 1>;

template <class Sample>
WindowRows<Sample> window_rows(io::Plane<const Sample> plane, int y, int radius) {
  WindowRows<Sample> rows{};
  for (int k = 0; k <= 2 * radius; ++k) rows[static_cast<size_t>(k)] = plane.row(vif_mirror(y - radius + k, plane.height));
  return rows;
}

template <class Sample>
void filter_columns(const WindowRows<Sample>& reference, const WindowRows<Sample>& distorted, int scale, int bit_depth, ColumnRow& out) {
  const int radius = vif_radius(scale);
  const int sample_shift = vif_sample_shift(scale, bit_depth);
  const int product_shift = vif_product_shift(scale, bit_depth);
  for (size_t x = 0; x < out.columns.size(); ++x) {
    std::uint32_t mean1 = 0, mean2 = 0;
    std::uint64_t square1 = 0, square2 = 0, product = 0;
    for (int k = -radius; k <= radius; ++k) {
      const std::uint32_t tap = vif_tap(scale, k < 0 ? -k : k);
      const std::uint32_t p = reference[static_cast<size_t>(k + radius)][x];
      const std::uint32_t q = distorted[static_cast<size_t>(k + radius)][x];
      mean1 += tap * p;
      mean2 += tap * q;
      square1 += std::uint64_t{tap} * (p * p);
      square2 += std::uint64_t{tap} * (q * q);
      product += std::uint64_t{tap} * (p * q);
    }
    out.columns[x] = {
        static_cast<std::uint32_t>(vif_round(mean1, sample_shift)), static_cast<std::uint32_t>(vif_round(mean2, sample_shift)),
        static_cast<std::uint32_t>(vif_round(square1, product_shift)), static_cast<std::uint32_t>(vif_round(square2, product_shift)),
        static_cast<std::uint32_t>(vif_round(product, product_shift))};
  }
}

// The horizontal pass at one pixel. column(i) is the column i away.
template <class Column>
VifMoments filter_row(int scale, const Column& column) {
  const int radius = vif_radius(scale);
  std::uint32_t mean1 = 0, mean2 = 0;
  std::uint64_t square1 = 0, square2 = 0, product = 0;
  for (int k = -radius; k <= radius; ++k) {
    const std::uint32_t tap = vif_tap(scale, k < 0 ? -k : k);
    const VifMoments& c = column(k);
    mean1 += tap * c.mean1;
    mean2 += tap * c.mean2;
    square1 += std::uint64_t{tap} * c.square1;
    square2 += std::uint64_t{tap} * c.square2;
    product += std::uint64_t{tap} * c.product;
  }
  return {mean1, mean2, static_cast<std::uint32_t>(vif_round(square1, 16)), static_cast<std::uint32_t>(vif_round(square2, 16)),
          static_cast<std::uint32_t>(vif_round(product, 16))};
}

// A side of one sample has no reflection. libvmaf then reads what an earlier step left in its buffers, and so do we (only scale 3 of
// pictures below 16 gets here): above and below the only row lies row 1 of scale 2 ...
void replace_missing_rows(const io::FramePair& pair, WindowRows<std::uint16_t>& reference, WindowRows<std::uint16_t>& distorted) {
  with_vif_planes(pair, 2, [&](auto p, auto q) {
    if constexpr (std::is_same_v<decltype(p), io::Plane<const std::uint16_t>>) {
      reference[0] = reference[2] = p.row(1);
      distorted[0] = distorted[2] = q.row(1);
    }
  });
}

// ... and beside the only column lies column 1 of the vertical pass over the last row of scale 2.
VifMoments missing_column(const io::FramePair& pair, int bit_depth) {
  VifMoments found{};
  with_vif_planes(pair, 2, [&](auto p, auto q) {
    ColumnRow row(p.width);
    filter_columns(window_rows(p, p.height - 1, vif_radius(2)), window_rows(q, q.height - 1, vif_radius(2)), 2, bit_depth, row);
    found = row.columns[1];
  });
  return found;
}

template <class Sample>
VifSums plane_sums(const io::FramePair& pair, io::Plane<const Sample> p, io::Plane<const Sample> q, int scale, double gain_limit) {
  const int bit_depth = pair.reference().format().bit_depth;
  const int radius = vif_radius(scale);
  const VifMoments beside = p.width == 1 ? missing_column(pair, bit_depth) : VifMoments{};
  ColumnRow row(p.width);
  VifSums sums;
  for (int y = 0; y < p.height; ++y) {
    WindowRows<Sample> reference{};
    WindowRows<Sample> distorted{};
    if (p.height > 1) {
      reference = window_rows(p, y, radius);
      distorted = window_rows(q, y, radius);
    } else if constexpr (std::is_same_v<Sample, std::uint16_t>) {
      reference[1] = p.row(0);
      distorted[1] = q.row(0);
      replace_missing_rows(pair, reference, distorted);
    }
    filter_columns(reference, distorted, scale, bit_depth, row);
    for (int x = 0; x < p.width; ++x) {
      const auto column = [&](int k) -> const VifMoments& {
        if (p.width == 1) return k == 0 ? row.columns[0] : beside;
        return row.columns[static_cast<size_t>(vif_mirror(x + k, p.width))];
      };
      vif_add_pixel(vif_variances(filter_row(scale, column)), gain_limit, vif_log_table().data(), sums);
    }
  }
  return sums;
}

}  // namespace

VifSums slow_vif_scale_sums(const io::FramePair& pair, int scale, double gain_limit) {
  VifSums sums;
  with_vif_planes(pair, scale, [&](auto p, auto q) { sums = plane_sums(pair, p, q, scale, gain_limit); });
  return sums;
}

VifSums vif_scale_sums(const io::FramePair& pair, int scale, double gain_limit) {
  const io::PictureFormat& format = pair.reference().format();
  if (simd_mode() == SimdMode::kScalar || !vif_vectors_serve(format)) return slow_vif_scale_sums(pair, scale, gain_limit);
  std::optional<VifSums> sums;
  with_vif_planes(pair, scale, [&](auto p, auto q) { sums = fast_vif_plane_sums(p, q, scale, format.bit_depth, gain_limit); });
  return sums ? *sums : slow_vif_scale_sums(pair, scale, gain_limit);
}

// 16384 * 65025: the largest variance, on the scale of the variances.
float vif_numerator(const VifSums& sums) {
  return static_cast<float>(static_cast<double>(sums.log_numerator) / 2048.0 +
                            (static_cast<double>(sums.flat_pixels) - (static_cast<double>(sums.flat_variance) / 16384.0) / 65025.0));
}
float vif_denominator(const VifSums& sums) {
  return static_cast<float>(static_cast<double>(sums.log_denominator) / 2048.0 + static_cast<double>(sums.flat_pixels));
}

}  // namespace vmafbatch::extractors
