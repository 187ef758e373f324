#include "extractors/options.h"

#include <gtest/gtest.h>

#include <array>

#include "extractors/registry.h"

namespace vmafbatch::extractors {
namespace {

constexpr std::array<std::string_view, 2> kMethods = {"nearest", "bilinear"};

// Options of the kinds that extractors have, under their names where the case tables name one.
constexpr std::array kTable = {
    OptionSpec{.name = "debug", .type = OptionType::kBool, .role = OptionRole::kOutput, .default_value = false},
    OptionSpec{.name = "adm_csf_mode", .alias = "csf", .type = OptionType::kInt, .default_value = 0, .minimum = 0, .maximum = 3},
    OptionSpec{
        .name = "adm_enhn_gain_limit", .alias = "egl", .type = OptionType::kReal, .default_value = 100.0, .minimum = 1.0, .maximum = 100.0},
    OptionSpec{
        .name = "adm_norm_view_dist", .alias = "nvd", .type = OptionType::kReal, .default_value = 3.0, .minimum = 0.75, .maximum = 24.0},
    OptionSpec{.name = "enc_width", .alias = "encw", .type = OptionType::kInt, .default_value = 0, .minimum = 180, .maximum = 7680},
    OptionSpec{.name = "min_val", .alias = "min", .type = OptionType::kReal, .default_value = 0.5, .minimum = 0.0, .maximum = 1.0},
    OptionSpec{.name = "vif_skip_scale0", .alias = "ssclz", .type = OptionType::kBool, .default_value = false},
    OptionSpec{.name = "method", .type = OptionType::kText, .default_value = std::string_view("nearest"), .choices = kMethods},
    OptionSpec{.name = "folder", .type = OptionType::kText, .role = OptionRole::kOutput, .default_value = std::string_view()},
};

// The suffix after one option was set, or the refusal.
std::string suffix_of(std::string_view name, std::string_view text) {
  Options options(kTable);
  const Status status = options.set(name, text);
  return status.ok() ? key_suffix(options) : "refused: " + status.error().message;
}
bool refused(std::string_view name, std::string_view text) { return suffix_of(name, text).starts_with("refused"); }

TEST(Options, DefaultsLeaveNoSuffix) {
  EXPECT_EQ(key_suffix(Options(kTable)), "");
  EXPECT_EQ(suffix_of("adm_norm_view_dist", "3"), "");
  EXPECT_EQ(suffix_of("adm_norm_view_dist", "3.0"), "");
  EXPECT_EQ(suffix_of("debug", "true"), "");
}

TEST(Options, NumbersHaveSixSignificantDigits) {
  EXPECT_EQ(suffix_of("adm_norm_view_dist", "18.000000001"), "_nvd_18");
  EXPECT_EQ(suffix_of("adm_enhn_gain_limit", "1.234561"), "_egl_1.23456");
  Options options(kTable);
  ASSERT_TRUE(options.set("adm_enhn_gain_limit", "1.23456789").ok());
  EXPECT_EQ(options.real("adm_enhn_gain_limit"), 1.23457);
}

TEST(Options, NumbersAreReadAsScanfDoes) {
  EXPECT_EQ(suffix_of("adm_enhn_gain_limit", "0x2"), "_egl_2");
  EXPECT_EQ(suffix_of("adm_enhn_gain_limit", " 1.5 "), "_egl_1.5");
  EXPECT_EQ(suffix_of("adm_enhn_gain_limit", "15e-1"), "_egl_1.5");
  EXPECT_EQ(suffix_of("adm_csf_mode", "1e0"), "_csf_1");
  EXPECT_EQ(suffix_of("adm_csf_mode", "0x3"), "_csf_3");
  EXPECT_EQ(suffix_of("min_val", ".0"), "_min_0");
}

TEST(Options, ATextHoldsNothingThatBeginsAnotherOption) {
  for (const char* text : {"", "maps", "my maps", "crf=23", "my maps/crf=23"}) EXPECT_EQ(suffix_of("folder", text), "") << text;
  for (const std::string text : {"a;b", "a frames=3"}) {
    EXPECT_EQ(suffix_of("folder", text),
              "refused: option folder is a text without \";\" and without \" NAME=\", which begin another option, not \"" + text + "\"");
  }
}

TEST(Options, BothBoundsAreInclusive) {
  EXPECT_EQ(suffix_of("adm_enhn_gain_limit", "1"), "_egl_1");
  EXPECT_EQ(suffix_of("adm_enhn_gain_limit", "100"), "");
  EXPECT_TRUE(refused("adm_enhn_gain_limit", "0.5"));
  EXPECT_TRUE(refused("adm_enhn_gain_limit", "100.1"));
  EXPECT_TRUE(refused("adm_csf_mode", "4"));
  EXPECT_TRUE(refused("adm_csf_mode", "-1"));
}

TEST(Options, WhatIsNoNumberIsRefused) {
  for (const char* text : {"nan", "-nan", "inf", "-inf", "-0", "-0.0", "", "1.5x", "true", "1,5"}) {
    EXPECT_TRUE(refused("min_val", text)) << text;
    EXPECT_TRUE(refused("adm_enhn_gain_limit", text)) << text;
  }
  for (const char* text : {"2.7", "3abc", "nan", "", "-0", "1e30"}) EXPECT_TRUE(refused("adm_csf_mode", text)) << text;
}

TEST(Options, BoolsAreTrueOrFalseExactly) {
  EXPECT_EQ(suffix_of("vif_skip_scale0", "true"), "_ssclz");
  EXPECT_EQ(suffix_of("vif_skip_scale0", "false"), "");
  for (const char* text : {"True", "1", "", "yes", " true"}) EXPECT_TRUE(refused("vif_skip_scale0", text)) << text;
}

TEST(Options, ADefaultOutsideTheRangeCannotBeWritten) { EXPECT_TRUE(refused("enc_width", "0")); }

TEST(Options, TextsAreChecked) {
  EXPECT_EQ(suffix_of("method", "bilinear"), "_method_bilinear");
  EXPECT_EQ(suffix_of("method", "cubic"), "refused: option method is one of nearest, bilinear, not \"cubic\"");
}

TEST(Options, RefusalsSayWhatIsValid) {
  EXPECT_EQ(suffix_of("adm_enhn_gain_limit", "0.5"), "refused: option adm_enhn_gain_limit is a number, 1 to 100, not \"0.5\"");
  EXPECT_EQ(suffix_of("adm_csf_mode", "2.7"), "refused: option adm_csf_mode is a whole number from 0 to 3, not \"2.7\"");
  EXPECT_EQ(suffix_of("debug", "1"), "refused: option debug is true or false, not \"1\"");
  EXPECT_EQ(suffix_of("adm_egl", "2"),
            "refused: unknown option \"adm_egl\"; valid: debug, adm_csf_mode, adm_enhn_gain_limit, adm_norm_view_dist, enc_width, "
            "min_val, vif_skip_scale0, method, folder");
  EXPECT_EQ(Options({}).set("debug", "true").error().message, "unknown option \"debug\"; there are none");
}

TEST(Options, SuffixesAreSortedByFullName) {
  Options options(kTable);
  ASSERT_TRUE(options.set("vif_skip_scale0", "true").ok());
  ASSERT_TRUE(options.set("adm_norm_view_dist", "4").ok());
  ASSERT_TRUE(options.set("adm_enhn_gain_limit", "1.2").ok());
  ASSERT_TRUE(options.set("debug", "true").ok());
  EXPECT_EQ(key_suffix(options), "_egl_1.2_nvd_4_ssclz");
  EXPECT_EQ(options_text(options), "debug=true:adm_enhn_gain_limit=1.2:adm_norm_view_dist=4:vif_skip_scale0=true");
}

TEST(FeatureKey, IsTheReportedNameWithTheSuffix) {
  Options options(kTable);
  ASSERT_TRUE(options.set("adm_enhn_gain_limit", "1.0").ok());
  ASSERT_TRUE(options.set("vif_skip_scale0", "true").ok());
  const FeatureSpec scale0{.internal_name = "VMAF_integer_feature_vif_scale0_score", .reported_name = "integer_vif_scale0"};
  EXPECT_EQ(feature_key(scale0, options), "integer_vif_scale0_egl_1_ssclz");
  EXPECT_EQ(feature_key(scale0, Options(kTable)), "integer_vif_scale0");
  const FeatureSpec plain{.internal_name = "cambi_source", .reported_name = "cambi_source", .suffixed = false};
  EXPECT_EQ(feature_key(plain, options), "cambi_source");
}

TEST(FeatureKey, IsCutAt255Bytes) {
  const std::string name(250, 'n');
  Options options(kTable);
  ASSERT_TRUE(options.set("adm_enhn_gain_limit", "1.2").ok());
  const FeatureSpec long_name{.internal_name = name, .reported_name = name};
  EXPECT_EQ(feature_key(long_name, options), name + "_egl_");
  EXPECT_EQ(feature_key(long_name, Options(kTable)), name);
}

}  // namespace
}  // namespace vmafbatch::extractors
