#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "extractors/float_vif_pyramid.h"
#include "extractors/float_vif_sums.h"
#include "extractors/gaussian_window.h"
#include "extractors/registry.h"
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
       "float_vif=debug=true",
       0,
       {{"vif_scale0", 0.80395050623028308},
        {"vif_scale1", 0.9948189694280265},
        {"vif_scale2", 0.99974005863104842},
        {"vif_scale3", 0.99998458767264642},
        {"vif", 0.85015004722100118},
        {"vif_num", 29361.355041503906},
        {"vif_den", 34536.674011230469},
        {"vif_num_scale0", 21086.6875},
        {"vif_den_scale0", 26228.837890625},
        {"vif_num_scale1", 6288.57373046875},
        {"vif_den_scale1", 6321.32470703125},
        {"vif_num_scale2", 1582.16455078125},
        {"vif_den_scale2", 1582.575927734375},
        {"vif_num_scale3", 403.92926025390625},
        {"vif_den_scale3", 403.93548583984375}}},
      {"ramp",
       64,
       48,
       8,
       "float_vif=debug=true",
       1,
       {{"vif_scale0", 0.80475971078716024},
        {"vif_scale1", 0.99495038658748891},
        {"vif_scale2", 0.99976437636446791},
        {"vif_scale3", 1.0000028623253878},
        {"vif", 0.85075876944230677},
        {"vif_num", 29540.954986572266},
        {"vif_den", 34723.068450927734},
        {"vif_num_scale0", 21226.3515625},
        {"vif_den_scale0", 26376.01171875},
        {"vif_num_scale1", 6320.89697265625},
        {"vif_den_scale1", 6352.97705078125},
        {"vif_num_scale2", 1588.556396484375},
        {"vif_den_scale2", 1588.9307861328125},
        {"vif_num_scale3", 405.15005493164062},
        {"vif_den_scale3", 405.14889526367188}}},
      {"noise",
       35,
       51,
       10,
       "float_vif=debug=true",
       0,
       {{"vif_scale0", 0.52688803982430632},
        {"vif_scale1", 0.8966621517045551},
        {"vif_scale2", 0.96311890254862653},
        {"vif_scale3", 0.97561882767456054},
        {"vif", 0.57900188118830864},
        {"vif_num", 13703.069496154785},
        {"vif_den", 23666.709800720215},
        {"vif_num_scale0", 10766.994140625},
        {"vif_den_scale0", 20435.0703125},
        {"vif_num_scale1", 2394.87646484375},
        {"vif_den_scale1", 2670.87939453125},
        {"vif_num_scale2", 453.76382446289062},
        {"vif_den_scale2", 471.13998413085938},
        {"vif_num_scale3", 87.435066223144531},
        {"vif_den_scale3", 89.620109558105469}}},
      {"formula",
       71,
       20,
       12,
       "float_vif",
       0,
       {{"vif_scale0", 0.78145696244663798},
        {"vif_scale1", 0.92767031774337727},
        {"vif_scale2", 0.91378257895745674},
        {"vif_scale3", 0.92495776247016936}}},
      {"noise",
       16,
       16,
       16,
       "float_vif",
       0,
       {{"vif_scale0", 0.5300113289650854},
        {"vif_scale1", 0.86572645855977937},
        {"vif_scale2", 0.97144401878120257},
        {"vif_scale3", 1.0086758671466032}}},
      {"noise",
       16,
       16,
       16,
       "float_vif",
       1,
       {{"vif_scale0", 0.54137947566962052},
        {"vif_scale1", 0.8854397511380232},
        {"vif_scale2", 0.95583776009636001},
        {"vif_scale3", 0.93467802767387032}}},
      {"enh",
       64,
       48,
       8,
       "float_vif",
       0,
       {{"vif_scale0", 1.2482763281831291},
        {"vif_scale1", 1.4344040247951786},
        {"vif_scale2", 1.5867965554751542},
        {"vif_scale3", 1.6459235891039143}}},
      {"enh",
       64,
       48,
       8,
       "float_vif=vif_enhn_gain_limit=1.0",
       0,
       {{"vif_scale0_egl_1", 0.97461356292952239},
        {"vif_scale1_egl_1", 0.9933302791869878},
        {"vif_scale2_egl_1", 0.99602022712266425},
        {"vif_scale3_egl_1", 0.99762184779404905}}},
      {"noise",
       64,
       48,
       8,
       "float_vif=debug=true:vif_skip_scale0=true:vif_enhn_gain_limit=1.5:vif_sigma_nsq=1.3",
       0,
       {{"vif_scale0_egl_1.5_snsq_1.3_ssclz", 0.0},
        {"vif_scale1_egl_1.5_snsq_1.3_ssclz", 0.85190181171788304},
        {"vif_scale2_egl_1.5_snsq_1.3_ssclz", 0.92774546795297008},
        {"vif_scale3_egl_1.5_snsq_1.3_ssclz", 0.95669521198938534},
        {"vif_egl_1.5_snsq_1.3_ssclz", 0.8673497691046147},
        {"vif_num_egl_1.5_snsq_1.3_ssclz", 5520.7228240966797},
        {"vif_den_egl_1.5_snsq_1.3_ssclz", 6365.0478973388672},
        {"vif_num_scale0_egl_1.5_snsq_1.3_ssclz", 0.0},
        {"vif_den_scale0_egl_1.5_snsq_1.3_ssclz", -1.0},
        {"vif_num_scale1_egl_1.5_snsq_1.3_ssclz", 4383.19580078125},
        {"vif_den_scale1_egl_1.5_snsq_1.3_ssclz", 5145.18896484375},
        {"vif_num_scale2_egl_1.5_snsq_1.3_ssclz", 945.57733154296875},
        {"vif_den_scale2_egl_1.5_snsq_1.3_ssclz", 1019.2206420898438},
        {"vif_num_scale3_egl_1.5_snsq_1.3_ssclz", 191.94969177246094},
        {"vif_den_scale3_egl_1.5_snsq_1.3_ssclz", 200.63829040527344}}},
      {"ident", 64, 48, 8, "float_vif", 0, {{"vif_scale0", 1.0}, {"vif_scale1", 1.0}, {"vif_scale2", 1.0}, {"vif_scale3", 1.0}}},
      {"flat",
       64,
       48,
       8,
       "float_vif=debug=true",
       0,
       {{"vif_scale0", 1.0},
        {"vif_scale1", 1.0},
        {"vif_scale2", 1.0},
        {"vif_scale3", 1.0},
        {"vif", 1.0},
        {"vif_num", 4080.0},
        {"vif_den", 4080.0},
        {"vif_num_scale0", 3072.0},
        {"vif_den_scale0", 3072.0},
        {"vif_num_scale1", 768.0},
        {"vif_den_scale1", 768.0},
        {"vif_num_scale2", 192.0},
        {"vif_den_scale2", 192.0},
        {"vif_num_scale3", 48.0},
        {"vif_den_scale3", 48.0}}},
      {"flatref",
       64,
       48,
       8,
       "float_vif=debug=true",
       0,
       {{"vif_scale0", 0.66384549935658776},
        {"vif_scale1", 0.99107758204142249},
        {"vif_scale2", 0.99653538068135583},
        {"vif_scale3", 0.99816783269246423},
        {"vif", 0.74503132502237956},
        {"vif_num", 3039.7278060913086},
        {"vif_den", 4080.0},
        {"vif_num_scale0", 2039.3333740234375},
        {"vif_den_scale0", 3072.0},
        {"vif_num_scale1", 761.1475830078125},
        {"vif_den_scale1", 768.0},
        {"vif_num_scale2", 191.33479309082031},
        {"vif_den_scale2", 192.0},
        {"vif_num_scale3", 47.912055969238281},
        {"vif_den_scale3", 48.0}}},
      {"neg",
       64,
       48,
       8,
       "float_vif=vif_scale1_min_val=0.4:vif_scale2_min_val=0.5:vif_scale3_min_val=0.6",
       0,
       {{"vif_scale0_s1miv_0.4_s2miv_0.5_s3miv_0.6", 0.0},
        {"vif_scale1_s1miv_0.4_s2miv_0.5_s3miv_0.6", 0.40000000000000002},
        {"vif_scale2_s1miv_0.4_s2miv_0.5_s3miv_0.6", 0.5},
        {"vif_scale3_s1miv_0.4_s2miv_0.5_s3miv_0.6", 0.59999999999999998}}},
      {"neg", 64, 48, 8, "float_vif", 0, {{"vif_scale0", 0.0}, {"vif_scale1", 0.0}, {"vif_scale2", 0.0}, {"vif_scale3", 0.0}}},
      {"lowvar",
       64,
       48,
       8,
       "float_vif=vif_sigma_nsq=0",
       0,
       {{"vif_scale0_snsq_0", 0.011838565270105997},
        {"vif_scale1_snsq_0", 0.013859547674655914},
        {"vif_scale2_snsq_0", 0.013070952147245407},
        {"vif_scale3_snsq_0", 0.011566188186407089}}},
      {"noise",
       64,
       60,
       8,
       "float_vif=vif_kernelscale=1.5",
       0,
       {{"vif_scale0_ks_1.5", 0.51980892112020205},
        {"vif_scale1_ks_1.5", 0.94766663900304671},
        {"vif_scale2_ks_1.5", 0.97355710009811847},
        {"vif_scale3_ks_1.5", 0.98151404937764397}}},
      {"noise",
       64,
       60,
       8,
       "float_vif=vif_kernelscale=3.711340",
       0,
       {{"vif_scale0_ks_3.71134", 0.5194754671412285},
        {"vif_scale1_ks_3.71134", 0.98105747437462087},
        {"vif_scale2_ks_3.71134", 0.99601453623121516},
        {"vif_scale3_ks_3.71134", 1.0113079960837321}}},
      {"noise",
       64,
       60,
       8,
       "float_vif=vif_kernelscale=1.0005",
       0,
       {{"vif_scale0_ks_1.0005", 0.52027055109491915},
        {"vif_scale1_ks_1.0005", 0.91424927581611748},
        {"vif_scale2_ks_1.0005", 0.96632536709141281},
        {"vif_scale3_ks_1.0005", 0.98098958360434974}}},
      {"formula",
       97,
       71,
       10,
       "float_vif=vif_prescale=0.5",
       0,
       {{"vif_scale0_ps_0.5", 0.78175617519307872},
        {"vif_scale1_ps_0.5", 0.93176529286759702},
        {"vif_scale2_ps_0.5", 0.91679666136360205},
        {"vif_scale3_ps_0.5", 0.90694174684080753}}},
      {"formula",
       97,
       71,
       10,
       "float_vif=vif_prescale=0.5:vif_prescale_method=bilinear",
       0,
       {{"vif_scale0_ps_0.5_pm_bilinear", 0.87218827560689072},
        {"vif_scale1_ps_0.5_pm_bilinear", 0.90461160127678675},
        {"vif_scale2_ps_0.5_pm_bilinear", 0.88909673218366791},
        {"vif_scale3_ps_0.5_pm_bilinear", 0.90124369687298089}}},
      {"formula",
       97,
       71,
       10,
       "float_vif=vif_prescale=1.33:vif_prescale_method=bicubic",
       0,
       {{"vif_scale0_ps_1.33_pm_bicubic", 0.82526261197357553},
        {"vif_scale1_ps_1.33_pm_bicubic", 0.93026656018787457},
        {"vif_scale2_ps_1.33_pm_bicubic", 0.9083800970969923},
        {"vif_scale3_ps_1.33_pm_bicubic", 0.89524811638521229}}},
      {"formula",
       97,
       71,
       10,
       "float_vif=vif_prescale=0.75:vif_prescale_method=lanczos4",
       0,
       {{"vif_scale0_ps_0.75_pm_lanczos4", 0.80271626045980693},
        {"vif_scale1_ps_0.75_pm_lanczos4", 0.90357759546456118},
        {"vif_scale2_ps_0.75_pm_lanczos4", 0.88465744299903259},
        {"vif_scale3_ps_0.75_pm_lanczos4", 0.90464404718997915}}},
      {"enh",
       64,
       48,
       8,
       "float_vif=vif_prescale=2.0:vif_prescale_method=bilinear:vif_sigma_nsq=4.7",
       0,
       {{"vif_scale0_ps_2_pm_bilinear_snsq_4.7", 1.3664241893190932},
        {"vif_scale1_ps_2_pm_bilinear_snsq_4.7", 1.4497505267204605},
        {"vif_scale2_ps_2_pm_bilinear_snsq_4.7", 1.5329397492350869},
        {"vif_scale3_ps_2_pm_bilinear_snsq_4.7", 1.6171148381330762}}},
  };
}

