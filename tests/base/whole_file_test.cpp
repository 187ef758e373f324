#include "base/whole_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <iterator>
#include <string>

#include "support/media_files.h"
#include "support/temporary_folder.h"

namespace vmafbatch {
namespace {

using testing::file_bytes;
using testing::TemporaryFolder;

TEST(WholeFile, IsInItsPlaceOnceItIsCommitted) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.json");
  auto file = WholeFile::create(path);
  ASSERT_TRUE(file.ok()) << file.error().message;
  (*file)->stream() << "frames: " << 12 << std::flush;
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(file_bytes(WholeFile::unfinished_path(path)), "frames: 12");
  ASSERT_TRUE((*file)->commit().ok());
  EXPECT_EQ(file_bytes(path), "frames: 12");
  file = WholeFile::create(path);
  ASSERT_TRUE(file.ok());
  (*file)->stream() << "half";
  file->reset();
  EXPECT_EQ(file_bytes(path), "frames: 12") << "what was not committed is gone";
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WholeFile, OfALinkLeavesWhatItLeadsTo) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_whole_file(folder.path("other"), "old").ok());
  std::filesystem::create_symlink("other", folder.path("link"));
  ASSERT_TRUE(write_whole_file(folder.path("link"), "new").ok());
  EXPECT_EQ(file_bytes(folder.path("other")), "old");
  EXPECT_EQ(file_bytes(folder.path("link")), "new");
}

TEST(WriteWholeFile, ReplacesAFileAndLeavesNoOther) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.png");
  ASSERT_TRUE(write_whole_file(path, "old").ok());
  ASSERT_TRUE(write_whole_file(path, std::string(1 << 20, 'x')).ok());
  EXPECT_EQ(file_bytes(path), std::string(1 << 20, 'x'));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WriteWholeFile, SaysWhereItCannotWrite) {
  const TemporaryFolder folder;
  const Status status = write_whole_file(folder.path("none/a.png"), "x");
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("none/a.png: cannot be written: No such file"), std::string::npos) << status.error().message;
  std::filesystem::create_directory(folder.path("a.png"));
  EXPECT_FALSE(write_whole_file(folder.path("a.png"), "x").ok());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "the unfinished file is gone";
  EXPECT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(write_whole_file(folder.path("pipe"), "x").ok());
  EXPECT_TRUE(std::filesystem::is_fifo(folder.path("pipe"))) << "what is no file stays";
  std::filesystem::create_symlink("pipe", folder.path("link"));
  EXPECT_FALSE(write_whole_file(folder.path("link"), "x").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link"))) << "as /dev/stdout is one";
}

TEST(WriteWholeFile, KeepsWhoMayReadTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.html");
  ASSERT_TRUE(write_whole_file(path, "old").ok());
  for (const mode_t mode : {0600U, 0640U, 0444U, 0666U}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    ASSERT_TRUE(write_whole_file(path, "new").ok());
    struct stat there {};
    ASSERT_EQ(::stat(path.c_str(), &there), 0);
    EXPECT_EQ(there.st_mode & 07777, mode);
  }
}

TEST(WriteWholeFile, OnAFullDiskKeepsTheOldFile) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_whole_file(folder.path("a.png"), "old").ok());
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{.rlim_cur = 1000, .rlim_max = limit.rlim_max};
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status status = write_whole_file(folder.path("a.png"), std::string(2000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, before);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(file_bytes(folder.path("a.png")), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

}  // namespace
}  // namespace vmafbatch
