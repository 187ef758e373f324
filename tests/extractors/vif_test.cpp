#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "extractors/registry.h"
#include "extractors/vif_log_table.h"
#include "extractors/vif_pyramid.h"
#include "extractors/vif_sums.h"
#include "vif_patterns.h"

namespace vmafbatch::testing {
namespace {

using ::testing::HasSubstr;

std::vector<PatternCase> expected_values() {
  return {
      {"ramp",
       64,
       48,
       8,
       "vif=debug=true",
       0,
       {{"integer_vif_scale0", 0.8039470911026001},
        {"integer_vif_scale1", 0.99482673406600952},
        {"integer_vif_scale2", 0.99970442056655884},
        {"integer_vif_scale3", 0.99986821413040161},
        {"integer_vif", 0.85014578148147157},
        {"integer_vif_num", 29361.390625},
        {"integer_vif_den", 34536.88916015625},
        {"integer_vif_num_scale0", 21086.7421875},
        {"integer_vif_den_scale0", 26229.017578125},
        {"integer_vif_num_scale1", 6288.66650390625},
        {"integer_vif_den_scale1", 6321.36865234375},
        {"integer_vif_num_scale2", 1582.09130859375},
        {"integer_vif_den_scale2", 1582.55908203125},
        {"integer_vif_num_scale3", 403.890625},
        {"integer_vif_den_scale3", 403.94384765625}}},
      {"ramp",
       64,
       48,
       8,
       "vif=debug=true",
       1,
       {{"integer_vif_scale0", 0.80475842952728271},
        {"integer_vif_scale1", 0.99497568607330322},
        {"integer_vif_scale2", 0.99962198734283447},
        {"integer_vif_scale3", 0.99978184700012207},
        {"integer_vif", 0.85075304364341087},
        {"integer_vif_num", 29540.90771484375},
        {"integer_vif_den", 34723.24658203125},
        {"integer_vif_num_scale0", 21226.46484375},
        {"integer_vif_den_scale0", 26376.1953125},
        {"integer_vif_num_scale1", 6321.10693359375},
        {"integer_vif_den_scale1", 6353.0263671875},
        {"integer_vif_num_scale2", 1588.27490234375},
        {"integer_vif_den_scale2", 1588.87548828125},
        {"integer_vif_num_scale3", 405.06103515625},
        {"integer_vif_den_scale3", 405.1494140625}}},
      {"noise",
       35,
       51,
       10,
       "vif=debug=true",
       0,
       {{"integer_vif_scale0", 0.52688753604888916},
        {"integer_vif_scale1", 0.8965911865234375},
        {"integer_vif_scale2", 0.96341371536254883},
        {"integer_vif_scale3", 0.97410327196121216},
        {"integer_vif", 0.57899448511268159},
        {"integer_vif_num", 13702.91886138916},
        {"integer_vif_den", 23666.751953125},
        {"integer_vif_num_scale0", 10766.974609375},
        {"integer_vif_den_scale0", 20435.052734375},
        {"integer_vif_num_scale1", 2394.72412109375},
        {"integer_vif_den_scale1", 2670.9208984375},
        {"integer_vif_num_scale2", 453.865234375},
        {"integer_vif_den_scale2", 471.10107421875},
        {"integer_vif_num_scale3", 87.354896545410156},
        {"integer_vif_den_scale3", 89.67724609375}}},
      {"formula",
       71,
       20,
       12,
       "vif",
       0,
       {{"integer_vif_scale0", 0.78144294023513794},
        {"integer_vif_scale1", 0.92750900983810425},
        {"integer_vif_scale2", 0.91331803798675537},
        {"integer_vif_scale3", 0.92421799898147583}}},
      {"noise",
       16,
       16,
       16,
       "vif",
       0,
       {{"integer_vif_scale0", 0.53001046180725098},
        {"integer_vif_scale1", 0.86568522453308105},
        {"integer_vif_scale2", 0.97128665447235107},
        {"integer_vif_scale3", 1.0085632801055908}}},
      {"noise",
       16,
       16,
       16,
       "vif",
       1,
       {{"integer_vif_scale0", 0.54138004779815674},
        {"integer_vif_scale1", 0.88570737838745117},
        {"integer_vif_scale2", 0.95474380254745483},
        {"integer_vif_scale3", 0.93568086624145508}}},
      {"enh",
       64,
       48,
       8,
       "vif",
       0,
       {{"integer_vif_scale0", 1.2471506595611572},
        {"integer_vif_scale1", 1.4243102073669434},
        {"integer_vif_scale2", 1.5676748752593994},
        {"integer_vif_scale3", 1.6034516096115112}}},
      {"enh",
       64,
       48,
       8,
       "vif=vif_enhn_gain_limit=1.0",
       0,
       {{"integer_vif_scale0_egl_1", 0.97348678112030029},
        {"integer_vif_scale1_egl_1", 0.98322099447250366},
        {"integer_vif_scale2_egl_1", 0.97765207290649414},
        {"integer_vif_scale3_egl_1", 0.96407526731491089}}},
      {"enh",
       64,
       48,
       8,
       "vif=vif_enhn_gain_limit=1.23456789",
       0,
       {{"integer_vif_scale0_egl_1.23457", 1.0551456212997437},
        {"integer_vif_scale1_egl_1.23457", 1.1129013299942017},
        {"integer_vif_scale2_egl_1.23457", 1.146422266960144},
        {"integer_vif_scale3_egl_1.23457", 1.1427491903305054}}},
      {"noise",
       64,
       48,
       8,
       "vif=debug=true:vif_skip_scale0=true:vif_enhn_gain_limit=1.5",
       0,
       {{"integer_vif_scale0_egl_1.5_ssclz", 0.0},
        {"integer_vif_scale1_egl_1.5_ssclz", 0.88277989625930786},
        {"integer_vif_scale2_egl_1.5_ssclz", 0.94587999582290649},
        {"integer_vif_scale3_egl_1.5_ssclz", 0.96317583322525024},
        {"integer_vif_egl_1.5_ssclz", 0.89512213861322254},
        {"integer_vif_num_egl_1.5_ssclz", 5148.27880859375},
        {"integer_vif_den_egl_1.5_ssclz", 5751.48193359375},
        {"integer_vif_num_scale0_egl_1.5_ssclz", 0.0},
        {"integer_vif_den_scale0_egl_1.5_ssclz", -1.0},
        {"integer_vif_num_scale1_egl_1.5_ssclz", 4126.18017578125},
        {"integer_vif_den_scale1_egl_1.5_ssclz", 4674.07568359375},
        {"integer_vif_num_scale2_egl_1.5_ssclz", 854.94482421875},
        {"integer_vif_den_scale2_egl_1.5_ssclz", 903.86181640625},
        {"integer_vif_num_scale3_egl_1.5_ssclz", 167.15380859375},
        {"integer_vif_den_scale3_egl_1.5_ssclz", 173.54443359375}}},
      {"ident",
       64,
       48,
       8,
       "vif",
       0,
       {{"integer_vif_scale0", 1.0},
        {"integer_vif_scale1", 0.99999988079071045},
        {"integer_vif_scale2", 1.0},
        {"integer_vif_scale3", 1.0}}},
      {"flat",
       64,
       48,
       8,
       "vif=debug=true",
       0,
       {{"integer_vif_scale0", 1.0},
        {"integer_vif_scale1", 1.0},
        {"integer_vif_scale2", 1.0},
        {"integer_vif_scale3", 1.0},
        {"integer_vif", 1.0},
        {"integer_vif_num", 4080.0},
        {"integer_vif_den", 4080.0},
        {"integer_vif_num_scale0", 3072.0},
        {"integer_vif_den_scale0", 3072.0},
        {"integer_vif_num_scale1", 768.0},
        {"integer_vif_den_scale1", 768.0},
        {"integer_vif_num_scale2", 192.0},
        {"integer_vif_den_scale2", 192.0},
        {"integer_vif_num_scale3", 48.0},
        {"integer_vif_den_scale3", 48.0}}},
      {"flatref",
       64,
       48,
       8,
       "vif=debug=true",
       0,
       {{"integer_vif_scale0", 0.6638447642326355},
        {"integer_vif_scale1", 0.99107766151428223},
        {"integer_vif_scale2", 0.9965360164642334},
        {"integer_vif_scale3", 0.99816411733627319},
        {"integer_vif", 0.74503075749266379},
        {"integer_vif_num", 3039.7254905700684},
        {"integer_vif_den", 4080.0},
        {"integer_vif_num_scale0", 2039.3310546875},
        {"integer_vif_den_scale0", 3072.0},
        {"integer_vif_num_scale1", 761.14764404296875},
        {"integer_vif_den_scale1", 768.0},
        {"integer_vif_num_scale2", 191.33491516113281},
        {"integer_vif_den_scale2", 192.0},
        {"integer_vif_num_scale3", 47.911876678466797},
        {"integer_vif_den_scale3", 48.0}}},
      {"neg",
       64,
       48,
       8,
       "vif=debug=true",
       0,
       {{"integer_vif_scale0", 0.0},
        {"integer_vif_scale1", 0.0},
        {"integer_vif_scale2", 0.0},
        {"integer_vif_scale3", 0.0},
        {"integer_vif_num_scale0", 0.0},
        {"integer_vif_den_scale0", 35056.26953125}}},
      {"checker",
       40,
       33,
       16,
       "vif=debug=true",
       0,
       {{"integer_vif_scale0", 0.98186874389648438},
        {"integer_vif_scale1", 0.96966707706451416},
        {"integer_vif_scale2", 0.95412832498550415},
        {"integer_vif_scale3", 0.97434872388839722},
        {"integer_vif_num_scale0", 16847.01171875},
        {"integer_vif_den_scale0", 17158.109375}}},
      {"lowvar2",
       64,
       48,
       10,
       "vif",
       0,
       {{"integer_vif_scale0", 0.0011614307295531034},
        {"integer_vif_scale1", 0.99997806549072266},
        {"integer_vif_scale2", 0.99998998641967773},
        {"integer_vif_scale3", 0.99999475479125977}}},
      {"noise",
       15,
       13,
       8,
       "vif",
       0,
       {{"integer_vif_scale0", 0.51046812534332275},
        {"integer_vif_scale1", 0.92061847448348999},
        {"integer_vif_scale2", 0.98960375785827637},
        {"integer_vif_scale3", 1.0018409490585327}}},
      {"noise",
       15,
       13,
       8,
       "vif",
       1,
       {{"integer_vif_scale0", 0.52754706144332886},
        {"integer_vif_scale1", 0.8523554801940918},
        {"integer_vif_scale2", 1.0212395191192627},
        {"integer_vif_scale3", 1.0478582382202148}}},
  };
}

TEST(Vif, EqualsLibvmafOnFormulaPictures) {
  for (const PatternCase& c : expected_values()) {
    EXPECT_EQ(difference_of(c), "") << c.pattern << " " << c.width << "x" << c.height << " " << c.feature << " frame " << c.frame;
  }
}

TEST(Vif, TableOfLogarithmsIsTheOneOfLibvmaf) {
  const auto& table = extractors::vif_log_table();
  const auto entry = [&](int i) { return table[static_cast<size_t>(i - 32768)]; };
  EXPECT_EQ(entry(32768), 30720);
  EXPECT_EQ(entry(33108), 30751);  // one of the 38 entries above the correctly rounded value
  EXPECT_EQ(entry(40000), 31309);
  EXPECT_EQ(entry(65535), 32768);
  EXPECT_EQ(std::accumulate(table.begin(), table.end(), 0LL), 1044032097);
  std::uint64_t fnv = 0xcbf29ce484222325u;
  for (const std::uint16_t value : table) {
    for (const unsigned byte : {value & 255u, unsigned{value} >> 8u}) fnv = (fnv ^ byte) * 0x100000001b3u;
  }
  EXPECT_EQ(fnv, 0xd6509fd850265c09u);
}

TEST(Vif, WindowsSumToOne) {
  for (int scale = 0; scale < extractors::kVifScales; ++scale) {
    std::uint32_t sum = extractors::vif_tap(scale, 0);
    for (int k = 1; k <= extractors::vif_radius(scale); ++k) sum += 2 * extractors::vif_tap(scale, k);
    EXPECT_EQ(sum, 65536u) << scale;
  }
}

TEST(Vif, MirrorsAsOftenAsNeeded) {
  EXPECT_EQ(extractors::vif_mirror(-3, 10), 3);
  EXPECT_EQ(extractors::vif_mirror(12, 10), 6);
  EXPECT_EQ(extractors::vif_mirror(-2, 2), 0);
  EXPECT_EQ(extractors::vif_mirror(-8, 8), 6);
  EXPECT_EQ(extractors::vif_mirror(15, 8), 1);
}

TEST(Vif, RefusesSidesBelowEight) {
  for (const auto& [width, height] : {std::pair{64, 7}, std::pair{7, 64}, std::pair{1, 1}}) {
    const auto run = run_extractor("vif", pattern_pairs("noise", width, height, 8, 1));
    ASSERT_FALSE(run.ok());
    EXPECT_THAT(run.error().message, HasSubstr("vif cannot score"));
    EXPECT_THAT(run.error().message, HasSubstr("at least 8x8"));
  }
}

TEST(Vif, ScoresEverySizeFromEightOn) {
  for (int width = 8; width <= 18; ++width) {
    for (int height = 8; height <= 18; ++height) {
      const auto run = run_extractor("vif", pattern_pairs("noise", width, height, 8, 1));
      ASSERT_TRUE(run.ok()) << width << "x" << height << ": " << run.error().message;
      EXPECT_EQ(run->values.size(), 4u);
    }
  }
}

TEST(Vif, LeavesOutScaleZeroOnRequest) {
  const auto pairs = pattern_pairs("noise", 35, 51, 8, 1);
  const auto all = run_extractor("vif=debug=true", pairs);
  const auto skipped = run_extractor("vif=debug=true:vif_skip_scale0=true", pairs);
  ASSERT_TRUE(all.ok() && skipped.ok());
  EXPECT_EQ(skipped->values.at({0, "integer_vif_scale0_ssclz"}), 0.0);
  EXPECT_EQ(skipped->values.at({0, "integer_vif_num_scale0_ssclz"}), 0.0);
  EXPECT_EQ(skipped->values.at({0, "integer_vif_den_scale0_ssclz"}), -1.0);
  for (const char* key : {"integer_vif_scale1", "integer_vif_scale2", "integer_vif_scale3", "integer_vif_num_scale3"}) {
    EXPECT_EQ(skipped->values.at({0, std::string(key) + "_ssclz"}), all->values.at({0, key})) << key;
  }
  EXPECT_EQ(skipped->values.at({0, "integer_vif_num_ssclz"}),
            all->values.at({0, "integer_vif_num"}) - all->values.at({0, "integer_vif_num_scale0"}));
}

TEST(Vif, OptionsNameTheKeyAndDebugDoesNot) {
  const auto key = [](const std::string& feature) {
    const auto request = extractors::parse_feature(feature);
    return request.ok() ? extractors::feature_key(request->extractor->features[0], request->options) : request.error().message;
  };
  EXPECT_EQ(key("vif=debug=true"), "integer_vif_scale0");
  EXPECT_EQ(key("vif=vif_enhn_gain_limit=1.0"), "integer_vif_scale0_egl_1");
  EXPECT_EQ(key("vif=vif_enhn_gain_limit=100"), "integer_vif_scale0");
  EXPECT_EQ(key("vif=vif_skip_scale0=true:vif_enhn_gain_limit=1.5"), "integer_vif_scale0_egl_1.5_ssclz");
  EXPECT_EQ(key("vif=vif_enhn_gain_limit=1.23456789"), "integer_vif_scale0_egl_1.23457");
}

TEST(Vif, RefusesWrongOptionValues) {
  for (const char* option : {"vif_enhn_gain_limit=0.9", "vif_enhn_gain_limit=100.5", "vif_enhn_gain_limit=nan", "debug=1",
                             "vif_skip_scale0=True", "egl=1", "enable_chroma=true"}) {
    EXPECT_FALSE(extractors::parse_feature(std::string("vif=") + option).ok()) << option;
  }
}

TEST(Vif, DebugAddsElevenValues) {
  const auto run = run_extractor("vif=debug=true", pattern_pairs("ramp", 16, 16, 8, 1));
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->values.size(), 15u);
}

TEST(Vif, ModelsFindItUnderItsInternalNames) {
  const auto provider = extractors::find_provider("VMAF_integer_feature_vif_scale3_score");
  ASSERT_TRUE(provider.has_value());
  EXPECT_EQ(provider->extractor->name, "vif");
  EXPECT_EQ(provider->extractor->features[provider->feature].reported_name, "integer_vif_scale3");
}

}  // namespace
}  // namespace vmafbatch::testing
