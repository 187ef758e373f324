// Faults, made to happen: kills, a full disk, other processes, and files that are no database of ours.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <thread>

#include "store/child.h"
#include "store/lock_file.h"
#include "store/scratch.h"
#include "store/test_disk.h"

namespace vmafbatch::store {
namespace {

class WriterFault : public ::testing::Test {
 protected:
  std::string csv(const std::string& sql) const { return csv_of(path_, sql); }

  std::string open_error(const std::string& path) const {
    const auto writer = Writer::open(path);
    return writer.ok() ? "opened" : writer.error().message;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("scores.db");
};

TEST_F(WriterFault, AKilledWriterLosesOnlyWhatWasNotCommitted) {
  std::unique_ptr<Writer> writer;
  Child child([&] {
    writer = std::move(*Writer::open(path_));
    ASSERT_OK(writer->begin_run(some_run()));
    add_clip(*writer, some_record("a"));
    const auto begun = writer->begin_scoring(some_record("b"), some_columns(), some_extractors());
    for (int frame = 0; frame < 20; ++frame) ASSERT_OK(writer->add_value(begun->id, 0, frame, 1.0));
    ASSERT_OK(writer->commit());
    for (int frame = 20; frame < 30; ++frame) ASSERT_OK(writer->add_value(begun->id, 0, frame, 1.0));
    ASSERT_OK(writer->add_warning(begun->id, "not committed"));
  });
  child.kill();
  EXPECT_EQ(csv("PRAGMA integrity_check"), "ok\n") << "before anybody repaired it";

  auto again = Writer::open(path_);
  ASSERT_OK(again);
  EXPECT_EQ((*again)->notes().size(), 2U) << "the lock file and the scoring that did not end";
  EXPECT_EQ(csv("PRAGMA integrity_check"), "ok\n");
  EXPECT_EQ(csv("SELECT clip, frames FROM clip_scores WHERE feature = 'psnr_y'"), "a,10\n");
  EXPECT_EQ(csv("SELECT max(frame) FROM all_frame_features WHERE clip = 'b'"), "19\n");
  EXPECT_EQ(csv("SELECT count(*) FROM all_warnings"), "0\n");
  ASSERT_OK((*again)->close());
  EXPECT_FALSE(std::filesystem::exists(path_ + "-wal"));
  EXPECT_FALSE(std::filesystem::exists(path_ + ".lock"));
}

TEST_F(WriterFault, APowerCutLosesOnlyWhatWasNotCommitted) {
  const std::string after = folder_.path("after");
  std::filesystem::create_directory(after);
  {
    const TestDisk disk;
    auto writer = Writer::open(path_);
    ASSERT_OK(writer);
    ASSERT_OK((*writer)->begin_run(some_run()));
    add_clip(**writer, some_record("a"));
    const auto begun = (*writer)->begin_scoring(some_record("b"), some_columns(), some_extractors());
    for (int frame = 0; frame < 20; ++frame) ASSERT_OK((*writer)->add_value(begun->id, 0, frame, 1.0));
    ASSERT_OK((*writer)->commit());
    for (int frame = 20; frame < 30; ++frame) ASSERT_OK((*writer)->add_value(begun->id, 0, frame, 1.0));
    disk.cut_power(after);
  }
  const std::string database = after + "/scores.db";
  EXPECT_EQ(open_error(database), "opened");
  EXPECT_EQ(csv_of(database, "PRAGMA integrity_check"), "ok\n");
  EXPECT_EQ(csv_of(database, "SELECT clip, frames FROM clip_scores WHERE feature = 'psnr_y'"), "a,10\n");
  EXPECT_EQ(csv_of(database, "SELECT max(frame) FROM all_frame_features WHERE clip = 'b'"), "19\n");
}

TEST_F(WriterFault, KillsAtAnyMomentLeaveWholeClips) {
  for (int round = 0; round < 8; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      auto writer = Writer::open(path_);
      if (!writer.ok() || !(*writer)->begin_run(some_run()).ok()) ::_exit(1);
      for (int clip = 0;; ++clip) add_clip(**writer, some_record(std::to_string(::getpid()) + "_" + std::to_string(clip)), 100);
    }
    ::usleep(static_cast<useconds_t>(30'000 + 17'000 * round));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended before it was killed";
  }
  auto writer = Writer::open(path_);
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->close());
  EXPECT_EQ(csv("PRAGMA integrity_check"), "ok\n");
  EXPECT_EQ(csv("SELECT count(*) FROM clip_scores WHERE frames <> 100"), "0\n");
  EXPECT_NE(csv("SELECT count(*) FROM clip_scores"), "0\n") << "nothing was written";
}

TEST_F(WriterFault, AFullDiskStopsCleanlyAtTheLastCommit) {
  make_database(path_);
  auto writer = Writer::open(path_, OpenOptions{.max_pages = 60});
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->begin_run(some_run()));
  const auto begun = (*writer)->begin_scoring(some_record("big"), some_columns(), some_extractors());
  ASSERT_OK(begun);
  for (int frame = 0; frame < 50'000; ++frame) ASSERT_OK((*writer)->add_value(begun->id, 0, frame, 1.0));
  const Status status = (*writer)->finish_scoring(begun->id, {});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, path_ + ": the disk is full; nothing of this run is stored, make room and run again");
  EXPECT_FALSE((*writer)->add_warning(begun->id, "afterwards").ok()) << "every later call says so";
  EXPECT_FALSE((*writer)->close().ok());
  writer->reset();
  EXPECT_EQ(csv("PRAGMA integrity_check"), "ok\n");
  EXPECT_EQ(csv("SELECT count(*) FROM scoring"), "3\n") << "nothing of the clip that did not fit";
  EXPECT_FALSE(std::filesystem::exists(path_ + ".lock"));

