// More files than the process or the machine may have open.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

class OpenFiles : public Program {
 protected:
  static constexpr int kClips = 24;

  OpenFiles() {
    std::string rows = "reference,distorted\n";
    for (int i = 0; i < kClips; ++i) {
      const std::string name = "d" + std::to_string(i) + ".y4m";
      std::filesystem::create_hard_link(folder_.path("a.y4m"), folder_.path(name));
      rows += "a.y4m," + name + "\n";
    }
    write_file(folder_.path("c.csv"), rows);
  }

  int score_all(const std::string& before) {
    return run("score --quiet --feature psnr --no-model --threads 2 c.csv -o x.db --log-file x.log", before);
  }
  std::string statuses() {
    EXPECT_EQ(run("query x.db 'SELECT status, count(*) AS n FROM scoring GROUP BY status' --format csv"), 0) << error_;
    return out_;
  }
  void expect_the_next_run_to_do_all() {
    EXPECT_EQ(score_all(""), 0) << error_;
    EXPECT_EQ(statuses(), "status,n\ndone," + std::to_string(kClips) + "\n");
  }
};

TEST_F(OpenFiles, TheSoftLimitIsRaised) {
  EXPECT_EQ(score_all("ulimit -Sn 20 &&"), 0) << error_;
  EXPECT_EQ(statuses(), "status,n\ndone," + std::to_string(kClips) + "\n");
}

TEST_F(OpenFiles, TheHardLimitEndsTheRunAndFailsNoClip) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "UBSan opens a pipe to look at memory, and takes memory for damaged where it cannot";
#endif
  EXPECT_EQ(score_all("ulimit -n 20 &&"), 2);
  EXPECT_TRUE(told("vmafbatch: this process may have no more than 20 files open, and the run needs more; raise the limit (ulimit -n)"))
      << error_;
  EXPECT_EQ(statuses().find("failed"), std::string::npos) << out_;
  expect_the_next_run_to_do_all();
}

TEST_F(OpenFiles, AFullTableOfTheMachineIsWaitedFor) {
  EXPECT_EQ(score_all("VMAFBATCH_TEST_READ_FAULT='d3.y4m:open:ENFILE:2'"), 0) << error_;
  EXPECT_EQ(statuses(), "status,n\ndone," + std::to_string(kClips) + "\n");
}

TEST_F(OpenFiles, AFullTableOfTheMachineThatStaysFullFailsNoClip) {
  EXPECT_EQ(score_all("VMAFBATCH_TEST_READ_FAULT='d3.y4m:open:ENFILE:1000000'"), 2);
  EXPECT_TRUE(told("vmafbatch: this machine can open no more files")) << error_;
  EXPECT_EQ(statuses().find("failed"), std::string::npos) << out_;
  expect_the_next_run_to_do_all();
}

}  // namespace
}  // namespace vmafbatch::cli
