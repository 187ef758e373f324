// `vmafbatch serve` as a user starts and ends it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program.h"
#include "support/raw_client.h"

namespace vmafbatch::cli {
namespace {

using vmafbatch::testing::answer_to;
using vmafbatch::testing::body_of;
using vmafbatch::testing::get_text;
using vmafbatch::testing::post_text;
using vmafbatch::testing::status_of;

class Serve : public Program {
 public:
  ~Serve() override {
    if (child_ > 0) end(SIGKILL);
  }

 protected:
  // Starts the server on a free port; its number.
  int start(const std::string& database, const std::string& newer = "") {
    int ends[2] = {};
    if (pipe2(ends, O_CLOEXEC) != 0) return 0;
    child_ = fork();
    if (child_ == 0) {
      signal(SIGINT, SIG_DFL);                               // a test in the background ignores it
      if (chdir(folder_.path("").c_str()) != 0) _exit(126);  // the clips' paths are relative
      dup2(ends[1], STDOUT_FILENO);
      const int error = open(folder_.path("err").c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
      dup2(error, STDERR_FILENO);
      const char* const second = newer.empty() ? nullptr : newer.c_str();
      execl(VMAFBATCH_PROGRAM, VMAFBATCH_PROGRAM, "serve", "--port", "0", database.c_str(), second, nullptr);
      _exit(127);
    }
    close(ends[1]);
    std::string line;
    char c = 0;
    pollfd ready{ends[0], POLLIN, 0};
    while (line.find('\n') == std::string::npos && poll(&ready, 1, 20'000) == 1 && read(ends[0], &c, 1) == 1) line += c;
    close(ends[0]);
    const size_t colon = line.rfind(':');
    return colon == std::string::npos || !line.starts_with("http://127.0.0.1:") ? 0 : std::atoi(line.c_str() + colon + 1);
  }

  // The exit code behind a signal.
  int end(int signal) {
    kill(child_, signal);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    error_ = file_bytes(folder_.path("err"));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  pid_t child_ = -1;
};

TEST_F(Serve, ShowsADatabaseUntilItIsInterrupted) {
  ASSERT_EQ(score_pair("-o a.db"), 0) << error_;
  const std::string before = file_bytes(folder_.path("a.db"));
  const int port = start(folder_.path("a.db"));
  ASSERT_GT(port, 0);
  EXPECT_EQ(status_of(answer_to(port, get_text("/"))), 200);
  const auto summary = nlohmann::json::parse(body_of(answer_to(port, get_text("/api/summary"))));
  EXPECT_EQ(summary.at("counts").at("done"), 1);
  const auto table = nlohmann::json::parse(body_of(answer_to(port, post_text("/api/sql", "SELECT count(*) AS n FROM frame_features"))));
  EXPECT_GT(table.at("rows")[0][0].get<int>(), 0);
  EXPECT_EQ(status_of(answer_to(port, post_text("/api/sql", "DELETE FROM scoring"))), 400);
  EXPECT_EQ(status_of(answer_to(port, get_text("/../a.db"))) / 100, 4);
  const std::string picture = answer_to(port, get_text("/api/picture?id=1&frame=1"));
  EXPECT_EQ(status_of(picture), 200) << picture.substr(0, 300);
  EXPECT_EQ(body_of(picture).substr(1, 3), "PNG");
  EXPECT_EQ(end(SIGINT), 0);
  EXPECT_EQ(error_, "\nstopping\n");
  EXPECT_EQ(file_bytes(folder_.path("a.db")), before);
}

TEST_F(Serve, EndsBySignalWithAnOpenConnection) {
  ASSERT_EQ(score_pair("-o a.db"), 0) << error_;
  const int port = start(folder_.path("a.db"));
  ASSERT_GT(port, 0);
  vmafbatch::testing::RawClient half(port);
  half.send_bytes("GET / HT");
  EXPECT_EQ(end(SIGTERM), 0);
}

TEST_F(Serve, ARunGoesOnWhileItIsShown) {
  ASSERT_EQ(score_pair("-o a.db"), 0) << error_;
  const int port = start(folder_.path("a.db"));
  ASSERT_GT(port, 0);
  write_clip("b.y4m");
  EXPECT_EQ(score("--reference b.y4m --distorted b.y4m -o a.db"), 0) << error_;
  const auto summary = nlohmann::json::parse(body_of(answer_to(port, get_text("/api/summary"))));
  EXPECT_EQ(summary.at("counts").at("done"), 2);
}

TEST_F(Serve, ShowsWhatDiffersBetweenTwoDatabases) {
  ASSERT_EQ(score_pair("-o old.db"), 0) << error_;
  write_clip("b.y4m");
  ASSERT_EQ(score("--reference b.y4m --distorted b.y4m -o new.db"), 0) << error_;
  const auto comparison = [&](const std::string& before, const std::string& after) {
    const int port = start(folder_.path(before), folder_.path(after));
    EXPECT_GT(port, 0);
    auto document = nlohmann::json::parse(body_of(answer_to(port, get_text("/api/comparison"))));
    EXPECT_EQ(status_of(answer_to(port, get_text("/api/clips"))), 200);
    EXPECT_EQ(end(SIGINT), 0);
    return document;
  };
  EXPECT_EQ(comparison("old.db", "old.db").at("outcome"), "equal");
  const auto strangers = comparison("old.db", "new.db");
  EXPECT_EQ(strangers.at("outcome"), "nothing_compared");
  EXPECT_EQ(strangers.at("changes").size(), 2U);
}

TEST_F(Serve, WhatCannotBeServedIsOneSentence) {
  EXPECT_EQ(run("serve nothing.db"), 2);
  EXPECT_TRUE(is_one_line()) << error_;
  write_file(folder_.path("text.db"), "no database");
  EXPECT_EQ(run("serve text.db"), 2);
  EXPECT_TRUE(is_one_line()) << error_;
  EXPECT_EQ(run("serve text.db --port 70000"), 2);
  EXPECT_EQ(score_pair("-o a.db"), 0);
  EXPECT_EQ(run("serve a.db --host ''"), 2);
  EXPECT_TRUE(told("--host is empty")) << error_;
  EXPECT_EQ(run("serve a.db --host 'no such host.'"), 2);
  EXPECT_TRUE(is_one_line()) << error_;
  for (const char* two : {"serve nothing.db a.db", "serve text.db a.db", "serve a.db nothing.db", "serve a.db text.db"}) {
    EXPECT_EQ(run(two), 2) << two;
    EXPECT_TRUE(is_one_line()) << error_;
    EXPECT_EQ(error_.find("a.db"), std::string::npos) << error_;
  }
}

}  // namespace
}  // namespace vmafbatch::cli
