// ciede: values of libvmaf 3.2.0 over formula pictures and single pixels, the chroma rule, limits, and the fast path against its twin.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdio>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "base/simd.h"
#include "extractors/ciede_quick.h"
#include "extractors/ciede_rows.h"
#include "extractors/ordered_bands.h"
#include "extractors/plane_patterns.h"
#include "support/expect_values.h"
#include "support/random_frames.h"

namespace vmafbatch::testing {
namespace {

using extractors::CiedeLab;
using extractors::CiedeLibrary;
using io::Chroma;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct CiedeCase {
  char pattern;
  io::PictureFormat format;
  int frame;
  double value;
};

// 4:2:2 is missing here: libvmaf 3.2.0 takes the wrong chroma samples there.
const CiedeCase kCases[] = {
    {'R', {64, 48, Chroma::k420, 8}, 0, 37.622716222933732},  {'R', {64, 48, Chroma::k420, 8}, 1, 37.406907212746354},
    {'R', {50, 36, Chroma::k444, 12}, 0, 42.171306105330302}, {'N', {64, 48, Chroma::k420, 8}, 0, 11.360014692403801},
    {'N', {64, 48, Chroma::k444, 16}, 0, 11.150309034677804}, {'S', {64, 48, Chroma::k420, 10}, 0, 40.869368062129283},
    {'S', {2, 2, Chroma::k420, 8}, 0, 39.804586585689826},    {'F', {64, 48, Chroma::k420, 8}, 0, 46.134594978190471},
    {'F', {64, 48, Chroma::k444, 10}, 0, 46.134594978190471}, {'E', {64, 48, Chroma::k420, 8}, 0, 5.2219445637971162},
    {'K', {64, 48, Chroma::k420, 8}, 0, 18.969989531064563},
};

std::string refusal(const io::PictureFormat& format) {
  const auto request = extractors::parse_feature("ciede");
  const auto extractor = request->extractor->create(request->options, {format, "clip"});
  return extractor.ok() ? "" : extractor.error().message;
}

// Nine significant digits tell one float from every other.
std::string digits(float v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(v));
  return text[0] == '-' && v == 0.0f ? "0" : text;
}
std::string digits(const CiedeLab& lab) { return digits(lab.l) + ", " + digits(lab.a) + ", " + digits(lab.b); }

using Pixel = std::array<int, 3>;
CiedeLab lab_of(int depth, const Pixel& p) {
  return extractors::ciede_lab(CiedeLibrary{}, extractors::ciede_range(depth), p[0], p[1], p[2]);
}

TEST(Ciede, EqualsLibvmafOnFormulaPictures) {
  for (const CiedeCase& expected : kCases) {
    SCOPED_TRACE(std::string(1, expected.pattern) + " " + expected.format.text());
    const ExtractorRun run = run_or_fail("ciede", plane_pairs(expected.pattern, expected.format, expected.frame + 1));
    EXPECT_EQ(keys_of(run), std::set<std::string>{"ciede2000"});
    expect_value(run, expected.frame, "ciede2000", expected.value);
  }
}

TEST(Ciede, IsInfiniteForIdenticalPictures) {
  for (const Chroma chroma : {Chroma::k420, Chroma::k422, Chroma::k444}) {
    for (const char pattern : {'F', 'N'}) {
      expect_value(run_or_fail("ciede", equal_sides(pattern, {64, 48, chroma, 8})), 0, "ciede2000", kInfinity);
    }
  }
}

TEST(CiedePixel, EqualsLibvmaf) {
  struct PixelCase {
    int depth;
    Pixel reference;
    const char* reference_lab;
    Pixel distorted;
    const char* distorted_lab;
    const char* difference;
  };
  const PixelCase cases[] = {
      {8, {16, 128, 128}, "-5.96046448e-08, 0, 0", {17, 128, 128}, "0.319244742, 0, 0", "0.281521201"},
      {8, {100, 120, 140}, "41.7330551, 5.78214216, 12.4012175", {101, 121, 140}, "42.1955795, 6.26906776, 10.8892145", "0.862668276"},
      {8, {235, 128, 128}, "100, 0, 0", {16, 128, 128}, "-5.96046448e-08, 0, 0", "153.846161"},
      {8, {81, 90, 240}, "51.3792572, 71.7765656, 69.2009888", {81, 91, 239}, "51.1079826, 71.3653259, 68.1972504", "0.456452787"},
      {8, {145, 54, 34}, "73.3083267, -74.2059937, 74.7399979", {140, 60, 40}, "70.1585617, -71.234436, 71.4346542", "3.75640821"},
      {8, {41, 240, 110}, "39.1064682, 88.6155701, -121.548782", {50, 230, 120}, "38.0397263, 84.2610016, -115.816391", "1.70050085"},
      {8, {0, 0, 0}, "16.0289192, -163.072556, 155.082077", {255, 255, 255}, "122.853264, 139.771164, -126.249527", "132.355423"},
      {8, {0, 128, 128}, "-5.10791445, 0, 0", {1, 128, 128}, "-4.78866959, 0, 0", "0.269636989"},
      {10, {512, 500, 530}, "54.5552826, 1.81013346, 4.3259263", {514, 498, 531}, "54.787014, 1.72397494, 5.03484011", "0.570464194"},
      {12, {3000, 2048, 2048}, "80.492775, 0, 0", {3001, 2050, 2047}, "80.5190582, 0.0259876251, -0.163316727", "0.169572487"},
      {16,
       {40000, 30000, 36000},
       "67.2978745, 4.05466557, 15.0355816",
       {40010, 30020, 35990},
       "67.3131866, 4.06083488, 14.9269466",
       "0.061056301"},
  };
  for (const PixelCase& c : cases) {
    const CiedeLab one = lab_of(c.depth, c.reference);
    const CiedeLab two = lab_of(c.depth, c.distorted);
    EXPECT_EQ(digits(one), c.reference_lab);
    EXPECT_EQ(digits(two), c.distorted_lab);
    EXPECT_EQ(digits(extractors::ciede_difference(CiedeLibrary{}, one, two)), c.difference);
  }
}

TEST(CiedePixel, EqualColoursDifferByPlainZero) {
  for (const Pixel& p : {Pixel{0, 0, 0}, Pixel{128, 128, 128}, Pixel{16, 240, 16}, Pixel{255, 255, 255}}) {
    const CiedeLab lab = lab_of(8, p);
    expect_bits(static_cast<double>(extractors::ciede_difference(CiedeLibrary{}, lab, lab)), 0.0, "difference");
  }
}

TEST(CiedeHueStep, GoesTheShortWayRound) {
  constexpr auto kTwoPi = static_cast<float>(2.0 * extractors::kCiedePi);
  EXPECT_EQ(extractors::ciede_hue_step(1, 1, 1.0f, 1.5f), 0.5f);
  EXPECT_NEAR(extractors::ciede_hue_step(1, 1, kTwoPi - 0.25f, 0.25f), 0.5f, 1e-6f);
  EXPECT_NEAR(extractors::ciede_hue_step(1, 1, 0.25f, kTwoPi - 0.25f), -0.5f, 1e-6f);
  EXPECT_EQ(extractors::ciede_hue_step(0, 1, 1.0f, 2.0f), 0.0f);  // a grey has no hue
  EXPECT_EQ(extractors::ciede_hue_step(1, 0, 1.0f, 2.0f), 0.0f);
}

TEST(CiedeHue, MeanCrossesZeroWhereTheAnglesDo) {
  EXPECT_EQ(extractors::ciede_mean_hue(1.0f, 2.0f), 1.5f);
  EXPECT_NEAR(extractors::ciede_mean_hue(0.25f, 6.0f), 3.125f + 3.14159265f, 1e-6f);
  EXPECT_EQ(extractors::ciede_hue(CiedeLibrary{}, 0.0f, 0.0f), 0.0f);
  EXPECT_NEAR(extractors::ciede_hue(CiedeLibrary{}, -1.0f, 0.0f), 4.71238898f, 1e-6f);
}

TEST(CiedeHueShape, QuickWayEqualsTheLibrarysFourCosines) {
  std::mt19937 random(1);
  for (int i = 0; i < 2'000'000; ++i) {
    const float h = static_cast<float>(random() >> 8) * (6.2831855f / 16777216.0f);
    const float want = CiedeLibrary{}.hue_shape(static_cast<double>(h));
    ASSERT_EQ(std::bit_cast<std::uint32_t>(extractors::CiedeQuick{}.hue_shape(static_cast<double>(h))), std::bit_cast<std::uint32_t>(want))
        << h;
  }
}

TEST(CiedeRotation, VanishesWhereItCouldNotChangeTheSum) {
  // Mean hue from far below blue (275 degrees) to it; the largest chroma.
  EXPECT_EQ(extractors::ciede_rotation(CiedeLibrary{}, 226.0f, 2.0f), 0.0f);
  const float at_the_limit = extractors::ciede_rotation(CiedeLibrary{}, 226.0f, 2.05f);  // 117.5 degrees: z^2 = 39.7
  EXPECT_LT(at_the_limit, 0.0f);
  EXPECT_GT(at_the_limit, -0x1p-55f);
  EXPECT_LT(extractors::ciede_rotation(CiedeLibrary{}, 226.0f, 4.79965544f), -1.7f);
}

TEST(CiedeChroma, EachLumaSampleTakesTheSampleThatCoversIt) {
  const auto at = [](Chroma chroma, int x, int y) {
    const extractors::ChromaPosition p = extractors::ciede_chroma_position(chroma, x, y);
    return std::pair{p.x, p.y};
  };
  EXPECT_EQ(at(Chroma::k420, 5, 7), (std::pair{2, 3}));
  EXPECT_EQ(at(Chroma::k422, 5, 7), (std::pair{2, 7}));
  EXPECT_EQ(at(Chroma::k444, 5, 7), (std::pair{5, 7}));
}

TEST(CiedeChroma, ScoreEqualsThatOfChromaRepeatedTo444) {
  // Odd sizes, sizes of one sample, and a width whose half is no multiple of 32.
  for (const Chroma chroma : {Chroma::k420, Chroma::k422}) {
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 5}, {30, 22}, {177, 19}}) {
      const io::PictureFormat format{width, height, chroma, 10};
      const auto pairs = plane_pairs('S', format);
      const auto repeated = [&](const io::Frame& frame) {
        return make_frame({width, height, Chroma::k444, 10}, [&](int p, int x, int y) {
          const int across = p == 0 ? 1 : 2;
          const int down = p > 0 && chroma == Chroma::k420 ? 2 : 1;
          return int{frame.plane<std::uint16_t>(p).row(y / down)[x / across]};
        });
      };
      const auto wide = std::make_shared<io::FramePair>(repeated(pairs[0]->reference()), repeated(pairs[0]->distorted()));
      const double want = run_or_fail("ciede", {wide}).values.at({0, "ciede2000"});
      expect_value(run_or_fail("ciede", pairs), 0, "ciede2000", want);
    }
  }
}