  auto again = Writer::open(path_);
  ASSERT_OK(again);
  ASSERT_OK((*again)->begin_run(some_run()));
  add_clip(**again, some_record("big"), 50);
}

TEST_F(WriterFault, NoRoomIsToldByItsCauseAndKeepsWhatWasCommitted) {
  const std::map<int, std::string> sentences = {
      {ENOSPC, ": the disk is full"},
      {EFBIG,
       ": the limit on the size of a file is reached (ulimit -f, or the file system's); what was stored up to the last checkpoint is "
       "kept, raise it and run again"},
      {EDQUOT, ": the disk quota is used up; what was stored up to the last checkpoint is kept, make room and run again"}};
  for (const auto& [cause, sentence] : sentences) {
    const std::string path = folder_.path(std::to_string(cause) + ".db");
    {
      TestDisk disk;
      auto writer = Writer::open(path);
      ASSERT_OK(writer);
      ASSERT_OK((*writer)->begin_run(some_run()));
      add_clip(**writer, some_record("a"));
      disk.fail_writes("-wal", cause);
      const auto begun = (*writer)->begin_scoring(some_record("b"), some_columns(), some_extractors());
      const Status status = begun.ok() ? (*writer)->commit() : Status(begun.error());
      ASSERT_FALSE(status.ok());
      EXPECT_EQ(status.error().message.find(path + sentence), 0U) << status.error().message;
      EXPECT_TRUE((*writer)->has_failed());
    }
    EXPECT_EQ(csv_of(path, "SELECT clip FROM clip_scores WHERE feature = 'psnr_y'"), "a\n");
    EXPECT_EQ(open_error(path), "opened");
  }
}

TEST_F(WriterFault, ANewFileInWhichNothingWasStoredIsRemoved) {
  TestDisk disk;
  disk.fail_shared_memory(ENOSPC);
  EXPECT_EQ(open_error(path_).find(path_ + ": the disk is full"), 0U) << open_error(path_);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path(""))) << "at the index of the write-ahead log";
  disk.fail_shared_memory(0);
  disk.fail_writes("", EDQUOT);
  EXPECT_EQ(open_error(path_), path_ + ": the disk quota is used up; nothing of this run is stored, make room and run again");
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path(""))) << "at the schema";
  disk.fail_writes("", 0);
  {
    auto writer = Writer::open(path_);
    ASSERT_OK(writer);
    ASSERT_OK((*writer)->begin_run(some_run()));
    disk.fail_writes("-wal", EFBIG);
    EXPECT_FALSE((*writer)->begin_scoring(some_record("a"), some_columns(), some_extractors()).ok() && (*writer)->commit().ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path(""))) << "at the first clip";
}

