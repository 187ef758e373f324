#include "graph/alignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "graph/alignment_search.h"
#include "graph/alignment_warnings.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Pictures = std::vector<LumaSignature>;

// In [0, 1), another one for each argument.
double hash(std::int64_t a, std::int64_t b = 0) {
  auto h = static_cast<std::uint64_t>(a) * 0x9E3779B97F4A7C15u ^ static_cast<std::uint64_t>(b) * 0xC2B2AE3D27D4EB4Fu;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9u;
  h ^= h >> 32;
  return static_cast<double>(h & 0xFFFFFF) / 0x1000000;
}

// A landscape without repetition, 0 to 200 steps of 8 bits.
double landscape(double x) {
  const double at = std::floor(x);
  const double part = x - at;
  const double smooth = part * part * (3 - 2 * part);
  return 200 * (hash(std::llround(at)) * (1 - smooth) + hash(std::llround(at) + 1) * smooth);
}

// `value(block, frame)` in steps of 8 bits.
Pictures make(int frames, const std::function<double(int, int)>& value) {
  Pictures pictures(static_cast<size_t>(frames));
  for (int n = 0; n < frames; ++n) {
    for (size_t i = 0; i < LumaSignature::kBlocks; ++i) {
      pictures[static_cast<size_t>(n)].means[i] = static_cast<std::uint16_t>(std::clamp(256 * value(static_cast<int>(i), n), 0.0, 65535.0));
    }
  }
  return pictures;
}

// The camera moves over the landscape, every block at its own place of it.
Pictures moving(int frames) {
  return make(frames, [](int i, int n) { return landscape(100.0 * i + 0.05 * n + 1.5 * std::sin(0.2 * n)); });
}

// What a coder does: a little noise, and an error of every block that stays.
Pictures coded(Pictures pictures, double steps) {
  for (size_t n = 0; n < pictures.size(); ++n) {
    for (size_t i = 0; i < LumaSignature::kBlocks; ++i) {
      const double error =
          steps * (hash(static_cast<std::int64_t>(n), static_cast<std::int64_t>(i) + 7) + hash(static_cast<std::int64_t>(i), 99) - 1);
      pictures[n].means[i] = static_cast<std::uint16_t>(std::clamp(pictures[n].means[i] + 256 * error, 0.0, 65535.0));
    }
  }
  return pictures;
}

Pictures from(const Pictures& pictures, std::int64_t first) { return {pictures.begin() + first, pictures.end()}; }

AlignmentFindings findings(const Pictures& reference, const Pictures& distorted, std::int64_t first_frame = 0) {
  Alignment alignment(first_frame);
  for (size_t n = 0; n < std::min(reference.size(), distorted.size()); ++n) alignment.add(reference[n], distorted[n]);
  return alignment.finish();
}

