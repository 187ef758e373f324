// The fast row loops of float_adm against their plain twins, over random bits.
#include "extractors/float_adm_rows.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/simd.h"
#include "extractors/registry.h"
#include "support/run_extractor.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::testing {
namespace {

namespace fadm = extractors::float_adm;
using extractors::FloatPlane;

std::mt19937_64 generator(std::uint64_t seed) { return std::mt19937_64(seed); }

// Any finite float: zeros of both signs, subnormals and huge values among many of a picture's size.
float random_float(std::mt19937_64& random) {
  switch (random() % 8) {
    case 0: return 0.0f;
    case 1: return -0.0f;
    case 2: {
      const float any = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
      return std::isfinite(any) ? any : 1.0f;
    }
    case 3: return std::bit_cast<float>(static_cast<std::uint32_t>(random()) & 0x807fffffu);
    default: return std::ldexp(static_cast<float>(static_cast<std::int32_t>(random())), -24 - static_cast<int>(random() % 16));
  }
}

FloatPlane random_plane(int width, int height, std::mt19937_64& random) {
  FloatPlane plane(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) plane.view().row(y)[x] = random_float(random);
  }
  return plane;
}

// Bits, but all NaNs are one.
std::vector<std::uint32_t> bits_of(const float* values, int count) {
  std::vector<std::uint32_t> bits;
  for (int i = 0; i < count; ++i) bits.push_back(std::isnan(values[i]) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(values[i]));
  return bits;
}

class FloatAdmRows : public ::testing::TestWithParam<int> {
 protected:
  int width() const { return GetParam(); }
};

template <class Sample>
void expect_same_centred_rows(int width, int depth) {
  std::mt19937_64 random = generator(1);
  const io::PictureFormat format{width, 1, io::Chroma::k400, depth};
  const std::shared_ptr<const io::Frame> frame =
      make_frame(format, [&](int, int, int) { return static_cast<int>(random() % (1u << depth)); });
  FloatPlane out(width, 2);
  const float unit = 256.0f / static_cast<float>(1 << depth);
  fadm::centred_row(frame->plane<Sample>(0).row(0), width, unit, out.view().row(0));
  fadm::slow_centred_row(frame->plane<Sample>(0).row(0), width, unit, out.view().row(1));
  EXPECT_EQ(bits_of(out.view().row(0), width), bits_of(out.view().row(1), width));
}

TEST_P(FloatAdmRows, CentredRowEqualsItsTwin) {
  expect_same_centred_rows<std::uint8_t>(width(), 8);
  expect_same_centred_rows<std::uint16_t>(width(), 10);
  expect_same_centred_rows<std::uint16_t>(width(), 16);
}

TEST_P(FloatAdmRows, VerticalFilterEqualsItsTwin) {
  std::mt19937_64 random = generator(2);
  const FloatPlane in = random_plane(width(), 4, random);
  const std::array<const float*, 4> rows{in.view().row(0), in.view().row(1), in.view().row(2), in.view().row(3)};
  for (const fadm::Taps taps : {fadm::kLowPass, fadm::kHighPass}) {
    fadm::SplitLine fast(width());
    fadm::SplitLine plain(width());
    fadm::vertical_filter(rows, taps, fast);
    fadm::slow_vertical_filter(rows, taps, plain);
    const int half = (width() + 1) / 2;
    EXPECT_EQ(bits_of(fast.even(), half + 1), bits_of(plain.even(), half + 1));
    EXPECT_EQ(bits_of(fast.odd() - 1, half + 1), bits_of(plain.odd() - 1, half + 1));
  }
}