TEST_F(WriterFault, AFileThatWasThereIsKeptWhateverFails) {
  make_database(path_);
  const std::string before = read_file(path_);
  write_file(folder_.path("empty.db"), "");
  {
    TestDisk disk;
    disk.fail_shared_memory(ENOSPC);
    EXPECT_NE(open_error(path_).find("the disk is full"), std::string::npos);
    EXPECT_NE(open_error(folder_.path("empty.db")).find("the disk is full"), std::string::npos);
  }
  EXPECT_TRUE(std::filesystem::exists(folder_.path("empty.db")));
  EXPECT_EQ(csv("SELECT count(*) FROM clip_scores WHERE frames = 10"), "6\n");
  EXPECT_EQ(open_error(path_), "opened");
}

// What SQLite says of it is a list of columns.
TEST_F(WriterFault, RowsOfAnotherProgramThatContradictAreASentence) {
  auto writer = Writer::open(path_);
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->begin_run(some_run()));
  const auto begun = (*writer)->begin_scoring(some_record("a"), some_columns(), some_extractors());
  ASSERT_OK(begun);
  ASSERT_OK((*writer)->commit());
  run_sql(path_, "INSERT INTO frame_score SELECT id, 0, 1.0 FROM scoring_feature LIMIT 1");
  ASSERT_OK((*writer)->add_value(begun->id, 0, 0, 2.0));
  const Status status = (*writer)->commit();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            path_ +
                ": what it holds contradicts what was to be stored (UNIQUE constraint failed: frame_score.scoring_feature, "
                "frame_score.frame): it is damaged, or another program changed it; `vmafbatch verify` looks what is wrong, use another "
                "database until then");
}

TEST_F(WriterFault, ATableThatIsGoneIsASentence) {
  make_database(path_);
  run_sql(path_, "DROP TABLE tag");
  EXPECT_EQ(open_error(path_), path_ +
                                   ": the database has no table \"tag\"; it is damaged or was changed by another program, restore it "
                                   "from a copy");
}

TEST_F(WriterFault, ASecondProcessIsToldWhoWrites) {
  std::unique_ptr<Writer> writer;
  Child child([&] { writer = std::move(*Writer::open(path_)); });
  const std::string message = open_error(path_);
  EXPECT_NE(message.find("the database is being written by process " + std::to_string(child.process()) + " on host "), std::string::npos)
      << message;
  EXPECT_THAT(message, ::testing::ContainsRegex(", since 2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z \\("));
  child.kill();
  EXPECT_EQ(open_error(path_), "opened") << "the system gave the dead process's lock back";
}

TEST_F(WriterFault, ASecondWriterOfTheSameProcessIsRefusedToo) {
  auto first = Writer::open(path_);
  ASSERT_OK(first);
  EXPECT_NE(open_error(path_).find("is being written by process"), std::string::npos);
  ASSERT_OK((*first)->close());
  EXPECT_EQ(open_error(path_), "opened");
}

TEST_F(WriterFault, OnASharedMountTheFileOfAnotherHostIsBelieved) {
  const std::string lock = folder_.path("lock");
  write_file(lock, "process 7 on host elsewhere, since 2026-01-31T12:34:56Z\n");
  const auto refused = LockFile::take(lock, true);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find(
                "is being written by process 7 on host elsewhere, since 2026-01-31T12:34:56Z; if no such process runs any more, remove"),
            std::string::npos);
  const auto taken = LockFile::take(lock, false);
  ASSERT_OK(taken);
  EXPECT_TRUE((*taken)->was_left_behind());
}

TEST_F(WriterFault, AnotherProgramsLockIsSaid) {
  make_database(path_);
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(open_error(path_), path_ + ": another program has locked the database; close it there and run again");
  sqlite3_close(other);
  EXPECT_EQ(open_error(path_), "opened");
}

