// `vmafbatch frames` as a user meets it: clips are scored by the program, and the pictures must be of the frames that were scored.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/program.h"
#include "io/picture_writer.h"
#include "support/counted_clip.h"
#include "support/image_file.h"

namespace vmafbatch::cli {
namespace {

using testing::CountedClip;
using testing::panel_middle;
using testing::shown_gray;
using testing::write_counted;

constexpr int kDistortedLuma = 100;  // of picture 0; the reference's is 16

class FramesCommand : public Program {
 protected:
  FramesCommand() {
    write_counted({}, folder_.path("r.y4m"));
    write_counted({.first_luma = kDistortedLuma}, folder_.path("d.y4m"));
  }

  // Scores r.y4m and d.y4m (or what `sides` names) into x.db as clip "c", with a catalogue of one row.
  void score_row(const std::string& columns, const std::string& values, const std::string& options = "",
                 const std::string& sides = "r.y4m,d.y4m") {
    write_file(folder_.path("c.csv"), "name,reference,distorted" + columns + "\nc," + sides + values + "\n");
    const int code = run("score --quiet --no-model --feature psnr c.csv -o x.db " + options);
    ASSERT_TRUE(code == 0 || code == 1) << error_;
  }

  // That frame `frame` of clip "c" is shown with these two pictures of the files.
  void expect_frame(int frame, int reference, int distorted) {
    ASSERT_EQ(run("frames x.db --clip c --frame " + std::to_string(frame) + " -o shown"), 0) << error_;
    const io::RgbPicture picture = image("shown/" + name_of(frame));
    EXPECT_NEAR(panel_middle(picture, 0)[1], shown_gray(16 + reference), 1);
    EXPECT_NEAR(panel_middle(picture, 1)[1], shown_gray(kDistortedLuma + distorted), 1);
  }

  static std::string name_of(int frame) {
    const std::string digits = std::to_string(frame);
    return "c_frame" + std::string(6 - digits.size(), '0') + digits + ".png";
  }
  io::RgbPicture image(const std::string& name) const {
    return testing::decode_image(file_bytes(folder_.path(name)), name.ends_with("png") ? io::ImageFormat::kPng : io::ImageFormat::kJpeg);
  }
  std::vector<std::string> files(const std::string& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path(folder))) {
      names.push_back(entry.path().lexically_relative(folder_.path(folder)).native());
    }
    std::ranges::sort(names);
    return names;
  }
};

TEST_F(FramesCommand, ListsABadFrameOfALongClipFirst) {
  write_counted({.frames = 200, .first_luma = 16}, folder_.path("r.y4m"));
  write_counted({.frames = 200, .first_luma = 17, .odd_picture = 123, .odd_luma = 60}, folder_.path("d.y4m"));
  score_row("", "");
  ASSERT_EQ(run("frames x.db --clip c --worst 2 --feature psnr_y -o shown"), 0) << error_;
  EXPECT_TRUE(out_.starts_with("shown/c_frame000123.png: frame 123, 4.920 s, psnr_y ")) << out_;
  EXPECT_NE(out_.find("\nshown/c_frame000000.png: frame 0, "), std::string::npos) << out_;
  EXPECT_EQ(files("shown"), (std::vector<std::string>{"c_frame000000.png", "c_frame000123.png"}));
  const io::RgbPicture picture = image("shown/c_frame000123.png");
  EXPECT_NEAR(panel_middle(picture, 0)[1], shown_gray(16 + 123), 1);
  EXPECT_NEAR(panel_middle(picture, 1)[1], shown_gray(60), 1);
  EXPECT_EQ(panel_middle(picture, 2)[1], 255) << "79 times 8";
}

TEST_F(FramesCommand, ShowsTheFrameThatWasScoredUnderSkips) {
  score_row(",skip_reference,skip_distorted", ",3,5");
  expect_frame(0, 3, 5);
  expect_frame(9, 12, 14);
}

TEST_F(FramesCommand, ShowsTheFrameThatWasScoredUnderACut) {
  score_row(",start,duration,skip_distorted", ",0.2,0.4,1");
  expect_frame(2, 7, 8);
  EXPECT_EQ(run("frames x.db --clip c --frame 15 -o shown"), 2);
  EXPECT_TRUE(told("frame 15 is not in the clip, which has frames 0 to 9")) << error_;
}

