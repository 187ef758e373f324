// Calls that do not return are left behind.
#include "io/call_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <thread>

namespace vmafbatch::io {
namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace): literals have no other way
using Outcome = CallThread::Outcome;

// A call that returns when the test says so; the thread shares it.
struct Hanging {
  std::promise<void> release;
  std::shared_future<void> released = release.get_future().share();
  std::promise<void> left;

  std::function<void()> call(const std::shared_ptr<Hanging>& self) const {
    return [self] {
      self->released.wait();
      self->left.set_value();
    };
  }
};

ReadLimits within(ReadLimits::Clock::duration longest) {
  ReadLimits limits;
  limits.longest_call = longest;
  return limits;
}

TEST(CallThread, RunsOneCallAfterTheOther) {
  CallThread thread;
  int sum = 0;
  for (int i = 1; i <= 100; ++i) {
    EXPECT_EQ(thread.run([&sum, i] { sum += i; }, within(60s)), Outcome::kDone);
  }
  EXPECT_EQ(sum, 5050);
}

TEST(CallThread, WhatACallThrowsIsThrownToItsCaller) {
  CallThread thread;
  EXPECT_THROW(thread.run([] { throw std::bad_alloc(); }, within(60s)), std::bad_alloc);
  bool ran = false;
  EXPECT_EQ(thread.run([&ran] { ran = true; }, within(60s)), Outcome::kDone) << "the thread goes on";
  EXPECT_TRUE(ran);
}

TEST(CallThread, ACallThatThrowsWhenNobodyWaitsAnyMoreEndsNothing) {
  const auto hanging = std::make_shared<Hanging>();
  auto left = hanging->left.get_future();
  {
    CallThread thread;
    EXPECT_EQ(thread.run(
                  [hanging, call = hanging->call(hanging)] {
                    call();
                    throw std::bad_alloc();
                  },
                  within(20ms)),
              Outcome::kLate);
  }
  hanging->release.set_value();
  EXPECT_EQ(left.wait_for(60s), std::future_status::ready);
}

TEST(CallThread, LeavesACallThatTakesTooLong) {
  const auto hanging = std::make_shared<Hanging>();
  auto left = hanging->left.get_future();
  {
    CallThread thread;
    EXPECT_EQ(thread.run(hanging->call(hanging), within(20ms)), Outcome::kLate);
    EXPECT_EQ(thread.run([] {}, within(60s)), Outcome::kLate) << "the thread is lost";
  }
  EXPECT_EQ(left.wait_for(0s), std::future_status::timeout) << "nobody waited for it";
  hanging->release.set_value();
  EXPECT_EQ(left.wait_for(60s), std::future_status::ready) << "it ends by itself";
}

TEST(CallThread, LeavesACallWhenTheRunStops) {
  const auto hanging = std::make_shared<Hanging>();
  auto left = hanging->left.get_future();
  std::atomic<bool> stop{false};
  std::jthread stopper([&] {
    std::this_thread::sleep_for(20ms);
    stop.store(true);
  });
  ReadLimits limits;
  limits.should_stop = [&] { return stop.load(); };
  {
    CallThread thread;
    EXPECT_EQ(thread.run(hanging->call(hanging), limits), Outcome::kStopped);
  }
  hanging->release.set_value();
  EXPECT_EQ(left.wait_for(60s), std::future_status::ready);
}

TEST(CallThread, TheDeadlineCountsForAllCalls) {
  const auto hanging = std::make_shared<Hanging>();
  auto left = hanging->left.get_future();
  ReadLimits limits = within(3600s);
  limits.deadline = ReadLimits::Clock::now() + 20ms;
  {
    CallThread thread;
    EXPECT_EQ(thread.run(hanging->call(hanging), limits), Outcome::kLate);
  }
  hanging->release.set_value();
  EXPECT_EQ(left.wait_for(60s), std::future_status::ready);
}

}  // namespace
}  // namespace vmafbatch::io
