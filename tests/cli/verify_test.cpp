// `vmafbatch verify` as a user meets it: what it prints and its exit code.
#include <gtest/gtest.h>

#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

class VerifyCommand : public Program {};

TEST_F(VerifyCommand, AScoredDatabaseIsClean) {
  ASSERT_EQ(run("score --quiet --no-model --feature psnr=enable_apsnr=true --feature motion --feature float_motion --subsample 3 "
                "--reference a.y4m "
                "--distorted a.y4m -o x.db"),
            0)
      << error_;
  EXPECT_EQ(run("verify x.db"), 0);
  EXPECT_EQ(out_, "clean: 1 scorings, 18 values\n");
  EXPECT_EQ(run("verify x.db --format json"), 0);
  EXPECT_TRUE(out_.starts_with("{\"problems\": [],")) << out_;
}

TEST_F(VerifyCommand, FailedAndPartialScoringsThatSayWhyAreClean) {
  std::string bytes = file_bytes(folder_.path("a.y4m"));
  write_file(folder_.path("cut.y4m"), bytes.substr(0, bytes.size() - 100));
  EXPECT_EQ(score("--feature motion --reference a.y4m --distorted cut.y4m -o x.db"), 1);
  EXPECT_EQ(score("--reference a.y4m --distorted none.y4m -o x.db"), 2);
  EXPECT_EQ(run("verify x.db"), 0) << out_;
  EXPECT_NE(out_.find("2 scorings failed or are partial and say why"), std::string::npos) << out_;
}

TEST_F(VerifyCommand, ADamagedDatabaseIsTold) {
  ASSERT_EQ(score_pair("-o x.db"), 0);
  std::string bytes = file_bytes(folder_.path("x.db"));
  write_file(folder_.path("x.db"), bytes.substr(0, bytes.size() - 4096));
  EXPECT_NE(run("verify x.db"), 0);
  EXPECT_FALSE(out_.empty() && error_.empty());
  EXPECT_EQ(run("verify a.y4m"), 2);
  EXPECT_EQ(error_, "vmafbatch verify: a.y4m: this file is no vmafbatch database; name another one\n");
  EXPECT_TRUE(is_one_line());
}

}  // namespace
}  // namespace vmafbatch::cli