TEST(FloatVif, EqualsLibvmafOnFormulaPictures) {
  for (const PatternCase& c : expected_values()) {
    EXPECT_EQ(difference_of(c), "") << c.pattern << " " << c.width << "x" << c.height << " " << c.feature << " frame " << c.frame;
  }
}

std::uint64_t fnv_of(const std::vector<float>& taps) {
  std::uint64_t fnv = 0xcbf29ce484222325u;
  for (const float tap : taps) {
    for (int byte = 0; byte < 4; ++byte) fnv = (fnv ^ ((std::bit_cast<std::uint32_t>(tap) >> (8 * byte)) & 255u)) * 0x100000001b3u;
  }
  return fnv;
}

TEST(GaussianWindow, HasTheTapsOfLibvmafAtEveryWidth) {
  const std::pair<int, std::uint64_t> expected[] = {
      {3, 0x278d29856ac2173d},  {5, 0x6711736910d2c83e},  {7, 0xe6871b4086285d1b},  {9, 0xd94465d0d6f281ac},  {11, 0x96c8f359104a4325},
      {13, 0x13803f0ba64dd7f5}, {15, 0xa2e9f4de0d876da5}, {17, 0x1a0689a505413ada}, {19, 0xe7d6a133fc5cc6fd}, {21, 0x405190a88b45fcd5},
      {23, 0x6f80add78a740170}, {25, 0xf5cc36a463946e14}, {27, 0xdd8e02bca46cfff8}, {29, 0x189c8df02d84be1b}, {35, 0x05c439271806a053},
      {41, 0xfde08acd2daacb9f}, {51, 0x2ee018335a2a5dc2}, {65, 0xb82e97e0c76c557a}};
  for (const auto& [width, fnv] : expected) {
    const std::vector<float> taps = extractors::gaussian_window(width, static_cast<float>(width) / 5.0f);
    EXPECT_EQ(fnv_of(taps), fnv) << width;
    EXPECT_EQ(taps.front(), taps.back()) << width;
  }
}

