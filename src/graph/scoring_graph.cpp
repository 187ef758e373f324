#include "graph/scoring_graph.h"

#include <cmath>
#include <cstring>
#include <exception>
#include <set>
#include <tuple>
#include <utility>

#include "graph/test_hooks.h"

namespace vmafbatch::graph {
namespace {

namespace flow = oneapi::tbb::flow;

// Frames that are measured go before frames that are decoded: memory is freed before more is taken.
constexpr flow::node_priority_t kMeasurePriority = 1;
constexpr flow::node_priority_t kWritePriority = 2;

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

// The features of one job of a complete frame; a NaN or an exception becomes its failure (decision 17).
void conclude_job(const FrameRecord& record, size_t index, FrameScores& scores) {
  Job& job = *record.scoring->plan.jobs[index];
  const JobOutcome& outcome = record.outcomes[index];
  if (outcome.failure) {
    scores.failures.push_back({index, *outcome.failure});
    return;
  }
  if (record.reported) {
    extractors::FrameFeatures features;
    job.instance->conclude(outcome.measurements, features);
    for (const auto& [feature, value] : features.values()) {
      if (!job.column_of[feature]) continue;
      const size_t column = *job.column_of[feature];
      if (std::isnan(value)) {
        scores.values[index].clear();
        scores.failures.push_back({index, record.scoring->plan.columns[column].key + " is not a number (NaN)"});
        return;
      }
      scores.values[index].push_back({column, value});
    }
  }
  if (job.needs.series) scores.series[index] = outcome.measurements;
}

std::set<std::string> extractor_names(const std::vector<ClipTask>& tasks) {
  std::set<std::string> names;
  for (const ClipTask& task : tasks) {
    for (const extractors::FeatureRequest& feature : task.request->features) names.emplace(feature.extractor->name);
  }
  return names;
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
  if (record.reported) record.identical = same_samples(record.window->reference(), record.window->distorted());
}

std::optional<FrameScores> gather_report(const JobMessage& message) noexcept {
  FrameRecord& record = *message.record;
  if (!record.countdown.report()) return std::nullopt;
  FrameScores scores;
  scores.scoring = record.scoring;
  scores.index = record.window->index();
  scores.reported = record.reported;
  scores.identical = record.identical;
  scores.open_step = std::move(record.open_step);
  record.window.reset();
  scores.values.resize(record.outcomes.size());
  scores.series.resize(record.outcomes.size());
  for (const size_t job : record.jobs) {
    try {
      conclude_job(record, job, scores);
    } catch (const std::exception& e) {
      scores.failures.push_back({job, e.what()});
    }
  }
  return scores;
}

// decode lanes -> (fan-out by extractor name) -> extractors, comparison -> gather -> writer
ScoringGraph::ScoringGraph(LaneContext& context, ScoreSink& sink, size_t lanes)
    : decode_(graph_, flow::unlimited, [](LaneMessage lane) {
        lane->run_step();
        return flow::continue_msg{};
      }),
      compare_(
          graph_, flow::unlimited,
          [](const JobMessage& message) {
            compare_pictures(*message.record);
            return message;
          },
          kMeasurePriority),
      gather_(
          graph_, flow::unlimited,
          [](JobMessage message, Gather::output_ports_type& ports) {
            if (std::optional<FrameScores> scores = gather_report(message)) std::get<0>(ports).try_put(std::make_shared<WriterMessage>(std::move(*scores)));
          },
          kMeasurePriority),
      writer_(
          graph_, flow::serial,
          [&sink](const ToWriter& message) {
            sink.take(std::move(*message));
            return flow::continue_msg{};
          },
          kWritePriority) {
  for (const std::string& name : extractor_names(context.tasks)) {
    auto node = std::make_unique<ExtractorNode>(
        graph_, flow::unlimited,
        [](const JobMessage& message) {
          measure_job(message);
          return message;
        },
        kMeasurePriority);
    flow::make_edge(*node, gather_);
    extractors_.emplace(name, std::move(node));
  }
  flow::make_edge(compare_, gather_);
  flow::make_edge(flow::output_port<0>(gather_), writer_);

  context.send_frame = [this](const std::shared_ptr<FrameRecord>& record) { fan_out(record); };
  context.send_writer = [this](WriterMessage message) { writer_.try_put(std::make_shared<WriterMessage>(std::move(message))); };
  for (size_t i = 0; i < lanes; ++i) {
    auto lane = std::make_unique<DecodeLane>(context, [this, i] { decode_.try_put(lanes_[i].get()); });
    lanes_.push_back(std::move(lane));
  }
}

void ScoringGraph::fan_out(const std::shared_ptr<FrameRecord>& record) {
  for (const size_t job : record->jobs) {
    const std::string_view name = record->scoring->plan.jobs[job]->request.extractor->name;
    extractors_.find(name)->second->try_put(JobMessage{record, job});
  }
  compare_.try_put(JobMessage{record, 0});
}

void ScoringGraph::run() {
  for (const auto& lane : lanes_) lane->start();
  graph_.wait_for_all();
}

}  // namespace vmafbatch::graph
