// The heat maps of cambi: names, bytes, several clips, places that cannot be written.
#include "extractors/cambi_heatmap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "extractors/cambi_scales.h"
#include "extractors/registry.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::testing {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

// A folder that goes with the test.
class CambiHeatmap : public ::testing::Test {
 protected:
  CambiHeatmap() { fs::remove_all(folder_); }
  ~CambiHeatmap() override { fs::remove_all(folder_); }

  std::unique_ptr<extractors::Extractor> make(const std::string& options, const std::string& clip) {
    const auto request = extractors::parse_feature("cambi=" + options + "heatmaps_path=" + folder_.string());
    const io::PictureFormat format = pair_->reference().format();
    auto made = request->extractor->create(request->options, {format, clip});
    EXPECT_TRUE(made.ok()) << (made ? "" : made.error().message);
    return made ? std::move(*made) : nullptr;
  }

  extractors::Measurements measure(const extractors::Extractor& extractor, std::int64_t frame) {
    extractors::Measurements measured;
    extractor.measure(io::FrameWindow(frame, {pair_}), measured);
    return measured;
  }

  static std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const fs::path folder_ = fs::temp_directory_path() / ("cambi_heatmap_test_" + std::to_string(::getpid()) +
                                                        ::testing::UnitTest::GetInstance()->current_test_info()->name());
  const std::shared_ptr<const io::FramePair> pair_ = [] {
    const auto picture =
        make_frame({321, 217, io::Chroma::k420, 8}, [](int p, int x, int y) { return p == 0 ? 60 + x / 8 + y / 16 : 128; });
    return std::make_shared<io::FramePair>(picture, picture);
  }();
};

TEST_F(CambiHeatmap, OneFileForEachFrameAndScale) {
  const auto extractor = make("", "clip");
  measure(*extractor, 0);
  measure(*extractor, 12);
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_ / "clip")) names.insert(entry.path().filename());
  std::set<std::string> want;
  const std::pair<const char*, std::uintmax_t> sizes[] = {
      {"321x217", 321 * 217}, {"161x109", 161 * 109}, {"81x55", 81 * 55}, {"41x28", 41 * 28}, {"21x14", 21 * 14}};
  for (int scale = 0; scale < 5; ++scale) {
    for (const char* frame : {"000000", "000012"}) {
      const std::string name = "cambi_heatmap_scale_" + std::to_string(scale) + "_" + sizes[scale].first + "_16b_" + frame + ".gray";
      want.insert(name);
      EXPECT_EQ(fs::file_size(folder_ / "clip" / name), 2 * sizes[scale].second) << name;
    }
  }
  EXPECT_EQ(names, want);
}

TEST_F(CambiHeatmap, ShowsTheContrastsOfEachScale) {
  const auto extractor = make("", "clip");
  measure(*extractor, 0);
  const extractors::Options options(extractors::find_extractor("cambi")->options);
  const auto setup = extractors::make_cambi_setup(options, pair_->distorted().format());
  const extractors::CambiPicture& picture = extractors::cambi_picture(pair_->distorted(), setup->encoded, setup->antidither);
  bool any = false;
  extractors::cambi_sums(picture, setup->encoded, *setup, [&](int scale, io::Plane<const float> contrasts) {
    // Four steps weigh at most 4; the window is 5x5.
    const std::vector<char> want = extractors::cambi_heatmap_bytes(contrasts, 4 * 5 * 5 / 4);
    const std::string name = "cambi_heatmap_scale_" + std::to_string(scale) + "_" + std::to_string(contrasts.width) + "x" +
                             std::to_string(contrasts.height) + "_16b_000000.gray";
    EXPECT_EQ(bytes_of(folder_ / "clip" / name), std::string(want.begin(), want.end())) << name;
    for (const char byte : want) any = any || byte != 0;
  });
  EXPECT_TRUE(any);
}

