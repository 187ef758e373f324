// vmafbatch score as a run that is steered: its order, and when it gives up.
#include <gtest/gtest.h>

#include <string>

#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

class RunControl : public Program {
 protected:
  RunControl() {
    write_file(folder_.path("c.csv"),
               "reference,distorted,name\na.y4m,a.y4m,one\nb.y4m,none.y4m,two\nc.y4m,missing.y4m,three\nd.y4m,d.y4m,four\n");
    for (const char* name : {"b.y4m", "c.y4m", "d.y4m"}) write_clip(name);
  }

  // One thread: clips are taken one after the other.
  int score_catalogue(const std::string& what, const std::string& database = "x.db") {
    return score("c.csv --threads 1 -o " + database + " " + what);
  }

  std::string statuses() {
    EXPECT_EQ(run("query x.db 'SELECT c.name, s.status FROM scoring s JOIN clip c ON c.id = s.clip ORDER BY s.id' --format csv"), 0);
    return out_;
  }
};

TEST_F(RunControl, FailFastStopsAfterTheFirstClipThatIsNotDone) {
  write_file(folder_.path("c.csv"), "reference,distorted,name\nb.y4m,none.y4m,two\na.y4m,a.y4m,one\n");
  EXPECT_EQ(score_catalogue("--fail-fast"), 1);
  EXPECT_TRUE(
      told("stopped by --fail-fast, because 1 clip failed or is partial; 1 clip is not finished. What was scored is stored: run the "
           "same command again to go on with the others"))
      << error_;
  EXPECT_EQ(statuses(), "name,status\ntwo,failed\n");
  EXPECT_EQ(score_catalogue("--fail-fast"), 1) << "a failed clip of an earlier run is kept, and the others are scored";
  EXPECT_FALSE(told("stopped")) << error_;
  EXPECT_EQ(statuses(), "name,status\ntwo,failed\none,done\n");
  EXPECT_EQ(score_catalogue("--fail-fast --retry-failed"), 1) << "nothing was left to stop";
  EXPECT_FALSE(told("stopped")) << error_;
}

TEST_F(RunControl, MaxFailuresIsTheNumberThatIsBorne) {
  EXPECT_EQ(score_catalogue("--max-failures 2", "all.db"), 1);
  EXPECT_FALSE(told("stopped")) << error_;
  EXPECT_EQ(score_catalogue("--max-failures 1"), 1);
  EXPECT_TRUE(told("stopped by --max-failures 1, because 2 clips failed or are partial; 1 clip is not finished.")) << error_;
  EXPECT_EQ(score_catalogue(""), 1);
  EXPECT_EQ(run("diff all.db x.db"), 0) << out_;
}

TEST_F(RunControl, BothWaysToGiveUpContradictEachOther) {
  EXPECT_EQ(score_catalogue("--max-failures 1 --fail-fast"), 2);
  EXPECT_TRUE(is_one_line()) << error_;
  EXPECT_TRUE(told("--fail-fast excludes --max-failures")) << error_;
}

TEST_F(RunControl, TheOrderIsOneOfTwo) {
  EXPECT_EQ(score_catalogue("--order random"), 2);
  EXPECT_TRUE(told("--order: random not in {catalogue,longest-first}")) << error_;
  EXPECT_EQ(score_catalogue("--order longest-first"), 1);
  EXPECT_EQ(score_catalogue("", "all.db"), 1);
  EXPECT_EQ(run("diff all.db x.db"), 0) << out_;
}

}  // namespace
}  // namespace vmafbatch::cli
