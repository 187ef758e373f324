#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "adm_patterns.h"
#include "base/simd.h"
#include "extractors/adm_csf.h"
#include "extractors/adm_wavelet.h"
#include "extractors/registry.h"
#include "support/run_extractor.h"

namespace vmafbatch::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kModelOptions = "adm_csf_mode=2:adm_dlm_weight=0.7:adm_enhn_gain_limit=1:adm_min_val=0.5:adm_noise_weight=0.02";

std::string feature_with(const std::string& options) { return options.empty() ? "adm" : "adm=" + options; }

Result<ExtractorRun> score(const std::string& options, const std::string& pattern, int width, int height, int depth = 8, int frame = 0) {
  return run_extractor(feature_with(options), {adm_pair(pattern, width, height, depth, frame)});
}

// The value under the key of an unsuffixed name; the options decide the suffix.
double value_of(const ExtractorRun& run, const std::string& options, const std::string& name) {
  const auto request = extractors::parse_feature(feature_with(options));
  return run.values.at({0, name + extractors::key_suffix(request->options)});
}

struct Case {
  const char* id;
  const char* pattern;
  int frame;
  int width;
  int height;
  int depth;
  const char* options;
  std::array<double, 7> values;  // adm2, aim, adm3, scale 0 .. 3
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.id << " " << c.pattern << " " << c.width << "x" << c.height << " " << c.options;
}

