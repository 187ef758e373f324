#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "io/file_identity.h"
#include "support/temporary_folder.h"

namespace vmafbatch::io {
namespace {

// More files than are looked at in one call; every seventh is missing, every eleventh is a folder, the others differ in size.
std::vector<std::string> made_files(const testing::TemporaryFolder& folder) {
  std::vector<std::string> paths;
  for (size_t i = 0; i < 600; ++i) {
    paths.push_back(folder.path("f" + std::to_string(i)));
    if (i % 7 == 0) continue;
    if (i % 11 == 0) {
      std::filesystem::create_directory(paths.back());
    } else {
      std::ofstream(paths.back()) << std::string(i, 'x');
    }
  }
  return paths;
}

void expect_what_is_there(FileLook& look, const std::string& path) {
  const Result<FileIdentity> there = file_identity(path);
  const Result<FileIdentity> seen = look.at(path, {});
  ASSERT_EQ(seen.ok(), there.ok()) << path;
  if (there.ok()) {
    EXPECT_EQ(*seen, *there) << path;
  } else {
    EXPECT_EQ(seen.error().message, there.error().message);
  }
}

TEST(FileLook, SeesWhatIsThereExpectedOrNot) {
  const testing::TemporaryFolder folder;
  const std::vector<std::string> paths = made_files(folder);
  FileLook expecting;
  expecting.expect(paths);
  for (const std::string& path : paths) expect_what_is_there(expecting, path);
  expect_what_is_there(expecting, paths[1]);
  FileLook surprised;
  for (const std::string& path : paths) expect_what_is_there(surprised, path);
}

TEST(FileLook, AnotherFileThanTheExpectedOneIsLookedAtToo) {
  const testing::TemporaryFolder folder;
  const std::vector<std::string> paths = made_files(folder);
  FileLook look;
  look.expect({paths[1], paths[2], paths[3]});
  for (const size_t index : {5U, 1U, 9U, 2U, 2U, 3U, 4U}) expect_what_is_there(look, paths[index]);
}

TEST(FileLook, APathWithAZeroByteIsRefusedAndTheOthersAreSeen) {
  const testing::TemporaryFolder folder;
  const std::vector<std::string> paths = made_files(folder);
  const std::string bad = paths[1] + std::string(1, '\0') + "x";
  FileLook look;
  look.expect({paths[1], bad, paths[2]});
  expect_what_is_there(look, paths[1]);
  EXPECT_EQ(look.at(bad, {}).error().message, "the path of a file holds a zero byte");
  expect_what_is_there(look, paths[2]);
}

TEST(FileLook, WhatIsExpectedAgainIsLookedAtAgain) {
  const testing::TemporaryFolder folder;
  const std::vector<std::string> paths = made_files(folder);
  FileLook look;
  look.expect({paths[1], paths[2]});
  expect_what_is_there(look, paths[1]);
  std::ofstream(paths[2]) << "another size";
  look.expect({paths[2]});
  expect_what_is_there(look, paths[2]);
}

}  // namespace
}  // namespace vmafbatch::io
