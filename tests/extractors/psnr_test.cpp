// psnr and float_psnr against values of libvmaf 3.2.0 on clips from formulas.
#include <gtest/gtest.h>

#include "support/expect_values.h"
#include "support/formula_clip.h"

namespace vmafbatch::testing {
namespace {

using io::Chroma;
using Keys = std::set<std::string>;

constexpr io::PictureFormat k64x48 = {64, 48, Chroma::k420, 8};

TEST(Psnr, GivesTheMeanSquaredErrorOnRequest) {
  const ExtractorRun run = run_or_fail("psnr=enable_mse=true", formula_pairs(Formula::kRamp, k64x48, 2));
  expect_series(run, "psnr_y", {37.815404077776229, 37.807785565720472});
  expect_series(run, "mse_y", {10.753255208333334, 10.772135416666666});
  for (const char* key : {"psnr_cb", "psnr_cr"}) expect_value(run, 0, key, 37.862726848397955);
  for (const char* key : {"mse_cb", "mse_cr"}) expect_value(run, 0, key, 10.63671875);
}

TEST(Psnr, OfIdenticalPlanesIsTheCap) {
  const ExtractorRun run = run_or_fail("psnr=enable_apsnr=true", formula_pairs(Formula::kSameRamp, k64x48, 2));
  for (const char* key : {"psnr_y", "psnr_cb", "psnr_cr"}) expect_series(run, key, {60, 60});
  expect_aggregate(run, "apsnr_y", 90);
  expect_aggregate(run, "apsnr_cb", 84);
  expect_aggregate(run, "apsnr_cr", 84);
}

TEST(Psnr, ScoresTenBitsAt422) {
  const Pairs pairs = formula_pairs(Formula::kDeepRamp, {64, 48, Chroma::k422, 10}, 2);
  const ExtractorRun run = run_or_fail("psnr=enable_apsnr=true", pairs);
  expect_series(run, "psnr_y", {49.820498946255462, 49.822184293301113});
  expect_series(run, "psnr_cb", {49.828542640228655, 49.83556059729424});
  expect_series(run, "psnr_cr", {49.844414187352164, 49.836080897381009});
  expect_aggregate(run, "apsnr_y", 49.821341538025152);
  expect_aggregate(run, "apsnr_cb", 49.832050201183094);
  expect_aggregate(run, "apsnr_cr", 49.8402455436159);
}

TEST(Psnr, ReducedPeakCountsInEverySum) {
  const Pairs pairs = formula_pairs(Formula::kDeepRamp, {64, 48, Chroma::k422, 10}, 2);
  const ExtractorRun run = run_or_fail("psnr=reduced_hbd_peak=true:min_sse=0.5:enable_apsnr=true", pairs);
  expect_series(run, "psnr_y", {49.794989707250608, 49.796675054296259});
  expect_value(run, 0, "psnr_cb", 49.8030334012238);
  expect_value(run, 0, "psnr_cr", 49.81890494834731);
  expect_aggregate(run, "apsnr_y", 49.795832299020304);
  expect_aggregate(run, "apsnr_cb", 49.806540962178254);
  expect_aggregate(run, "apsnr_cr", 49.81473630461106);
}

TEST(Psnr, LumaOfOddSizesAtTwelveBits) {
  const ExtractorRun run = run_or_fail("psnr=enable_mse=true", formula_pairs(Formula::kHash, {33, 31, Chroma::k420, 12}, 1));
  expect_series(run, "psnr_y", {7.8413074681678037});
  expect_series(run, "mse_y", {2756621.0322580645});
}

TEST(Psnr, ChromaOfOddSizesRoundsUp) {
  // One luma sample has one chroma sample of each kind; with a size rounded down the planes would be empty and the mse NaN.
  const ExtractorRun run = run_or_fail("psnr=enable_mse=true", formula_pairs(Formula::kLevel, {1, 1, Chroma::k420, 8}, 2));
  expect_series(run, "mse_cb", {0, 1});
  expect_series(run, "mse_cr", {0, 1});
}

TEST(Psnr, LargestErrorsAtSixteenBits) {
  const ExtractorRun run = run_or_fail("psnr=enable_apsnr=true", formula_pairs(Formula::kFlash, {16, 16, Chroma::k444, 16}, 2));
  for (const char* key : {"psnr_y", "psnr_cb", "psnr_cr"}) expect_series(run, key, {108, 0});
  for (const char* key : {"apsnr_y", "apsnr_cb", "apsnr_cr"}) expect_aggregate(run, key, 3.0102999566398125);
}

TEST(Psnr, ApsnrIsOfTheWholeClipsErrors) {
  const ExtractorRun run =
      run_or_fail("psnr=enable_mse=true:enable_apsnr=true", formula_pairs(Formula::kLevel, {16, 16, Chroma::k420, 8}, 3));
  expect_series(run, "psnr_y", {60, 48.130803608679102, 60});
  expect_series(run, "mse_y", {0, 1, 0});
  for (const char* key : {"apsnr_y", "apsnr_cb", "apsnr_cr"}) expect_aggregate(run, key, 52.902016155875714);
}

TEST(Psnr, MinSseMovesTheCap) {
  const ExtractorRun run = run_or_fail("psnr=min_sse=0.5", formula_pairs(Formula::kLevel, {16, 16, Chroma::k420, 8}, 2));
  expect_series(run, "psnr_y", {76, 48.130803608679102});
  expect_value(run, 0, "psnr_cb", 70);
  expect_value(run, 0, "psnr_cr", 70);
}

TEST(Psnr, TinyMinSseLeavesTheSmallestError) {
  const ExtractorRun run = run_or_fail("psnr=min_sse=1e-30", formula_pairs(Formula::kSameRamp, k64x48, 1));
  for (const char* key : {"psnr_y", "psnr_cb", "psnr_cr"}) expect_series(run, key, {208.13080360867912});
}

TEST(Psnr, WithoutChromaHasNoApsnrOfChroma) {
  const ExtractorRun mono = run_or_fail("psnr=enable_apsnr=true", formula_pairs(Formula::kRamp, {64, 48, Chroma::k400, 8}, 1));
  EXPECT_EQ(keys_of(mono), (Keys{"psnr_y", "apsnr_y"}));
  expect_series(mono, "psnr_y", {37.815404077776229});
  expect_aggregate(mono, "apsnr_y", 37.815404077776229);
  const ExtractorRun luma = run_or_fail("psnr=enable_apsnr=true:enable_chroma=false", formula_pairs(Formula::kRamp, k64x48, 1));
  EXPECT_EQ(keys_of(luma), (Keys{"psnr_y", "apsnr_y"}));
}

TEST(Psnr, ApsnrCountsFramesThatAreNotReported) {
  const ExtractorRun run = run_or_fail("psnr=enable_apsnr=true:enable_chroma=false", formula_pairs(Formula::kRamp, k64x48, 5), 2);
  expect_value(run, 0, "psnr_y", 37.815404077776229);
  expect_value(run, 2, "psnr_y", 37.821192566820407);
  expect_value(run, 4, "psnr_y", 37.811724506782312);
  EXPECT_FALSE(run.values.contains({1, "psnr_y"}));
  expect_aggregate(run, "apsnr_y", 37.816166664550963);
}

TEST(Psnr, AnUnfinishedClipHasNoApsnr) {
  const auto request = extractors::parse_feature("psnr=enable_apsnr=true");
  ASSERT_TRUE(request.ok());
  const auto psnr = request->extractor->create(request->options, {k64x48, "clip"});
  ASSERT_TRUE(psnr.ok());
  const std::vector<extractors::Measurements> measured(2, extractors::Measurements(3));
  extractors::ClipSeries stopped(measured, false);
  (*psnr)->finish(stopped);
  EXPECT_TRUE(stopped.aggregates().empty());
  extractors::ClipSeries whole(measured, true);
  (*psnr)->finish(whole);
  EXPECT_EQ(whole.aggregates().size(), 3u);
}

TEST(Psnr, RefusesRowsThatLibvmafCouldNotAdd) {
  const auto refusal = [](const io::PictureFormat& format) {
    const auto request = extractors::parse_feature("psnr");
    const auto psnr = request->extractor->create(request->options, {format, "clip"});
    return psnr.ok() ? "" : psnr.error().message;
  };
  EXPECT_EQ(refusal({66051, 1, Chroma::k400, 8}), "");
  EXPECT_EQ(refusal({66052, 1, Chroma::k400, 10}), "");
  EXPECT_EQ(refusal({66052, 1, Chroma::k400, 8}), "psnr cannot score 66052x1 4:0:0 8-bit: takes at most 66051 columns at 8 bits");
}

TEST(FloatPsnr, EqualsPsnrUpToTwelveBits) {
  expect_series(run_or_fail("float_psnr", formula_pairs(Formula::kRamp, k64x48, 1)), "float_psnr", {37.815404077776229});
  expect_series(run_or_fail("float_psnr", formula_pairs(Formula::kDeepRamp, {64, 48, Chroma::k420, 10}, 1)), "float_psnr",
                {49.820498946255462});
  expect_series(run_or_fail("float_psnr", formula_pairs(Formula::kHash, {33, 31, Chroma::k420, 12}, 1)), "float_psnr",
                {7.8413074681678037});
}

TEST(FloatPsnr, RoundsSquaresAtSixteenBits) {
  expect_series(run_or_fail("float_psnr", formula_pairs(Formula::kHash, {33, 31, Chroma::k420, 16}, 2)), "float_psnr",
                {7.8431987326025308, 7.9357277866381226});
  expect_series(run_or_fail("float_psnr", formula_pairs(Formula::kSameRamp, {64, 48, Chroma::k420, 16}, 1)), "float_psnr", {108});
  expect_series(run_or_fail("float_psnr", formula_pairs(Formula::kFlash, {16, 16, Chroma::k420, 16}, 2)), "float_psnr",
                {108, 1.0112014959297863e-09});
}

TEST(FloatPsnr, KeepsTheRunningSumPastTwoToThe53) {
  expect_series(run_or_fail("float_psnr", formula_pairs(Formula::kBright, {3840, 2160, Chroma::k400, 16}, 1)), "float_psnr",
                {4.882688082477074});
  expect_series(run_or_fail("float_psnr", formula_pairs(Formula::kBright, {2047, 1543, Chroma::k400, 16}, 1)), "float_psnr",
                {4.8826967208030689});
}

}  // namespace
}  // namespace vmafbatch::testing
