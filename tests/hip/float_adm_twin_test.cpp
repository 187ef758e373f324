// float_adm_hip against float_adm.
#include <gtest/gtest.h>

#include "../extractors/adm_patterns.h"
#include "support/random_frames.h"
#include "twin_run.h"

namespace vmafbatch::testing {
namespace {

TEST(FloatAdmTwin, EqualsTheExtractorOnRandomPictures) {
  for (const int depth : {8, 10, 12, 16}) {
    for (const auto& [width, height] :
         {std::pair{17, 17}, {18, 33}, {33, 17}, {29, 30}, {31, 47}, {64, 48}, {67, 35}, {127, 65}, {257, 41}, {173, 150}}) {
      const io::PictureFormat format{width, height, io::Chroma::k400, depth};
      for (const RandomKind kind : {RandomKind::kUniform, RandomKind::kExtremes, RandomKind::kNear}) {
        const Pairs pairs{std::make_shared<io::FramePair>(random_frame(format, 1, kind), random_frame(format, 2, kind))};
        EXPECT_EQ(compare_twin("float_adm", pairs).difference, "") << width << "x" << height << " " << depth;
      }
    }
  }
}

TEST(FloatAdmTwin, EqualsTheExtractorUnderEveryOption) {
  for (const char* const options : {"adm_csf_mode=1", "adm_csf_mode=1:adm_csf_scale=2.5:adm_csf_diag_scale=0.7", "adm_csf_mode=2",
                                    "adm_norm_view_dist=5:adm_ref_display_height=2160", "adm_enhn_gain_limit=1", "adm_enhn_gain_limit=1.2",
                                    "adm_bypass_cm=1", "adm_p_norm=1", "adm_p_norm=1:adm_bypass_cm=1", "adm_skip_scale0=true",
                                    "adm_skip_aim_scale=1", "adm_f1s0=0.3:adm_f2s3=0", "debug=true:adm_noise_weight=0.5"}) {
    for (const char* const pattern : {"noise", "small", "gain2", "cols"}) {
      EXPECT_EQ(compare_twin(std::string("float_adm=") + options, {adm_pair(pattern, 131, 70, 10, 0)}).difference, "")
          << options << " " << pattern;
    }
  }
}

TEST(FloatAdmTwin, GivesOtherExponentsToTheCpu) {
  for (const char* const exponent : {"1.5", "2", "3.5", "20"}) {
    const TwinRun run = compare_twin(std::string("float_adm=adm_p_norm=") + exponent, {adm_pair("noise", 32, 32, 8, 0)});
    EXPECT_TRUE(run.declined) << exponent;
    EXPECT_NE(run.difference.find("adm_p_norm"), std::string::npos) << run.difference;
  }
}

TEST(FloatAdmTwin, EqualsTheExtractorOnDegenerateContent) {
  for (const char* const pattern : {"ident", "flat", "flatnoise", "noiseflat", "bw", "cols", "grad"}) {
    for (const int depth : {8, 16}) EXPECT_EQ(compare_twin("float_adm", {adm_pair(pattern, 90, 77, depth, 0)}).difference, "") << pattern;
  }
}

// Sizes that grow and shrink within a process, on memory that is not fresh any more.
TEST(FloatAdmTwin, EqualsTheExtractorInLongClipsOfChangingPictures) {
  for (const auto& [width, height] : {std::pair{40, 40}, {150, 90}, {230, 130}, {40, 40}}) {
    Pairs pairs;
    for (int n = 0; n < 4; ++n) pairs.push_back(adm_pair(n % 2 == 0 ? "bw" : "small", width, height, 8, n));
    EXPECT_EQ(compare_twin("float_adm", pairs).difference, "") << width << "x" << height;
  }
}

TEST(FloatAdmTwin, EqualsTheExtractorInEveryThreadOrder) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    for (const auto& [width, height] : {std::pair{17, 17}, {150, 90}}) {
      EXPECT_EQ(compare_twin("float_adm", {adm_pair("noise", width, height, 8, 0)}, {.shuffle_seed = seed}).difference, "")
          << width << " " << seed;
    }
  }
}

TEST(FloatAdmTwin, LaunchesTenKernelsAFrame) {
  const TwinRun run = compare_twin("float_adm", {adm_pair("small", 64, 48, 8, 0, io::Chroma::k420)});
  EXPECT_EQ(run.difference, "");
  EXPECT_EQ(run.launches, 10);  // four transforms, two of terms, four of rows
  EXPECT_EQ(run.uploads, 2);    // luma alone
}

}  // namespace
}  // namespace vmafbatch::testing
