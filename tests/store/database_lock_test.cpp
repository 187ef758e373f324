// One database has one writer, whatever the names under which two processes know it.
#include "store/database_lock.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <filesystem>
#include <memory>
#include <string>

#include "store/child.h"
#include "store/scratch.h"

namespace vmafbatch::store {
namespace {

using ::testing::HasSubstr;

class Lock : public ::testing::Test {
 protected:
  std::string open_error(const std::string& path) const {
    const auto writer = Writer::open(path);
    return writer.ok() ? "opened" : writer.error().message;
  }

  // A process that writes the database under one name refuses everybody under the other.
  void expect_one_writer(const std::string& writes, const std::string& comes) const {
    std::unique_ptr<Writer> writer;
    Child child([&] { writer = std::move(*Writer::open(writes)); });
    EXPECT_THAT(open_error(comes), HasSubstr("the database is being written by process " + std::to_string(child.process())));
    child.kill();
    EXPECT_EQ(open_error(comes), "opened");
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("scores.db");
};

TEST_F(Lock, IsOneThroughSymbolicLinks) {
  make_database(path_);
  std::filesystem::create_symlink("scores.db", folder_.path("link.db"));
  std::filesystem::create_symlink(folder_.path("link.db"), folder_.path("chain.db"));
  expect_one_writer(path_, folder_.path("link.db"));
  expect_one_writer(folder_.path("chain.db"), path_);
  expect_one_writer(folder_.path("link.db"), folder_.path("chain.db"));
  EXPECT_EQ(csv_of(path_, "PRAGMA integrity_check"), "ok\n");
}

TEST_F(Lock, IsOneThroughALinkToAFileThatIsNotThereYet) {
  std::filesystem::create_directory(folder_.path("disk"));
  std::filesystem::create_symlink("disk/new.db", folder_.path("link.db"));
  expect_one_writer(folder_.path("link.db"), folder_.path("disk/new.db"));
  EXPECT_TRUE(std::filesystem::is_regular_file(folder_.path("disk/new.db")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("link.db.lock")));
}

TEST_F(Lock, IsOneThroughLinkedFoldersAndDots) {
  make_database(path_);
  std::filesystem::create_directory(folder_.path("sub"));
  std::filesystem::create_directory_symlink(folder_.path(""), folder_.path("sub/up"));
  expect_one_writer(path_, folder_.path("sub/up/scores.db"));
  expect_one_writer(folder_.path("sub/../scores.db"), path_);
}

TEST_F(Lock, LinksInACircleAreSaid) {
  std::filesystem::create_symlink("b.db", folder_.path("a.db"));
  std::filesystem::create_symlink("a.db", folder_.path("b.db"));
  EXPECT_EQ(open_error(folder_.path("a.db")), folder_.path("a.db") + ": its symbolic links go in a circle; name a file");
}

// Its two names would have a write-ahead log each, and SQLite would damage it.
TEST_F(Lock, AFileWithHardLinksIsNotWritten) {
  make_database(path_);
  const std::string hard = folder_.path("hard.db");
  std::filesystem::create_hard_link(path_, hard);
  const std::string before = read_file(path_);
  const std::string sentence =
      ": the file has 2 names (hard links), and what is written through one of them damages it for the others; copy it to a new file and "
      "use "
      "that, or remove the other names";
  EXPECT_EQ(open_error(hard), hard + sentence);
  EXPECT_EQ(open_error(path_), path_ + sentence);
  EXPECT_EQ(read_file(path_), before);
  EXPECT_FALSE(std::filesystem::exists(path_ + ".lock"));
  std::filesystem::remove(hard);
  EXPECT_EQ(open_error(path_), "opened");
}

TEST_F(Lock, IsOfTheFileAlsoWhereItIsRenamedMeanwhile) {
  std::unique_ptr<Writer> writer;
  const Child child([&] { writer = std::move(*Writer::open(path_)); });
  const std::string elsewhere = folder_.path("elsewhere.db");
  std::filesystem::rename(path_, elsewhere);
  EXPECT_THAT(open_error(elsewhere), ::testing::ContainsRegex("the database is being written by (process [0-9]+|another process) under "
                                                              "another name; wait until it ends or use another database"));
}

TEST_F(Lock, IsOneThroughABindMount) {
  make_database(path_);
  const std::string mounted = folder_.path("mounted.db");
  write_file(mounted, "");
  if (::mount(path_.c_str(), mounted.c_str(), nullptr, MS_BIND, nullptr) != 0) GTEST_SKIP() << "nothing can be mounted here";
  {
    std::unique_ptr<Writer> writer;
    const Child child([&] { writer = std::move(*Writer::open(path_)); });
    EXPECT_THAT(open_error(mounted), HasSubstr("under another name"));
  }
  ::umount(mounted.c_str());
}

TEST_F(Lock, ALockFileThatIsALinkIsNotFollowed) {
  write_file(folder_.path("precious"), "text");
  std::filesystem::create_symlink("precious", path_ + ".lock");
  EXPECT_EQ(open_error(path_), "cannot write " + path_ + ".lock: it is a symbolic link, which no run makes; remove it");
  EXPECT_EQ(read_file(folder_.path("precious")), "text");
}

}  // namespace
}  // namespace vmafbatch::store
