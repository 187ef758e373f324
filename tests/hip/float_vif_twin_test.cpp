// float_vif_hip against float_vif.
#include <gtest/gtest.h>

#include "support/random_frames.h"
#include "support/synthetic_clip.h"
#include "twin_run.h"

namespace vmafbatch::testing {
namespace {

std::string text(const io::PictureFormat& format) {
  return std::to_string(format.width) + "x" + std::to_string(format.height) + " " + std::to_string(format.bit_depth);
}

io::PictureFormat format_of(int width, int height, int bit_depth) { return {width, height, io::Chroma::k400, bit_depth}; }

// From the smallest that the extractor takes; odd sides at every scale, one tile and several, rows around a group of 64.
std::vector<io::PictureFormat> float_vif_formats() {
  std::vector<io::PictureFormat> formats;
  for (const int depth : {8, 10, 12, 16}) {
    for (const auto& [width, height] : {std::pair{16, 16}, {16, 33}, {31, 17}, {112, 64}, {113, 65}, {241, 35}}) {
      formats.push_back(format_of(width, height, depth));
    }
  }
  return formats;
}

TwinRun run(const std::string& feature, const io::PictureFormat& format, RandomKind reference, RandomKind distorted,
            const hip::HostConfig& config = {}) {
  return compare_twin(feature, {std::make_shared<io::FramePair>(random_frame(format, 1, reference), random_frame(format, 2, distorted))},
                      config);
}

TEST(FloatVifTwin, EqualsTheExtractorOnRandomPictures) {
  for (const io::PictureFormat& format : float_vif_formats()) {
    for (const RandomKind kind : {RandomKind::kUniform, RandomKind::kExtremes, RandomKind::kNear}) {
      EXPECT_EQ(run("float_vif", format, kind, kind).difference, "") << text(format);
    }
    EXPECT_EQ(run("float_vif", format, RandomKind::kNear, RandomKind::kUniform).difference, "") << text(format);
  }
}

TEST(FloatVifTwin, EqualsTheExtractorWithEveryOption) {
  for (const std::string options : {"debug=true", "vif_skip_scale0=true", "vif_enhn_gain_limit=1", "vif_sigma_nsq=0", "vif_sigma_nsq=1.3",
                                    "vif_scale1_min_val=0.4:vif_scale2_min_val=0.5:vif_scale3_min_val=0.6",
                                    "debug=true:vif_skip_scale0=true:vif_enhn_gain_limit=1.5:vif_sigma_nsq=4.7"}) {
    for (const int depth : {8, 10}) {
      for (const auto& [width, height] : {std::pair{16, 17}, {131, 67}}) {
        const io::PictureFormat format = format_of(width, height, depth);
        EXPECT_EQ(run("float_vif=" + options, format, RandomKind::kNear, RandomKind::kUniform).difference, "") << options << text(format);
      }
    }
  }
}

// Every window that the accepted kernel scales give, also at the smallest size that they take.
TEST(FloatVifTwin, EqualsTheExtractorWithEveryKernelScale) {
  for (const std::string scale :
       {"0.5", "1.5",    "2",      "0.666667", "2.4", "3.71134", "1.33333",  "1.16667", "1.25",    "1.41667", "1.66667",
        "3",   "0.4444", "1.4746", "1.54",     "1.6", "1.06667", "0.711111", "0.74074", "1.11111", "1.0005"}) {
    int side = 16;
    while (run("float_vif=vif_kernelscale=" + scale, format_of(side, side, 8), RandomKind::kNear, RandomKind::kNear).declined) side += 8;
    for (const auto& [width, height, depth] : {std::tuple{side, side, 8}, {side + 67, side + 3, 10}}) {
      for (const std::string more : {"", ":vif_skip_scale0=true"}) {
        const io::PictureFormat format = format_of(width, height, depth);
        const TwinRun result = run("float_vif=vif_kernelscale=" + scale + more, format, RandomKind::kUniform, RandomKind::kExtremes);
        EXPECT_EQ(result.difference, "") << scale << more << " " << text(format);
      }
    }
  }
}

TEST(FloatVifTwin, EqualsTheExtractorBehindAPrescale) {
  for (const std::string method : {"nearest", "bilinear", "bicubic", "lanczos4"}) {
    for (const std::string factor : {"0.25", "0.5", "0.75", "0.997", "1.004", "1.33", "2", "4"}) {
      for (const auto& [width, height, depth] : {std::tuple{97, 71, 10}, {64, 80, 8}, {65, 64, 16}}) {
        const std::string options = "vif_prescale=" + factor + ":vif_prescale_method=" + method;
        const io::PictureFormat format = format_of(width, height, depth);
        EXPECT_EQ(run("float_vif=" + options, format, RandomKind::kUniform, RandomKind::kUniform).difference, "")
            << options << text(format);
      }
    }
  }
  const std::string both = "float_vif=vif_prescale=1.5:vif_prescale_method=bicubic:vif_kernelscale=1.5:vif_skip_scale0=true";
  EXPECT_EQ(run(both, format_of(67, 51, 12), RandomKind::kUniform, RandomKind::kNear).difference, "");
}

// Sources whose sides the window reaches only with its reflection.
TEST(FloatVifTwin, EqualsTheExtractorBehindAPrescaleOfTinyPictures) {
  const io::PictureFormat tiny = format_of(6, 7, 8);
  for (const std::string method : {"nearest", "bilinear", "bicubic", "lanczos4"}) {
    const std::string feature = "float_vif=vif_prescale=4:vif_prescale_method=" + method;
    EXPECT_EQ(run(feature, tiny, RandomKind::kUniform, RandomKind::kUniform).difference, "") << method;
  }
}

TEST(FloatVifTwin, EqualsTheExtractorInEveryThreadOrder) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    for (const std::string options : {"", "=vif_skip_scale0=true", "=vif_kernelscale=1.5", "=vif_prescale=0.75"}) {
      const TwinRun result =
          run("float_vif" + options, format_of(121, 69, 8), RandomKind::kUniform, RandomKind::kUniform, {.shuffle_seed = seed});
      EXPECT_EQ(result.difference, "") << seed << options;
    }
  }
}

