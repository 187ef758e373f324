// `vmafbatch gate` as a user meets it: what it prints and its exit code.
#include <gtest/gtest.h>

#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

class GateCommand : public Program {
 protected:
  void SetUp() override { ASSERT_EQ(score_pair("-o x.db"), 0) << error_; }
};

TEST_F(GateCommand, PassesAndFailsWithItsExitCode) {
  EXPECT_EQ(run("gate x.db --rule 'psnr_y.mean >= 30' --rule 'frames = 4'"), 0) << error_;
  EXPECT_EQ(out_, "pass  a\npass: 1 of 1 clips pass, 0 fail\n");
  EXPECT_EQ(run("gate x.db --rule 'psnr_y.mean >= 30' --rule 'vmaf.p5 > 1'"), 1);
  EXPECT_EQ(out_, "FAIL  a\n      vmaf.p5 > 1: the clip has no feature vmaf\nFAIL: 0 of 1 clips pass, 1 fail\n");
  EXPECT_EQ(error_, "");
}

TEST_F(GateCommand, RulesComeFromFilesToo) {
  write_file(folder_.path("r.rules"), "# release\nframes = 4\npsnr_y.min > 1000 if width > 8 # never\n");
  EXPECT_EQ(run("gate x.db --rules r.rules --rule 'frames > 3' --format json"), 1);
  EXPECT_NE(out_.find("\"rule\": \"psnr_y.min > 1000 if width > 8\", \"passed\": 0, \"failed\": 1"), std::string::npos) << out_;
  EXPECT_EQ(run("gate x.db --rules r.rules --format junit"), 1);
  EXPECT_NE(out_.find("tests=\"2\" failures=\"1\""), std::string::npos) << out_;
  write_file(folder_.path("r.rules"), "frames = 4\nframes ~ 4\n");
  EXPECT_EQ(run("gate x.db --rules r.rules"), 2);
  EXPECT_TRUE(told("r.rules: line 2, column 8: ")) << error_;
}

TEST_F(GateCommand, WhatCannotBeDoneIsTwoAndOneLine) {
  for (const char* arguments :
       {"gate x.db", "gate x.db --rule 'frames >'", "gate x.db --rules none", "gate none.db --rule 'frames > 1'",
        "gate x.db --rule 'frames > 1' --clips none", "gate x.db --rule 'frames > 1' --label none", "gate a.y4m --rule 'frames > 1'",
        "gate x.db --rule 'frames > 1 if tag.a = b'", "gate x.db --rule 'frames > 1' --format xml"}) {
    EXPECT_EQ(run(arguments), 2) << arguments;
    EXPECT_TRUE(is_one_line()) << error_;
    EXPECT_EQ(out_, "");
  }
}

}  // namespace
}  // namespace vmafbatch::cli
