// Reads that fail, stall or meet another file than before. The faults come from the switch of io/test_hooks.h.
#include "io/patient_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/test_hooks.h"
#include "support/media_files.h"
#include "support/temporary_folder.h"

namespace vmafbatch::io {
namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace): literals have no other way
using testing::TemporaryFolder;

// The switch is read once: before the first test.
const int kFaultsAreSet =
    setenv("VMAFBATCH_TEST_READ_FAULT",
           "eio-twice:1000:EIO:2;broken:1000:EIO:1000000;stale-same:1000:ESTALE:1;stale-other:1000:ESTALE:1;open-twice:open:EIO:2;"
           "never-opens:open:ETIMEDOUT:1000000;hangs:1000:stall:3;open-hangs:open:stall:3;faulty-elsewhere:900000:EIO:1",
           1);

ReadLimits quick() {
  ReadLimits limits;
  limits.first_wait = 1ms;
  return limits;
}

class PatientFileTest : public ::testing::Test {
 protected:
  PatientFileTest() {
    for (int i = 0; i < 5000; ++i) bytes_ += static_cast<char>(i * 7 + i / 256);
  }

  std::unique_ptr<PatientFile> open(const std::string& name, const ReadLimits& limits = quick()) {
    testing::write_file(folder_.path(name), bytes_);
    auto file = PatientFile::open(folder_.path(name), limits);
    EXPECT_TRUE(file.ok()) << (file.ok() ? "" : file.error().message);
    return file.ok() ? std::move(*file) : nullptr;
  }
  std::string error_of(const std::string& name, const ReadLimits& limits = quick()) {
    const auto file = PatientFile::open(folder_.path(name), limits);
    return file.ok() ? "" : file.error().message;
  }

  // The whole file in pieces of at most `most`; failure_ says why it ends early.
  std::string read_all(PatientFile& file, size_t most) {
    std::string all;
    std::vector<std::byte> piece(most);
    while (true) {
      const PatientFile::Read read = file.read(all.size(), std::span(piece));
      failure_ = read.failure;
      if (read.failure || read.bytes == 0) return all;
      all.append(reinterpret_cast<const char*>(piece.data()), read.bytes);
    }
  }

  TemporaryFolder folder_;
  std::string bytes_;
  std::optional<PatientFile::Failure> failure_;
};

TEST_F(PatientFileTest, ReadsTheSameWithAndWithoutLimits) {
  ReadLimits stoppable = quick();
  stoppable.should_stop = [] { return false; };
  for (const ReadLimits& limits : {quick(), stoppable}) {
    for (const char* name : {"plain", "faulty-elsewhere"}) {  // the second one does not take what is in memory already
      const auto file = open(name, limits);
      ASSERT_TRUE(file);
      EXPECT_EQ(file->identity().size_bytes, 5000U);
      EXPECT_TRUE(read_all(*file, 333) == bytes_);
      EXPECT_FALSE(failure_);
    }
  }
}

TEST_F(PatientFileTest, AnErrorThatPassesIsTriedAgain) {
  const auto file = open("eio-twice");
  ASSERT_TRUE(file);
  EXPECT_TRUE(read_all(*file, 400) == bytes_);
  EXPECT_FALSE(failure_);
}

TEST_F(PatientFileTest, AnErrorThatStaysEndsWithByteErrorAndTries) {
  const auto file = open("broken");
  ASSERT_TRUE(file);
  EXPECT_TRUE(read_all(*file, 400) == bytes_.substr(0, 1000));
  ASSERT_TRUE(failure_);
  EXPECT_EQ(failure_->text, "reading failed at byte 1000: Input/output error (7 tries)");
  EXPECT_FALSE(failure_->late);
  std::vector<std::byte> piece(10);
  const auto once = file->read_once(1000, std::span(piece));
  ASSERT_TRUE(once.failure);
  EXPECT_EQ(once.failure->text, "reading failed at byte 1000: Input/output error (1 try)");
}

TEST_F(PatientFileTest, AStaleFileIsOpenedAnewAndMustBeTheSame) {
  const auto file = open("stale-same");
  ASSERT_TRUE(file);
  EXPECT_TRUE(read_all(*file, 400) == bytes_);
  EXPECT_FALSE(failure_);
}

TEST_F(PatientFileTest, AStaleFileThatIsAnotherNowIsADamage) {
  const std::string name = "stale-other";
  testing::write_file(folder_.path(name), bytes_);
  auto file = PatientFile::open(folder_.path(name), quick());
  ASSERT_TRUE(file.ok());
  testing::write_file(folder_.path("other"), bytes_ + "more");
  std::filesystem::rename(folder_.path("other"), folder_.path(name));
  const std::string all = read_all(**file, 400);
  ASSERT_TRUE(failure_);
  EXPECT_TRUE(all == bytes_.substr(0, 1000));
  EXPECT_EQ(failure_->text, "the file changed while it was read: it had 5000 bytes and now has 5004");
}

