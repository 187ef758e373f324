#include "report/feature_direction.h"

#include <gtest/gtest.h>

#include <string>

#include "extractors/registry.h"

namespace vmafbatch::report {
namespace {

TEST(FeatureDirection, KnowsWhatIsBetter) {
  for (const char* key : {"vmaf", "my_model", "psnr_y", "apsnr_cb", "integer_adm2", "adm3", "integer_vif_scale0_vif_enhn_gain_limit_1",
                          "vif", "ssim", "float_ms_ssim", "ciede2000", "psnr_hvs", "ssimulacra2", "", "unknown"}) {
    EXPECT_EQ(feature_direction(key), Direction::kHigherIsBetter) << key;
  }
  for (const char* key : {"mse_y", "cambi", "cambi_full_reference", "integer_aim", "aim", "speed_chroma_uv", "speed_temporal"}) {
    EXPECT_EQ(feature_direction(key), Direction::kLowerIsBetter) << key;
  }
  for (const char* key :
       {"integer_motion2", "motion", "float_moment_ref1st", "integer_adm_num_scale0", "vif_den", "vmaf_stddev", "cambi_source"}) {
    EXPECT_EQ(feature_direction(key), Direction::kNeither) << key;
  }
}

TEST(FeatureDirection, IsTheOneThatTheExtractorsTell) {
  for (const extractors::ExtractorInfo* info : extractors::all_extractors()) {
    const std::string range(info->range);
    const bool tells_both = range.find("higher is better") != std::string::npos && range.find("lower is better") != std::string::npos;
    for (const auto& feature : info->features) {
      const std::string key(feature.reported_name);
      if (tells_both || range.find("is better") == std::string::npos) continue;  // adm: the table above
      const Direction direction = feature_direction(key);
      if (key.starts_with("mse_")) continue;  // psnr speaks of its decibels
      if (direction == Direction::kNeither) continue;
      EXPECT_NE(range.find(direction_text(direction)), std::string::npos) << key;
    }
  }
}

}  // namespace
}  // namespace vmafbatch::report
