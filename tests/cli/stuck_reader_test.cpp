// Standard error whose reader has stopped: a full pipe, a terminal held by Ctrl-S.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace): literals have no other way

class StuckReader : public Program {
 public:
  StuckReader() { write_y4m({.width = 16, .height = 16, .frames = 60}, folder_.path("a.y4m")); }
  ~StuckReader() override {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    for (const int end : ends_) {
      if (end >= 0) close(end);
    }
  }

 protected:
  void make_full_pipe() {
    ASSERT_EQ(pipe2(ends_, O_CLOEXEC), 0);
    const int flags = fcntl(ends_[1], F_GETFL);
    fcntl(ends_[1], F_SETFL, flags | O_NONBLOCK);
    while (write(ends_[1], "x", 1) == 1) {
    }
    fcntl(ends_[1], F_SETFL, flags);
  }

  void make_held_terminal() {
    ends_[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    ASSERT_TRUE(ends_[0] >= 0 && grantpt(ends_[0]) == 0 && unlockpt(ends_[0]) == 0);
    ends_[1] = open(ptsname(ends_[0]), O_RDWR | O_NOCTTY | O_CLOEXEC);
    ASSERT_GE(ends_[1], 0);
    ASSERT_EQ(tcflow(ends_[1], TCOOFF), 0);
  }

  // Scores 60 frames, one in `delay_ms`.
  void start(const char* delay_ms) {
    child_ = fork();
    if (child_ != 0) return;
    for (const int one : {SIGINT, SIGTERM}) signal(one, SIG_DFL);  // a test in the background ignores SIGINT
    if (chdir(folder_.path("").c_str()) != 0) _exit(126);
    dup2(ends_[1], STDERR_FILENO);
    setenv("VMAFBATCH_TEST_MEASURE_DELAY_MS", delay_ms, 1);
    execl(VMAFBATCH_PROGRAM, VMAFBATCH_PROGRAM, "score", "--reference", "a.y4m", "--distorted", "a.y4m", "--feature", "psnr", "--no-model",
          "--threads", "2", "-o", "x.db", "--log-file", "x.log", nullptr);
    _exit(127);
  }

  // Its status, or nothing where it does not end in time.
  std::optional<int> status_within(std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    for (int status = 0; std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(10ms)) {
      if (waitpid(child_, &status, WNOHANG) != child_) continue;
      child_ = -1;
      return status;
    }
    return std::nullopt;
  }

  void wait_for_database() {
    while (access(folder_.path("x.db").c_str(), F_OK) != 0) std::this_thread::sleep_for(10ms);
  }

  // The handlers are installed when the database is there; a little later the display writes, too.
  void expect_the_second_signal_ends_it() {
    start("500");  // half a minute
    wait_for_database();
    std::this_thread::sleep_for(1s);
    kill(child_, SIGTERM);
    std::this_thread::sleep_for(100ms);
    kill(child_, SIGTERM);
    const auto status = status_within(5s);
    ASSERT_TRUE(status.has_value());
    EXPECT_TRUE(WIFSIGNALED(*status) && WTERMSIG(*status) == SIGTERM) << *status;
  }

  pid_t child_ = -1;
  int ends_[2] = {-1, -1};
};

TEST_F(StuckReader, OfAPipeDoesNotHoldTheSecondSignal) {
  make_full_pipe();
  expect_the_second_signal_ends_it();
}

TEST_F(StuckReader, OfATerminalDoesNotHoldTheSecondSignal) {
  make_held_terminal();
  expect_the_second_signal_ends_it();
}

TEST_F(StuckReader, DoesNotHoldTheFirstSignalForEver) {
  make_full_pipe();
  start("100");
  wait_for_database();
  std::this_thread::sleep_for(1s);
  kill(child_, SIGTERM);
  const auto status = status_within(60s);
  ASSERT_TRUE(status.has_value());
  EXPECT_TRUE(WIFEXITED(*status) && WEXITSTATUS(*status) == 130) << *status;
}

TEST_F(StuckReader, DoesNotHoldTheEndForEver) {
  make_full_pipe();
  start("1");
  const auto status = status_within(60s);
  ASSERT_TRUE(status.has_value());
  EXPECT_TRUE(WIFEXITED(*status) && WEXITSTATUS(*status) == 0) << *status;
  EXPECT_NE(file_bytes(folder_.path("x.log")).find("1 done"), std::string::npos) << "the log has what nobody read";
}

}  // namespace
}  // namespace vmafbatch::cli
