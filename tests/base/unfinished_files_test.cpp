#include "base/unfinished_files.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/media_files.h"
#include "support/temporary_folder.h"

namespace vmafbatch {
namespace {

using testing::TemporaryFolder;
using testing::write_file;

class UnfinishedFiles : public ::testing::Test {
 protected:
  std::string file(const std::string& name) const {
    write_file(folder_.path(name), "half");
    return folder_.path(name);
  }
  bool is_there(const std::string& name) const { return std::filesystem::exists(folder_.path(name)); }

  // In a process of its own, which ends as behind a signal.
  template <class Body>
  static void elsewhere(Body body) {
    const pid_t process = ::fork();
    if (process == 0) {
      body();
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(process, &status, 0);
    EXPECT_EQ(status, 0);
  }

  const TemporaryFolder folder_;
};

TEST_F(UnfinishedFiles, AreRemovedAndOthersStay) {
  elsewhere([&] {
    const UnfinishedFile first(file("first"));
    const UnfinishedFile second(file("second"));
    { const UnfinishedFile finished(file("finished")); }
    file("other");
    remove_unfinished_files();
  });
  EXPECT_FALSE(is_there("first"));
  EXPECT_FALSE(is_there("second"));
  EXPECT_TRUE(is_there("finished"));
  EXPECT_TRUE(is_there("other"));
}

TEST_F(UnfinishedFiles, APlaceIsUsedAgain) {
  elsewhere([&] {
    for (int i = 0; i < 100; ++i) const UnfinishedFile finished(file("finished"));
    const UnfinishedFile last(file("last"));
    remove_unfinished_files();
  });
  EXPECT_TRUE(is_there("finished"));
  EXPECT_FALSE(is_there("last"));
}

TEST_F(UnfinishedFiles, MoreThanThereArePlacesForDoNoHarm) {
  elsewhere([&] {
    std::vector<std::unique_ptr<UnfinishedFile>> files;
    for (int i = 0; i < 20; ++i) files.push_back(std::make_unique<UnfinishedFile>(file(std::to_string(i))));
    const UnfinishedFile too_long(std::string(10'000, 'x'));
    remove_unfinished_files();
  });
  EXPECT_FALSE(is_there("0"));
  EXPECT_FALSE(is_there("15"));
  EXPECT_TRUE(is_there("16"));
}

}  // namespace
}  // namespace vmafbatch