::testing::AssertionResult says_nothing(const AlignmentFindings& found) {
  const std::vector<std::string> said = alignment_warnings(found, {});
  if (said.empty()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "it says: " << said.front();
}

TEST(Alignment, SaysNothingOfPicturesInStep) {
  EXPECT_TRUE(says_nothing(findings(moving(200), moving(200))));
  EXPECT_TRUE(says_nothing(findings(moving(200), coded(moving(200), 1))));
  EXPECT_TRUE(says_nothing(findings({}, {})));
}

TEST(Alignment, FindsEveryOffsetInReachAndItsCureMakesThePairsEqual) {
  const Pictures all = moving(150);
  for (int behind = -Alignment::kReach; behind <= Alignment::kReach; ++behind) {
    if (behind == 0) continue;
    // behind > 0: the distorted has the pictures from an earlier one on.
    const Pictures reference = from(all, std::max(behind, 0));
    const Pictures distorted = from(all, std::max(-behind, 0));
    const AlignmentFindings found = findings(reference, distorted);
    EXPECT_EQ(found.constant_offset(), behind);
    EXPECT_EQ(findings(reference, coded(distorted, 0.5)).constant_offset(), behind);
    const Skips cure = skips_for(found.constant_offset().value_or(0), {});
    const Pictures r = from(reference, cure.reference);
    const Pictures d = from(distorted, cure.distorted);
    for (size_t n = 0; n < std::min(r.size(), d.size()); ++n) ASSERT_EQ(r[n], d[n]) << behind << " " << n;
  }
}

TEST(Alignment, SaysNothingBeyondItsReach) {
  for (const int behind : {13, 20, 40}) {
    EXPECT_TRUE(says_nothing(findings(from(moving(200), behind), moving(200))));
    EXPECT_TRUE(says_nothing(findings(moving(200), from(moving(200), behind))));
  }
}

TEST(Alignment, SeesLostAndDoubledPicturesAsChanges) {
  const Pictures all = moving(200);
  Pictures lost = all;
  lost.erase(lost.begin() + 40);
  EXPECT_THAT(findings(all, lost).stretches, ElementsAre(Stretch{.first = 0}, Stretch{40, -1, 40}));
  Pictures doubled = all;
  doubled.insert(doubled.begin() + 90, 2, all[90]);
  EXPECT_THAT(findings(all, doubled).stretches, ElementsAre(Stretch{.first = 0}, Stretch{91, 2, 91}));
  doubled.erase(doubled.begin() + 150, doubled.begin() + 152);  // and in step again
  EXPECT_THAT(findings(all, doubled).stretches, ElementsAre(Stretch{.first = 0}, Stretch{91, 2, 91}, Stretch{150, 0, 150}));
  EXPECT_THAT(findings(all, doubled, 1000).stretches, ElementsAre(Stretch{.first = 1000}, Stretch{1091, 2, 1091}, Stretch{1150, 0, 1150}));
}

TEST(Alignment, SeesAFreeze) {
  const Pictures all = make(200, [](int i, int n) { return landscape(100.0 * i + 0.4 * n); });
  Pictures frozen = all;
  std::fill(frozen.begin() + 61, frozen.begin() + 71, all[60]);
  const AlignmentFindings found = findings(all, frozen);
  EXPECT_THAT(found.freezes, ElementsAre(Freeze{61, 70}));
  EXPECT_THAT(found.stretches, ElementsAre(Stretch{.first = 0}));
}

TEST(Alignment, DoesNotTakeALatePauseForAFreeze) {
  // Both sides pause for 10 frames, the distorted 7 frames later.
  const auto paused = make(200, [](int i, int n) { return landscape(100.0 * i + 0.4 * (n < 80 ? n : std::max(80, n - 10))); });
  const AlignmentFindings found = findings(from(paused, 7), paused);
  EXPECT_EQ(found.constant_offset(), 7);
  EXPECT_THAT(found.freezes, IsEmpty());
}

TEST(Alignment, GivesTheRangeOfAChangeThatNoMotionPlaces) {
  const auto paused = make(200, [](int i, int n) { return landscape(100.0 * i + 0.4 * (n < 80 ? n : std::max(80, n - 20))); });
  Pictures lost = paused;
  lost.erase(lost.begin() + 90);
  const AlignmentFindings found = findings(paused, lost);
  ASSERT_EQ(found.stretches.size(), 2u);
  EXPECT_EQ(found.stretches[1].behind, -1);
  EXPECT_LE(found.stretches[1].first, 90);
  EXPECT_GE(found.stretches[1].latest_first, 90);
}

TEST(Alignment, AClipThatBeginsWithoutMotionIsOutOfStepFromItsBeginning) {
  const auto late = make(300, [](int i, int n) { return landscape(100.0 * i + 0.4 * std::max(200, n)); });
  EXPECT_EQ(findings(from(late, 3), late).constant_offset(), 3);
}

TEST(Alignment, IsSilentWhereTheBeginningIsNotClearAndSpeaksForAnotherOffset) {
  // In step, but barely to be seen, until a picture is doubled; then clear.
  for (const int quiet : {60, 300}) {
    const auto all = make(quiet + 150, [&](int i, int n) { return landscape(100.0 * i + 0.4 * std::max(quiet, n)); });
    Pictures distorted = all;
    for (const int n : {10, 20}) {  // two glimpses of the truth
      Pictures flash = make(1, [&](int i, int) { return landscape(100.0 * i + 7 + n); });
      distorted[static_cast<size_t>(n)] = flash[0];
    }
    Pictures reference = distorted;
    distorted.insert(distorted.begin() + 40, distorted[40]);
    EXPECT_TRUE(says_nothing(findings(reference, distorted))) << quiet;
  }
}

TEST(Alignment, IsSilentWhereTheContentTellsNothing) {
  const auto check = [](const char* what, const Pictures& all) {
    for (const int behind : {-7, -2, -1, 0, 1, 2, 7}) {
      for (const double error : {0.0, 0.2, 2.0}) {
        const Pictures distorted = coded(from(all, std::max(-behind, 0)), error);
        EXPECT_TRUE(says_nothing(findings(from(all, std::max(behind, 0)), distorted))) << what << " " << behind << " " << error;
      }
    }
  };
  check("static", make(150, [](int i, int) { return landscape(100.0 * i); }));
  check("flat", make(150, [](int, int) { return 100; }));
  check("repeats every 4 frames", make(150, [](int i, int n) { return landscape(100.0 * i + 0.5 * (n % 4)); }));
  check("swings every 10 frames", make(150, [](int i, int n) { return landscape(100.0 * i + std::sin(n * 2 * 3.14159265358979 / 10)); }));
  check("one slide", make(150, [](int i, int n) { return landscape(100.0 * i + (n < 70 ? 0 : 5000)); }));
}

TEST(Alignment, IsSilentOnNoiseOfItsOwnOnEachSide) {
  const auto noise = [](int seed) { return make(300, [seed](int i, int n) { return 100 + 20 * hash(seed + 1000 * n, i); }); };
  EXPECT_TRUE(says_nothing(findings(noise(1), noise(2))));
}

TEST(Alignment, TakesAChangeOfBrightnessForNoOffset) {
  const auto fade = make(150, [](int i, int n) { return (20 + landscape(100.0 * i)) * (0.2 + n * 0.005); });
  Pictures brighter = fade;
  for (LumaSignature& picture : brighter) {
    for (std::uint16_t& mean : picture.means) mean = static_cast<std::uint16_t>(mean + mean / 50 + 300);
  }
  EXPECT_TRUE(says_nothing(findings(fade, brighter)));
  EXPECT_TRUE(says_nothing(findings(brighter, fade)));
}

TEST(Alignment, AdaptsToAPictureThatACoderHoldsForHalfAFrame) {
  const Pictures all = moving(200);
  Pictures lagging = all;  // a mixture of two neighbours: half a frame behind
  for (size_t n = 1; n < all.size(); ++n) {
    for (size_t i = 0; i < LumaSignature::kBlocks; ++i)
      lagging[n].means[i] = static_cast<std::uint16_t>((all[n].means[i] + all[n - 1].means[i]) / 2);
  }
  EXPECT_TRUE(says_nothing(findings(all, lagging)));
}

TEST(Alignment, KeepsAFewStretchesOfAClipThatChangesAllTheTime) {
  const Pictures all = moving(4000);
  Pictures distorted;
  for (size_t n = 0; n < all.size(); ++n) distorted.push_back(all[n / 50 % 2 == 0 ? n : n - 1]);
  const AlignmentFindings found = findings(all, distorted);
  EXPECT_EQ(found.stretches.size(), Alignment::kKept);
  EXPECT_GT(found.more_stretches, 20);
  EXPECT_EQ(found.constant_offset(), std::nullopt);
}

TEST(AlignmentSearch, FindsARecordingThatStartsLate) {
  const Pictures all = make(900, [](int i, int n) { return landscape(100.0 * i + 0.3 * n); });
  for (const std::int64_t behind : {300, 41, -41, -300}) {
    const Pictures reference = from(all, std::max<std::int64_t>(behind, 0));
    const Pictures distorted = coded(from(all, std::max<std::int64_t>(-behind, 0)), 0.5);
    EXPECT_EQ(search_offset(reference, distorted, 400), behind);
    EXPECT_EQ(search_offset(reference, distorted, std::abs(behind) - 5), std::nullopt) << "out of reach";
  }
}

TEST(AlignmentSearch, FindsNothingInOtherOrRepeatedPictures) {
  const Pictures all = make(700, [](int i, int n) { return landscape(100.0 * i + 0.3 * n); });
  const Pictures other = make(700, [](int i, int n) { return landscape(100.0 * i + 0.3 * n + 50'000); });
  EXPECT_EQ(search_offset(all, other, 300), std::nullopt);
  const Pictures loop = make(700, [](int i, int n) { return landscape(100.0 * i + 0.3 * (n % 100)); });
  EXPECT_EQ(search_offset(from(loop, 30), loop, 300), std::nullopt);
  EXPECT_EQ(search_offset(Pictures(700), Pictures(700), 300), std::nullopt);
  EXPECT_EQ(search_offset({}, {}, 300), std::nullopt);
}

TEST(AlignmentWarnings, NameOffsetAndCure) {
  AlignmentFindings late;
  late.stretches = {{.first = 0, .behind = -1}};
  EXPECT_THAT(
      alignment_warnings(late, {}),
      ElementsAre("the distorted starts 1 frame late (its picture n is the reference's n + 1): skip_reference 1 brings them in step"));
  AlignmentFindings early;
  early.stretches = {{.first = 0, .behind = 2}};
  EXPECT_THAT(
      alignment_warnings(early, {10, 10}),
      ElementsAre("the distorted starts 2 frames early (its picture n is the reference's n - 2): skip_distorted 12 brings them in step"));
  EXPECT_THAT(
      alignment_warnings(early, {1, 0}),
      ElementsAre("the distorted starts 2 frames early (its picture n is the reference's n - 2): skip_reference 0 and skip_distorted 1 "
                  "brings them in step"));
}

TEST(AlignmentWarnings, TellRatesThatAreNotMeantToBePairedOneByOne) {
  EXPECT_FALSE(frame_rate_warning(25, 25));
  EXPECT_FALSE(frame_rate_warning(24, 25)) << "a film for television";
  EXPECT_FALSE(frame_rate_warning(30000.0 / 1001, 30));
  EXPECT_TRUE(frame_rate_warning(30, 25));
  EXPECT_EQ(
      frame_rate_warning(25, 60000.0 / 1001),
      "the reference has 25 and the distorted 59.94 pictures a second, and they are paired one by one: --sync timestamp pairs them by "
      "their times");
}

TEST(AlignmentWarnings, TellChangesAndFreezes) {
  AlignmentFindings found;
  found.stretches = {{.first = 0}, {40, 2, 40}, {90, 1, 99}};
  found.freezes = {{120, 130}};
  EXPECT_THAT(
      alignment_warnings(found, {}),
      ElementsAre("the distorted does not stay in step with the reference: in step, from frame 40 on 2 frames behind (2 pictures doubled "
                  "or added), from frame 90 to 99 on 1 frame behind (1 picture lost); no skip cures all of it, sync timestamp does where "
                  "the container's times are right",
                  "the distorted stands still while the reference moves: frames 120 to 130"));
}

TEST(LumaSignature, HoldsTheMeansOfTheBlocks) {
  const io::PictureFormat format{64, 32, io::Chroma::k420, 8};
  const auto frame = testing::make_frame(format, [](int, int x, int y) { return x / 8 + 8 * (y / 8); });
  const LumaSignature signature = luma_signature(*frame);
  for (size_t i = 0; i < LumaSignature::kBlocks; ++i) EXPECT_EQ(signature.means[i], 256 * i);
}

TEST(LumaSignature, IsTheSameAtEveryDepth) {
  const auto at = [](int depth) {
    const io::PictureFormat format{61, 35, io::Chroma::k420, depth};
    return luma_signature(*testing::make_frame(format, [&](int, int x, int y) { return (x * y % 251) << (depth - 8); }));
  };
  EXPECT_EQ(at(10), at(8));
  EXPECT_EQ(at(16), at(8));
}

TEST(LumaSignature, APictureSmallerThanTheGridHasAllItsBlocks) {
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {9, 5}}) {
    const io::PictureFormat format{width, height, io::Chroma::k400, 8};
    const LumaSignature signature = luma_signature(*testing::make_frame(format, [](int, int, int) { return 255; }));
    EXPECT_THAT(signature.means, ::testing::Each(255 * 256));
  }
}

}  // namespace
}  // namespace vmafbatch::graph
