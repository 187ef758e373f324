// Admission and the frame countdown with plain threads, so that ThreadSanitizer can watch them (it gives false alarms inside TBB).
#include "graph/admission.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "graph/countdown.h"
#include "graph/sequencer.h"

namespace vmafbatch::graph {
namespace {

TEST(Admission, GrantsInOrderWhileTheBudgetLasts) {
  Admission admission(100, 100);
  std::vector<int> started;
  admission.request(60, [&] { started.push_back(1); });
  admission.request(60, [&] { started.push_back(2); });
  admission.request(10, [&] { started.push_back(3); });  // waits behind the second, although it would fit
  EXPECT_EQ(started, std::vector<int>({1}));
  admission.close_step();
  EXPECT_EQ(started, std::vector<int>({1, 2})) << "no step is open: the next one starts even while the pictures are kept";
  admission.release(60);
  EXPECT_EQ(started, std::vector<int>({1, 2, 3}));
  EXPECT_EQ(admission.bytes_in_flight(), 70u);
}

TEST(Admission, AStepLargerThanTheBudgetRunsAlone) {
  Admission admission(1, 100);
  int started = 0;
  admission.request(1000, [&] { ++started; });
  admission.request(1000, [&] { ++started; });
  EXPECT_EQ(started, 1);
  admission.release(1000);
  EXPECT_EQ(started, 1) << "the first step is still open";
  admission.close_step();
  EXPECT_EQ(started, 2);
}

TEST(Admission, KeptPicturesDoNotHoldTheBudgetAgainstTheNextFrame) {
  Admission admission(10, 100);
  int started = 0;
  for (int i = 0; i < 5; ++i) {
    admission.request(10, [&] { ++started; });
    admission.close_step();  // measured, but its picture is kept as history and never released here
  }
  EXPECT_EQ(started, 5);
}

TEST(Admission, OpenStepsAreLimited) {
  Admission admission(1000, 2);
  int started = 0;
  for (int i = 0; i < 4; ++i) admission.request(1, [&] { ++started; });
  EXPECT_EQ(started, 2);
  admission.close_step();
  EXPECT_EQ(started, 3);
}

TEST(Admission, ThreadsNeverExceedTheBudgetAndNeverStandStill) {
  constexpr size_t kBudget = 64;
  constexpr int kThreads = 8;
  constexpr int kSteps = 2000;
  Admission admission(kBudget, 1000);
  std::atomic<int> done{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kSteps; ++i) {
        const size_t bytes = 1 + static_cast<size_t>((i * 7 + t * 13) % 60);
        std::atomic<bool> granted{false};
        admission.request(bytes, [&granted] {
          granted.store(true, std::memory_order_release);
          granted.notify_one();
        });
        granted.wait(false, std::memory_order_acquire);
        {
          const OpenStep open(admission);
          const AdmittedBytes held(admission, bytes);  // pictures are freed before their step closes
        }
        done.fetch_add(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done.load(), kThreads * kSteps);
  EXPECT_LE(admission.peak_bytes(), kBudget);
  EXPECT_EQ(admission.bytes_in_flight(), 0u);
  EXPECT_EQ(admission.open_steps(), 0u);
}

TEST(Countdown, ExactlyOneReportIsTheLastAndItSeesAllOthers) {
  constexpr int kReports = 4;
  for (int round = 0; round < 2000; ++round) {
    Countdown countdown(kReports);
    std::vector<int> written(kReports, 0);
    std::atomic<int> last{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kReports; ++i) {
      threads.emplace_back([&, i] {
        written[static_cast<size_t>(i)] = i + 1;  // a plain write: the countdown must order it
        if (countdown.report()) {
          int sum = 0;
          for (const int value : written) sum += value;
          last.fetch_add(sum);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(last.load(), 1 + 2 + 3 + 4);
  }
}

TEST(Sequencer, GivesItemsInOrderWhateverOrderTheyComeIn) {
  Sequencer<int> sequencer;
  std::vector<int> seen;
  const auto take = [&](int&& item) { seen.push_back(item); };
  sequencer.push(2, 2, take);
  sequencer.push(1, 1, take);
  EXPECT_TRUE(seen.empty());
  sequencer.push(0, 0, take);
  EXPECT_EQ(seen, std::vector<int>({0, 1, 2}));
  sequencer.push(3, 3, take);
  EXPECT_EQ(sequencer.next(), 4);
  EXPECT_EQ(sequencer.waiting(), 0u);
}

}  // namespace
}  // namespace vmafbatch::graph
