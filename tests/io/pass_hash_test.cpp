// The content hash of one pass: whatever the order of the reads, it is the file's or there is none.
#include "io/pass_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vmafbatch::io {
namespace {

constexpr size_t kKibibyte = 1024;
constexpr size_t kMebibyte = 1024 * kKibibyte;

class Pass {
 public:
  explicit Pass(size_t size) : bytes_(size) {
    std::uint32_t state = 7;
    for (std::byte& byte : bytes_) {
      state = state * 1664525 + 1013904223;
      byte = static_cast<std::byte>(state >> 24);
    }
  }

  void read(size_t offset, size_t size) { hash_.add(offset, std::span(bytes_).subspan(offset, size)); }
  std::optional<std::string> finish() { return hash_.finish(bytes_.size()); }
  std::string expected() const {
    ContentHash hash;
    hash.update(std::span(bytes_));
    return hash.text();
  }
  size_t bytes_read_for_the_hash() const { return own_; }
  void break_file() { broken_ = true; }

 private:
  std::vector<std::byte> bytes_;
  size_t own_ = 0;
  bool broken_ = false;
  PassHash hash_{[this](std::uint64_t offset, std::span<std::byte> into) -> size_t {
    if (broken_) return 0;
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
    own_ += into.size();
    return into.size();
  }};
};

TEST(PassHash, OfReadsInOrderIsTheFilesHash) {
  Pass pass(3 * kMebibyte + 5);
  for (size_t at = 0; at < 3 * kMebibyte; at += kMebibyte / 2) pass.read(at, kMebibyte / 2);
  pass.read(3 * kMebibyte, 5);
  EXPECT_EQ(pass.finish(), pass.expected());
  EXPECT_EQ(pass.bytes_read_for_the_hash(), 0U);
}

TEST(PassHash, BytesThatAreReadTwiceCountOnce) {
  Pass pass(kMebibyte);
  pass.read(0, 600 * kKibibyte);
  pass.read(100, 1000);
  pass.read(500 * kKibibyte, 524 * kKibibyte);
  EXPECT_EQ(pass.finish(), pass.expected());
  EXPECT_EQ(pass.bytes_read_for_the_hash(), 0U);
}

TEST(PassHash, AnIndexThatIsReadFirstWaitsForItsTurn) {
  Pass pass(20 * kMebibyte);
  pass.read(0, kMebibyte);
  for (size_t at = 12 * kMebibyte; at < 20 * kMebibyte; at += kMebibyte) pass.read(at, kMebibyte);
  pass.read(12 * kMebibyte + 3, kKibibyte);  // a second look
  for (size_t at = kMebibyte; at < 12 * kMebibyte; at += kMebibyte) pass.read(at, kMebibyte);
  EXPECT_EQ(pass.finish(), pass.expected());
  EXPECT_EQ(pass.bytes_read_for_the_hash(), 0U);
}

TEST(PassHash, ReadsTheLittleThatWasPassedOver) {
  Pass pass(4 * kMebibyte);
  size_t skipped = 0;
  for (size_t at = 0; at + 300 * kKibibyte <= 4 * kMebibyte; at += 300 * kKibibyte) {
    pass.read(at, 200 * kKibibyte);  // the rest is sound
    skipped += 100 * kKibibyte;
  }
  EXPECT_EQ(pass.finish(), pass.expected());
  EXPECT_LE(pass.bytes_read_for_the_hash(), skipped + 300 * kKibibyte);
}

TEST(PassHash, ReadsATailOfOneMebibyteAndNoMore) {
  Pass pass(4 * kMebibyte);
  pass.read(0, 3 * kMebibyte);
  EXPECT_EQ(pass.finish(), pass.expected());
  Pass longer(4 * kMebibyte);
  longer.read(0, 3 * kMebibyte - 1);
  EXPECT_EQ(longer.finish(), std::nullopt);
  EXPECT_EQ(longer.bytes_read_for_the_hash(), 0U);
}

TEST(PassHash, AGapThatIsTooLargeGivesNoHash) {
  Pass pass(8 * kMebibyte);
  pass.read(0, kMebibyte);
  for (size_t at = 4 * kMebibyte; at < 8 * kMebibyte; at += kMebibyte) pass.read(at, kMebibyte);
  EXPECT_EQ(pass.finish(), std::nullopt);
  EXPECT_EQ(pass.bytes_read_for_the_hash(), 0U);
}

TEST(PassHash, APassThatBeganInTheMiddleGivesNoHash) {
  Pass pass(40 * kMebibyte);
  for (size_t at = 2 * kMebibyte; at < 40 * kMebibyte; at += kMebibyte) pass.read(at, kMebibyte);
  pass.read(0, 2 * kMebibyte);
  EXPECT_EQ(pass.finish(), std::nullopt);
}

TEST(PassHash, AGapThatCannotBeReadGivesNoHash) {
  Pass pass(kMebibyte);
  pass.read(0, kKibibyte);
  pass.break_file();
  EXPECT_EQ(pass.finish(), std::nullopt);
}

TEST(PassHash, ReadsInAnyOrderNeverGiveAnotherHash) {
  std::uint32_t state = 1;
  const auto random = [&state](size_t below) {
    state = state * 1664525 + 1013904223;
    return static_cast<size_t>((state >> 8) % below);
  };
  int hashes = 0;
  for (int round = 0; round < 50; ++round) {
    const size_t size = 1 + random(3 * kMebibyte);
    Pass pass(size);
    for (int i = 0; i < 20; ++i) {
      const size_t at = random(size);
      pass.read(at, 1 + random(std::min(size - at, 400 * kKibibyte)));
    }
    const auto hash = pass.finish();
    if (hash) {
      EXPECT_EQ(*hash, pass.expected()) << round;
      ++hashes;
    }
  }
  EXPECT_GT(hashes, 5);
}

}  // namespace
}  // namespace vmafbatch::io