TEST_F(FramesCommand, ShowsTheFrameThatWasScoredOfRawVideo) {
  write_counted({.raw = true}, folder_.path("r.yuv"));
  write_counted({.first_luma = kDistortedLuma, .raw = true}, folder_.path("d.yuv"));
  score_row(",width,height,pixel_format,fps", ",48,32,420,30000/1001", "", "r.yuv,d.yuv");
  expect_frame(11, 11, 11);
}

TEST_F(FramesCommand, ShowsTheFrameThatWasScoredScaled) {
  write_counted({.width = 24, .height = 16, .first_luma = kDistortedLuma}, folder_.path("d.y4m"));
  score_row(",scale", ",lanczos");
  expect_frame(6, 6, 6);
}

TEST_F(FramesCommand, ShowsTheFrameThatWasScoredByTime) {
  if (!testing::has_encoder("ffv1")) GTEST_SKIP() << "no ffmpeg program with ffv1";
  // The distorted side lacks pictures 7 and 8: number 6 stays on the screen.
  ASSERT_TRUE(testing::run_ffmpeg({"-i", folder_.path("d.y4m"), "-vf", "select=not(between(n\\,7\\,8))", "-vsync", "passthrough", "-c:v",
                                   "ffv1", folder_.path("d.mkv")}));
  score_row(",sync", ",timestamp", "", "r.y4m,d.mkv");
  expect_frame(6, 6, 6);
  expect_frame(8, 8, 6);
  expect_frame(10, 10, 10);
}

TEST_F(FramesCommand, ShowsTheFrameThatWasScoredAfterAnAlignment) {
  // Picture n of the distorted is picture n + 3 of the reference.
  write_y4m({.frames = 40}, folder_.path("r.y4m"));
  const std::string bytes = file_bytes(folder_.path("r.y4m"));
  const size_t header = bytes.find("FRAME");
  const size_t frame = 6 + 64 * 48 * 3 / 2;
  write_file(folder_.path("d.y4m"), bytes.substr(0, header) + bytes.substr(header + 3 * frame));
  score_row("", "", "--auto-align");
  ASSERT_EQ(run("query x.db 'SELECT pictures FROM scoring' --format csv"), 0);
  ASSERT_NE(out_.find("aligned by skip_reference 3"), std::string::npos) << out_;
  ASSERT_EQ(run("frames x.db --clip c --frame 10 -o aligned"), 0) << error_;
  score_row("", "", "--label same", "r.y4m,r.y4m");
  ASSERT_EQ(run("frames x.db --clip c --frame 13 -o same"), 0) << error_;
  const io::RgbPicture aligned = image("aligned/" + name_of(10));
  const io::RgbPicture same = image("same/c_same_frame000013.png");
  constexpr int kTop = 17, kPanel = 192;
  for (int y = kTop; y < kTop + 144; ++y) {
    for (int x = 0; x < kPanel; ++x) {
      for (const int panel : {0, 1}) {
        const int at = panel * (kPanel + 4) + x;
        ASSERT_TRUE(std::equal(aligned.pixel(at, y), aligned.pixel(at, y) + 3, same.pixel(at, y))) << x << ' ' << y;
      }
      ASSERT_EQ(aligned.pixel(2 * (kPanel + 4) + x, y)[1], 0);
    }
  }
}

TEST_F(FramesCommand, ShowsTheFramesBeforeADamage) {
  std::string bytes = file_bytes(folder_.path("d.y4m"));
  write_file(folder_.path("d.y4m"), bytes.substr(0, bytes.size() - 100));
  score_row("", "");
  expect_frame(18, 18, 18);
  EXPECT_EQ(run("frames x.db --clip c --frame 18,19 -o shown"), 1);
  EXPECT_TRUE(told("frame 19 is not in the clip, which has frames 0 to 18") && is_one_line()) << error_;
  EXPECT_TRUE(out_.starts_with("shown/c_frame000018.png: frame 18"));
}

TEST_F(FramesCommand, WritesJpegsAndSmallerPictures) {
  score_row("", "");
  ASSERT_EQ(run("frames x.db --clip c --frame 4 --format jpeg --max-width 320 --amplify 2 -o deep/er"), 0) << error_;
  const io::RgbPicture picture = image("deep/er/c_frame000004.jpeg");
  EXPECT_EQ(picture.width, 320);
  EXPECT_NEAR(picture.pixel(150, 60)[1], shown_gray(kDistortedLuma + 4), 4);
  EXPECT_NEAR(picture.pixel(270, 60)[1], 2 * (kDistortedLuma - 16), 4);
}

