// adm_hip against adm.
#include <gtest/gtest.h>

#include "../extractors/adm_patterns.h"
#include "support/random_frames.h"
#include "twin_run.h"

namespace vmafbatch::testing {
namespace {

// The smallest size, bands without a margin, sizes that are odd at every scale, one block and several blocks of every kernel.
constexpr std::pair<int, int> kSizes[] = {{17, 17}, {18, 33}, {33, 17},  {29, 30},  {31, 47},
                                          {64, 48}, {67, 35}, {127, 65}, {257, 41}, {173, 150}};

std::string where(const io::PictureFormat& format) {
  return std::to_string(format.width) + "x" + std::to_string(format.height) + " " + std::to_string(format.bit_depth) + "-bit";
}

TEST(AdmTwin, EqualsTheExtractorOnRandomPictures) {
  for (const int depth : {8, 10, 12, 16}) {
    for (const auto& [width, height] : kSizes) {
      const io::PictureFormat format{width, height, io::Chroma::k400, depth};
      for (const RandomKind kind : {RandomKind::kUniform, RandomKind::kExtremes, RandomKind::kNear}) {
        const Pairs pairs{std::make_shared<io::FramePair>(random_frame(format, 1, kind), random_frame(format, 2, kind))};
        EXPECT_EQ(compare_twin("adm", pairs).difference, "") << where(format);
      }
    }
  }
}

TEST(AdmTwin, EqualsTheExtractorUnderEveryOption) {
  for (const char* const options :
       {"adm_csf_mode=1", "adm_csf_mode=1:adm_csf_scale=0.001:adm_csf_diag_scale=0.0005", "adm_csf_mode=2", "adm_csf_mode=3",
        "adm_csf_mode=3:adm_norm_view_dist=5", "adm_csf_mode=1:adm_csf_scale=0.025:adm_csf_diag_scale=0.0061",
        "adm_norm_view_dist=24:adm_ref_display_height=4320", "adm_norm_view_dist=3.0001", "adm_enhn_gain_limit=1",
        "adm_enhn_gain_limit=1.2", "adm_skip_aim=true", "adm_skip_scale0=true", "adm_skip_scale0=true:adm_skip_aim=true:adm_min_val=0.5",
        "debug=true:adm_noise_weight=0", "adm_csf_mode=2:adm_dlm_weight=0.7:adm_enhn_gain_limit=1:adm_min_val=0.5:adm_noise_weight=0.02"}) {
    for (const char* const pattern : {"noise", "small", "gain2", "cols"}) {
      EXPECT_EQ(compare_twin(std::string("adm=") + options, {adm_pair(pattern, 131, 70, 10, 0)}).difference, "")
          << options << " " << pattern;
    }
  }
}

TEST(AdmTwin, EqualsTheExtractorOnDegenerateContent) {
  for (const char* const pattern : {"ident", "flat", "flatnoise", "noiseflat", "bw", "cols", "grad"}) {
    for (const int depth : {8, 16}) EXPECT_EQ(compare_twin("adm", {adm_pair(pattern, 90, 77, depth, 0)}).difference, "") << pattern;
  }
}

TEST(AdmTwin, EqualsTheExtractorWhereOneFrameIsBothPictures) {
  const auto frame = random_frame({64, 48, io::Chroma::k400, 8}, 1, RandomKind::kUniform);
  EXPECT_EQ(compare_twin("adm", {std::make_shared<io::FramePair>(frame, frame)}).difference, "");
}

TEST(AdmTwin, KeepsAReferencesBandsForTheNextRendition) {
  const io::PictureFormat format{80, 60, io::Chroma::k400, 8};
  const auto reference = random_frame(format, 1, RandomKind::kUniform);
  Pairs pairs;
  for (std::uint32_t n = 0; n < 3; ++n) {
    pairs.push_back(std::make_shared<io::FramePair>(reference, random_frame(format, 2 + n, RandomKind::kUniform)));
  }
  // A picture of the first pair is the reference of the last: the reference's bands are missing there, the distorted picture's are not.
  const auto last = std::shared_ptr<const io::Frame>(pairs[0], &pairs[0]->distorted());
  pairs.push_back(std::make_shared<io::FramePair>(random_frame(format, 9, RandomKind::kUniform), last));
  const TwinRun run = compare_twin("adm", pairs);
  EXPECT_EQ(run.difference, "");
  constexpr int kLaunches = 7;  // four transforms, two of contrast, one of rows
  EXPECT_EQ(run.launches, 4 * kLaunches);
  EXPECT_EQ(run.uploads, 5);
}

// Sizes that grow and shrink within a process, on memory that is not fresh any more: nothing is left of the sums before.
TEST(AdmTwin, EqualsTheExtractorInLongClipsOfChangingPictures) {
  for (const auto& [width, height] : {std::pair{40, 40}, {150, 90}, {230, 130}, {40, 40}}) {
    Pairs pairs;
    for (int n = 0; n < 4; ++n) pairs.push_back(adm_pair(n % 2 == 0 ? "bw" : "small", width, height, 8, n));
    EXPECT_EQ(compare_twin("adm", pairs).difference, "") << width << "x" << height;
  }
}

TEST(AdmTwin, EqualsTheExtractorInEveryThreadOrder) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    for (const auto& [width, height] : {std::pair{17, 17}, {150, 90}}) {
      EXPECT_EQ(compare_twin("adm", {adm_pair("noise", width, height, 8, 0)}, {.shuffle_seed = seed}).difference, "")
          << width << " " << seed;
    }
  }
}

TEST(AdmTwin, UploadsEachPictureOnceAndWaitsOncePerFrame) {
  Pairs pairs;
  for (int n = 0; n < 3; ++n) pairs.push_back(adm_pair("small", 64, 48, 8, n, io::Chroma::k420));
  const TwinRun run = compare_twin("adm", pairs);
  EXPECT_EQ(run.difference, "");
  EXPECT_EQ(run.uploads, 3 * 2);  // luma alone
  EXPECT_EQ(run.waits, 3);
}

}  // namespace
}  // namespace vmafbatch::testing
