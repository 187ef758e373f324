#include "graph/measure.h"

#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "graph/scoring.h"
#include "graph/test_hooks.h"

namespace vmafbatch::graph {
namespace {

bool same_samples(const io::Frame& a, const io::Frame& b) {
  return with_sample_type(a.format(), [&](auto sample) {
    using Sample = decltype(sample);
    for (int i = 0; i < a.format().plane_count(); ++i) {
      const io::Plane<const Sample> p = a.plane<Sample>(i);
      const io::Plane<const Sample> q = b.plane<Sample>(i);
      for (int y = 0; y < p.height; ++y) {
        if (std::memcmp(p.row(y), q.row(y), static_cast<size_t>(p.width) * sizeof(Sample)) != 0) return false;
      }
    }
    return true;
  });
}

void fail(JobOutcome& outcome, Job& job, std::int64_t frame, std::string reason) {
  outcome.failure = std::move(reason);
  std::int64_t known = job.failed_at.load();
  while (frame < known && !job.failed_at.compare_exchange_weak(known, frame)) {
  }
}

}  // namespace

void measure_job(const JobMessage& message) noexcept {
  FrameRecord& record = *message.record;
  Job& job = *record.scoring->plan.jobs[message.job];
  JobOutcome& outcome = record.outcomes[message.job];
  const io::FrameWindow& window = *record.window;
  try {
    test_hooks::delay_measurement();
    if (job.needs.distorted) {
      job.instance->measure(window, outcome.measurements);
    } else {  // depends on the reference alone: measured once for all renditions of a ladder
      outcome.measurements = window.reference().derived().get<extractors::Measurements>(job.shared_key, [&] {
        extractors::Measurements measured;
        job.instance->measure(window, measured);
        return measured;
      });
    }
    outcome.measured = true;
  } catch (const std::exception& e) {
    fail(outcome, job, window.index(), e.what());
  } catch (...) {
    fail(outcome, job, window.index(), "stopped for an unknown reason");
  }
}

void compare_pictures(FrameRecord& record) noexcept {
  record.scores.reference_luma = luma_signature(record.window->reference());
  record.scores.distorted_luma = luma_signature(record.window->distorted());
  record.scores.reference_time_s = record.window->reference().time_s;
  record.scores.distorted_time_s = record.window->distorted().time_s;
  if (record.reported) record.scores.identical = same_samples(record.window->reference(), record.window->distorted());
}

}  // namespace vmafbatch::graph