TEST_F(FramesCommand, ShowsThreeFramesWhereNothingIsSaid) {
  score_row("", "");
  ASSERT_EQ(run("frames x.db --clip c -o shown"), 0) << error_;
  EXPECT_EQ(files("shown").size(), 3U);
}

TEST_F(FramesCommand, NamesFilesSafelyWhateverTheClipIsCalled) {
  const std::vector<std::string> names = {"../../evil", "/etc/x",      "<img src=x onerror=alert(1)>", "a b", "a_b", "-rf",
                                          "..",         "caf\xC3\xA9", std::string(250, 'n')};
  for (const std::string& name : names) {
    write_file(folder_.path("c.csv"), "name,reference,distorted\n\"" + name + "\",r.y4m,d.y4m\n");
    ASSERT_EQ(run("score --quiet --no-model --feature psnr c.csv -o x.db"), 0) << error_;
    ASSERT_EQ(run("frames x.db --clip='" + name + "' --frame 5 -o shown"), 0) << name << error_;
  }
  const std::vector<std::string> written = files("shown");
  EXPECT_EQ(written.size(), names.size()) << "each its own, and none elsewhere";
  for (const std::string& name : written) {
    EXPECT_TRUE(name.ends_with("_frame000005.png") && name.find('/') == std::string::npos && name.front() != '-') << name;
    EXPECT_NEAR(panel_middle(image("shown/" + name), 0)[1], shown_gray(21), 1);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path("../evil_frame000005.png")));
}

TEST_F(FramesCommand, SaysWhyNothingCanBeShown) {
  score_row("", "");
  const auto expect_error = [&](const std::string& arguments, const std::string& text) {
    EXPECT_EQ(run("frames " + arguments), 2) << arguments;
    EXPECT_TRUE(told(text) && is_one_line()) << error_;
  };
  expect_error("none.db --clip c -o shown", "none.db: there is no such file");
  expect_error("r.y4m --clip c -o shown", "no vmafbatch database");
  expect_error("x.db --clip d -o shown", "there is no finished scoring of a clip \"d\"");
  expect_error("x.db --clip c --label z -o shown", "under the label \"z\"");
  expect_error("x.db --clip c --feature vmaf -o shown", "it has psnr_y, psnr_cb, psnr_cr");
  expect_error("x.db --clip c --frame 1 --feature vmaf -o shown", "it has psnr_y, psnr_cb, psnr_cr");
  expect_error("x.db --clip c --frame 99 -o shown", "frame 99 is not in the clip");
  expect_error("x.db --clip c -o r.y4m", "r.y4m: this folder cannot be made");
  for (const char* list : {"-1", ",", "1,,2", "1,", "0x1", "+1", "1.5", "99999999999999999999", "''"}) {
    expect_error(std::string("x.db --clip c --frame=") + list + " -o shown", "is no list of frames; write numbers from 0");
  }
  expect_error("x.db --clip c --worst 0 -o shown", "see `vmafbatch frames --help`");
  for (const char* number : {"nan", "0x10", "+2", "inf", "2x", "' 2'"}) {
    expect_error("x.db --clip c --amplify " + std::string(number) + " -o shown",
                 "is no number from 1 to 255; see `vmafbatch frames --help`");
  }
  expect_error("x.db --clip c --max-width 10 -o shown", "see `vmafbatch frames --help`");
  expect_error("x.db --clip c --format bmp -o shown", "use one of png, jpeg");
  std::filesystem::remove(folder_.path("d.y4m"));
  expect_error("x.db --clip c -o shown", "d.y4m: the frames are decoded from the scored files, and this one is not there");
}

TEST_F(FramesCommand, OfFailedAndImportedClipsSaysSo) {
  write_file(folder_.path("c.csv"), "name,reference,distorted\nc,r.y4m,none.y4m\nd,r.y4m,d.y4m\n");
  EXPECT_EQ(run("score --quiet --no-model --feature psnr c.csv -o x.db"), 1);
  EXPECT_EQ(run("frames x.db --clip c -o shown"), 2);
  EXPECT_TRUE(told("the clip \"c\" failed, so none of its frames was scored: none.y4m")) << error_;
  ASSERT_EQ(run("export x.db d -o d.json"), 0) << error_;
  ASSERT_EQ(run("import d.json -o y.db"), 0) << error_;
  EXPECT_EQ(run("frames y.db --clip d -o shown"), 2);
  EXPECT_TRUE(told("was imported from a log")) << error_;
}

}  // namespace
}  // namespace vmafbatch::cli
