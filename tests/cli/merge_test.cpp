// `vmafbatch merge` as a user meets it: what it prints and its exit code.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

class MergeCommand : public Program {
 protected:
  MergeCommand() {
    write_clip("b.y4m");
    score("--reference a.y4m --distorted a.y4m -o 1.db");
    score("--reference a.y4m --distorted b.y4m -o 2.db");
  }
};

TEST_F(MergeCommand, MakesOneDatabase) {
  EXPECT_EQ(run("merge 1.db 2.db 1.db -o all.db"), 0) << error_;
  EXPECT_EQ(out_, "all.db: 2 clips, 2 scorings; left out as kept already: 1\n");
  EXPECT_EQ(run("query all.db 'SELECT count(*) AS n FROM frame_features' --format csv"), 0);
  EXPECT_EQ(out_, "n\n24\n");
  EXPECT_EQ(score("--reference a.y4m --distorted a.y4m -o all.db"), 0) << "scoring goes on in it: " << error_;
}

TEST_F(MergeCommand, OneSentenceForWhatIsWrong) {
  EXPECT_EQ(run("merge 1.db none.db -o all.db"), 2);
  EXPECT_EQ(error_, "vmafbatch merge: none.db: there is no such file; check the name of the database\n");
  EXPECT_EQ(run("merge 1.db a.y4m -o all.db"), 2);
  EXPECT_TRUE(told("a.y4m: this file is no vmafbatch database") && is_one_line()) << error_;
  EXPECT_EQ(run("merge 1.db 2.db -o 2.db"), 2);
  EXPECT_TRUE(told("2.db: is there already") && is_one_line()) << error_;
  EXPECT_EQ(run("merge 1.db --relabel 1.db -o all.db"), 2);
  EXPECT_TRUE(told("\"1.db\" is not DB=LABEL") && is_one_line()) << error_;
  EXPECT_EQ(run("merge -o all.db"), 2);
  EXPECT_TRUE(is_one_line()) << error_;
  EXPECT_FALSE(std::filesystem::exists(folder_.path("all.db")));
}

TEST_F(MergeCommand, AFileSizeLimitLeavesNothing) {
  EXPECT_EQ(run("merge 1.db 2.db -o all.db", "ulimit -f 8 &&"), 2);
  EXPECT_TRUE(told("all.db: the limit on the size of a file is reached") && is_one_line()) << error_;
  EXPECT_FALSE(std::filesystem::exists(folder_.path("all.db")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("all.db.part")));
}

}  // namespace
}  // namespace vmafbatch::cli
