#include "extractors/registry.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace vmafbatch::extractors {
namespace {

std::string refusal(std::string_view feature) {
  const auto request = parse_feature(feature);
  return request.ok() ? "" : request.error().message;
}

// What parse_feature understood, written again.
std::string understood(std::string_view feature) {
  const auto request = parse_feature(feature);
  return request.ok() ? request->text() : "refused: " + request.error().message;
}

// The merged requests as texts, or the refusal.
std::vector<std::string> merged(const std::vector<std::string>& features) {
  std::vector<FeatureRequest> requests;
  for (const std::string& feature : features) requests.push_back(std::move(*parse_feature(feature)));
  const auto result = merge_requests(std::move(requests));
  if (!result.ok()) return {"refused: " + result.error().message};
  std::vector<std::string> texts;
  for (const FeatureRequest& request : *result) texts.push_back(request.text());
  return texts;
}

using Texts = std::vector<std::string>;

TEST(ParseFeature, SplitsAtTheFirstEqualsThenAtColons) {
  EXPECT_EQ(understood("psnr"), "psnr");
  EXPECT_EQ(understood("psnr=enable_mse=true:min_sse=0.5"), "psnr=enable_mse=true:min_sse=0.5");
  EXPECT_EQ(understood("motion=motion_max_val=18.000000001"), "motion=motion_max_val=18");
}

TEST(ParseFeature, TheLaterOfTwoValuesWins) { EXPECT_EQ(understood("psnr=enable_mse=true:enable_mse=false"), "psnr"); }

TEST(ParseFeature, RefusesWhatIsNoOptionAndValue) {
  for (const char* feature : {"psnr=", "psnr=enable_mse", "psnr=enable_mse=true:", "psnr=:enable_mse=true", "psnr==true"}) {
    EXPECT_NE(refusal(feature).find("is no OPTION=VALUE; write psnr=OPTION=VALUE:OPTION=VALUE"), std::string::npos) << feature;
  }
  EXPECT_EQ(refusal("psnr="), "feature psnr=: \"\" is no OPTION=VALUE; write psnr=OPTION=VALUE:OPTION=VALUE");
}

TEST(ParseFeature, RefusesUnknownNamesAndListsTheValidOnes) {
  const std::string extractor = refusal("psnr:enable_mse=true");
  EXPECT_TRUE(extractor.starts_with("feature psnr:enable_mse=true: there is no extractor \"psnr:enable_mse\"; known: float_psnr, "));
  EXPECT_NE(extractor.find(", motion"), std::string::npos);
  EXPECT_NE(refusal("PSNR").find("there is no extractor \"PSNR\""), std::string::npos);
  EXPECT_NE(refusal("").find("there is no extractor \"\""), std::string::npos);
  EXPECT_EQ(refusal("psnr=unknown_opt=1"),
            "feature psnr=unknown_opt=1: unknown option \"unknown_opt\"; valid: enable_chroma, enable_mse, enable_apsnr, "
            "reduced_hbd_peak, min_sse");
  EXPECT_EQ(refusal("float_moment=debug=true"), "feature float_moment=debug=true: unknown option \"debug\"; there are none");
}

TEST(ParseFeature, RefusesValuesOutOfRange) {
  EXPECT_EQ(refusal("motion=motion_fps_weight=5.1"),
            "feature motion=motion_fps_weight=5.1: option motion_fps_weight is a number, 0 to 5, not \"5.1\"");
  EXPECT_EQ(refusal("psnr=min_sse=-1"), "feature psnr=min_sse=-1: option min_sse is a number, at least 0, not \"-1\"");
}

TEST(MergeRequests, EqualKeysBecomeOneInstanceWithAllOutputs) {
  EXPECT_EQ(merged({"psnr", "psnr"}), (Texts{"psnr"}));
  EXPECT_EQ(merged({"psnr=enable_chroma=false", "psnr=enable_mse=true"}), (Texts{"psnr=enable_mse=true"}));
  EXPECT_EQ(merged({"psnr=enable_chroma=false", "psnr=enable_chroma=false:enable_apsnr=true"}),
            (Texts{"psnr=enable_chroma=false:enable_apsnr=true"}));
  EXPECT_EQ(merged({"motion", "motion=debug=true"}), (Texts{"motion=debug=true"}));
  EXPECT_EQ(merged({"float_motion=debug=false", "float_motion"}), (Texts{"float_motion"}));
}

TEST(MergeRequests, OtherKeysStayApartInOrderOfAppearance) {
  EXPECT_EQ(merged({"motion=motion_max_val=18", "psnr", "motion", "motion=debug=true:motion_max_val=18"}),
            (Texts{"motion=motion_max_val=18:debug=true", "psnr", "motion"}));
}

TEST(MergeRequests, TwoValuesUnderOneKeyAreAnErrorThatNamesTheKey) {
  EXPECT_EQ(merged({"psnr", "psnr=min_sse=0.5"}),
            (Texts{"refused: feature psnr=min_sse=0.5: psnr is asked for as well, and option min_sse changes psnr_y without changing its "
                   "name; ask for one of them, or score twice with two --label values"}));
  EXPECT_NE(merged({"psnr=reduced_hbd_peak=true", "psnr"}).front().find("option reduced_hbd_peak changes psnr_y"), std::string::npos);
}

TEST(Registry, LooksUpInTheOrderOfModels) {
  constexpr std::string_view kOrder[] = {"float_psnr",   "float_adm",      "float_vif",     "float_motion", "float_moment",
                                         "speed_chroma", "speed_temporal", "float_ms_ssim", "float_ssim",   "ciede",
                                         "psnr",         "psnr_hvs",       "adm",           "motion",       "vif",
                                         "cambi",        "motion_v2",      "ssim",          "ssimulacra2"};
  const auto place = [&](std::string_view name) { return std::ranges::find(kOrder, name) - std::begin(kOrder); };
  std::ptrdiff_t last = -1;
  for (const ExtractorInfo* info : all_extractors()) {
    EXPECT_GT(place(info->name), last) << info->name;
    EXPECT_LT(place(info->name), std::ssize(kOrder)) << info->name;
    last = place(info->name);
  }
}

TEST(Registry, FindsTheExtractorOfAModelsFeature) {
  const auto motion2 = find_provider("VMAF_integer_feature_motion2_score");
  ASSERT_TRUE(motion2.has_value());
  EXPECT_EQ(motion2->extractor->name, "motion");
  EXPECT_EQ(motion2->extractor->features[motion2->feature].reported_name, "integer_motion2");
  EXPECT_EQ(find_provider("VMAF_feature_motion2_score")->extractor->name, "float_motion");
  EXPECT_EQ(find_provider("psnr_y")->extractor->name, "psnr");
  EXPECT_EQ(find_provider("float_psnr")->extractor->name, "float_psnr");
  for (const char* name : {"mse_y", "apsnr_y", "float_moment_ref1st", "integer_motion2", ""}) {
    EXPECT_FALSE(find_provider(name).has_value()) << name;
  }
}

TEST(Registry, EveryExtractorDescribesItself) {
  for (const ExtractorInfo* info : all_extractors()) {
    EXPECT_EQ(find_extractor(info->name), info);
    EXPECT_FALSE(info->summary.empty() || info->range.empty() || info->source.empty()) << info->name;
    EXPECT_FALSE(info->features.empty()) << info->name;
    for (const FeatureSpec& feature : info->features) EXPECT_FALSE(feature.help.empty()) << feature.internal_name;
    for (const OptionSpec& option : info->options) EXPECT_FALSE(option.help.empty()) << info->name << " " << option.name;
  }
  EXPECT_EQ(find_extractor("no such"), nullptr);
}

}  // namespace
}  // namespace vmafbatch::extractors
