// `vmafbatch merge` as a user meets it: what it prints and its exit code.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>

#include "cli/program.h"
#include "store/scratch.h"

namespace vmafbatch::cli {
namespace {

class MergeCommand : public Program {
 protected:
  MergeCommand() {
    write_clip("b.y4m");
    score("--reference a.y4m --distorted a.y4m -o 1.db");
    score("--reference a.y4m --distorted b.y4m -o 2.db");
  }

  pid_t start_merge() const {
    const pid_t process = ::fork();
    if (process != 0) return process;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);  // a test in the background ignores SIGINT
    if (::chdir(folder_.path("").c_str()) == 0)
      ::execl(VMAFBATCH_PROGRAM, VMAFBATCH_PROGRAM, "merge", "1.db", "2.db", "-o", "all.db", static_cast<char*>(nullptr));
    ::_exit(127);
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
  EXPECT_EQ(run("merge 1.db 2.db --relabel 1.db=x --relabel ./1.db=y -o all.db"), 2);
  EXPECT_EQ(error_, "vmafbatch merge: ./1.db: is given the label \"x\" and the label \"y\"; give it one\n");
  EXPECT_EQ(run("merge 1.db 2.db --relabel 3.db=x -o all.db"), 2);
  EXPECT_EQ(error_, "vmafbatch merge: 3.db: is given a label and is not among the databases to merge\n");
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

TEST_F(MergeCommand, ASignalLeavesNothingBehind) {
  // Enough rows that the signal comes in the middle: it is sent as soon as the unfinished file holds something.
  store::run_sql(folder_.path("2.db"),
                 "WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 1500000) "
                 "INSERT INTO frame_score SELECT 1, i, 30.5 FROM n");
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    const pid_t merge = start_merge();
    int status = 0;
    std::error_code none;
    while (std::filesystem::file_size(folder_.path("all.db.part"), none) == 0 || none) {
      ASSERT_EQ(::waitpid(merge, &status, WNOHANG), 0) << "it ended before";
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(std::filesystem::exists(folder_.path("all.db.lock")));
    ::kill(merge, signal);
    ASSERT_EQ(::waitpid(merge, &status, 0), merge);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << "its usual end";
    for (const char* left : {"all.db", "all.db.part", "all.db.lock"}) EXPECT_FALSE(std::filesystem::exists(folder_.path(left))) << left;
  }
}

TEST_F(MergeCommand, AForeignFileInTheUnfinishedPlaceStays) {
  write_file(folder_.path("all.db.part"), "precious");
  EXPECT_EQ(run("merge 1.db 2.db -o all.db"), 2);
  EXPECT_TRUE(told("all.db.part: is there already, and no merge left it behind") && is_one_line()) << error_;
  EXPECT_EQ(file_bytes(folder_.path("all.db.part")), "precious");
}

}  // namespace
}  // namespace vmafbatch::cli