// Values of libvmaf 3.2.0's scalar code.
const std::vector<Case> kCases = {
    {"T1",
     "grad",
     0,
     64,
     48,
     8,
     "",
     {0.99692650392824222, 0.0093979769383783513, 0.99376426349493197, 0.98974004020572726, 0.99559300751706259, 0.99622201927588061,
      0.99999642418128476}},
    {"T1",
     "grad",
     1,
     64,
     48,
     8,
     "",
     {0.99662172439948249, 0.009204234905835381, 0.99370874474682358, 0.99194412141991106, 0.98865504905689328, 0.9977955410915772,
      1.0002153031535044}},
    {"T2",
     "grad",
     0,
     64,
     48,
     10,
     kModelOptions,
     {0.99446651695984545, 0.0067731175307492635, 0.99409462661266712, 0.98905265343003135, 0.98951649491722049, 0.99110272333564386,
      0.99873742689383416}},
    {"T3",
     "noise",
     0,
     96,
     70,
     8,
     "",
     {0.36628314449938415, 0.67419489150119194, 0.34604412649909611, 0.43627641178782078, 0.39780022774900775, 0.35415774273765538,
      0.23149166811577054}},
    {"T4",
     "bw",
     0,
     90,
     77,
     8,
     "",
     {0.31567708492068164, 0.70517059301845142, 0.30525324595111514, 0.41433921792469719, 0.34121604029939118, 0.24708482465757581,
      0.25423136643583277}},
    {"T5",
     "bw",
     0,
     90,
     77,
     8,
     kModelOptions,
     {0.30174025182800662, 0.70878949726088991, 0.5, 0.42140476991074916, 0.34235131620904041, 0.24202695912563596, 0.24489715609493481}},
    {"T6",
     "small",
     0,
     100,
     84,
     12,
     kModelOptions,
     {0.98375835635834252, 0.0, 0.98863084945083979, 0.98604193727464584, 0.98473841306410959, 0.98482769189311437, 0.97985535328136586}},
    {"T7",
     "small",
     0,
     65,
     67,
     16,
     "",
     {0.99106139064285115, 0.0, 0.99553069532142557, 0.99148041642970652, 0.99170843337798054, 0.98956311945933506, 0.99179240846366068}},
    {"T8",
     "gain2",
     0,
     96,
     96,
     8,
     "",
     {2.817314369288908, 0.0045182770568285352, 1.9063980461160397, 2.2598553521763676, 2.8994777494227271, 3.2519904676355558,
      3.2269779479242211}},
    {"T9",
     "gain2",
     0,
     96,
     96,
     8,
     "adm_enhn_gain_limit=1",
     {0.55303933826999563, 1.5875517771050018, 0.0, 0.69296344790284303, 0.53999093751373195, 0.44105981493048069, 0.43972021351574675}},
    {"T10",
     "gain2",
     0,
     96,
     96,
     8,
     "adm_enhn_gain_limit=1.2",
     {0.58967813487467857, 1.4535166026270849, 0.068080766123796821, 0.71858893003762503, 0.58087303751036368, 0.49627056087216526,
      0.46328968327995795}},
    {"T11",
     "small",
     0,
     37,
     36,
     8,
     "",
     {0.98783714545065526, 0.0, 0.99391857272532769, 0.99213556928753588, 0.99347111299732926, 0.98557134156057435, 0.97748878502863368}},
    {"T12", "flat", 0, 64, 64, 8, "", {1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0}},
    {"T14", "flatnoise", 0, 64, 64, 8, "", {1.0, 6.6648635075742115, 0.0, 1.0, 1.0, 1.0, 1.0}},
    {"T15",
     "noiseflat",
     0,
     64,
     64,
     8,
     kModelOptions,
     {0.12518894787352552, 0.0, 0.5, 0.25555406756683419, 0.13254615181932314, 0.077037567908893281, 0.062516895692647276}},
    {"T16",
     "small",
     0,
     100,
     84,
     8,
     "adm_skip_scale0=true",
     {0.99107747632674448, 0.0, 0.99553873816337224, 0.0, 0.99297532923926035, 0.99268704742853697, 0.98578274908834373}},
    {"T17",
     "noise",
     0,
     100,
     84,
     8,
     "adm_skip_aim=true:adm_dlm_weight=0.123456789:adm_min_val=0.95",
     {0.36757184136601229, 0.0, 0.94999999999999996, 0.44063760087027004, 0.38651767232153383, 0.34355305564721161, 0.28074772523392238}},
    {"T18",
     "noise",
     0,
     100,
     84,
     8,
     "adm_csf_mode=3:adm_norm_view_dist=5",
     {0.42852055063294486, 0.62373028710812051, 0.40239513176241215, 0.68469948669477332, 0.473821097865327, 0.37981251367783048,
      0.291232960970641}},
    {"T19",
     "noise",
     0,
     100,
     84,
     8,
     "adm_csf_mode=2:adm_norm_view_dist=1.5:adm_ref_display_height=2160:adm_enhn_gain_limit=1",
     {0.36855807100951121, 0.67964609380643215, 0.34445598860153953, 0.48890355944766012, 0.40505939179669154, 0.34431474275269902,
      0.2663493117172796}},
    {"T20",
     "noise",
     0,
     100,
     84,
     8,
     "adm_csf_mode=1:adm_csf_scale=0.001:adm_csf_diag_scale=0.0005",
     {0.51616194773158142, 0.5384236499719216, 0.48886914887982991, 0.8465345182458105, 0.62318475182679178, 0.43969633467017233,
      0.32423143454176967}},
    {"T21",
     "noise",
     0,
     100,
     84,
     8,
     "adm_csf_mode=1",
     {0.0087562108038804227, 0.026808895852399203, 0.49097365747574062, 0.0073442213413415581, 0.0032035402138245565, 0.012134836156349214,
      0.0082417552096782434}},
    {"T22",
     "noise",
     0,
     100,
     84,
     8,
     "adm_norm_view_dist=24:adm_ref_display_height=4320",
     {0.99324517067659401, 0.0078274562252869471, 0.9927088572256535, 0.99949222548808381, 0.99737562953071612, 0.98921488732344176,
      0.97086173418257504}},
    {"T23",
     "noise",
     0,
     100,
     84,
     8,
     "adm_norm_view_dist=3.0001",
     {0.36757232847212246, 0.66971618736063165, 0.34892807055574537, 0.44063279999020288, 0.38652152076304003, 0.34355538301847782,
      0.2807491661491916}},
    {"T26",
     "small",
     0,
     24,
     20,
     8,
     "",
     {0.98864766010509941, 0.0, 0.99432383005254965, 0.99005461318607757, 0.99145352086503713, 0.98560746037324609, 0.98716243876051146}},
    {"T27",
     "noise",
     0,
     17,
     17,
     10,
     kModelOptions,
     {0.34538410541591302, 0.26874735652670462, 0.5, 0.50355213119459585, 0.35168112062546225, 0.27323167012857319, 0.34410597714048741}},
    {"T28",
     "noise",
     0,
     962,
     1354,
     8,
     "",
     {0.38726206612384945, 0.65027515554704507, 0.36849345528840216, 0.45593913008242393, 0.38215680944832003, 0.35582293624146349,
      0.33784680894842933}},
    {"T29",
     "small",
     0,
     3200,
     2100,
     10,
     kModelOptions,
     {0.98449666687604032, 0.0, 0.98914766681322819, 0.9861223460066687, 0.98456757592203759, 0.98390479114945295, 0.98364730046605331}},
};