// The reference or the distorted picture or both flat, equal pictures, the largest samples everywhere, black against white.
TEST(FloatVifTwin, EqualsTheExtractorOnPicturesWithoutContrast) {
  for (const int depth : {8, 10, 12, 16}) {
    const io::PictureFormat format = format_of(131, 37, depth);
    const int largest = (1 << depth) - 1;
    const auto flat = [&](int value) { return make_frame(format, [&](int, int, int) { return value; }); };
    const auto random = random_frame(format, 7, RandomKind::kUniform);
    const auto extremes = random_frame(format, 8, RandomKind::kExtremes);
    const Pairs pairs{std::make_shared<io::FramePair>(flat(largest / 3), flat(largest / 3)),
                      std::make_shared<io::FramePair>(flat(largest), flat(largest)),
                      std::make_shared<io::FramePair>(flat(0), flat(largest)),
                      std::make_shared<io::FramePair>(flat(largest / 2), random),
                      std::make_shared<io::FramePair>(extremes, flat(0)),
                      std::make_shared<io::FramePair>(random, random),
                      std::make_shared<io::FramePair>(extremes, extremes)};
    for (const std::string options : {"", "=vif_sigma_nsq=0"})
      EXPECT_EQ(compare_twin("float_vif" + options, pairs).difference, "") << depth;
  }
}

TEST(FloatVifTwin, UploadsTheLumaOnceAndWaitsOncePerFrame) {
  const io::PictureFormat format{.width = 64, .height = 48, .chroma = io::Chroma::k420, .bit_depth = 8};
  Pairs pairs;
  for (std::uint32_t n = 0; n < 5; ++n) {
    pairs.push_back(std::make_shared<io::FramePair>(random_frame(format, 2 * n, RandomKind::kUniform),
                                                    random_frame(format, 2 * n + 1, RandomKind::kUniform)));
  }
  const TwinRun result = compare_twin("float_vif", pairs);
  EXPECT_EQ(result.difference, "");
  EXPECT_EQ(result.uploads, 5 * 2);
  EXPECT_EQ(result.launches, 5 * 8);
  EXPECT_EQ(result.waits, 5);
}

}  // namespace
}  // namespace vmafbatch::testing
