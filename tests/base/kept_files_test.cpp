#include "base/kept_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "support/media_files.h"
#include "support/temporary_folder.h"

namespace vmafbatch {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;
using testing::write_file;

class KeptFilesTest : public ::testing::Test {
 protected:
  KeptFilesTest() {
    write_file(folder_.path("clip"), "x");
    write_file(folder_.path("other"), "x");
    kept_.add(folder_.path("clip"), "a clip");
    kept_.add(folder_.path("absent"), "a place");
    kept_.add("", "nothing");
  }
  bool is_kept(const std::string& name) { return !kept_.check(folder_.path(name)).ok(); }

  TemporaryFolder folder_;
  KeptFiles kept_;
};

TEST(ResolvedPath, OfAPipeThatHasNoNameIsItsLink) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string link = "/proc/self/fd/" + std::to_string(ends[1]);
  EXPECT_EQ(resolved_path(link), link);
  const TemporaryFolder folder;
  fs::create_symlink(link, folder.path("standard output"));
  EXPECT_EQ(resolved_path(folder.path("standard output")), folder.path("standard output"));
  for (const int end : ends) ::close(end);
}

TEST_F(KeptFilesTest, AreKnownThroughLinksAndByOtherNames) {
  fs::create_directory(folder_.path("d"));
  fs::create_symlink("clip", folder_.path("symlink"));
  fs::create_hard_link(folder_.path("clip"), folder_.path("hard link"));
  fs::create_directory_symlink(".", folder_.path("same"));
  for (const char* name : {"clip", "symlink", "hard link", "d/../clip", "same/clip"}) EXPECT_TRUE(is_kept(name)) << name;
  for (const char* name : {"other", "d", "new"}) EXPECT_FALSE(is_kept(name)) << name;
}

TEST_F(KeptFilesTest, AreKnownBeforeTheyAreThere) {
  fs::create_directory(folder_.path("d"));
  fs::create_symlink("absent", folder_.path("symlink"));
  fs::create_symlink("symlink", folder_.path("symlink of symlink"));
  for (const char* name : {"absent", "symlink", "symlink of symlink", "d/../absent"}) EXPECT_TRUE(is_kept(name)) << name;
  EXPECT_FALSE(is_kept("d/absent"));
  fs::create_symlink("loop", folder_.path("loop"));
  EXPECT_FALSE(is_kept("loop"));
}

TEST_F(KeptFilesTest, KeepWhatIsAddedLater) {
  EXPECT_FALSE(is_kept("other"));
  kept_.add(folder_.path("other"), "another");
  const Status status = kept_.check(folder_.path("other"));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, folder_.path("other") + ": this is another, which must stay as it is; name another file");
}

}  // namespace
}  // namespace vmafbatch