TEST_F(WriterFault, AReaderThatStaysKeepsTheWalAndLosesNothing) {
  make_database(path_);
  auto writer = Writer::open(path_);
  ASSERT_OK(writer);
  sqlite3* reader = nullptr;
  ASSERT_EQ(sqlite3_open_v2(path_.c_str(), &reader, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM clip", nullptr, nullptr, nullptr), SQLITE_OK);
  ASSERT_OK((*writer)->begin_run(some_run()));
  add_clip(**writer, some_record("d"));
  ASSERT_OK((*writer)->close());
  ASSERT_FALSE((*writer)->notes().empty());
  EXPECT_NE((*writer)->notes().back().find("another program is reading the database"), std::string::npos);
  sqlite3_close(reader);
  EXPECT_EQ(csv("SELECT count(*) FROM clip"), "4\n");
  EXPECT_EQ(open_error(path_), "opened");
  EXPECT_FALSE(std::filesystem::exists(path_ + "-wal")) << "the next run makes it a single file again";
}

// Without WAL, as on a network mount, a commit waits for readers; SQLite's usual five seconds would end the run.
TEST_F(WriterFault, WithoutWalASlowReaderIsWaitedFor) {
  make_database(path_);
  auto writer = Writer::open(path_, OpenOptions{.avoid_wal = true});
  ASSERT_OK(writer);
  sqlite3* reader = nullptr;
  ASSERT_EQ(sqlite3_open_v2(path_.c_str(), &reader, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM clip", nullptr, nullptr, nullptr), SQLITE_OK);
  std::thread ending([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5'500));
    sqlite3_close(reader);
  });
  EXPECT_TRUE((*writer)->begin_run(some_run()).ok());
  ending.join();
  add_clip(**writer, some_record("d"));
  ASSERT_OK((*writer)->close());
  EXPECT_EQ(csv("SELECT count(*) FROM clip"), "4\n");
}

// SQLite itself would write on into a file without a name until the run's end.
TEST_F(WriterFault, AMovedFileStopsTheRunAtItsNextCommit) {
  auto writer = Writer::open(path_);
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->begin_run(some_run()));
  add_clip(**writer, some_record("a"));
  std::filesystem::rename(path_, folder_.path("elsewhere.db"));
  const Status status = (*writer)->begin_run(some_run());
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            path_ + ": the file or its folder was moved or deleted while it was written; put it back, or run again to begin anew");
}

TEST_F(WriterFault, ANewerSchemaIsRefused) {
  make_database(path_);
  run_sql(path_, "PRAGMA user_version = 2");
  const std::string sentence = path_ + ": the database has schema version 2, this program knows versions up to 1; use a newer vmafbatch";
  EXPECT_EQ(open_error(path_), sentence);
  EXPECT_EQ(csv("SELECT 1"), sentence);
}

TEST_F(WriterFault, FilesOfOthersAreLeftAlone) {
  write_file(path_, "a text file that is longer than sixteen bytes");
  EXPECT_EQ(open_error(path_), path_ + ": this file is no vmafbatch database; name another one");
  EXPECT_EQ(read_file(path_), "a text file that is longer than sixteen bytes");
  write_file(path_, "short");
  EXPECT_EQ(open_error(path_), path_ + ": this file is no vmafbatch database; name another one");
  const std::string other = folder_.path("other.db");
  run_sql(other, "CREATE TABLE t(x)");
  EXPECT_EQ(open_error(other), other + ": this is a database of another program; name another one");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".lock"));
  EXPECT_FALSE(std::filesystem::exists(other + ".lock"));
}

TEST_F(WriterFault, AnEmptyFileBecomesADatabase) {
  write_file(path_, "");
  EXPECT_EQ(open_error(path_), "opened");
  EXPECT_EQ(csv("SELECT count(*) FROM clip"), "0\n");
}

TEST_F(WriterFault, FoldersThatAreNotThereAreSaid) {
  EXPECT_NE(open_error(folder_.path("no/such/scores.db")).find("its folder does not exist"), std::string::npos);
  EXPECT_EQ(open_error(folder_.path().native()), folder_.path().native() + ": this is a folder; name a file for the database");
}

// Root may write everywhere: the test does it as nobody, where it can.
TEST_F(WriterFault, AReadOnlyFolderIsSaidAndCanBeRead) {
  make_database(path_);
  const std::string in_wal = folder_.path("wal.db");
  make_database(in_wal);
  run_sql(in_wal, "PRAGMA journal_mode = WAL");
  ASSERT_EQ(::chmod(path_.c_str(), 0444), 0);
  ASSERT_EQ(::chmod(in_wal.c_str(), 0444), 0);
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0555), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(9);
    const bool refused = open_error(path_).find(".lock: Permission denied; the database's folder must be writable") != std::string::npos &&
                         open_error(folder_.path("new.db")).find("Permission denied") != std::string::npos;
    const bool read = csv("SELECT count(*) FROM clip") == "3\n" && csv_of(in_wal, "SELECT count(*) FROM clip") == "3\n";
    ::_exit((refused ? 0 : 1) + (read ? 0 : 2));
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "1: not refused, 2: not read, 9: cannot become nobody";
}

TEST_F(WriterFault, ThisFolderIsNoNetworkMount) { EXPECT_FALSE(is_network_mount(path_)); }

}  // namespace
}  // namespace vmafbatch::store
