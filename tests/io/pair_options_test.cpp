// What a database says of how a pair was opened, and back.
#include "io/pair_options.h"

#include <gtest/gtest.h>

#include <string>

namespace vmafbatch::io {
namespace {

PairOptions all_set() {
  PairOptions options;
  options.skip_reference = 3;
  options.skip_distorted = 12345678901;
  options.frames = 250;
  options.start_s = 0.1;
  options.duration_s = 1e-9;
  options.sync = Sync::kTimestamp;
  options.reference_raw = RawGeometry{1920, 1080, "420", 10, 30000, 1001};
  options.distorted_raw = RawGeometry{640, 360, "yuv420p10le", std::nullopt, 25, 1};
  options.scaler = Scaler::kLanczos;
  options.convert = true;
  options.strict_length = true;
  return options;
}

PairOptions read_back(const std::string& text) {
  const Result<PairOptions> options = parse_pair_options(text);
  EXPECT_TRUE(options.ok()) << options.error().message;
  return options.ok() ? *options : PairOptions{};
}

TEST(PairOptions, AreWrittenInOneOrder) {
  EXPECT_EQ(pair_options_text({}), "scale=bicubic");
  EXPECT_EQ(pair_options_text(all_set()),
            "skip_reference=3 skip_distorted=12345678901 frames=250 start=0.1 duration=1e-09 sync=timestamp "
            "reference_raw=1920x1080:420:10@30000/1001 distorted_raw=640x360:yuv420p10le:8@25/1 scale=lanczos convert=true "
            "strict_length=true");
}

TEST(PairOptions, ComeBackAsTheyWere) {
  EXPECT_EQ(read_back(pair_options_text({})), PairOptions{});
  EXPECT_EQ(read_back(pair_options_text(all_set())), all_set());
  PairOptions raw;
  raw.reference_raw = RawGeometry{16, 16, "444", std::nullopt, 25, 1};
  PairOptions eight = raw;
  eight.reference_raw->bit_depth = 8;  // the default is written out
  EXPECT_EQ(read_back(pair_options_text(raw)), eight);
}

TEST(PairOptions, AreFoundBetweenTheOthers) {
  const std::string text = "features=psnr;model vmaf 0123 psnr.a=b frames=9 subsample=5 " + pair_options_text(all_set());
  EXPECT_EQ(read_back(text), all_set());
  EXPECT_EQ(read_back(text + " auto_align=true align_search=30"), all_set());
  // What a feature's own options look like does not count.
  EXPECT_EQ(read_back("features=cambi=heatmaps_path=/x scale=none subsample=2 scale=bicubic"), PairOptions{});
  EXPECT_EQ(read_back("features=psnr scale=area").scaler, Scaler::kArea);
}

TEST(PairOptions, OfAnotherProgramAreAnError) {
  for (const char* text :
       {"", "imported format=json log=xxh3:0", "features=psnr", "features=psnr scale=", "features=psnr scale=sharp",
        "features=psnr scale=bicubic new_option=1", "features=psnr skip_reference=-1 scale=none",
        "features=psnr skip_reference=x scale=none", "features=psnr reference_raw=16x16 scale=none",
        "features=psnr reference_raw=16x99999999999:420:8@25/1 scale=none", "scale=bicubic convert=maybe",
        "features=psnr start=0x10 scale=none", "features=psnr start=inf scale=none", "features=psnr start=nan scale=none",
        "features=psnr duration=-1 scale=none", "features=psnr duration=1e999 scale=none"}) {
    const Result<PairOptions> options = parse_pair_options(text);
    EXPECT_FALSE(options.ok()) << text;
    if (options.ok()) continue;
    EXPECT_NE(options.error().message.find("vmafbatch"), std::string::npos);
  }
}

TEST(AlignmentNote, SetsTheSkipsThatItNames) {
  const auto applied = [](const std::string& pictures) {
    PairOptions options;
    options.skip_reference = 1;
    options.skip_distorted = 2;
    EXPECT_TRUE(apply_alignment_note(pictures, options).ok()) << pictures;
    return std::pair(options.skip_reference, options.skip_distorted);
  };
  EXPECT_EQ(applied(""), std::pair(1L, 2L));
  EXPECT_EQ(applied("distorted scaled 8x8 -> 16x16 bicubic"), std::pair(1L, 2L));
  EXPECT_EQ(applied(alignment_note(7, std::nullopt)), std::pair(7L, 2L));
  EXPECT_EQ(applied(alignment_note(std::nullopt, 0)), std::pair(1L, 0L));
  EXPECT_EQ(applied("distorted scaled 8x8 -> 16x16 bicubic; " + alignment_note(0, 9)), std::pair(0L, 9L));
  PairOptions options;
  for (const char* text :
       {"aligned by magic", "aligned by skip_reference", "aligned by skip_reference x", "aligned by skip_reference 3 and more"}) {
    EXPECT_FALSE(apply_alignment_note(text, options).ok()) << text;
  }
}

TEST(PairSpec, HoldsWhatTheOptionsSay) {
  const PairOptions options = all_set();
  const GroupSpec spec = pair_spec("r", "d", options);
  EXPECT_EQ(spec.reference, "r");
  EXPECT_EQ(spec.skip_reference, 3);
  EXPECT_EQ(spec.frames, 250);
  EXPECT_EQ(spec.start_s, 0.1);
  EXPECT_EQ(spec.duration_s, 1e-9);
  EXPECT_EQ(spec.sync, Sync::kTimestamp);
  EXPECT_EQ(spec.scaler, Scaler::kLanczos);
  EXPECT_EQ(spec.reference_raw, options.reference_raw);
  EXPECT_TRUE(spec.convert && spec.strict_length);
  ASSERT_EQ(spec.members.size(), 1U);
  EXPECT_EQ(spec.members[0].distorted, "d");
  EXPECT_EQ(spec.members[0].skip, 12345678901);
  EXPECT_EQ(spec.members[0].raw, options.distorted_raw);
}

}  // namespace
}  // namespace vmafbatch::io
