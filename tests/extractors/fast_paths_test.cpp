// The fast paths of the psnr, moment and motion extractors against their plain twins, bit for bit over random pictures.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "extractors/float_motion_planes.h"
#include "extractors/float_plane.h"
#include "extractors/moment_sums.h"
#include "extractors/motion_sad.h"
#include "extractors/squared_error.h"
#include "support/random_frames.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::testing {
namespace {

constexpr RandomKind kKinds[] = {RandomKind::kUniform, RandomKind::kExtremes, RandomKind::kNear};

// Calls check(first, second) with two random pictures of every format and kind.
template <class Check>
void for_random_pairs(Check&& check) {
  std::uint32_t seed = 1;
  for (const io::PictureFormat& format : random_formats()) {
    for (const RandomKind kind : kKinds) {
      SCOPED_TRACE(format.text() + " seed " + std::to_string(seed));
      check(random_frame(format, seed, kind), random_frame(format, seed + 1, kind));
      seed += 2;
    }
  }
}

TEST(SquaredError, FastPathEqualsThePlainTwin) {
  for_random_pairs([](const auto& a, const auto& b) {
    for (int plane = 0; plane < 3; ++plane) {
      EXPECT_EQ(extractors::sum_of_squared_errors(*a, *b, plane), extractors::slow_sum_of_squared_errors(*a, *b, plane));
    }
  });
}

TEST(SquaredError, LargestErrorsOverAWideRow) {
  // Wide enough that the 32-bit lanes of the vector loop must be emptied on the way.
  for (const int depth : {8, 10, 12, 16}) {
    const io::PictureFormat format{200'000, 2, io::Chroma::k400, depth};
    const auto black = make_frame(format, [](int, int, int) { return 0; });
    const auto white = make_frame(format, [&](int, int, int) { return (1 << depth) - 1; });
    const std::uint64_t peak = (std::uint64_t{1} << depth) - 1;
    EXPECT_EQ(extractors::sum_of_squared_errors(*black, *white, 0), peak * peak * 400'000);
  }
}

TEST(RunningSquaredError, FastPathEqualsThePlainTwin) {
  for_random_pairs([](const auto& a, const auto& b) {
    EXPECT_EQ(extractors::running_squared_error(io::FramePair(a, b)), extractors::slow_running_squared_error(*a, *b));
  });
}

TEST(MomentSums, FastPathEqualsThePlainTwin) {
  for_random_pairs([](const auto& a, const auto&) { EXPECT_EQ(extractors::moment_sums(*a), extractors::slow_moment_sums(*a)); });
}

TEST(MomentSums, PastTwoToThe53EqualThePlainTwin) {
  // Bright noise: the sum passes 2^53 in mid-picture; from there on odd terms are ties.
  const io::PictureFormat format{2560, 1440, io::Chroma::k400, 16};
  std::mt19937 random(7);
  const auto bright = [&](int, int, int) { return static_cast<int>(random() % 5 == 0 ? random() & 0xFFF : 0xF000 | (random() & 0xFFF)); };
  const auto a = make_frame(format, bright);
  const auto black = make_frame(format, [](int, int, int) { return 0; });
  const extractors::MomentSums sums = extractors::moment_sums(*a);
  EXPECT_GT(sums.squares, std::uint64_t{1} << 53);
  EXPECT_EQ(sums, extractors::slow_moment_sums(*a));
  EXPECT_EQ(extractors::running_squared_error(io::FramePair(a, black)), extractors::slow_running_squared_error(*a, *black));
  EXPECT_EQ(extractors::slow_running_squared_error(*a, *black), sums.squares);
}

TEST(MotionSad, FastPathEqualsThePlainTwin) {
  for_random_pairs([](const auto& a, const auto& b) {
    EXPECT_EQ(extractors::motion_sad(*a, *b), extractors::slow_motion_sad(*a, *b));
    EXPECT_EQ(extractors::motion_sad(*a, *a), 0u);
  });
}

void expect_same(const extractors::FloatPlane& fast, const extractors::FloatPlane& slow) {
  const io::Plane<const float> a = fast.view();
  const io::Plane<const float> b = slow.view();
  ASSERT_EQ(a.width, b.width);
  ASSERT_EQ(a.height, b.height);
  for (int y = 0; y < a.height; ++y) {
    EXPECT_EQ(std::memcmp(a.row(y), b.row(y), static_cast<size_t>(a.width) * sizeof(float)), 0) << "row " << y;
  }
}

TEST(FloatSamples, FastPathEqualsThePlainTwin) {
  for_random_pairs([](const auto& frame, const auto&) {
    for (const float offset : {0.0f, extractors::kCentredOffset}) {
      for (int plane = 0; plane < 3; ++plane) {
        expect_same(extractors::float_samples(*frame, plane, offset), extractors::slow_float_samples(*frame, plane, offset));
      }
    }
  });
}

TEST(FloatMotionPlanes, FastPathsEqualThePlainTwins) {
  for_random_pairs([](const auto& frame, const auto& other) {
    const extractors::FloatPlane a = extractors::slow_float_samples(*frame, 0, extractors::kCentredOffset);
    const extractors::FloatPlane b = extractors::slow_float_samples(*other, 0, extractors::kCentredOffset);
    const auto view = [](const extractors::FloatPlane& plane) { return plane.view(); };
    for (const int taps : {3, 5}) {
      const extractors::FloatPlane blurred = extractors::slow_float_motion_blur(view(a), taps);
      expect_same(extractors::float_motion_blur(view(a), taps), blurred);
      EXPECT_EQ(extractors::mean_absolute_difference(blurred.view(), view(b)),
                extractors::slow_mean_absolute_difference(blurred.view(), view(b)));
    }
    expect_same(extractors::float_motion_half(view(a)), extractors::slow_float_motion_half(view(a)));
  });
}

}  // namespace
}  // namespace vmafbatch::testing