TEST(GaussianWindow, WidthsFollowTheKernelScale) {
  struct Row {
    double scale;
    std::array<size_t, 4> widths;
    int smallest;
  };
  for (const Row& row :
       {Row{1.0, {17, 9, 5, 3}, 16}, Row{0.5, {9, 5, 3, 3}, 16}, Row{1.5, {27, 15, 9, 5}, 24}, Row{2.0, {35, 19, 11, 7}, 32},
        Row{2.4, {41, 23, 13, 9}, 40}, Row{3.71134, {65, 35, 19, 13}, 56}, Row{3.0, {51, 27, 15, 9}, 40}, Row{1.66667, {29, 17, 9, 7}, 32},
        Row{1.0005, {19, 11, 7, 5}, 24}, Row{0.74074, {13, 7, 5, 3}, 16}}) {
    const auto windows = extractors::float_vif_windows(row.scale);
    for (size_t scale = 0; scale < 4; ++scale) EXPECT_EQ(windows[scale].size(), row.widths[scale]) << row.scale << " scale " << scale;
    EXPECT_EQ(extractors::smallest_float_vif_side(windows, false), row.smallest) << row.scale;
  }
}

TEST(FloatVif, LogarithmIsExactAtPowersOfTwoAndCountsInfinityAsOne) {
  EXPECT_EQ(extractors::float_vif_log2(1.0f), 0.0f);
  EXPECT_EQ(extractors::float_vif_log2(8.0f), 3.0f);
  EXPECT_EQ(extractors::float_vif_log2(0.25f), -2.0f);
  EXPECT_EQ(extractors::float_vif_log2(std::numeric_limits<float>::infinity()), 128.0f);
  EXPECT_NEAR(extractors::float_vif_log2(std::numeric_limits<float>::quiet_NaN()), 128.584961f, 1e-5f);
  EXPECT_NEAR(extractors::float_vif_log2(3.0f), 1.5849625f, 1e-5f);
}

