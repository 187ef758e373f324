// psnr_hip against psnr.
#include <gtest/gtest.h>

#include "support/random_frames.h"
#include "twin_run.h"

namespace vmafbatch::testing {
namespace {

TEST(PsnrTwin, EqualsTheExtractorOnRandomPictures) {
  for (const io::PictureFormat& format : random_formats()) {
    for (const RandomKind kind : {RandomKind::kUniform, RandomKind::kExtremes, RandomKind::kNear}) {
      const Pairs pairs{std::make_shared<io::FramePair>(random_frame(format, 1, kind), random_frame(format, 2, kind))};
      EXPECT_EQ(compare_twin("psnr", pairs).difference, "") << format.width << "x" << format.height << " " << format.bit_depth;
      EXPECT_EQ(compare_twin("psnr=enable_chroma=false", pairs).difference, "");
    }
  }
}

TEST(PsnrTwin, UploadsEachPlaneOnceAndWaitsOncePerFrame) {
  io::PictureFormat format = random_formats().back();
  Pairs pairs;
  for (std::uint32_t n = 0; n < 5; ++n) {
    pairs.push_back(std::make_shared<io::FramePair>(random_frame(format, 2 * n, RandomKind::kUniform),
                                                    random_frame(format, 2 * n + 1, RandomKind::kUniform)));
  }
  const TwinRun run = compare_twin("psnr", pairs);
  EXPECT_EQ(run.difference, "");
  EXPECT_EQ(run.uploads, 5 * 2 * format.plane_count());
  EXPECT_EQ(run.waits, 5);
}

}  // namespace
}  // namespace vmafbatch::testing
