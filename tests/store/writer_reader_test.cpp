// A reader never stops the writer, also one that was there before it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "store/child.h"
#include "store/scratch.h"

namespace vmafbatch::store {
namespace {

using ::testing::HasSubstr;

class WriterBesideAReader : public ::testing::Test {
 protected:
  WriterBesideAReader() {
    make_database(path_);
    options_.patience = std::chrono::milliseconds(200);
  }
  std::string csv(const std::string& sql) const { return csv_of(path_, sql); }
  // What another process does that reads until it is killed, as an SQL console that was left open.
  auto read() const {
    return [this] {
      sqlite3* reader = nullptr;
      sqlite3_open_v2(path_.c_str(), &reader, SQLITE_OPEN_READONLY, nullptr);
      sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM clip", nullptr, nullptr, nullptr);
    };
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("scores.db");
  OpenOptions options_;
};

TEST_F(WriterBesideAReader, RunsAndStoresOnceTheReaderIsGone) {
  Child reader(read());
  auto writer = Writer::open(path_, options_);
  ASSERT_OK(writer);
  ASSERT_FALSE((*writer)->notes().empty());
  EXPECT_THAT((*writer)->notes().back(), HasSubstr("process " + std::to_string(reader.process()) + " (test_store) reads the database"));
  ASSERT_OK((*writer)->begin_run(some_run()));
  add_clip(**writer, some_record("d"));
  ASSERT_OK((*writer)->commit());
  EXPECT_EQ(csv("SELECT count(*) FROM clip"), "3\n") << "others go on reading, too";
  reader.kill();
  EXPECT_FALSE(std::filesystem::exists(path_ + "-wal"));
  add_clip(**writer, some_record("e"));
  EXPECT_EQ(csv("SELECT count(*) FROM clip"), "5\n");
  add_clip(**writer, some_record("f"));
  EXPECT_TRUE(std::filesystem::exists(path_ + "-wal")) << "from now on no reader keeps it back";
  EXPECT_EQ(csv("SELECT count(*) FROM clip"), "6\n");
  ASSERT_OK((*writer)->close());
  EXPECT_EQ(csv("PRAGMA integrity_check"), "ok\n");
  EXPECT_EQ(read_file(path_).at(18), 1) << "a single file that any client reads (sqlite.org/fileformat.html: 1 is no WAL)";
  EXPECT_FALSE(std::filesystem::exists(path_ + "-wal"));
}

TEST_F(WriterBesideAReader, ItsEndWaitsForTheReaderAndSaysSo) {
  Child reader(read());
  const std::string process = std::to_string(reader.process());
  std::string told;
  options_.tell = [&](const std::string& text) {
    told += text;
    reader.kill();
  };
  auto writer = Writer::open(path_, options_);
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->begin_run(some_run()));
  add_clip(**writer, some_record("d"));
  ASSERT_OK((*writer)->close());
  EXPECT_EQ(told, path_ + ": process " + process +
                      " (test_store) reads the database; what was scored waits in memory and is stored as soon "
                      "as it is done, so close it there");
  EXPECT_EQ(csv("SELECT count(*) FROM clip"), "4\n");
  for (const char* suffix : {"-wal", "-shm", "-journal", ".lock"}) EXPECT_FALSE(std::filesystem::exists(path_ + suffix)) << suffix;
}

TEST_F(WriterBesideAReader, WaitsOnceTooMuchIsInMemory) {
  Child reader(read());
  bool has_told = false;
  options_.most_waiting_bytes = 1 << 20;
  options_.tell = [&](const std::string&) {
    has_told = true;
    reader.kill();
  };
  auto writer = Writer::open(path_, options_);
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->begin_run(some_run()));
  int clip = 0;
  for (; !has_told && clip < 200; ++clip) add_clip(**writer, some_record(std::to_string(clip)), 2000);
  EXPECT_TRUE(has_told);
  EXPECT_GT(clip, 3) << "a little fits";
  EXPECT_EQ(csv("SELECT count(*) FROM clip"), std::to_string(3 + clip) + "\n");
}

TEST_F(WriterBesideAReader, AKillBeforeItWasStoredLeavesTheDatabaseAsItWas) {
  Child reader(read());
  std::unique_ptr<Writer> writer;
  Child killed([&] {
    writer = std::move(*Writer::open(path_, options_));
    ASSERT_OK(writer->begin_run(some_run()));
    add_clip(*writer, some_record("d"), 5000);
    ASSERT_OK(writer->commit());
  });
  killed.kill();
  EXPECT_EQ(csv("SELECT count(*) FROM clip"), "3\n");
  reader.kill();
  EXPECT_EQ(csv("PRAGMA integrity_check"), "ok\n");
  auto again = Writer::open(path_, options_);
  ASSERT_OK(again);
  ASSERT_OK((*again)->begin_run(some_run()));
  add_clip(**again, some_record("d"), 5000);
  ASSERT_OK((*again)->close());
  EXPECT_EQ(csv("SELECT count(*) FROM clip"), "4\n");
}

TEST_F(WriterBesideAReader, AnotherWriterIsStillRefused) {
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  const auto refused = Writer::open(path_, options_);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, path_ + ": another program has locked the database; close it there and run again");
  sqlite3_close(other);
}

}  // namespace
}  // namespace vmafbatch::store