TEST_F(PatientFileTest, OpeningIsTriedAgainToo) {
  EXPECT_TRUE(open("open-twice"));
  testing::write_file(folder_.path("never-opens"), bytes_);
  EXPECT_EQ(error_of("never-opens"), folder_.path("never-opens") + ": cannot be opened: Connection timed out (7 tries)");
}

TEST_F(PatientFileTest, WhatIsNotThereIsNotTriedAgain) {
  ReadLimits slow;
  slow.first_wait = 1h;
  EXPECT_EQ(error_of("none", slow), folder_.path("none") + ": No such file or directory");
  EXPECT_EQ(error_of("", slow), folder_.path("") + ": is a folder, not a file");
  testing::write_file(folder_.path("empty"), "");
  EXPECT_EQ(error_of("empty", slow), folder_.path("empty") + ": the file is empty");
  ASSERT_EQ(::mkfifo(folder_.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(error_of("pipe", slow), folder_.path("pipe") + ": is a pipe, not a file; a clip must be a file that can be read from anywhere");
  ASSERT_EQ(::symlink("/dev/zero", folder_.path("zero").c_str()), 0);
  EXPECT_EQ(error_of("zero", slow), folder_.path("zero") + ": is a device, not a file");
  EXPECT_EQ(error_of(std::string("a\0b", 3), slow), "the path of a file holds a zero byte");
}

TEST_F(PatientFileTest, AReadThatHangsIsLeftAtTheDeadline) {
  ReadLimits limits = quick();
  limits.longest_call = 50ms;
  limits.late_text = "took longer than 50 ms";
  const auto start = ReadLimits::Clock::now();
  const auto file = open("hangs", limits);
  ASSERT_TRUE(file);
  EXPECT_TRUE(read_all(*file, 400) == bytes_.substr(0, 1000));
  EXPECT_LT(ReadLimits::Clock::now() - start, 2500ms) << "the call takes 3 s";
  ASSERT_TRUE(failure_);
  EXPECT_EQ(failure_->text, "took longer than 50 ms while byte 1000 was read");
  EXPECT_TRUE(failure_->late);
}

TEST_F(PatientFileTest, AnOpenThatHangsIsLeftToo) {
  ReadLimits limits = quick();
  limits.longest_call = 50ms;
  limits.late_text = "took longer than 50 ms";
  testing::write_file(folder_.path("open-hangs"), bytes_);
  EXPECT_EQ(error_of("open-hangs", limits), folder_.path("open-hangs") + ": took longer than 50 ms while it was opened");
}

TEST_F(PatientFileTest, AReadThatHangsAndAPauseAreLeftWhenTheRunStops) {
  for (const char* name : {"hangs", "broken"}) {
    ReadLimits limits;
    limits.first_wait = 3000ms;
    const auto start = ReadLimits::Clock::now();
    limits.should_stop = [start] { return ReadLimits::Clock::now() - start > 100ms; };
    const auto file = open(name, limits);
    ASSERT_TRUE(file);
    EXPECT_TRUE(read_all(*file, 400) == bytes_.substr(0, 1000));
    EXPECT_LT(ReadLimits::Clock::now() - start, 2500ms);
    ASSERT_TRUE(failure_);
    EXPECT_EQ(failure_->text, "stopped while byte 1000 was read");
    EXPECT_FALSE(failure_->late);
  }
}

TEST_F(PatientFileTest, APauseEndsAtTheDeadline) {
  ReadLimits limits;
  limits.first_wait = 3000ms;
  limits.deadline = ReadLimits::Clock::now() + 100ms;
  const auto file = open("broken", limits);
  ASSERT_TRUE(file);
  read_all(*file, 400);
  ASSERT_TRUE(failure_);
  EXPECT_TRUE(failure_->late) << failure_->text;
}

TEST_F(PatientFileTest, AFileThatGrowsOrIsTouchedHasChanged) {
  auto file = open("a");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->changed(), std::nullopt);
  testing::write_file(folder_.path("a"), bytes_ + "x");
  EXPECT_EQ(file->changed(), "the file changed while it was read: it had 5000 bytes and now has 5001");
  file = open("b");
  ASSERT_TRUE(file);
  std::filesystem::last_write_time(folder_.path("b"), std::filesystem::file_time_type::clock::now() + 1h);
  EXPECT_EQ(file->changed(), "the file changed while it was read: its time of modification is another");
}

TEST(ReadFaults, AreForTheFilesAndBytesThatTheyName) {
  ASSERT_EQ(kFaultsAreSet, 0);
  EXPECT_TRUE(test_hooks::has_fault("folder/broken/file"));
  EXPECT_FALSE(test_hooks::has_fault("folder/file"));
  size_t size = 500;
  EXPECT_EQ(test_hooks::fault_at_read("broken", 900, size), 0);
  EXPECT_EQ(size, 100U);
  EXPECT_EQ(test_hooks::fault_at_read("broken", 1000, size), EIO);
  size = 500;
  EXPECT_EQ(test_hooks::fault_at_read("broken", 1001, size), 0);
  EXPECT_EQ(size, 500U);
}

}  // namespace
}  // namespace vmafbatch::io
