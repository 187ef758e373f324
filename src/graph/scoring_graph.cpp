#include "graph/scoring_graph.h"

#include <set>
#include <tuple>
#include <utility>

#include "graph/gather.h"
#include "graph/measure.h"

namespace vmafbatch::graph {
namespace {

namespace flow = oneapi::tbb::flow;

// Frames that are measured go before frames that are decoded: memory is freed before more is taken.
constexpr flow::node_priority_t kMeasurePriority = 1;
constexpr flow::node_priority_t kWritePriority = 2;

std::set<std::string> extractor_names(const std::vector<ClipTask>& tasks) {
  std::set<std::string> names;
  for (const ClipTask& task : tasks) {
    for (const extractors::FeatureRequest& feature : task.request->features) names.emplace(feature.extractor->name);
  }
  return names;
}

}  // namespace

// decode lanes -> (fan-out by extractor name) -> extractors, comparison -> gather -> writer
ScoringGraph::ScoringGraph(LaneContext& context, ScoreSink& sink, size_t lanes)
    : decode_(graph_, flow::unlimited,
              [](LaneMessage lane) {
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
          [](const JobMessage& message, Gather::output_ports_type& ports) {
            if (std::optional<FrameScores> scores = gather_report(message))
              std::get<0>(ports).try_put(std::make_shared<WriterMessage>(std::move(*scores)));
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