TEST(Ciede, RefusesGreyAndOtherDepths) {
  EXPECT_EQ(refusal({64, 48, Chroma::k400, 8}), "ciede cannot score 64x48 4:0:0 8-bit: needs chroma: 4:2:0, 4:2:2 or 4:4:4");
  for (const int depth : {9, 11, 14}) {
    EXPECT_NE(refusal({64, 48, Chroma::k444, depth}).find("takes 8, 10, 12 or 16 bits"), std::string::npos) << depth;
  }
  for (const int depth : {8, 10, 12, 16}) EXPECT_EQ(refusal({1, 1, Chroma::k420, depth}), "") << depth;
}

TEST(Ciede, HasNoOptions) {
  const auto request = extractors::parse_feature("ciede=enable_chroma=false");
  ASSERT_FALSE(request.ok());
  EXPECT_NE(request.error().message.find("unknown option \"enable_chroma\"; there are none"), std::string::npos);
}

TEST(CiedeRows, FastPathEqualsThePlainTwin) {
  std::uint32_t seed = 1;
  for (const Chroma chroma : {Chroma::k420, Chroma::k422, Chroma::k444}) {
    for (const int depth : {8, 10, 12, 16}) {
      const io::PictureFormat format{131, 9, chroma, depth};
      extractors::CiedeMemory memory(depth);  // kept over all rows and pictures: what it holds must not matter
      for (const RandomKind kind : {RandomKind::kUniform, RandomKind::kExtremes, RandomKind::kNear}) {
        SCOPED_TRACE(format.text() + " seed " + std::to_string(seed));
        const auto a = random_frame(format, seed, kind);
        const auto b = random_frame(format, seed + 1, kind);
        seed += 2;
        for (int y = 0; y < format.height; ++y) {
          std::array<float, 131> fast;
          std::array<float, 131> slow;
          extractors::fast_ciede_row(*a, *b, y, memory, fast.data());
          extractors::slow_ciede_row(*a, *b, y, slow.data());
          for (size_t x = 0; x < slow.size(); ++x) {
            ASSERT_EQ(std::bit_cast<std::uint32_t>(fast[x]), std::bit_cast<std::uint32_t>(slow[x])) << x << ", " << y;
          }
        }
      }
    }
  }
}

