// What a merge leaves in its place and beside it, whatever is there and however it ends.
#include "store/merge_output.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "store/lock_file.h"
#include "store/merge_fixture.h"
#include "store/verify.h"
#include "support/media_files.h"

namespace vmafbatch::store {
namespace {

class MergeResult : public Merge {};

// Writes as a merge does, says so, and stays.
void write_and_wait(const std::string& database, int say) {
  sqlite3* opened = nullptr;
  if (sqlite3_open(database.c_str(), &opened) != SQLITE_OK) return;
  if (sqlite3_exec(opened,
                   "PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; INSERT INTO scoring VALUES (1); COMMIT",
                   nullptr, nullptr, nullptr) != SQLITE_OK)
    return;
  if (::write(say, "x", 1) == 1) ::pause();
}

TEST_F(MergeResult, AnOutputThatSomebodyWritesIsNotTaken) {
  make_clips("1.db", {"a"});
  const auto lock = LockFile::take(path("all.db.lock"), false);
  ASSERT_OK(lock);
  EXPECT_NE(merge_error({"1.db"}).find("all.db"), std::string::npos);
  EXPECT_FALSE(is_there("all.db"));
}

TEST_F(MergeResult, ARunThatWritesUnderTheUnfinishedNameKeepsItsFile) {
  make_clips("1.db", {"a"});
  auto writer = Writer::open(path("all.db.part"));
  ASSERT_OK(writer);
  EXPECT_EQ(merge_error({"1.db"}), is_no_leftover());
  EXPECT_TRUE(is_there("all.db.part"));
  add_clip(**writer, some_record("a"));
  ASSERT_OK((*writer)->close());
  EXPECT_EQ(merge_error({"1.db"}), is_no_leftover()) << "nobody writes it, and it is somebody's database";
  EXPECT_EQ(csv_of(path("all.db.part"), "SELECT count(*) FROM frame_score"), "20\n");
}

TEST_F(MergeResult, AUsersFileUnderTheUnfinishedNameStays) {
  make_clips("1.db", {"a"});
  const auto expect_refused = [&] {
    EXPECT_EQ(merge_error({"1.db"}), is_no_leftover());
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::symlink_status(path("all.db.part"))));
    EXPECT_FALSE(is_there("all.db"));
    EXPECT_FALSE(is_there("all.db.lock"));
    std::filesystem::remove(path("all.db.part"));
  };
  for (const char* content : {"", "precious", "SQLite format 3"}) {
    write_file(path("all.db.part"), content);
    expect_refused();
  }
  run_sql(path("all.db.part"), "CREATE TABLE precious (a)");
  expect_refused();
  std::filesystem::create_directory(path("all.db.part"));
  expect_refused();
  std::filesystem::create_symlink("nowhere", path("all.db.part"));
  expect_refused();
  make_leftover();
  std::filesystem::rename(path("all.db.part"), path("elsewhere"));
  std::filesystem::create_symlink("elsewhere", path("all.db.part"));
  expect_refused();
}

TEST_F(MergeResult, WhatAnotherMergeWritesStays) {
  make_clips("1.db", {"a"});
  make_leftover();
  // In a process of its own: locks of one's own are no obstacle.
  int told[2];
  ASSERT_EQ(::pipe(told), 0);
  const pid_t process = ::fork();
  if (process == 0) {
    write_and_wait(path("all.db.part"), told[1]);
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(told[0], &byte, 1), 1);
  const std::string error = merge_error({"1.db"});
  EXPECT_NE(error.find("all.db.part: process " + std::to_string(process)), std::string::npos) << error;
  EXPECT_NE(error.find("is merging into it"), std::string::npos) << error;
  EXPECT_TRUE(is_there("all.db.part"));
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
  EXPECT_EQ(merge_error({"1.db"}), "merged") << "nobody writes it any more";
  EXPECT_FALSE(is_there("all.db.part"));
}

TEST_F(MergeResult, AJournalWithoutItsDatabaseIsNotTakenForOneOfTheResult) {
  make_clips("1.db", {"a"});
  for (const std::string name : {"all.db-wal", "all.db-journal", "all.db.part-wal", "all.db.part-journal"}) {
    write_file(path(name), "precious");
    EXPECT_EQ(merge_error({"1.db"}),
              path(name) + ": is there without its database; remove it, or name another file for the merged database");
    EXPECT_EQ(testing::file_bytes(path(name)), "precious");
    std::filesystem::remove(path(name));
  }
}

TEST_F(MergeResult, TheLockOfTheOutputIsThatOfARunThroughALink) {
  make_clips("1.db", {"a"});
  std::filesystem::create_symlink("all.db", path("link.db"));
  auto writer = Writer::open(path("link.db"));
  ASSERT_OK(writer);
  std::filesystem::remove(path("all.db"));
  EXPECT_NE(merge_error({"1.db"}).find("is being written by process"), std::string::npos);
}

// A process of its own that merges; `before` runs in it first.
pid_t merge_elsewhere(const std::vector<std::string>& inputs, const std::string& output, const std::function<void()>& before = {}) {
  const pid_t process = ::fork();
  if (process != 0) return process;
  if (before) before();
  const auto merged = merge_databases(inputs, output);
  if (!merged.ok() && merged.error().message.find("the disk is full") != std::string::npos) ::_exit(3);
  ::_exit(merged.ok() ? 0 : 2);
}

int end_of(pid_t process) {
  int status = 0;
  ::waitpid(process, &status, 0);
  return status;
}

TEST_F(MergeResult, AKilledMergeLeavesNoHalfDatabase) {
  make("1.db", [](Writer& writer) { add_clip(writer, some_record("a"), 60'000); });
  make("2.db", [](Writer& writer) { add_clip(writer, some_record("b"), 60'000); });
  ASSERT_OK(merge({"1.db", "2.db"}));
  std::filesystem::rename(path("all.db"), path("whole.db"));
  for (int delay_ms = 0; delay_ms < 100; delay_ms += 7) {
    const pid_t process = merge_elsewhere({path("1.db"), path("2.db")}, path("all.db"));
    std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
    ::kill(process, SIGKILL);
    end_of(process);
    if (!is_there("all.db")) continue;
    EXPECT_EQ(diff("whole.db", "all.db"), DiffOutcome::kEqual);
    std::filesystem::remove(path("all.db"));
  }
  std::filesystem::remove(path("all.db.part"));  // one of a merge that was killed above
  make_leftover();
  const auto verified = verify_database(path("all.db.part"), {}, std::cout);
  ASSERT_FALSE(verified.ok()) << "it is no database yet";
  EXPECT_EQ(verified.error().message, path("all.db.part") + ": a merge is writing this file, or was ended while it did; merge again");
  ASSERT_OK(merge({"1.db", "2.db"}));
  EXPECT_EQ(diff("whole.db", "all.db"), DiffOutcome::kEqual);
  EXPECT_FALSE(is_there("all.db.part"));
}

TEST_F(MergeResult, AFullDiskLeavesNothing) {
  make("1.db", [](Writer& writer) { add_clip(writer, some_record("a"), 60'000); });
  const auto limit_files = [] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  const int status = end_of(merge_elsewhere({path("1.db")}, path("all.db"), limit_files));
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_NE(WEXITSTATUS(status), 0);
  EXPECT_FALSE(is_there("all.db"));
  EXPECT_FALSE(is_there("all.db.part"));
  EXPECT_FALSE(is_there("all.db.lock"));
}

}  // namespace
}  // namespace vmafbatch::store
