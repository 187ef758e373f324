// The fast paths of ssimulacra2 against their plain twins, over random bits, on every vector target.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/simd.h"
#include "extractors/registry.h"
#include "extractors/ssimulacra2_picture.h"
#include "extractors/ssimulacra2_sums.h"
#include "support/random_frames.h"
#include "support/synthetic_clip.h"
#include "support/vector_targets.h"

namespace vmafbatch::testing {
namespace {

namespace ss2 = extractors::ssimulacra2;
using extractors::FloatPlane;
using io::Chroma;
using io::PictureFormat;

constexpr std::array kWidths{1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 257};

std::vector<std::uint32_t> bits_of(const float* values, int count) {
  std::vector<std::uint32_t> bits;
  for (int i = 0; i < count; ++i) bits.push_back(std::bit_cast<std::uint32_t>(values[i]));
  return bits;
}

ss2::RgbRow rows_from(FloatPlane& plane, int first) {
  return {plane.view().row(first), plane.view().row(first + 1), plane.view().row(first + 2)};
}

template <class Sample>
void check_linear_rows(const PictureFormat& format, RandomKind kind) {
  const auto frame = random_frame(format, 20250107, kind);
  const auto y = frame->plane<Sample>(0);
  const auto u = frame->plane<Sample>(1);
  const auto v = frame->plane<Sample>(2);
  const int shift = format.chroma == Chroma::k444 ? 0 : 1;
  FloatPlane out(format.width, 6);
  for (int matrix = 0; matrix < 4; ++matrix) {
    const ss2::Conversion conversion = ss2::conversion(matrix, format.bit_depth);
    for (int row = 0; row < v.height; ++row) {
      ss2::linear_row(y.row(row), u.row(row), v.row(row), format.width, shift, conversion, rows_from(out, 0));
      ss2::slow_linear_row(y.row(row), u.row(row), v.row(row), format.width, shift, conversion, rows_from(out, 3));
      for (int c = 0; c < 3; ++c) {
        ASSERT_EQ(bits_of(out.view().row(c), format.width), bits_of(out.view().row(c + 3), format.width))
            << format.text() << " matrix " << matrix << " channel " << c;
      }
    }
  }
}

TEST(Ssimulacra2Simd, LinearRowEqualsItsTwinOnEveryTarget) {
  on_every_vector_target([] {
    for (const int width : kWidths) {
      for (const Chroma chroma : {Chroma::k420, Chroma::k444}) {
        for (const RandomKind kind : {RandomKind::kUniform, RandomKind::kExtremes}) {
          check_linear_rows<std::uint8_t>({width, 8, chroma, 8}, kind);
          for (const int depth : {10, 12, 16}) check_linear_rows<std::uint16_t>({width, 8, chroma, depth}, kind);
        }
      }
    }
  });
}

// Linear light as pictures have it, with both ends of the range, and values outside it that reach the negative branch of the cube root.
float random_light(std::mt19937& random) {
  switch (random() % 8) {
    case 0: return 0.0f;
    case 1: return 1.0f;
    case 2: return -std::ldexp(static_cast<float>(random()), -33);
    default: return std::ldexp(static_cast<float>(random()), -32 - static_cast<int>(random() % 16));
  }
}

FloatPlane random_plane(int width, int height, std::mt19937& random) {
  FloatPlane plane(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) plane.view().row(y)[x] = random_light(random);
  }
  return plane;
}

TEST(Ssimulacra2Simd, XybRowEqualsItsTwinOnEveryTarget) {
  on_every_vector_target([] {
    std::mt19937 random(20250108);
    for (const int width : kWidths) {
      for (int repeat = 0; repeat < 40; ++repeat) {
        const FloatPlane in = random_plane(width, 3, random);
        const ss2::ConstRgbRow row{in.view().row(0), in.view().row(1), in.view().row(2)};
        FloatPlane out(width, 6);
        ss2::xyb_row(row, width, rows_from(out, 0));
        ss2::slow_xyb_row(row, width, rows_from(out, 3));
        for (int c = 0; c < 3; ++c) ASSERT_EQ(bits_of(out.view().row(c), width), bits_of(out.view().row(c + 3), width)) << width;
      }
    }
  });
}

TEST(Ssimulacra2Simd, HalveRowsEqualsItsTwinOnEveryTarget) {
  on_every_vector_target([] {
    std::mt19937 random(20250109);
    for (const int width : kWidths) {
      const FloatPlane in = random_plane(width, 2, random);
      const int count = (width + 1) / 2;
      FloatPlane out(count, 2);
      ss2::halve_rows(in.view().row(0), in.view().row(1), width, out.view().row(0));
      ss2::slow_halve_rows(in.view().row(0), in.view().row(1), width, out.view().row(1));
      EXPECT_EQ(bits_of(out.view().row(0), count), bits_of(out.view().row(1), count)) << width;
    }
  });
}

// Planes whose sums take every branch: unrelated, nearly equal, equal, and flat against noise.
std::pair<FloatPlane, FloatPlane> random_planes(int width, int height, std::mt19937& random, int kind) {
  FloatPlane reference = random_plane(width, height, random);
  FloatPlane distorted = random_plane(width, height, random);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      float& a = reference.view().row(y)[x];
      float& b = distorted.view().row(y)[x];
      if (kind == 1) b = a + b * 0x1p-6f;
      if (kind == 2) b = a;
      if (kind == 3) a = 0.25f;
    }
  }
  return {std::move(reference), std::move(distorted)};
}