TEST(Ciede, PlainTwinGivesTheSameScores) {
  const auto pairs = plane_pairs('S', {100, 61, Chroma::k420, 8}, 2);
  const ExtractorRun fast = run_or_fail("ciede", pairs);
  set_simd_mode(SimdMode::kScalar);
  const ExtractorRun plain = run_or_fail("ciede", pairs);
  set_simd_mode(SimdMode::kBest);
  ASSERT_EQ(fast.values.size(), 2u);
  for (const auto& [where, value] : fast.values) expect_value(plain, where.first, where.second, value);
}

TEST(OrderedBands, FoldInAscendingOrderWhateverTheThreadsDo) {
  std::vector<int> slots(extractors::kBandsInFlight);
  std::vector<int> seen;
  extractors::fold_in_order(
      1000, slots, [](int band, int& slot) { slot = band; }, [&](int slot) { seen.push_back(slot); });
  ASSERT_EQ(seen.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(seen[static_cast<size_t>(i)], i);
}

TEST(OrderedBands, ExceptionsReachTheCaller) {
  std::vector<int> slots(extractors::kBandsInFlight);
  const auto fail = [](int band, int&) {
    if (band == 20) throw std::runtime_error("band 20");
  };
  EXPECT_THROW(extractors::fold_in_order(100, slots, fail, [](int) {}), std::runtime_error);
}

}  // namespace
}  // namespace vmafbatch::testing
