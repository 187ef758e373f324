// Readers that pause, come back, or are gone.
#include "base/teller.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <string>

namespace vmafbatch {
namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace): literals have no other way

class TellerTest : public ::testing::Test {
 public:
  TellerTest() { EXPECT_EQ(pipe2(ends_, O_CLOEXEC), 0); }
  ~TellerTest() override {
    close_reader();
    ::close(ends_[1]);
  }

 protected:
  int writer() const { return ends_[1]; }
  void close_reader() {
    if (ends_[0] >= 0) ::close(ends_[0]);
    ends_[0] = -1;
  }
  // Until the pipe takes no more byte; how many it took.
  size_t fill() const {
    const int flags = ::fcntl(writer(), F_GETFL);
    ::fcntl(writer(), F_SETFL, flags | O_NONBLOCK);
    size_t bytes = 0;
    while (::write(writer(), "x", 1) == 1) ++bytes;
    ::fcntl(writer(), F_SETFL, flags);
    return bytes;
  }
  std::string read(size_t bytes) const {
    std::string text(bytes, '\0');
    for (size_t have = 0; have < bytes;) {
      const ssize_t more = ::read(ends_[0], text.data() + have, bytes - have);
      if (more <= 0) return text.substr(0, have);
      have += static_cast<size_t>(more);
    }
    return text;
  }

 private:
  int ends_[2] = {-1, -1};
};

TEST_F(TellerTest, WritesInOrderBeforeItReturns) {
  Teller teller(writer());
  teller.tell_later("one ");
  teller.tell("two ");
  EXPECT_FALSE(teller.is_behind());
  EXPECT_EQ(read(8), "one two ");
}

TEST_F(TellerTest, WhatWasToldLaterIsWrittenBeforeTheEnd) {
  { Teller(writer()).tell_later("one"); }
  EXPECT_EQ(read(3), "one");
}

TEST_F(TellerTest, AReaderThatPausesIsWaitedForOnceAndGetsTheRestLater) {
  Teller teller(writer(), 100ms);
  const size_t filled = fill();
  const auto start = std::chrono::steady_clock::now();
  teller.tell("first ");
  EXPECT_GE(std::chrono::steady_clock::now() - start, 100ms);
  EXPECT_TRUE(teller.is_behind());
  for (int i = 0; i < 5000; ++i) teller.tell("x");  // eight minutes, if each waited
  EXPECT_EQ(read(filled + 6).substr(filled), "first ");
  EXPECT_EQ(read(5000), std::string(5000, 'x'));
  teller.tell("last");
  EXPECT_FALSE(teller.is_behind()) << "a reader that is back is waited for again";
  EXPECT_EQ(read(4), "last");
}

TEST_F(TellerTest, AReaderThatNeverComesBackHoldsNobody) {
  fill();
  Teller teller(writer(), 10ms);
  for (int i = 0; i < 100; ++i) teller.tell(std::string(100'000, 'x'));  // no more than a megabyte is kept
  EXPECT_TRUE(teller.is_behind());
}

TEST_F(TellerTest, WithoutAReaderTheTextIsLostAndNothingElse) {
  close_reader();
  Teller teller(writer());
  teller.tell("text");
  EXPECT_FALSE(teller.is_behind());
}

TEST_F(TellerTest, ANonBlockingPipeLosesNothing) {
  ::fcntl(writer(), F_SETFL, ::fcntl(writer(), F_GETFL) | O_NONBLOCK);
  const size_t filled = fill();
  Teller teller(writer(), 10ms);
  teller.tell("text");
  EXPECT_EQ(read(filled + 4).substr(filled), "text");
}

}  // namespace
}  // namespace vmafbatch
