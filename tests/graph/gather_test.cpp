// The way of one frame with plain threads in place of the graph, so that ThreadSanitizer can watch it.
#include "graph/gather.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "graph/measure.h"
#include "graph/scoring.h"

namespace vmafbatch::graph {
namespace {

constexpr extractors::FeatureSpec kFeatures[] = {{.internal_name = "index", .reported_name = "index"}};

// Gives the frame's index plus its own number.
class Counting final : public extractors::Extractor {
 public:
  explicit Counting(int number) : number_(number) {}
  extractors::Needs needs() const override { return {.series = true}; }
  std::vector<size_t> outputs() const override { return {0}; }
  void measure(const io::FrameWindow& window, extractors::Measurements& out) const override {
    if (number_ == 1 && window.index() == 2) throw std::runtime_error("planted failure");
    out.resize(1);
    out.set_real(
        0, number_ == 2 && window.index() == 3 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(window.index() + number_));
  }
  void conclude(const extractors::Measurements& measured, extractors::FrameFeatures& out) const override { out.set(0, measured.real(0)); }

 private:
  int number_;
};

const extractors::ExtractorInfo kInfo = {
    .name = "counting", .summary = "", .range = "", .source = "", .options = {}, .features = kFeatures};

std::shared_ptr<Scoring> scoring_of(int jobs) {
  auto scoring = std::make_shared<Scoring>();
  scoring->name = "clip";
  for (int i = 0; i < jobs; ++i) {
    auto job = std::make_unique<Job>(extractors::FeatureRequest{&kInfo, extractors::Options({})});
    job->instance = std::make_unique<Counting>(i);
    job->needs = job->instance->needs();
    job->column_of = {static_cast<size_t>(i)};
    scoring->plan.jobs.push_back(std::move(job));
    scoring->plan.columns.push_back({"index" + std::to_string(i), extractors::FeatureScope::kFrame, "counting"});
  }
  return scoring;
}

std::shared_ptr<const io::FramePair> small_pair(bool identical) {
  const io::PictureFormat format{8, 8, io::Chroma::k400, 8};
  std::vector<std::shared_ptr<io::Frame>> frames;
  for (int i = 0; i < 2; ++i) {
    auto frame = std::make_shared<io::Frame>(format, std::make_unique<io::FrameBuffer>(format));
    const io::Plane<std::uint8_t> plane = frame->writable_plane<std::uint8_t>(0);
    for (int y = 0; y < 8; ++y) {
      for (int x = 0; x < 8; ++x) plane.row(y)[x] = static_cast<std::uint8_t>(identical ? x : x + i);
    }
    frames.push_back(frame);
  }
  return std::make_shared<io::FramePair>(frames[0], frames[1]);
}

// All jobs and the comparison of one frame, each in a thread of its own; the scores of the one that finished the frame.
FrameScores run_frame(const std::shared_ptr<Scoring>& scoring, std::int64_t index, bool identical, Admission& admission) {
  std::vector<size_t> jobs;
  for (size_t i = 0; i < scoring->plan.jobs.size(); ++i) jobs.push_back(i);
  const auto record = std::make_shared<FrameRecord>(scoring, io::FrameWindow(index, {small_pair(identical)}), true, jobs, jobs.size(),
                                                    std::make_shared<OpenStep>(admission));
  std::atomic<int> finished{0};
  FrameScores scores;
  const auto report = [&](size_t job) {
    if (auto complete = gather_report({record, job})) {
      finished.fetch_add(1);
      scores = std::move(*complete);
    }
  };
  std::vector<std::thread> threads;
  for (const size_t job : jobs) {
    threads.emplace_back([&, job] {
      measure_job({record, job});
      report(job);
    });
  }
  threads.emplace_back([&] {
    compare_pictures(*record);
    report(0);
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(finished.load(), 1);
  EXPECT_FALSE(record->window.has_value()) << "the pictures are let go";
  return scores;
}

TEST(Gather, AFrameIsConcludedOnceWithTheValuesOfAllJobs) {
  Admission admission(1, 1000);
  const auto scoring = scoring_of(4);
  for (int round = 0; round < 200; ++round) {
    admission.request(0, [] {});
    const FrameScores scores = run_frame(scoring, 0, round % 2 == 0, admission);
    ASSERT_TRUE(scores.failures.empty());
    for (size_t job = 0; job < 4; ++job) {
      ASSERT_EQ(scores.values[job].size(), 1u);
      EXPECT_EQ(scores.values[job][0].column, job);
      EXPECT_EQ(scores.values[job][0].value, static_cast<double>(job));
      EXPECT_EQ(scores.series[job].real(0), static_cast<double>(job));
    }
    EXPECT_EQ(scores.identical, round % 2 == 0);
  }
}

TEST(Gather, AnExceptionAndANaNBecomeFailuresOfTheirJobs) {
  Admission admission(1, 1000);
  const auto scoring = scoring_of(3);
  admission.request(0, [] {});
  const FrameScores thrown = run_frame(scoring, 2, false, admission);
  ASSERT_EQ(thrown.failures.size(), 1u);
  EXPECT_EQ(thrown.failures[0].job, 1u);
  EXPECT_EQ(thrown.failures[0].reason, "planted failure");
  EXPECT_EQ(scoring->plan.jobs[1]->failed_at.load(), 2);
  EXPECT_EQ(thrown.values[0].size(), 1u);

  admission.request(0, [] {});
  const FrameScores nan = run_frame(scoring, 3, false, admission);
  ASSERT_EQ(nan.failures.size(), 1u);
  EXPECT_EQ(nan.failures[0].job, 2u);
  EXPECT_EQ(nan.failures[0].reason, "index2 is not a number (NaN)");
  EXPECT_TRUE(nan.values[2].empty());
}

}  // namespace
}  // namespace vmafbatch::graph
