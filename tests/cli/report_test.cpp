// `vmafbatch report` as a user meets it: the file, what it prints and its exit code.
#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

class ReportCommand : public Program {
 protected:
  void SetUp() override { ASSERT_EQ(score_pair("-o x.db"), 0) << error_; }

  bool page_has(const std::string& text) const { return file_bytes(folder_.path("r.html")).find(text) != std::string::npos; }
};

TEST_F(ReportCommand, WritesOneFileWithPicturesOfTheWorstFrames) {
  EXPECT_EQ(run("report x.db --worst 2 --feature psnr_cb -o r.html"), 0);
  EXPECT_EQ(out_ + error_, "");
  EXPECT_TRUE(page_has("id=\"data-summary\""));
  EXPECT_TRUE(page_has("id=\"data-clip-1\""));
  EXPECT_TRUE(page_has("id=\"data-picture-1-0\""));
  EXPECT_TRUE(page_has("image/jpeg"));
}

TEST_F(ReportCommand, IsWrittenWhereThePicturesCannotBeMade) {
  std::filesystem::remove(folder_.path("a.y4m"));
  EXPECT_EQ(run("report x.db --worst 1 -o r.html"), 0);
  EXPECT_TRUE(told("vmafbatch report: a: no picture: ")) << error_;
  EXPECT_TRUE(is_one_line()) << error_;
  EXPECT_TRUE(page_has("id=\"data-clip-1\""));
}

TEST_F(ReportCommand, AFeatureThatIsNotShownIsRefused) {
  const auto expect_refused = [&](const std::string& arguments, const std::string& sentence) {
    EXPECT_EQ(run("report x.db " + arguments + " -o r.html"), 2) << arguments;
    EXPECT_EQ(error_, "vmafbatch report: " + sentence + "\n") << arguments;
    EXPECT_FALSE(std::filesystem::exists(folder_.path("r.html"))) << arguments;
  };
  const std::string none = "no clip that is shown has a feature \"";
  expect_refused("--worst 1 --feature vmaf", none + "vmaf\" with a value per frame; they have psnr_cb, psnr_cr, psnr_y");
  expect_refused("--worst 1 --feature psnr", none + "psnr\" with a value per frame; they have psnr_cb, psnr_cr, psnr_y");
  expect_refused("--worst 1 --feature psnr_y --features 'psnr_c*'", none + "psnr_y\" with a value per frame; they have psnr_cb, psnr_cr");
  ASSERT_EQ(run("score --quiet --feature motion --no-model --reference a.y4m --distorted a.y4m -o x.db --label m"), 0) << error_;
  EXPECT_EQ(run("report x.db --worst 1 --feature integer_motion2 -o r.html"), 0) << error_;
  EXPECT_TRUE(told("a: no picture: the clip \"a\" has no feature \"integer_motion2\"")) << error_;
}

TEST_F(ReportCommand, AFeatureIsNoReasonForNoReportWhereAllClipsFailed) {
  EXPECT_EQ(score("--reference a.y4m --distorted none.y4m -o failed.db"), 2);
  EXPECT_EQ(run("report failed.db --worst 1 --feature vmaf -o r.html"), 0) << error_;
}

TEST_F(ReportCommand, ComparesTwoDatabases) {
  ASSERT_EQ(score_pair("-o y.db"), 0) << error_;
  EXPECT_EQ(run("report x.db y.db -o r.html"), 0) << error_;
  EXPECT_TRUE(page_has("id=\"data-comparison\">{\"old\":{\"title\":\"x.db\""));
  EXPECT_TRUE(page_has("\"outcome\":\"equal\""));
}

TEST_F(ReportCommand, ASignalLeavesNothingBehind) {
  // A video that hangs holds the report up in its middle, where its unfinished file is beside it.
  for (const auto& [name, code] : {std::pair("TERM", 143), std::pair("INT", 130)}) {
    EXPECT_EQ(run("report x.db --worst 1 -o r.html",
                  std::string("VMAFBATCH_TEST_READ_FAULT=y4m:open:stall:100 timeout --preserve-status -s ") + name + " 3"),
              code);
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path(""))) {
      EXPECT_FALSE(entry.path().filename().string().starts_with("r.html")) << entry.path();
    }
  }
}

TEST_F(ReportCommand, WhatCannotBeDoneIsTwoAndOneLine) {
  write_file(folder_.path("rules.txt"), "frames > 1\n");
  for (const char* arguments :
       {"report x.db", "report none.db -o r.html", "report x.db none.db -o r.html", "report a.y4m -o r.html", "report x.db -o x.db",
        "report x.db -o .", "report x.db -o none/r.html", "report x.db --worst 0 -o r.html", "report x.db --feature vmaf -o r.html",
        "report x.db x.db --worst 2 -o r.html", "report x.db --clips '' -o r.html", "report x.db --clips nope -o r.html",
        "report x.db -o ''", "report x.db -o rules.txt"}) {
    EXPECT_EQ(run(arguments), 2) << arguments;
    EXPECT_TRUE(is_one_line()) << arguments << ": " << error_;
    EXPECT_EQ(out_, "");
    EXPECT_FALSE(std::filesystem::exists(folder_.path("r.html"))) << arguments;
  }
}

}  // namespace
}  // namespace vmafbatch::cli