TEST(FloatVif, FlatWeightIsRoundedTwice) {
  EXPECT_EQ(std::bit_cast<std::uint32_t>(extractors::float_vif_channel(2.0, 100.0).flat_weight), 0x38810182u);
}

std::string refusal(const std::string& feature, int width, int height) {
  const auto run = run_extractor(feature, pattern_pairs("noise", width, height, 8, 1));
  return run.ok() ? "scored" : run.error().message;
}

TEST(FloatVif, RefusesSizesThatAWindowDoesNotReach) {
  EXPECT_THAT(refusal("float_vif", 15, 15), HasSubstr("float_vif cannot score 15x15"));
  EXPECT_THAT(refusal("float_vif", 15, 64), HasSubstr("at least 16x16"));
  EXPECT_THAT(refusal("float_vif", 64, 15), HasSubstr("at least 16x16"));
  EXPECT_THAT(refusal("float_vif=vif_kernelscale=2.0", 24, 24), HasSubstr("at least 32x32"));
  EXPECT_THAT(refusal("float_vif=vif_prescale=0.25", 64, 48), HasSubstr("makes it 16x12"));
  EXPECT_EQ(refusal("float_vif", 16, 16), "scored");
  EXPECT_EQ(refusal("float_vif=vif_kernelscale=2.0", 32, 32), "scored");
  EXPECT_EQ(refusal("float_vif=vif_prescale=4", 4, 5), "scored");
}