// The mirrored ends against the index rule itself.
TEST_P(FloatAdmRows, HorizontalFilterMirrorsAtBothEnds) {
  std::mt19937_64 random = generator(3);
  const FloatPlane in = random_plane(width(), 1, random);
  const float* const row = in.view().row(0);
  fadm::SplitLine line(width());
  const fadm::Taps first_only{1.0f, 0.0f, 0.0f, 0.0f};
  fadm::slow_vertical_filter({row, row, row, row}, first_only, line);
  const int half = (width() + 1) / 2;
  FloatPlane out(half, 2);
  fadm::horizontal_filter(line, fadm::kHighPass, 0, half, out.view().row(0));
  for (int x = 0; x < half; ++x) {
    const auto at = [&](int tap) {
      const int i = fadm::mirrored(2 * x - 1 + tap, width());
      return fadm::filter(first_only, row[i], row[i], row[i], row[i]);
    };
    out.view().row(1)[x] = fadm::filter(fadm::kHighPass, at(0), at(1), at(2), at(3));
  }
  EXPECT_EQ(bits_of(out.view().row(0), half), bits_of(out.view().row(1), half));
}

TEST_P(FloatAdmRows, HorizontalFilterEqualsItsTwin) {
  std::mt19937_64 random = generator(4);
  const FloatPlane in = random_plane(width(), 4, random);
  fadm::SplitLine line(width());
  fadm::slow_vertical_filter({in.view().row(0), in.view().row(1), in.view().row(2), in.view().row(3)}, fadm::kLowPass, line);
  const int half = (width() + 1) / 2;
  for (const int first : {0, half / 3}) {
    const int count = half - first;
    FloatPlane out(half, 2);
    fadm::horizontal_filter(line, fadm::kLowPass, first, count, out.view().row(0));
    fadm::slow_horizontal_filter(line, fadm::kLowPass, first, count, out.view().row(1));
    EXPECT_EQ(bits_of(out.view().row(0), count), bits_of(out.view().row(1), count));
  }
}

// Weighted rows of both kinds, from one function.
FloatPlane weighted_storage(int width) { return FloatPlane(width + 2 + fadm::kRowSlack, fadm::WeightedRow::kRows); }

TEST_P(FloatAdmRows, WeightRowEqualsItsTwin) {
  std::mt19937_64 random = generator(5);
  for (const double gain_limit : {1.0, 1.2, 2.5, 100.0}) {
    for (int round = 0; round < 20; ++round) {
      FloatPlane in = random_plane(width(), 6, random);
      for (int x = 0; x < width(); ++x) {  // some positions where both pictures agree, up to a gain
        if (random() % 3 != 0) continue;
        const float gain = static_cast<float>(random() % 300) / 100.0f;
        for (int band = 0; band < 3; ++band) in.view().row(3 + band)[x] = gain * in.view().row(band)[x];
      }
      const fadm::BandRows reference{in.view().row(0), in.view().row(1), in.view().row(2)};
      const fadm::BandRows distorted{in.view().row(3), in.view().row(4), in.view().row(5)};
      FloatPlane fast = weighted_storage(width());
      FloatPlane plain = weighted_storage(width());
      const fadm::BandWeights weights{0.0173815377f, 0.005890687f};
      fadm::weight_row(reference, distorted, width(), weights, gain_limit, {fast, 0}, 1);
      fadm::slow_weight_row(reference, distorted, width(), weights, gain_limit, {plain, 0}, 1);
      for (int row = 0; row < fadm::WeightedRow::kRows; ++row) {
        ASSERT_EQ(bits_of(fast.view().row(row) + 1, width()), bits_of(plain.view().row(row) + 1, width())) << gain_limit << " row " << row;
      }
    }
  }
}

// Three rows of magnitudes and masks: never negative.
FloatPlane random_weighted(int width, std::mt19937_64& random) {
  FloatPlane plane = random_plane(width + 2 + fadm::kRowSlack, 3 * fadm::WeightedRow::kRows, random);
  for (int y = 0; y < plane.height(); ++y) {
    for (int x = 0; x < plane.width(); ++x) plane.view().row(y)[x] = std::fabs(plane.view().row(y)[x]);
  }
  return plane;
}

TEST_P(FloatAdmRows, ThresholdRowEqualsItsTwin) {
  std::mt19937_64 random = generator(6);
  FloatPlane storage = random_weighted(width(), random);
  const fadm::WeightedRow above(storage, 0);
  const fadm::WeightedRow here(storage, fadm::WeightedRow::kRows);
  const fadm::WeightedRow below(storage, 2 * fadm::WeightedRow::kRows);
  FloatPlane out(width(), 2);
  for (const fadm::Signal signal : {fadm::kRestored, fadm::kAdditive}) {
    fadm::threshold_row(above, here, below, signal, width(), out.view().row(0));
    fadm::slow_threshold_row(above, here, below, signal, width(), out.view().row(1));
    EXPECT_EQ(bits_of(out.view().row(0), width()), bits_of(out.view().row(1), width()));
  }
}

