// `vmafbatch report` as a user meets it: the file, what it prints and its exit code.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

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

TEST_F(ReportCommand, ComparesTwoDatabases) {
  ASSERT_EQ(score_pair("-o y.db"), 0) << error_;
  EXPECT_EQ(run("report x.db y.db -o r.html"), 0) << error_;
  EXPECT_TRUE(page_has("id=\"data-comparison\">{\"old\":{\"title\":\"x.db\""));
  EXPECT_TRUE(page_has("\"outcome\":\"equal\""));
}

// As a writer in the middle of a commit does; the program waits for it.
class LockedDatabase {
 public:
  explicit LockedDatabase(const std::string& path) : file_(open(path.c_str(), O_RDWR | O_CLOEXEC)) {
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_start = 0x40000002;  // where SQLite's readers lock (sqlite.org/lockingv3.html)
    lock.l_len = 510;
    locked_ = fcntl(file_, F_SETLK, &lock) == 0;
  }
  ~LockedDatabase() { close(file_); }
  LockedDatabase(const LockedDatabase&) = delete;
  LockedDatabase& operator=(const LockedDatabase&) = delete;
  bool is_locked() const { return locked_; }

 private:
  int file_;
  bool locked_ = false;
};

TEST_F(ReportCommand, ASignalLeavesNothingBehind) {
  const LockedDatabase locked(folder_.path("x.db"));
  ASSERT_TRUE(locked.is_locked());
  run("report x.db -o r.html & p=$!; n=0; until ls | grep -q part || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done; "
      "ls | grep r.html | sed 's/[0-9]\\+/N/'; kill -TERM $p; wait $p; echo $?; ls | grep r.html");
  EXPECT_EQ(out_, "r.html.N.part\n143\n");
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
