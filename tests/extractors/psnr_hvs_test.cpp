// psnr_hvs: values of libvmaf 3.2.0 over formula pictures, limits, and the fast path against its plain twin.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "base/simd.h"
#include "extractors/plane_patterns.h"
#include "extractors/psnr_hvs_bands.h"
#include "support/expect_values.h"
#include "support/random_frames.h"
#include "support/vector_targets.h"

namespace vmafbatch::testing {
namespace {

using io::Chroma;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kKeys = {"psnr_hvs_y", "psnr_hvs_cb", "psnr_hvs_cr", "psnr_hvs"};

struct HvsCase {
  char pattern;
  io::PictureFormat format;
  int frame;
  std::array<double, 4> values;
};

const HvsCase kCases[] = {
    {'R', {64, 48, Chroma::k420, 8}, 0, {37.118482961138582, 34.653364493856316, 33.349642438824141, 36.27424408735147}},
    {'R', {64, 48, Chroma::k420, 8}, 1, {37.143888616091843, 34.763247075300342, 33.156998523038702, 36.268066397052529}},
    {'R', {64, 48, Chroma::k422, 10}, 0, {36.066677624782777, 35.150130339795226, 33.363409543286252, 35.614052715903}},
    {'R', {50, 36, Chroma::k444, 12}, 0, {35.989051785141456, 35.012513563082585, 33.376586418737688, 35.544801191770134}},
    {'N', {64, 48, Chroma::k420, 8}, 0, {9.386651771597311, 10.103580444954881, 10.433603731416133, 9.5487594877675743}},
    {'N', {64, 48, Chroma::k420, 12}, 0, {9.5845626354234614, 10.785524265576354, 11.081930086376296, 9.8225376450402742}},
    {'N', {64, 64, Chroma::k444, 10}, 0, {9.6406183131531407, 10.546559689469305, 9.9114704590363996, 9.7500117414891072}},
    {'S', {64, 48, Chroma::k420, 10}, 0, {46.888886991180065, 43.211782287419247, 46.575102806341356, 46.317237842932016}},
    {'S', {16, 16, Chroma::k420, 8}, 0, {50.494455181312091, 43.427823529286009, 44.256353218757482, 48.115302787626248}},
    {'F', {64, 48, Chroma::k420, 8}, 0, {42.920737446053472, 42.504995150020676, 40.92060201848679, 42.63282857265348}},
    {'F', {64, 48, Chroma::k420, 10}, 0, {43.442716641663907, 42.806269946992479, 42.244927088725042, 43.241004017481934}},
    {'E', {64, 48, Chroma::k420, 8}, 0, {-5.1480089968406064, -4.8001636877593628, -5.3141542782580142, -5.1314860641783167}},
    {'E', {64, 48, Chroma::k420, 12}, 0, {-5.138986753714474, -4.8026877241366392, -5.3166697290295906, -5.124739398842582}},
    {'K', {64, 48, Chroma::k420, 8}, 0, {6.1503820975919368, 7.2268863545639492, 20.004396869644339, 6.6948938400230897}},
};

// The error of creating psnr_hvs for this format.
std::string refusal(const io::PictureFormat& format, const std::string& feature = "psnr_hvs") {
  const auto request = extractors::parse_feature(feature);
  const auto extractor = request->extractor->create(request->options, {format, "clip"});
  return extractor.ok() ? "" : extractor.error().message;
}

TEST(PsnrHvs, EqualsLibvmafOnFormulaPictures) {
  for (const HvsCase& expected : kCases) {
    SCOPED_TRACE(std::string(1, expected.pattern) + " " + expected.format.text());
    const ExtractorRun run = run_or_fail("psnr_hvs", plane_pairs(expected.pattern, expected.format, expected.frame + 1));
    for (size_t i = 0; i < kKeys.size(); ++i) expect_value(run, expected.frame, kKeys[i], expected.values[i]);
  }
}

TEST(PsnrHvs, GivesFourKeysInOrder) {
  const auto request = extractors::parse_feature("psnr_hvs");
  const auto extractor = request->extractor->create(request->options, {{64, 48, Chroma::k420, 8}, "clip"});
  std::vector<std::string> keys;
  for (const size_t i : (*extractor)->outputs()) keys.push_back(extractors::feature_key(request->extractor->features[i], request->options));
  EXPECT_EQ(keys, std::vector<std::string>(kKeys.begin(), kKeys.end()));
}

TEST(PsnrHvs, IsInfiniteForIdenticalPictures) {
  for (const char pattern : {'F', 'N'}) {
    const ExtractorRun run = run_or_fail("psnr_hvs", equal_sides(pattern, {64, 48, Chroma::k420, 8}));
    for (const char* key : kKeys) expect_value(run, 0, key, kInfinity);
  }
}

TEST(PsnrHvs, IsInfiniteWhereMaskingHidesEveryDifference) {
  // One grey level in one sample of strong noise: every coefficient's error stays below the threshold, DC included after rounding.
  const io::PictureFormat format{16, 16, Chroma::k400, 8};
  const auto noise = [](int x, int y) { return static_cast<int>(plane_hash(x, y, 0, 0) & 0xFF); };
  const auto a = make_frame(format, [&](int, int x, int y) { return noise(x, y); });
  const auto b = make_frame(format, [&](int, int x, int y) { return noise(x, y) ^ (x == 3 && y == 4 ? 1 : 0); });
  expect_value(run_or_fail("psnr_hvs", {std::make_shared<io::FramePair>(a, b)}), 0, "psnr_hvs_y", kInfinity);
}

TEST(PsnrHvs, IgnoresSamplesBehindTheLastBlock) {
  // 8 .. 14 samples hold one block, 15 .. 21 two.
  const auto score = [](int size) {
    return run_or_fail("psnr_hvs", plane_pairs('N', {size, size, Chroma::k400, 8})).values.at({0, "psnr_hvs_y"});
  };
  const double one_block = score(8);
  const double two_blocks = score(15);
  EXPECT_FALSE(same_bits(one_block, two_blocks));
  for (int rest = 1; rest <= 6; ++rest) {
    expect_bits(score(8 + rest), one_block, "8 + " + std::to_string(rest));
    expect_bits(score(15 + rest), two_blocks, "15 + " + std::to_string(rest));
  }
}

TEST(PsnrHvs, WithoutChromaScoresLumaAlone) {
  const auto colour = plane_pairs('R', {64, 48, Chroma::k420, 8});
  const auto grey = plane_pairs('R', {64, 48, Chroma::k400, 8});
  for (const ExtractorRun& run : {run_or_fail("psnr_hvs=enable_chroma=false", colour), run_or_fail("psnr_hvs", grey)}) {
    EXPECT_EQ(keys_of(run), (std::set<std::string>{"psnr_hvs_y", "psnr_hvs"}));
    expect_value(run, 0, "psnr_hvs_y", 37.118482961138582);
    expect_value(run, 0, "psnr_hvs", 37.118482961138582);
  }
}

TEST(PsnrHvs, RefusesSizesWithoutABlock) {
  EXPECT_EQ(refusal({7, 48, Chroma::k444, 8}), "psnr_hvs cannot score 7x48 4:4:4 8-bit: needs at least 8x8");
  EXPECT_EQ(refusal({48, 7, Chroma::k400, 8}), "psnr_hvs cannot score 48x7 4:0:0 8-bit: needs at least 8x8");
  EXPECT_EQ(refusal({12, 20, Chroma::k420, 8}),
            "psnr_hvs cannot score 12x20 4:2:0 8-bit: needs chroma planes of at least 8x8; with enable_chroma=false it scores luma alone");
  EXPECT_NE(refusal({20, 14, Chroma::k420, 8}), "");
  EXPECT_NE(refusal({14, 20, Chroma::k422, 8}), "");
  EXPECT_EQ(refusal({12, 20, Chroma::k420, 8}, "psnr_hvs=enable_chroma=false"), "");
  EXPECT_EQ(refusal({15, 15, Chroma::k420, 8}), "");
  EXPECT_EQ(refusal({15, 8, Chroma::k422, 8}), "");
  EXPECT_EQ(refusal({8, 8, Chroma::k444, 8}), "");
}

TEST(PsnrHvs, LumaOfAClipWithSmallChromaStands) {
  expect_value(run_or_fail("psnr_hvs=enable_chroma=false", plane_pairs('S', {12, 20, Chroma::k420, 8})), 0, "psnr_hvs_y",
               49.485435590513859);
}

TEST(PsnrHvs, RefusesMoreThanTwelveBits) {
  EXPECT_EQ(refusal({64, 48, Chroma::k420, 16}), "psnr_hvs cannot score 64x48 4:2:0 16-bit: takes at most 12 bits");
  for (const int depth : {8, 9, 10, 11, 12}) EXPECT_EQ(refusal({64, 48, Chroma::k420, depth}), "") << depth;
}

TEST(PsnrHvsBlock, TransformsThePatternsAsSpecified) {
  const int ramp[64] = {221, -55, 0, -6, 0, -2, 0, -1, -93, 0, 0, 0, 0, 0, 0, 0, -3, 0, 0, 0, 0, 0, 0, 0, -8, 0, 0, 0, 0, 0, 0, 0,
                        -3,  0,   0, 0,  0, 0,  0, 0,  -3,  0, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 3,  0, 0, 0, 0, 0, 0, 0};
  const int noise[64] = {913,  -90,  58,  -10,  -2,   93,   141,  -21, -80, -66, -15, 17,  -108, -30, -18, -134,
                         42,   -113, -73, -125, -116, 35,   -9,   188, 3,   -18, 58,  92,  -22,  22,  -8,  -18,
                         12,   -74,  33,  6,    -127, -56,  89,   -8,  75,  22,  -23, -29, -39,  36,  82,  -150,
                         -125, 70,   -93, 62,   105,  -166, -128, -7,  113, -19, 64,  21,  16,   68,  41,  -148};
  for (const auto& [pattern, want] : {std::pair{'R', &ramp}, std::pair{'N', &noise}}) {
    std::int32_t block[64];
    for (int k = 0; k < 64; ++k) block[k] = plane_sample(pattern, 8, k % 8, k / 8, 0, 0).reference;
    extractors::hvs_transform(block);
    for (int k = 0; k < 64; ++k) EXPECT_EQ(block[k], (*want)[k]) << pattern << " " << k;
  }
}

TEST(PsnrHvsBlock, RoundsTheDcOfFlatBlocks) {
  for (const auto& [level, dc] : {std::pair{100, 800}, {101, 809}, {400, 3199}, {404, 3233}}) {
    std::int32_t block[64];
    std::fill(std::begin(block), std::end(block), level);
    EXPECT_EQ(extractors::hvs_activity_ratio(block), 0.0f);
    extractors::hvs_transform(block);
    EXPECT_EQ(block[0], dc);
    EXPECT_TRUE(std::all_of(block + 1, block + 64, [](int c) { return c == 0; })) << level;
  }
}

TEST(PsnrHvsBlock, MasksThePatternAsSpecified) {
  std::int32_t reference[64];
  std::int32_t distorted[64];
  for (int k = 0; k < 64; ++k) {
    const PlaneSample sample = plane_sample('N', 8, k % 8, k / 8, 0, 0);
    reference[k] = sample.reference;
    distorted[k] = sample.distorted;
  }
  const extractors::HvsTables& luma = extractors::kHvsTables[0];
  const float ratio = extractors::hvs_activity_ratio(reference);
  EXPECT_FLOAT_EQ(ratio, 1.02515543f);
  float terms[64];
  extractors::hvs_block_terms(reference, distorted, luma, terms);  // the samples become coefficients
  EXPECT_FLOAT_EQ(extractors::hvs_threshold(reference, ratio, luma), 6.57807684f);
  float sum = 0.0f;
  for (const float term : terms) sum += term;
  EXPECT_EQ(sum, 490176.906f);
}

TEST(PsnrHvsTables, HaveTheBitsOfTheSpecification) {
  const auto bits = [](float v) { return std::bit_cast<std::uint32_t>(v); };
  EXPECT_EQ(bits(extractors::kHvsTables[0].sensitivity[0]), 0x3fcf4815u);
  EXPECT_EQ(bits(extractors::kHvsTables[0].sensitivity[7]), 0x3ea72c35u);
  EXPECT_EQ(bits(extractors::kHvsTables[1].sensitivity[0]), 0x3ff49ff1u);
  EXPECT_EQ(bits(extractors::kHvsTables[2].sensitivity[7]), 0x3f180a42u);
  EXPECT_EQ(extractors::kHvsTables[0].masking[1], 0.791918159f);
  EXPECT_EQ(extractors::kHvsTables[0].masking[63], 0.00179667596f);
  EXPECT_EQ(bits(extractors::kHvsBlockUnbias), 0x3f820821u);
  EXPECT_EQ(bits(extractors::kHvsQuadrantUnbias), 0x3f888889u);
  for (const extractors::HvsTables& tables : extractors::kHvsTables) {
    for (size_t k = 0; k < 64; ++k) EXPECT_EQ(tables.sensitivity[k], tables.sensitivity[k % 8 * 8 + k / 8]) << k;
  }
}

// The terms of every band, fast and plain.
void expect_same_terms(const io::Frame& a, const io::Frame& b) {
  for (int plane = 0; plane < a.format().plane_count(); ++plane) {
    const int blocks = extractors::hvs_blocks(a.format().plane_width(plane));
    extractors::HvsBandTerms fast(blocks);
    extractors::HvsBandTerms slow(blocks);
    for (int band = 0; band < extractors::hvs_blocks(a.format().plane_height(plane)); ++band) {
      extractors::hvs_band_terms(a, b, plane, band, fast);
      extractors::slow_hvs_band_terms(a, b, plane, band, slow);
      ASSERT_EQ(fast.count, slow.count) << "plane " << plane << " band " << band;
      for (size_t i = 0; i < slow.count; ++i) {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(fast.terms()[i]), std::bit_cast<std::uint32_t>(slow.terms()[i])) << "term " << i;
      }
    }
  }
}

TEST(PsnrHvsBands, FastPathEqualsThePlainTwin) {
  on_every_vector_target([] {
    std::uint32_t seed = 1;
    for (const int depth : {8, 10, 12}) {
      // Chroma of 1, 2 and 8 or 9 blocks in a row; luma of up to 35.
      for (const auto& [width, height] : {std::pair{16, 16}, {17, 40}, {33, 17}, {114, 30}, {129, 23}, {250, 16}}) {
        const io::PictureFormat format{width, height, Chroma::k420, depth};
        for (const RandomKind kind : {RandomKind::kUniform, RandomKind::kExtremes, RandomKind::kNear}) {
          SCOPED_TRACE(format.text() + " seed " + std::to_string(seed));
          expect_same_terms(*random_frame(format, seed, kind), *random_frame(format, seed + 1, kind));
          seed += 2;
        }
      }
    }
  });
}

TEST(PsnrHvsBands, BlocksThatAreEqualInBothPicturesGiveNoTerm) {
  const io::PictureFormat format{257, 30, Chroma::k400, 8};
  const auto noise = [](int x, int y) { return static_cast<int>(plane_hash(x, y, 0, 0) & 0xFF); };
  const auto a = make_frame(format, [&](int, int x, int y) { return noise(x, y); });
  const auto b = make_frame(format, [&](int, int x, int y) { return noise(x, y) ^ (x == 133 && y == 14 ? 0x80 : 0); });
  on_every_vector_target([&] {
    expect_same_terms(*a, *b);
    expect_same_terms(*a, *a);
  });
  extractors::HvsBandTerms terms(extractors::hvs_blocks(format.width));
  extractors::hvs_band_terms(*a, *b, 0, 0, terms);  // rows 0 .. 7
  EXPECT_EQ(terms.count, 0u);
  extractors::hvs_band_terms(*a, *b, 0, 1, terms);  // rows 7 .. 14; column 133 is the last of one block and the first of the next
  EXPECT_GT(terms.count, 0u);
}

TEST(PsnrHvs, PlainTwinGivesTheSameScores) {
  const auto pairs = plane_pairs('S', {200, 100, Chroma::k420, 10}, 2);
  const ExtractorRun fast = run_or_fail("psnr_hvs", pairs);
  set_simd_mode(SimdMode::kScalar);
  const ExtractorRun plain = run_or_fail("psnr_hvs", pairs);
  set_simd_mode(SimdMode::kBest);
  ASSERT_EQ(fast.values.size(), 8u);
  for (const auto& [where, value] : fast.values) expect_value(plain, where.first, where.second, value);
}

}  // namespace
}  // namespace vmafbatch::testing