void expect_same_sums(const FloatPlane& reference, const FloatPlane& distorted, const std::string& what) {
  const ss2::ChannelSums fast = ss2::channel_sums(reference.view(), distorted.view());
  const ss2::ChannelSums plain = ss2::slow_channel_sums(reference.view(), distorted.view());
  for (size_t i = 0; i < fast.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(fast[i]), std::bit_cast<std::uint64_t>(plain[i])) << what << ", sum " << i;
  }
}

TEST(Ssimulacra2Simd, ChannelSumsEqualTheirTwinOnEveryTarget) {
  on_every_vector_target([] {
    std::mt19937 random(20250110);
    for (const int width : kWidths) {
      for (const int height : {1, 3, 8, 9, 15, 16, 17, 18, 29, 33, 50, 67}) {
        for (int kind = 0; kind < 4; ++kind) {
          const auto [reference, distorted] = random_planes(width, height, random, kind);
          expect_same_sums(reference, distorted, std::to_string(width) + "x" + std::to_string(height) + " kind " + std::to_string(kind));
        }
      }
    }
  });
}

// Every word that measure() gives for the same pictures.
std::vector<std::uint64_t> measured(const PictureFormat& format, RandomKind kind, SimdMode mode) {
  const auto request = extractors::parse_feature("ssimulacra2=yuv_matrix=1");
  set_simd_mode(mode);
  const auto extractor = request->extractor->create(request->options, {format, "clip"});
  const std::vector<std::shared_ptr<const io::FramePair>> pairs{
      std::make_shared<io::FramePair>(random_frame(format, 1, kind), random_frame(format, 2, kind))};
  extractors::Measurements out;
  (*extractor)->measure(window_at(pairs, 0, 0), out);
  set_simd_mode(SimdMode::kBest);
  return {out.words().begin(), out.words().end()};
}

TEST(Ssimulacra2Simd, WholePicturesEqualTheScalarModeOnEveryTarget) {
  on_every_vector_target([] {
    for (const Chroma chroma : {Chroma::k420, Chroma::k422, Chroma::k444}) {
      for (const int depth : {8, 10, 12, 16}) {
        for (const RandomKind kind : {RandomKind::kUniform, RandomKind::kExtremes, RandomKind::kNear}) {
          for (const auto& [width, height] : {std::pair{8, 8}, {9, 8}, {65, 67}, {131, 33}}) {
            const PictureFormat format{width, height, chroma, depth};
            EXPECT_EQ(measured(format, kind, SimdMode::kBest), measured(format, kind, SimdMode::kScalar)) << format.text();
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace vmafbatch::testing
