// float_adm against the numbers of its specification (libvmaf 3.2.0 with correctly rounded division), and its fast loops against
// their plain twins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "extractors/float_adm_csf.h"
#include "extractors/float_adm_wavelet.h"
#include "extractors/registry.h"
#include "support/run_extractor.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::testing {
namespace {

namespace fadm = extractors::float_adm;
using Pairs = std::vector<std::shared_ptr<const io::FramePair>>;
using Sample = std::function<int(int, int, int)>;  // (x, y, frame)

Pairs pairs_of(int width, int height, int depth, int frames, const Sample& reference, const Sample& distorted) {
  const io::PictureFormat format{width, height, io::Chroma::k400, depth};
  Pairs pairs;
  for (int n = 0; n < frames; ++n) {
    const auto at = [n](const Sample& sample) { return [&sample, n](int, int x, int y) { return sample(x, y, n); }; };
    pairs.push_back(std::make_shared<io::FramePair>(make_frame(format, at(reference)), make_frame(format, at(distorted))));
  }
  return pairs;
}

int clip_to(int value, int maximum) { return std::clamp(value, 0, maximum); }
int ramp(int x, int y, int n) { return 3 * x + 5 * y + 7 * n; }
int quadratic(int x, int y, int n) { return (7 * x * x + 13 * y * y + 3 * x * y + 17 * n) & 255; }
int blurred(int x, int y, int n) { return (3 * quadratic(x, y, n) + quadratic(x + 1, y, n)) / 4; }
int slope(int x, int y, int) { return (7 * x + 13 * y) & 255; }
Sample flat(int value) {
  return [value](int, int, int) { return value; };
}

// A deep ramp with a texture, and the same with a small pattern added.
Pairs textured(int width, int height, int depth) {
  const int unit = 1 << (depth - 8);
  const int peak = (1 << depth) - 1;
  const auto reference = [=](int x, int y, int n) { return (unit * ramp(x, y, n) + (x * y * y) % (11 * unit)) & peak; };
  return pairs_of(width, height, depth, 2, reference,
                  [=](int x, int y, int n) { return clip_to(reference(x, y, n) + unit * ((x * y) % 7 - 2), peak); });
}

Pairs case_pairs(const std::string& name) {
  if (name == "T1") {
    const auto reference = [](int x, int y, int n) { return ramp(x, y, n) & 255; };
    return pairs_of(64, 48, 8, 2, reference, [=](int x, int y, int n) { return clip_to(reference(x, y, n) + (x * y) % 7, 255); });
  }
  if (name == "T2") return textured(17, 17, 10);
  if (name == "T3") return textured(57, 35, 12);
  if (name == "T4") {
    const auto reference = [](int x, int y, int n) { return (997 * x + 1499 * y + 333 * n) & 65535; };
    return pairs_of(65, 49, 16, 2, reference, [=](int x, int y, int n) { return 3 * reference(x, y, n) / 4 + (x * y) % 5000; });
  }
  if (name == "T5") {
    const auto reference = [](int x, int y, int) { return 78 + (x * x + 3 * y * y) % 101; };
    const auto stretched = [=](int x, int y, int n) {
      return clip_to(128 + static_cast<int>(std::floor(3 * (reference(x, y, n) - 128) / 2.0)), 255);
    };
    return pairs_of(96, 80, 8, 1, reference, stretched);
  }
  if (name == "T6") return pairs_of(321, 241, 8, 2, quadratic, blurred);
  if (name == "T7") return pairs_of(64, 48, 8, 1, flat(77), slope);
  if (name == "T8") return pairs_of(64, 48, 8, 1, flat(128), slope);
  if (name == "T9") return pairs_of(321, 241, 8, 1, quadratic, quadratic);
  if (name == "T10") return pairs_of(64, 48, 8, 1, flat(100), slope);
  if (name == "T11") return pairs_of(1920, 1080, 8, 1, quadratic, blurred);
  throw std::invalid_argument("no case " + name);
}

std::string feature_text(const std::string& options) { return "float_adm" + (options.empty() ? "" : "=" + options); }

// "_egl_1": what the options add to every key.
std::string suffix_of(const std::string& options) {
  return extractors::key_suffix(extractors::parse_feature(feature_text(options))->options);
}

const std::array<std::string, 7> kKeys{"adm2", "aim", "adm3", "adm_scale0", "adm_scale1", "adm_scale2", "adm_scale3"};

struct SpecifiedScores {
  const char* clip;
  const char* options;
  int frame;
  std::array<double, 7> values;  // in the order of kKeys
};

// The specification's section 8, rows of the `ieee` model.
const SpecifiedScores kSpecified[] = {
    {"T1",
     "",
     0,
     {0.99692980893253935, 0.0094094450893548089, 0.99376018192159221, 0.98971981569112477, 0.99558531886125434, 0.99622983368248208,
      1.0000076782142451}},
    {"T1",
     "",
     1,
     {0.99662746189153051, 0.009205945175429114, 0.99371075835805067, 0.99192346644178642, 0.98865806218642793, 0.99780203570340364,
      1.0002289606631636}},
    {"T2",
     "",
     0,
     {0.98416529252296026, 0.0065113419872642247, 0.98882697526784802, 0.96538180942860075, 0.93218468138552679, 0.9658967339131177,
      1.0004714942462536}},
    {"T2",
     "",
     1,
     {0.98404208888233646, 0.0065279778597428706, 0.98875705551129678, 0.96538535775892076, 0.93163572705274389, 0.96574910609855447,
      1.0003988574110543}},
    {"T3",
     "",
     0,
     {0.99681068202897571, 0.0037203617256364925, 0.99654516015166961, 0.99694173739758141, 0.9905742767708019, 0.99551220337513169,
      0.99931118306949374}},
    {"T3",
     "",
     1,
     {0.9978743054144632, 0.0035564328610472118, 0.99715893627670793, 0.99615343000824719, 0.99587823951483412, 0.99610062240861597,
      0.99985875683480108}},
    {"T4",
     "",
     0,
     {0.76537441547665264, 1.3635101746811041e-06, 0.88268652598323905, 0.8462530920906659, 0.78921535027429657, 0.75993527535360739,
      0.75296668696304125}},
    {"T4",
     "",
     1,
     {0.76489494470138986, 1.3206170455521024e-06, 0.88244681204217224, 0.85281890117906123, 0.78607751631162426, 0.7597810271296993,
      0.75282874852890713}},
    {"T5",
     "",
     0,
     {1.3593068692078565, 0.00024010826433040067, 1.1795333804717631, 1.2860659012956333, 1.3647162285329171, 1.4099367102428924,
      1.3908315480281701}},
    {"T5",
     "adm_enhn_gain_limit=1",
     0,
     {0.84104048891028682, 0.11961235333774767, 0.86071406778626958, 0.85405963925071804, 0.84387987618545424, 0.84107672756355911,
      0.80923167641234128}},
    {"T5",
     "adm_enhn_gain_limit=1.2",
     0,
     {1.0437072315986919, 0.014250374438104115, 1.014728428580294, 1.0222470697042789, 1.0485236858691105, 1.0642850578984835,
      1.0346050720381985}},
    {"T6",
     "",
     0,
     {0.88327663648156818, 0.0083016579711114383, 0.93748748925522829, 0.78064739038129216, 0.87428008904170551, 0.93603255883590208,
      0.9640593492000501}},
    {"T6",
     "adm_enhn_gain_limit=1",
     0,
     {0.87953145029457358, 0.0083362324808532451, 0.93559760890686017, 0.7793809857208297, 0.87136286888812331, 0.93124078802887522,
      0.95703713199372165}},
    {"T6",
     "adm_csf_mode=1",
     0,
     {0.91062080347692265, 0.00327465782584082, 0.95367307282554092, 0.6961350310355402, 0.84806511424563091, 0.9275874463721715,
      0.95944450352988775}},
    {"T6",
     "adm_csf_mode=1:adm_csf_scale=2.5:adm_csf_diag_scale=0.7",
     0,
     {0.918406500748428, 0.0053476182890035608, 0.95652944122971229, 0.72511374104536863, 0.86147806277062944, 0.93238167157219831,
      0.96332473083984893}},
    {"T6",
     "adm_csf_mode=2",
     0,
     {0.93326433190617231, 0.0029060178212913252, 0.96517915704244051, 0.86982917410338256, 0.86607790802294937, 0.93040717965660269,
      0.96006030696296218}},
    {"T6",
     "adm_csf_mode=2:adm_dlm_weight=0.7:adm_enhn_gain_limit=1:adm_min_val=0.5:adm_noise_weight=0.02",
     0,
     {0.92722496381631081, 0.0029207343184382748, 0.94818125437588607, 0.85935696311917054, 0.86246695770865844, 0.92513143302628786,
      0.95239185832912798}},
    {"T6",
     "adm_csf_mode=7",
     0,
     {0.88327663648156818, 0.0083016579711114383, 0.93748748925522829, 0.78064739038129216, 0.87428008904170551, 0.93603255883590208,
      0.9640593492000501}},
    {"T6",
     "adm_norm_view_dist=5:adm_ref_display_height=2160",
     0,
     {0.94620563540757563, 0.0039168695428668885, 0.97114438293235439, 0.93141991219140619, 0.93224654252889216, 0.95508512949195445,
      0.97209717575158594}},
    {"T6",
     "adm_bypass_cm=1",
     0,
     {0.90263514843433779, 0.08838074341049193, 0.90712720251192291, 0.8001514374557398, 0.89818297545116621, 0.95403294581250675,
      0.9778377913111499}},
    {"T6",
     "adm_p_norm=1",
     0,
     {0.74253226687814755, 0.00081155947591416149, 0.8708603537011167, 0.68344808142981639, 0.78610086514738431, 0.87310865362637957,
      0.93072204278223036}},
    {"T6",
     "adm_p_norm=2",
     0,
     {0.84640303199294131, 0.004971868953811456, 0.9207155815195649, 0.7507901349765097, 0.8503475662010771, 0.91860943609560375,
      0.9560905961199071}},
    {"T6",
     "adm_p_norm=2.5",
     0,
     {0.86871757538816052, 0.0067997844214448934, 0.93095889548335786, 0.76835035829275056, 0.86474200447693583, 0.92893081907916442,
      0.9609929878351825}},
    {"T6",
     "adm_skip_aim_scale=2",
     0,
     {0.88327663648156818, 0.011337206189599172, 0.93596971514598448, 0.78064739038129216, 0.87428008904170551, 0.93603255883590208,
      0.9640593492000501}},
    {"T6",
     "adm_skip_scale0=true",
     0,
     {0.91840179602425187, 0.0054973199031638055, 0.95645223806054402, 0, 0.87428008904170551, 0.93603255883590208, 0.9640593492000501}},
    {"T6",
     "adm_f1s0=0.02:adm_f2s1=0",
     0,
     {0.88542285949219868, 0.011174783644337447, 0.93712403792393062, 0.77710401415687413, 0.8957043145292769, 0.93603255883590208,
      0.9640593492000501}},
    {"T6",
     "adm_adm3_apply_hm=true",
     0,
     {0.88327663648156818, 0.0083016579711114383, 0.016448719255654536, 0.78064739038129216, 0.87428008904170551, 0.93603255883590208,
      0.9640593492000501}},
    {"T6",
     "adm_min_val=0.99",
     0,
     {0.88327663648156818, 0.0083016579711114383, 0.98999999999999999, 0.78064739038129216, 0.87428008904170551, 0.93603255883590208,
      0.9640593492000501}},
    {"T6",
     "",
     1,
     {0.8817011804889987, 0.0082768438293730085, 0.93671216832981286, 0.78025803810626471, 0.87381575166008396, 0.93071505334645677,
      0.96134436091891617}},
    {"T6",
     "adm_csf_mode=1",
     1,
     {0.90813348089984824, 0.0030267814571603969, 0.95255334972134387, 0.6962716795079108, 0.84794500393006167, 0.91996218760204296,
      0.95637656703579565}},
    {"T6",
     "adm_p_norm=2.5",
     1,
     {0.86698035863126444, 0.0068583116154446767, 0.93006102350790987, 0.76798003218929833, 0.86334532654492946, 0.92407741251059228,
      0.95768439807213113}},
    {"T7", "", 0, {1, 1, 0.5, 1, 1, 1, 1}},
    {"T8", "", 0, {1, 1, 0.5, 1, 1, 1, 1}},
    {"T9", "", 0, {1, 0, 1, 1, 1, 1, 1}},
    {"T9", "adm_enhn_gain_limit=1", 0, {1, 0, 1, 1, 1, 1, 1}},
    {"T10", "", 0, {0.99999987352955344, 1, 0.49999993676477672, 1, 0.99999990854748155, 0.99999972229631506, 0.99999955917298211}},
    {"T10", "adm_noise_weight=0", 0, {0.0078923765811314446, 1, 0.0039461882905657223, 0.10501784448153005, 0, 0, 0}},
    {"T11",
     "",
     0,
     {0.88292161387591239, 0.0084889838808077621, 0.93721631499755231, 0.78095252670564108, 0.87355734466480894, 0.93580706662957358,
      0.97106484634440193}},
    {"T11",
     "adm_enhn_gain_limit=1",
     0,
     {0.87913293551816085, 0.0085249838529215857, 0.93530397583261959, 0.77976315189262257, 0.87056673068528878, 0.93127952175807194,
      0.96317702241511982}},
};

class FloatAdmSpecified : public ::testing::TestWithParam<SpecifiedScores> {};

TEST_P(FloatAdmSpecified, HasTheSpecifiedScores) {
  const SpecifiedScores& want = GetParam();
  const Result<ExtractorRun> run = run_extractor(feature_text(want.options), case_pairs(want.clip));
  ASSERT_TRUE(run.ok()) << run.error().message;
  for (size_t i = 0; i < kKeys.size(); ++i) {
    const auto got = run->values.find({want.frame, kKeys[i] + suffix_of(want.options)});
    ASSERT_NE(got, run->values.end()) << kKeys[i];
    EXPECT_TRUE(same_bits(got->second, want.values[i]))
        << want.clip << " " << want.options << " " << kKeys[i] << ": " << bits_text(got->second) << " for " << bits_text(want.values[i]);
  }
}

std::string name_of(const ::testing::TestParamInfo<SpecifiedScores>& info) {
  std::string name = std::string(info.param.clip) + "_frame" + std::to_string(info.param.frame) + "_" + info.param.options;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, FloatAdmSpecified, ::testing::ValuesIn(kSpecified), name_of);

double value_at(const ExtractorRun& run, const std::string& key, std::int64_t frame = 0) {
  const auto found = run.values.find({frame, key});
  return found == run.values.end() ? std::nan("") : found->second;
}

TEST(FloatAdm, DebugGivesNumeratorsAndDenominators) {
  const Result<ExtractorRun> run = run_extractor("float_adm=debug=true", case_pairs("T1"));
  ASSERT_TRUE(run.ok()) << run.error().message;
  const std::pair<const char*, double> want[] = {
      {"adm", 0.99692980893253935},           {"adm_num", 177.32205009460449},        {"adm_den", 177.86813926696777},
      {"adm_num_scale0", 19.734800338745117}, {"adm_den_scale0", 19.939785003662109}, {"adm_num_scale1", 30.457740783691406},
      {"adm_den_scale1", 30.592798233032227}, {"adm_num_scale2", 54.593101501464844}, {"adm_den_scale2", 54.799705505371094},
      {"adm_num_scale3", 72.536407470703125}, {"adm_den_scale3", 72.535850524902344}};
  for (const auto& [key, value] : want) EXPECT_TRUE(same_bits(value_at(*run, key), value)) << key;
  EXPECT_EQ(run->values.size(), 2 * (kKeys.size() + std::size(want)));
}

TEST(FloatAdm, DebugKeysCarryTheSuffixExceptAdm) {
  const Result<ExtractorRun> run = run_extractor("float_adm=debug=true:adm_noise_weight=0", case_pairs("T10"));
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_TRUE(same_bits(value_at(*run, "adm"), value_at(*run, "adm2_nw_0")));
  EXPECT_TRUE(same_bits(value_at(*run, "adm_num_nw_0"), 2.0947220846778691e-08));
  EXPECT_TRUE(same_bits(value_at(*run, "adm_den_nw_0"), 2.6541081297182245e-06));
  EXPECT_TRUE(same_bits(value_at(*run, "adm_num_scale1_nw_0"), 0.0));
  EXPECT_TRUE(same_bits(value_at(*run, "adm_den_scale3_nw_0"), 1.1282243121968349e-06));
}

TEST(FloatAdm, SkippedScaleZeroScoresZeroOverTheSmallestDenominator) {
  const Result<ExtractorRun> run = run_extractor("float_adm=debug=true:adm_skip_scale0=true", case_pairs("T1"));
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_TRUE(same_bits(value_at(*run, "adm_scale0_ssz"), 0.0));
  EXPECT_TRUE(same_bits(value_at(*run, "adm_num_scale0_ssz"), 0.0));
  EXPECT_TRUE(same_bits(value_at(*run, "adm_den_scale0_ssz"), 1.000000013351432e-10));
}

TEST(FloatAdm, MeasuresTheSumsOfEachScaleSignalAndBand) {
  const Pairs pairs = case_pairs("T1");
  const auto request = extractors::parse_feature("float_adm");
  const auto extractor = request->extractor->create(request->options, {pairs[0]->reference().format(), "clip"});
  extractors::Measurements measured;
  (*extractor)->measure(window_at(pairs, 0, 0), measured);
  ASSERT_EQ(measured.size(), 36u);
  const std::uint32_t reference_sums[3][3] = {
      {0x43802d80, 0x427cf334, 0x40746389}, {0x454dcc5c, 0x4386265c, 0x42850b4a}, {0x46e93868, 0x44a39fef, 0x444fff34}};
  for (size_t scale = 0; scale < 3; ++scale) {
    for (size_t band = 0; band < 3; ++band) {
      EXPECT_EQ(measured.real(scale * 9 + band), std::bit_cast<float>(reference_sums[scale][band])) << scale << " " << band;
    }
  }
  for (size_t band = 0; band < 3; ++band) EXPECT_EQ(measured.real(2 * 9 + 6 + band), 0.0) << "aim of scale 2";
}

TEST(FloatAdm, IdenticalPicturesScoreOneAlsoWithoutGain) {
  for (const char* options : {"", "adm_enhn_gain_limit=1", "adm_p_norm=2"}) {
    const Result<ExtractorRun> run = run_extractor(feature_text(options), make_pairs({.scene = "nature", .width = 67, .height = 51}));
    ASSERT_TRUE(run.ok()) << run.error().message;
    EXPECT_EQ(value_at(*run, "adm2" + suffix_of(options)), 1.0) << options;
    EXPECT_EQ(value_at(*run, "aim" + suffix_of(options)), 0.0) << options;
    EXPECT_EQ(value_at(*run, "adm3" + suffix_of(options)), 1.0) << options;
  }
}

TEST(FloatAdm, AimIsZeroWhereItsDenominatorIsZero) {
  const Pairs pairs = case_pairs("T8");
  const auto request = extractors::parse_feature("float_adm=adm_noise_weight=0");
  const auto extractor = request->extractor->create(request->options, {pairs[0]->reference().format(), "clip"});
  extractors::Measurements measured;
  (*extractor)->measure(window_at(pairs, 0, 0), measured);
  extractors::FrameFeatures features;
  (*extractor)->conclude(measured, features);
  ASSERT_EQ(features.values().size(), kKeys.size());
  EXPECT_TRUE(same_bits(features.values()[0].second, 1.0));
  EXPECT_TRUE(same_bits(features.values()[1].second, 0.0));
  EXPECT_TRUE(same_bits(features.values()[2].second, 1.0));
  for (size_t i = 3; i < kKeys.size(); ++i) EXPECT_TRUE(std::isnan(features.values()[i].second)) << kKeys[i];
}

TEST(FloatAdm, NoiseWeightZeroOnAFlatReferenceFails) {
  for (const char* clip : {"T7", "T8"}) {
    const Result<ExtractorRun> run = run_extractor("float_adm=adm_noise_weight=0", case_pairs(clip));
    ASSERT_FALSE(run.ok());
    EXPECT_THAT(run.error().message, ::testing::AllOf(::testing::HasSubstr("float_adm"), ::testing::HasSubstr("NaN")));
  }
}

TEST(FloatAdm, HarmonicMeanOfNothingIsTheFloor) {
  // No detail is left and none was added: adm2 and aim are both 0.
  const std::string options = "adm_noise_weight=0:adm_adm3_apply_hm=true:adm_min_val=0.25";
  const Result<ExtractorRun> run = run_extractor(feature_text(options), pairs_of(64, 48, 8, 1, slope, flat(128)));
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_EQ(value_at(*run, "adm2" + suffix_of(options)), 0.0);
  EXPECT_EQ(value_at(*run, "aim" + suffix_of(options)), 0.0);
  EXPECT_EQ(value_at(*run, "adm3" + suffix_of(options)), 0.25);
}

TEST(FloatAdm, RefusesPicturesBelow17x17) {
  for (const auto& [width, height] : {std::pair{16, 64}, {64, 16}, {16, 16}, {1, 1}}) {
    const Result<ExtractorRun> run = run_extractor("float_adm", pairs_of(width, height, 8, 1, slope, slope));
    ASSERT_FALSE(run.ok()) << width << "x" << height;
    EXPECT_THAT(run.error().message, ::testing::AllOf(::testing::HasSubstr("float_adm"), ::testing::HasSubstr("17x17"),
                                                      ::testing::HasSubstr(std::to_string(width) + "x" + std::to_string(height))));
  }
  EXPECT_TRUE(run_extractor("float_adm", pairs_of(17, 17, 8, 1, slope, slope)).ok());
}

TEST(FloatAdm, RefusesOptionsOutOfRange) {
  for (const char* text : {"adm_skip_aim_scale=-1",
                           "adm_skip_aim_scale=4",
                           "adm_enhn_gain_limit=0.5",
                           "adm_enhn_gain_limit=100.1",
                           "adm_csf_mode=10",
                           "adm_p_norm=0",
                           "adm_p_norm=20.5",
                           "adm_f1s0=-0.0",
                           "adm_f2s3=-1.5",
                           "adm_f1s2=10.5",
                           "debug=1",
                           "adm_norm_view_dist=0.7",
                           "adm_norm_view_dist=24.5",
                           "adm_noise_weight=-1",
                           "adm_noise_weight=1501",
                           "adm_csf_scale=51",
                           "adm_csf_diag_scale=-1",
                           "adm_ref_display_height=0",
                           "adm_ref_display_height=4321",
                           "adm_bypass_cm=2",
                           "adm_dlm_weight=1.5",
                           "adm_min_val=-0.5",
                           "adm_min_val=1.5",
                           "adm_adm3_apply_hm=yes",
                           "adm_skip_scale0=1"}) {
    const auto request = extractors::parse_feature(feature_text(text));
    ASSERT_FALSE(request.ok()) << text;
    EXPECT_THAT(request.error().message, ::testing::HasSubstr(std::string(text).substr(0, std::string(text).find('=')))) << text;
  }
}

TEST(FloatAdm, RefusesAnAliasAsAnOption) {
  const auto request = extractors::parse_feature("float_adm=egl=1");
  ASSERT_FALSE(request.ok());
  EXPECT_THAT(request.error().message, ::testing::HasSubstr("adm_enhn_gain_limit"));
}

TEST(FloatAdm, RefusesOptionsThatLeaveAScaleWithoutWeight) {
  for (const char* options :
       {"adm_noise_weight=0:adm_f1s2=0:adm_f2s2=0", "adm_noise_weight=0:adm_csf_mode=1:adm_csf_scale=0:adm_csf_diag_scale=0",
        "adm_noise_weight=0:adm_f1s0=0:adm_f2s0=0"}) {
    const auto request = extractors::parse_feature(feature_text(options));
    ASSERT_FALSE(request.ok()) << options;
    EXPECT_THAT(request.error().message, ::testing::HasSubstr("adm_noise_weight"));
  }
  EXPECT_TRUE(extractors::parse_feature("float_adm=adm_noise_weight=0:adm_f1s2=0").ok());
  EXPECT_TRUE(extractors::parse_feature("float_adm=adm_noise_weight=0:adm_skip_scale0=true:adm_f1s0=0:adm_f2s0=0").ok());
}

TEST(FloatAdm, KeysCarryTheChangedOptionsInTheOrderOfTheirFullNames) {
  EXPECT_EQ(suffix_of("adm_noise_weight=.5"), "_nw_0.5");
  EXPECT_EQ(suffix_of("adm_enhn_gain_limit=1e0"), "_egl_1");
  EXPECT_EQ(suffix_of("adm_enhn_gain_limit=100:adm_p_norm=3:adm_f1s0=-1:adm_skip_scale0=false:debug=true"), "");
  EXPECT_EQ(suffix_of("adm_csf_scale=2.5:adm_csf_mode=1:adm_csf_diag_scale=0.7"), "_scfd_0.7_csf_1_scf_2.5");
  const std::string every_option =
      "adm_skip_scale0=true:adm_skip_aim_scale=2:adm_ref_display_height=720:adm_p_norm=2:adm_norm_view_dist=4:adm_noise_weight=0.5:"
      "adm_min_val=0.1:adm_f2s3=8:adm_f2s2=7:adm_f2s1=6:adm_f2s0=5:adm_f1s3=4:adm_f1s2=3:adm_f1s1=2:adm_f1s0=1:adm_enhn_gain_limit=1.5:"
      "adm_dlm_weight=0.75:adm_csf_scale=2:adm_csf_mode=1:adm_csf_diag_scale=3:adm_bypass_cm=1:adm_adm3_apply_hm=true";
  EXPECT_EQ(suffix_of(every_option),
            "_aah_bcm_1_scfd_3_csf_1_scf_2_dlmw_0.75_egl_1.5_f1s0_1_f1s1_2_f1s2_3_f1s3_4_f2s0_5_f2s1_6_f2s2_7_f2s3_8_min_0.1_nw_0.5_nvd_4"
            "_apn_2_rdf_720_sasc_2_ssz");
}

TEST(FloatAdm, AModelFindsItsFeaturesByTheirInternalNames) {
  for (const char* name : {"VMAF_feature_adm2_score", "VMAF_feature_adm_scale3_score", "adm_num", "adm_den_scale3"}) {
    const auto provider = extractors::find_provider(name);
    ASSERT_TRUE(provider.has_value()) << name;
    EXPECT_EQ(provider->extractor->name, "float_adm") << name;
  }
  EXPECT_FALSE(extractors::find_provider("adm").has_value());
}

struct SpecifiedWeights {
  fadm::CsfSettings settings;
  std::array<std::uint32_t, 4> f1;
  std::array<std::uint32_t, 4> f2;
};

TEST(FloatAdmCsf, HasTheSpecifiedWeights) {
  const SpecifiedWeights table[] = {
      {{0, 3, 1080}, {0x3c8e63ba, 0x3d030286, 0x3d31a788, 0x3d3b140b}, {0x3bc106aa, 0x3c6a46a3, 0x3cc7dc06, 0x3d0041c9}},
      {{0, 3, 2160}, {0x3b9c9727, 0x3c2f0107, 0x3c9020ae, 0x3cb85a7d}, {0x3ab2046c, 0x3b833860, 0x3c07f943, 0x3c53fb42}},
      {{0, 3, 720}, {0x3d0a75fe, 0x3d6364d8, 0x3d89997c, 0x3d815180}, {0x3c500e54, 0x3ce15d9a, 0x3d2b95ea, 0x3d448b9f}},
      {{0, 5, 1080}, {0x3be01b27, 0x3c6df82c, 0x3cba3608, 0x3ce24e24}, {0x3b056bff, 0x3bbae33c, 0x3c380033, 0x3c884687}},
      {{0, 5, 2160}, {0x3ad58cc4, 0x3b89b809, 0x3c02e601, 0x3c413b97}, {0x39d53c8a, 0x3ab566e3, 0x3b58f066, 0x3bc32932}},
      {{9, 1.5, 1080}, {0x3d55304d, 0x3da17c35, 0x3db447bc, 0x3d9c4ae7}, {0x3cac4f98, 0x3d2c2c8a, 0x3d71d86a, 0x3d7f8b75}},
      {{1, 3, 1080}, {0x3f9af18d, 0x40a159e3, 0x416a0875, 0x41d7ce9b}, {0x3f9af18d, 0x40a159e3, 0x416a0875, 0x41d7ce9b}},
      {{1, 3, 1080, 2.5, 0.7}, {0x4041adf0, 0x4149b05c, 0x42124549, 0x4286e121}, {0x3f58ebc5, 0x4061e43e, 0x4123d2b8, 0x419710a0}},
      {{1, 5, 1080}, {0x3eaacc84, 0x3fe801f6, 0x40def4b5, 0x418fe09a}, {0x3eaacc84, 0x3fe801f6, 0x40def4b5, 0x418fe09a}},
      {{2, 3, 1080}, {0x3bb2731d, 0x3e2ad6cf, 0x3f2af91a, 0x3f7c7bd6}, {0x3971c0da, 0x3d26e4ec, 0x3ec747cb, 0x3f609aa9}},
      {{2, 5, 1080}, {0x381fe507, 0x3c924359, 0x3e8dd6bb, 0x3f4ae66f}, {0x3426c8ee, 0x3ab1cb68, 0x3db95f9b, 0x3f086d8d}},
  };
  for (const SpecifiedWeights& want : table) {
    const auto weights = fadm::csf_weights(want.settings);
    for (size_t s = 0; s < weights.size(); ++s) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(weights[s].hv), want.f1[s]) << want.settings.mode << " F1 of scale " << s;
      EXPECT_EQ(std::bit_cast<std::uint32_t>(weights[s].d), want.f2[s]) << want.settings.mode << " F2 of scale " << s;
    }
  }
}