TEST(FloatVif, RefusesSourcesThatAResizerDoesNotReach) {
  EXPECT_THAT(refusal("float_vif=vif_prescale=4:vif_prescale_method=lanczos4", 5, 6), HasSubstr("lanczos4 needs at least 6x6"));
  EXPECT_EQ(refusal("float_vif=vif_prescale=4:vif_prescale_method=lanczos4", 6, 7), "scored");
  EXPECT_EQ(refusal("float_vif=vif_prescale=4:vif_prescale_method=bicubic", 4, 5), "scored");
  EXPECT_THAT(refusal("float_vif=vif_prescale=4:vif_prescale_method=bilinear", 1921, 16), HasSubstr("bilinear goes up to 7680"));
}

TEST(FloatVif, RefusesWrongOptionValues) {
  for (const char* option :
       {"vif_enhn_gain_limit=0.9", "vif_enhn_gain_limit=101", "vif_kernelscale=0.7", "vif_kernelscale=0.05", "vif_prescale=9",
        "vif_prescale=0.09", "vif_scale1_min_val=-0.1", "vif_scale2_min_val=1.1", "vif_scale3_min_val=nan", "vif_prescale_method=foo",
        "vif_sigma_nsq=5.1", "vif_sigma_nsq=-1", "debug=1", "vif_skip_scale0=yes", "ps=0.5"}) {
    const auto request = extractors::parse_feature(std::string("float_vif=") + option);
    ASSERT_FALSE(request.ok()) << option;
    EXPECT_THAT(request.error().message, HasSubstr(std::string(option).substr(0, std::string(option).find('=')))) << option;
  }
}

TEST(FloatVif, EveryOptionThatChangesTheValueNamesTheKey) {
  const auto request = extractors::parse_feature(
      "float_vif=vif_skip_scale0=true:vif_sigma_nsq=1.5:vif_prescale_method=bicubic:vif_prescale=0.5:vif_scale3_min_val=0.3:"
      "vif_scale2_min_val=0.2:vif_scale1_min_val=0.1:vif_kernelscale=1.5:vif_enhn_gain_limit=1.0:debug=true");
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(extractors::feature_key(request->extractor->features[2], request->options),
            "vif_scale2_egl_1_ks_1.5_ps_0.5_pm_bicubic_s1miv_0.1_s2miv_0.2_s3miv_0.3_snsq_1.5_ssclz");
}

TEST(FloatVif, MethodDoesNotMatterWhereNothingIsResized) {
  const auto pairs = pattern_pairs("formula", 40, 30, 10, 1);
  const auto plain = run_extractor("float_vif", pairs);
  const auto with_method = run_extractor("float_vif=vif_prescale_method=lanczos4", pairs);
  ASSERT_TRUE(plain.ok() && with_method.ok());
  EXPECT_EQ(plain->values.at({0, "vif_scale2"}), with_method->values.at({0, "vif_scale2_pm_lanczos4"}));
}

TEST(FloatVif, InstancesOfOneShapeShareTheirPlanes) {
  const auto pairs = pattern_pairs("noise", 64, 48, 8, 1);
  const io::Frame& frame = pairs[0]->reference();
  extractors::FloatVifShape shape{64, 48, extractors::ResizeMethod::kNearest, extractors::float_vif_windows(1.0)};
  const extractors::FloatVifPyramid& first = extractors::shared_float_vif_pyramid(frame, shape);
  EXPECT_EQ(&first, &extractors::shared_float_vif_pyramid(frame, shape));
  shape.windows = extractors::float_vif_windows(1.5);
  const extractors::FloatVifPyramid& other = extractors::shared_float_vif_pyramid(frame, shape);
  EXPECT_NE(&first, &other);
  EXPECT_EQ(first.scales[0].data, other.scales[0].data);  // the samples themselves are shared even so
}

TEST(FloatVif, ModelsFindItUnderItsInternalNames) {
  const auto provider = extractors::find_provider("VMAF_feature_vif_scale0_score");
  ASSERT_TRUE(provider.has_value());
  EXPECT_EQ(provider->extractor->name, "float_vif");
}

}  // namespace
}  // namespace vmafbatch::testing
