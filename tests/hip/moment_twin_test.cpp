// float_psnr_hip and float_moment_hip against their extractors.
#include <gtest/gtest.h>

#include "extractors/moment_math.h"
#include "extractors/moment_sums.h"
#include "support/formula_clip.h"
#include "support/random_frames.h"
#include "twin_run.h"

namespace vmafbatch::testing {
namespace {

class MomentTwins : public ::testing::TestWithParam<const char*> {};

TEST_P(MomentTwins, EqualTheExtractorOnRandomPictures) {
  for (const io::PictureFormat& format : random_formats()) {
    for (const RandomKind kind : {RandomKind::kUniform, RandomKind::kExtremes, RandomKind::kNear}) {
      const Pairs pairs{std::make_shared<io::FramePair>(random_frame(format, 1, kind), random_frame(format, 2, kind))};
      EXPECT_EQ(compare_twin(GetParam(), pairs).difference, "") << format.width << "x" << format.height << " " << format.bit_depth;
    }
  }
}

// Sums past 2^53: the running double of the extractor is another number than the exact sum.
TEST_P(MomentTwins, EqualTheExtractorWhereItsRunningSumRounds) {
  const Pairs pairs = formula_pairs(Formula::kBright, {.width = 3840, .height = 2160, .chroma = io::Chroma::k400, .bit_depth = 16}, 1);
  ASSERT_GT(extractors::running_squared_error(*pairs.front()), extractors::kExactSumLimit);
  ASSERT_GT(extractors::moment_sums(pairs.front()->reference()).squares, extractors::kExactSumLimit);
  EXPECT_EQ(compare_twin(GetParam(), pairs).difference, "");
}

// Only one of float_moment's two sums of squares passes 2^53 here.
TEST_P(MomentTwins, EqualTheExtractorWhereOnlyTheReferenceRounds) {
  const Pairs pairs = formula_pairs(Formula::kBright, {.width = 2560, .height = 1440, .chroma = io::Chroma::k400, .bit_depth = 16}, 1);
  ASSERT_GT(extractors::moment_sums(pairs.front()->reference()).squares, extractors::kExactSumLimit);
  ASSERT_LE(extractors::moment_sums(pairs.front()->distorted()).squares, extractors::kExactSumLimit);
  EXPECT_EQ(compare_twin(GetParam(), pairs).difference, "");
}

TEST_P(MomentTwins, UploadTheLumaOnceAndWaitOncePerFrame) {
  Pairs pairs;
  for (std::uint32_t n = 0; n < 3; ++n) {
    pairs.push_back(std::make_shared<io::FramePair>(random_frame(random_formats().back(), 2 * n, RandomKind::kUniform),
                                                    random_frame(random_formats().back(), 2 * n + 1, RandomKind::kUniform)));
  }
  const TwinRun run = compare_twin(GetParam(), pairs);
  EXPECT_EQ(run.difference, "");
  EXPECT_EQ(run.uploads, 3 * 2);
  EXPECT_EQ(run.waits, 3);
}

INSTANTIATE_TEST_SUITE_P(Extractors, MomentTwins, ::testing::Values("float_psnr", "float_moment"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace vmafbatch::testing