TEST_P(FloatAdmRows, TermRowEqualsItsTwin) {
  std::mt19937_64 random = generator(7);
  FloatPlane storage = random_weighted(width(), random);
  const fadm::WeightedRow row(storage, 0);
  const FloatPlane thresholds = random_plane(width(), 2, random);
  for (const bool cubed : {true, false}) {
    FloatPlane fast(width(), 9);
    FloatPlane plain(width(), 9);
    fadm::TermRows fast_rows{};
    fadm::TermRows plain_rows{};
    for (int i = 0; i < 9; ++i) {
      fast_rows[static_cast<size_t>(i)] = fast.view().row(i);
      plain_rows[static_cast<size_t>(i)] = plain.view().row(i);
    }
    fadm::term_row(row, thresholds.view().row(0), thresholds.view().row(1), cubed, width(), fast_rows);
    fadm::slow_term_row(row, thresholds.view().row(0), thresholds.view().row(1), cubed, width(), plain_rows);
    for (int i = 0; i < 9; ++i) EXPECT_EQ(bits_of(fast.view().row(i), width()), bits_of(plain.view().row(i), width())) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, FloatAdmRows, ::testing::Values(2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 127, 241));

// The frame with other memory: without the bands that were derived from the first one.
std::shared_ptr<const io::Frame> fresh_copy(const io::Frame& frame) {
  return make_frame(frame.format(), [&](int plane, int x, int y) {
    return io::with_sample_type(frame.format(), [&](auto type) { return int{frame.plane<decltype(type)>(plane).row(y)[x]}; });
  });
}

extractors::Measurements measured(const std::string& feature, const io::Frame& reference, const io::Frame& distorted) {
  const auto request = extractors::parse_feature(feature);
  const auto extractor = request->extractor->create(request->options, {reference.format(), "clip"});
  extractors::Measurements words;
  (*extractor)->measure(window_at({std::make_shared<io::FramePair>(fresh_copy(reference), fresh_copy(distorted))}, 0, 0), words);
  return words;
}

// Lets Highway use one instruction set only, for the life of the object.
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) { allow(target); }
  ~OnlyTarget() { allow(0); }
  OnlyTarget(const OnlyTarget&) = delete;
  OnlyTarget& operator=(const OnlyTarget&) = delete;

 private:
  static void allow(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

class FloatAdmFastPath : public ::testing::TestWithParam<std::int64_t> {};

// Sizes around the vector's, where the regions reach the borders and where they do not.
TEST_P(FloatAdmFastPath, MeasuresTheBitsOfThePlainTwin) {
  const OnlyTarget only(GetParam());
  std::mt19937_64 random = generator(8);
  for (int round = 0; round < 40; ++round) {
    const io::PictureFormat format{17 + static_cast<int>(random() % 130), 17 + static_cast<int>(random() % 90), io::Chroma::k400,
                                   round % 2 == 0 ? 8 : 10};
    const auto noise = [&](int, int, int) { return static_cast<int>(random() & ((1u << format.bit_depth) - 1)); };
    const auto reference = make_frame(format, noise);
    const auto distorted = make_frame(format, noise);
    const std::string feature = round % 3 == 0 ? "float_adm=adm_enhn_gain_limit=1.2" : "float_adm";
    const extractors::Measurements fast = measured(feature, *reference, *distorted);
    set_simd_mode(SimdMode::kScalar);
    const extractors::Measurements plain = measured(feature, *reference, *distorted);
    set_simd_mode(SimdMode::kBest);
    EXPECT_TRUE(std::ranges::equal(fast.words(), plain.words())) << format.text();
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, FloatAdmFastPath, ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& target) { return std::string(hwy::TargetName(target.param)); });

}  // namespace
}  // namespace vmafbatch::testing