class AdmValues : public ::testing::TestWithParam<Case> {};

TEST_P(AdmValues, EqualLibvmaf) {
  const Case& c = GetParam();
  constexpr std::array kNames = {"integer_adm2",       "integer_aim",        "integer_adm3",      "integer_adm_scale0",
                                 "integer_adm_scale1", "integer_adm_scale2", "integer_adm_scale3"};
  for (const SimdMode mode : {SimdMode::kBest, SimdMode::kScalar}) {
    set_simd_mode(mode);
    const auto run = score(c.options, c.pattern, c.width, c.height, c.depth, c.frame);
    set_simd_mode(SimdMode::kBest);
    ASSERT_TRUE(run.ok()) << run.error().message;
    for (size_t i = 0; i < kNames.size(); ++i) {
      const double got = value_of(*run, c.options, kNames[i]);
      EXPECT_TRUE(same_bits(got, c.values[i])) << kNames[i] << ": want " << bits_text(c.values[i]) << ", got " << bits_text(got);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Patterns, AdmValues, ::testing::ValuesIn(kCases));

TEST(Adm, GivesTheIntegerTotalsOfTheReference) {
  using Triple = std::array<std::int64_t, 3>;
  // Per scale: denominator, detail, additive impairment; each h, v, d.
  constexpr std::array<std::array<Triple, 3>, 4> kTotals = {{
      {{{12797452468867, 3156978778228, 4897036389667},
        {17369076891872904, 4187505909748094, 3939304711307197},
        {2716218389734, 2854356341705, 1218791572093}}},
      {{{1688305646814778, 137561926497092, 381783858449929},
        {448985248996594, 36076639590191, 8817777451260},
        {7214127357, 8217298847, 249692184}}},
      {{{767438929663474, 33651238698291, 120157199862298}, {254765415616004, 10947429494550, 7056009393038}, {0, 0, 0}}},
      {{{389128615838531, 9906407892308, 81864694373833}, {302800942999169, 7776174769108, 20657239423433}, {0, 0, 0}}},
  }};
  const auto pair = adm_pair("grad", 64, 48, 8, 0);
  const auto request = extractors::parse_feature("adm");
  const auto extractor = request->extractor->create(request->options, {pair->reference().format(), "clip"});
  ASSERT_TRUE(extractor.ok());
  extractors::Measurements measured;
  (*extractor)->measure(io::FrameWindow(0, {pair}), measured);
  size_t slot = 0;
  for (const auto& scale : kTotals) {
    for (const Triple& part : scale) {
      for (const std::int64_t total : part) EXPECT_EQ(measured.signed_integer(slot++), total);
    }
  }
  EXPECT_EQ(slot, measured.size());
}

TEST(Adm, GivesNumeratorsAndDenominatorsWithDebug) {
  const auto run = score("debug=true", "grad", 64, 48);
  ASSERT_TRUE(run.ok());
  const std::vector<std::pair<std::string, double>> expected = {
      {"integer_adm", 0.99692650392824222},           {"integer_adm_num", 177.33123397827148},
      {"integer_adm_den", 177.8779411315918},         {"integer_adm_num_scale0", 19.735282897949219},
      {"integer_adm_den_scale0", 19.939865112304688}, {"integer_adm_num_scale1", 30.458114624023438},
      {"integer_adm_den_scale1", 30.592937469482422}, {"integer_adm_num_scale2", 54.595432281494141},
      {"integer_adm_den_scale2", 54.802474975585938}, {"integer_adm_num_scale3", 72.542404174804688},
      {"integer_adm_den_scale3", 72.54266357421875}};
  for (const auto& [key, value] : expected) EXPECT_TRUE(same_bits(run->values.at({0, key}), value)) << key;
  EXPECT_EQ(run->values.size(), 7 + expected.size());
}

TEST(Adm, IdenticalPicturesScoreNearlyOne) {
  const auto run = score("", "ident", 96, 96);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->values.at({0, "integer_adm2"}), 1.0000076918069978);
  EXPECT_EQ(run->values.at({0, "integer_aim"}), 0.0);
  EXPECT_EQ(run->values.at({0, "integer_adm3"}), 1.0000038459034988);
  const auto limited = score("adm_enhn_gain_limit=1", "ident", 96, 96);
  EXPECT_EQ(limited->values.at({0, "integer_adm2_egl_1"}), 0.99999300064278052);
}

TEST(Adm, ChromaDoesNotMatter) {
  const auto luma = run_extractor("adm", {adm_pair("small", 70, 50, 10, 0)});
  ASSERT_TRUE(luma.ok());
  for (const io::Chroma chroma : {io::Chroma::k420, io::Chroma::k422, io::Chroma::k444}) {
    const auto run = run_extractor("adm", {adm_pair("small", 70, 50, 10, 0, chroma)});
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(run->values, luma->values);
  }
}

TEST(Adm, FailsOnAFlatReferenceWithoutNoiseFloor) {
  const auto run = score("adm_noise_weight=0", "flat", 64, 64);
  ASSERT_FALSE(run.ok());
  EXPECT_THAT(run.error().message, HasSubstr("integer_adm_scale0_nw_0 is NaN at frame 0"));
}

TEST(Adm, AimIsZeroWhereItsDenominatorIsZero) {
  // Large enough that the denominator of the skipped scale is below the limit.
  const auto pair = adm_pair("flat", 1920, 1081, 8, 0);
  const auto request = extractors::parse_feature("adm=adm_noise_weight=0:adm_skip_scale0=true");
  const auto extractor = request->extractor->create(request->options, {pair->reference().format(), "clip"});
  extractors::Measurements measured;
  (*extractor)->measure(io::FrameWindow(0, {pair}), measured);
  extractors::FrameFeatures features;
  (*extractor)->conclude(measured, features);
  EXPECT_EQ(features.values()[0].second, 1.0);  // adm2
  EXPECT_EQ(features.values()[1].second, 0.0);  // aim
  EXPECT_EQ(features.values()[2].second, 1.0);  // adm3
}

TEST(Adm, FailsWhereARowSumOverflowsToANegativeTotal) {
  const auto run = score("adm_csf_mode=1:adm_csf_scale=0.025:adm_csf_diag_scale=0.0061", "cols", 64, 64);
  ASSERT_FALSE(run.ok());
  EXPECT_THAT(run.error().message, HasSubstr("is NaN at frame 0"));
}

TEST(Adm, NeedsSeventeenSamplesOnEachSide) {
  EXPECT_TRUE(score("", "noise", 17, 17).ok());
  for (const auto& [width, height] : {std::pair{16, 17}, {17, 16}, {16, 40}, {40, 16}, {1, 1}}) {
    const auto run = score("", "noise", width, height);
    ASSERT_FALSE(run.ok()) << width << "x" << height;
    EXPECT_THAT(run.error().message, HasSubstr("adm cannot score"));
    EXPECT_THAT(run.error().message, HasSubstr("at least 17x17"));
  }
}

TEST(AdmOptions, EachIsInTheKeyUnlessItOnlyAddsOutputs) {
  const std::vector<std::pair<std::string, std::string>> suffixes = {{"debug=true", ""},
                                                                     {"adm_csf_scale=0.5", "_scf_0.5"},
                                                                     {"adm_csf_diag_scale=2", "_scfd_2"},
                                                                     {"adm_dlm_weight=0.7", "_dlmw_0.7"},
                                                                     {"adm_enhn_gain_limit=1.0", "_egl_1"},
                                                                     {"adm_norm_view_dist=5", "_nvd_5"},
                                                                     {"adm_ref_display_height=2160", "_rdh_2160"},
                                                                     {"adm_csf_mode=3", "_csf_3"},
                                                                     {"adm_noise_weight=0.02", "_nw_0.02"},
                                                                     {"adm_skip_aim=true", ""},
                                                                     {"adm_skip_scale0=true", "_ssz"},
                                                                     {"adm_min_val=0.5", "_min_0.5"},
                                                                     {"adm_norm_view_dist=3", ""},
                                                                     {kModelOptions, "_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02"}};
  for (const auto& [options, suffix] : suffixes) {
    const auto request = extractors::parse_feature(feature_with(options));
    ASSERT_TRUE(request.ok()) << options;
    for (const auto& feature : request->extractor->features) {
      EXPECT_EQ(extractors::feature_key(feature, request->options), std::string(feature.reported_name) + suffix);
    }
  }
}

TEST(AdmOptions, RefusesWhatIsOutOfRange) {
  for (const char* option : {"adm_csf_scale=50.1", "adm_csf_diag_scale=-0.1", "adm_dlm_weight=1.01", "adm_enhn_gain_limit=0.5",
                             "adm_enhn_gain_limit=101", "adm_norm_view_dist=0.7", "adm_norm_view_dist=24.1", "adm_ref_display_height=0",
                             "adm_ref_display_height=4321", "adm_csf_mode=4", "adm_csf_mode=-1", "adm_noise_weight=1501",
                             "adm_noise_weight=-1", "adm_skip_aim=1", "adm_skip_scale0=yes", "adm_min_val=1.1", "debug=1"}) {
    const auto request = extractors::parse_feature(feature_with(option));
    ASSERT_FALSE(request.ok()) << option;
    EXPECT_THAT(request.error().message, HasSubstr(std::string(option).substr(0, std::string(option).find('='))));
  }
}

TEST(AdmOptions, RefusesAViewingGeometryThatIsTooClose) {
  for (const char* options : {"adm_norm_view_dist=2.9", "adm_ref_display_height=1079", "adm_csf_mode=2:adm_ref_display_height=720"}) {
    const auto request = extractors::parse_feature(feature_with(options));
    ASSERT_FALSE(request.ok()) << options;
    EXPECT_THAT(request.error().message, HasSubstr("at least 3240"));
  }
  EXPECT_TRUE(extractors::parse_feature("adm=adm_norm_view_dist=1.5:adm_ref_display_height=2160").ok());
}

TEST(AdmOptions, RefusesModesWithoutWeightsForTheGeometry) {
  const auto request = extractors::parse_feature("adm=adm_csf_mode=2:adm_norm_view_dist=4");
  ASSERT_FALSE(request.ok());
  EXPECT_THAT(request.error().message, HasSubstr("adm_csf_mode 2 has no weights for adm_norm_view_dist 4"));
  EXPECT_TRUE(extractors::parse_feature("adm=adm_csf_mode=1:adm_norm_view_dist=4").ok());
  EXPECT_TRUE(extractors::parse_feature("adm=adm_csf_mode=3:adm_norm_view_dist=5:adm_ref_display_height=720").ok());
}

TEST(AdmCsf, GivesTheWeightsOfTheReference) {
  using extractors::adm::CsfMode;
  struct WeightCase {
    extractors::adm::Viewing viewing;
    size_t scale;
    float straight;
    float diagonal;
    std::uint32_t fixed_straight;
    std::uint32_t fixed_diagonal;
  };
  const std::vector<WeightCase> cases = {
      {{}, 0, 0x1.1cc774p-6f, 0x1.820d54p-8f, 36453, 49417},
      {{}, 1, 0x1.06050cp-5f, 0x1.d48d46p-7f, 137373792, 61414028},
      {{}, 2, 0x1.634f1p-5f, 0x1.8fb80cp-6f, 186284160, 104783920},
      {{}, 3, 0x1.762816p-5f, 0x1.008392p-5f, 196165808, 134487184},
      {{.distance = 5.0}, 0, 0x1.c0364ep-8f, 0x1.0ad7fep-9f, 14342, 17077},
      {{.distance = 5.0}, 3, 0x1.c49c48p-6f, 0x1.108d0ep-6f, 118649120, 71447608},
      {{.display_height = 2160}, 0, 0x1.392e4ep-8f, 0x1.6408d8p-10f, 10021, 11393},
      {{.display_height = 2160}, 3, 0x1.70b4fap-6f, 0x1.a7f684p-7f, 96654312, 55569672},
      {{.mode = CsfMode::kBarten}, 0, 0x1.35e31ap+0f, 0x1.35e31ap+0f, 48227, 61837},
      {{.mode = CsfMode::kBarten}, 1, 0x1.42b3c6p+2f, 0x1.42b3c6p+2f, 181344256, 181344256},
      {{.mode = CsfMode::kBarten}, 2, 0x1.d410eap+3f, 0x1.d410eap+3f, 2693222400u, 2693222400u},
      {{.mode = CsfMode::kBarten}, 3, 0x1.af9d36p+4f, 0x1.af9d36p+4f, 4191379456u, 4191379456u},
      {{.mode = CsfMode::kBarten, .scale = 0.001, .diagonal_scale = 0.0005}, 0, 0x1.3d530cp-10f, 0x1.3d530cp-11f, 2538, 5077},
      {{.mode = CsfMode::kBarten, .scale = 0.001, .diagonal_scale = 0.0005}, 3, 0x1.b9f90cp-6f, 0x1.b9f90cp-7f, 115860528, 57930264},
      {{.mode = CsfMode::kBlend}, 0, 0.01183f, 0.004302f, 24809, 36087},
      {{.mode = CsfMode::kBlend}, 3, 0.058621f, 0.035901f, 251775280, 154193616},
      {{.mode = CsfMode::kBlendMae, .distance = 5.0, .display_height = 720}, 3, 0.044523f, 0.030318f, 191224832, 130214816},
  };
  for (const WeightCase& c : cases) {
    const auto weights = extractors::adm::float_weights(c.viewing);
    const auto fixed = extractors::adm::fixed_weights(c.viewing, weights);
    EXPECT_EQ(weights[c.scale], (std::array{c.straight, c.straight, c.diagonal}));
    EXPECT_EQ(fixed[c.scale], (std::array{c.fixed_straight, c.fixed_straight, c.fixed_diagonal}));
  }
}

TEST(AdmPyramid, IsComputedOncePerFrame) {
  const auto pair = adm_pair("noise", 64, 48, 8, 0);
  const auto geometry = extractors::adm::geometry_of(64, 48);
  const auto run = run_extractor("adm", {pair});
  ASSERT_TRUE(run.ok());
  const auto* first = &extractors::adm::pyramid_of(pair->reference(), geometry);
  const auto limited = run_extractor("adm=adm_enhn_gain_limit=1", {pair});
  ASSERT_TRUE(limited.ok());
  EXPECT_EQ(&extractors::adm::pyramid_of(pair->reference(), geometry), first);
  EXPECT_NE(run->values.at({0, "integer_adm2"}), limited->values.at({0, "integer_adm2_egl_1"}));
}

TEST(AdmGeometry, FollowsThePictureSize) {
  const auto g = extractors::adm::geometry_of(64, 48);
  const std::array<std::array<int, 6>, 4> expected = {
      {{32, 24, 2, 30, 1, 23}, {16, 12, 1, 15, 0, 12}, {8, 6, 0, 8, 0, 6}, {4, 3, 0, 4, 0, 3}}};
  for (size_t s = 0; s < expected.size(); ++s) {
    EXPECT_EQ((std::array{g[s].width, g[s].height, g[s].inner.left, g[s].inner.right, g[s].inner.top, g[s].inner.bottom}), expected[s]);
  }
  // A size whose region makes a logarithm in single precision wrong.
  EXPECT_EQ(extractors::adm::geometry_of(962, 13542)[0].reference_row_shift, 2);
}

}  // namespace
}  // namespace vmafbatch::testing
