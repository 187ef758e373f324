// Time in which the process was stopped does not count.
#include "io/waking_clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace vmafbatch::io {
namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace): literals have no other way

TEST(AwakeTime, LeavesOutGapsAndNothingElse) {
  const AwakeTime::Clock::time_point start{100s};
  AwakeTime time(start, 2s);
  EXPECT_EQ(time.at(start + 1s), start + 1s);
  EXPECT_EQ(time.at(start + 3s), start + 3s) << "a gap of exactly 2 s is no gap";
  EXPECT_EQ(time.at(start + 3600s), start + 3s) << "stopped for an hour";
  EXPECT_EQ(time.at(start + 3600s), start + 3s);
  EXPECT_EQ(time.at(start + 3601s), start + 4s);
  EXPECT_EQ(time.at(start + 7201s), start + 4s) << "and once more";
  EXPECT_EQ(time.at(start + 7202500ms), start + 5500ms);
}

TEST(WakingClock, RunsOnWhereNobodyAsks) {
  WakingClock clock;
  const auto before = clock.now();
  std::this_thread::sleep_for(2500ms);  // longer than the gap that tells a stopped process
  EXPECT_GE(clock.now() - before, 2500ms);
}

}  // namespace
}  // namespace vmafbatch::io