TEST_F(CambiHeatmap, LeavesTheScoreAsItIs) {
  const auto extractor = make("", "clip");
  const extractors::ExtractorInfo& cambi = *extractors::find_extractor("cambi");
  const auto plain = cambi.create(extractors::Options(cambi.options), {pair_->reference().format(), "clip"});
  ASSERT_TRUE(plain.ok());
  const extractors::Measurements with = measure(*extractor, 0);
  const extractors::Measurements without = measure(**plain, 0);
  EXPECT_TRUE(std::ranges::equal(with.words(), without.words()));
}

TEST_F(CambiHeatmap, ClipsAndOptionsDoNotOverwriteEachOther) {
  for (const char* clip : {"a/b", "a_b", "..", "a%2Fb"}) measure(*make("", clip), 0);
  measure(*make("window_size=31:", "a_b"), 0);
  size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 25u);
  EXPECT_TRUE(fs::exists(folder_ / "a%2Fb" / "cambi_heatmap_scale_0_321x217_16b_000000.gray"));
  EXPECT_TRUE(fs::exists(folder_ / "%2E." / "cambi_heatmap_scale_0_321x217_16b_000000.gray"));
  EXPECT_TRUE(fs::exists(folder_ / "a_b" / "cambi_ws_31_heatmap_scale_0_321x217_16b_000000.gray"));
}

TEST_F(CambiHeatmap, ANameWithSpecialCharactersIsOnePartOfAPath) {
  EXPECT_EQ(extractors::path_part("show/episode 1.v2"), "show%2Fepisode 1.v2");
  EXPECT_EQ(extractors::path_part("../x"), "%2E.%2Fx");
  EXPECT_EQ(extractors::path_part("50%"), "50%25");
  EXPECT_EQ(extractors::path_part("h\xC3\xA9"), "h\xC3\xA9");
  EXPECT_EQ(extractors::path_part(""), "%");
}

TEST_F(CambiHeatmap, WithTheSpeedUpTheMapIsOneHalvingSmallerThanItsName) {
  extractors::CambiPlane<float> contrasts(961, 541);
  std::fill_n(contrasts.view().data, 961 * 541, 1.0F);
  const auto maps = extractors::CambiHeatmaps::create(folder_.string(), "clip", "_hrs_1080", {1921, 1081, 17}, 4);
  ASSERT_TRUE(maps.ok());
  maps->write(3, 0, std::as_const(contrasts).view());
  EXPECT_EQ(bytes_of(folder_ / "clip" / "cambi_hrs_1080_heatmap_scale_0_1921x1081_16b_000003.gray").size(), 2u * 961u * 541u);
}

TEST_F(CambiHeatmap, SamplesAreLittleEndianAndWrapAroundAboveTheLargest) {
  const float contrasts[] = {0.0F, 1.0F, 12.5F, 25.0F, 25.5F};
  const std::vector<char> bytes = extractors::cambi_heatmap_bytes({contrasts, 5, 5, 1}, 25);
  // 65535 / 25 is 2621.4; 25.5 makes 66845.7, which is 1309 above 65536.
  const unsigned want[] = {0, 2621, 32767, 65535, 1309};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(static_cast<unsigned char>(bytes[2 * i]) + 256u * static_cast<unsigned char>(bytes[2 * i + 1]), want[i]) << i;
  }
}

TEST_F(CambiHeatmap, AFolderThatCannotBeMadeIsAnErrorThatNamesIt) {
  std::ofstream(folder_) << "a file";
  const auto request = extractors::parse_feature("cambi=heatmaps_path=" + (folder_ / "maps").string());
  const auto made = request->extractor->create(request->options, {pair_->reference().format(), "clip"});
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message, HasSubstr(folder_.string()));
  EXPECT_THAT(made.error().message, HasSubstr("heatmaps_path"));
}

TEST_F(CambiHeatmap, AFileThatCannotBeWrittenFailsTheFrameAndIsNamed) {
  const auto extractor = make("", "clip");
  const fs::path blocked = folder_ / "clip" / "cambi_heatmap_scale_2_81x55_16b_000000.gray";
  fs::create_directory(blocked);
  try {
    measure(*extractor, 0);
    FAIL() << "no exception";
  } catch (const std::exception& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("heat map " + blocked.string()));
  }
}

}  // namespace
}  // namespace vmafbatch::testing