TEST(FloatAdmWavelet, LeavesOutATenthOfEachSide) {
  EXPECT_EQ(fadm::score_region({14, 15}), (fadm::Region{0, 1, 14, 14}));
  EXPECT_EQ(fadm::score_region({960, 540}), (fadm::Region{95, 53, 865, 487}));
  EXPECT_EQ(fadm::stored_region({960, 540}), (fadm::Region{94, 52, 866, 488}));
  EXPECT_EQ(fadm::stored_region({2, 2}), (fadm::Region{0, 0, 2, 2}));
}

TEST(FloatAdmWavelet, IsComputedOncePerFrame) {
  const Pairs pairs = case_pairs("T1");
  const fadm::WaveletPyramid& first = fadm::shared_wavelet_pyramid(pairs[0]->reference());
  EXPECT_EQ(&first, &fadm::shared_wavelet_pyramid(pairs[0]->reference()));
  EXPECT_NE(&first, &fadm::shared_wavelet_pyramid(pairs[0]->distorted()));
}

// The spec's inner values of T1: scale 0, row 12, column 17.
TEST(FloatAdmWavelet, HasTheSpecifiedCoefficients) {
  const Pairs pairs = case_pairs("T1");
  const auto at = [](const fadm::DetailBands& bands, const extractors::FloatPlane& plane) {
    const fadm::Region stored = fadm::stored_region(bands.band);
    return std::bit_cast<std::uint32_t>(plane.view().row(12 - stored.top)[17 - stored.left]);
  };
  const fadm::DetailBands& reference = fadm::shared_wavelet_pyramid(pairs[0]->reference()).scales[0];
  EXPECT_EQ(at(reference, reference.h), 0x363504f4u);
  EXPECT_EQ(at(reference, reference.v), 0xb7000000u);
  EXPECT_EQ(at(reference, reference.d), 0xb63504f3u);
  const fadm::DetailBands& distorted = fadm::shared_wavelet_pyramid(pairs[0]->distorted()).scales[0];
  EXPECT_EQ(at(distorted, distorted.h), 0x3f98fea1u);
  EXPECT_EQ(at(distorted, distorted.v), 0xc0657de0u);
  EXPECT_EQ(at(distorted, distorted.d), 0xbea3fb30u);
}

}  // namespace
}  // namespace vmafbatch::testing
