#include "graph/scoring_graph.h"

#include <set>
#include <tuple>
#include <utility>

#include "graph/collect.h"
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

// decode lanes -> (fan-out by extractor name) -> extractors, comparison  -> gather -> writer
//                                             -> devices -> collect     ->
// What a device failed at goes from collect to the extractor's CPU node.
ScoringGraph::ScoringGraph(LaneContext& context, ScoreSink& sink, size_t lanes)
    : decode_(graph_, flow::unlimited,
              [](LaneMessage lane) {
                lane->run_step();
                return flow::continue_msg{};
              }),
      collect_(
          graph_, flow::unlimited,
          [this](const DeviceMessage& frame, Collect::output_ports_type& ports) {
            for (size_t i = 0; i < frame->jobs.size(); ++i) {
              const JobMessage message{frame->record, frame->jobs[i]};
              if (collect_job(message, frame->task.get(), i)) {
                std::get<0>(ports).try_put(message);
              } else {
                send_to_cpu(message);
              }
            }
          },
          kMeasurePriority),
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
  make_extractor_nodes(context.tasks);
  make_device_nodes(context.devices);
  flow::make_edge(flow::output_port<0>(collect_), gather_);
  flow::make_edge(compare_, gather_);
  flow::make_edge(flow::output_port<0>(gather_), writer_);

  context.send_frame = [this](const std::shared_ptr<FrameRecord>& record) { fan_out(record); };
  context.send_writer = [this](WriterMessage message) { writer_.try_put(std::make_shared<WriterMessage>(std::move(message))); };
  for (size_t i = 0; i < lanes; ++i) {
    auto lane = std::make_unique<DecodeLane>(context, [this, i] { decode_.try_put(lanes_[i].get()); });
    lanes_.push_back(std::move(lane));
  }
}

void ScoringGraph::make_extractor_nodes(const std::vector<ClipTask>& tasks) {
  for (const std::string& name : extractor_names(tasks)) {
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
}

void ScoringGraph::make_device_nodes(DeviceSet& devices) {
  for (size_t i = 0; i < devices.size(); ++i) {
    auto node = std::make_unique<DeviceNode>(
        graph_, flow::unlimited,
        [&queue = devices.queue(i)](const DeviceMessage& frame, DeviceNode::gateway_type& gateway) {
          send_to_device(frame, queue, gateway);
        },
        kMeasurePriority);
    flow::make_edge(*node, collect_);
    devices_.push_back(std::move(node));
  }
}

// The frame comes back through the gateway, also where the device never saw it: it then has no task.
void ScoringGraph::send_to_device(const DeviceMessage& frame, hip::DeviceQueue& queue, DeviceNode::gateway_type& gateway) noexcept {
  gateway.reserve_wait();
  const auto done = [frame, &gateway] {
    gateway.try_put(frame);
    gateway.release_wait();
  };
  try {
    std::vector<hip::FrameTask::Job> jobs;
    for (const size_t index : frame->jobs) {
      const Job& job = *frame->record->scoring->plan.jobs[index];
      jobs.push_back({job.twin.get(), job.shared_key});
    }
    frame->task = std::make_shared<hip::FrameTask>(*frame->record->window, std::move(jobs), done);
    queue.put(frame->task);
  } catch (const std::exception&) {
    frame->task = nullptr;
    done();
  }
}

void ScoringGraph::send_to_cpu(const JobMessage& message) {
  const std::string_view name = message.record->scoring->plan.jobs[message.job]->request.extractor->name;
  extractors_.find(name)->second->try_put(message);
}

void ScoringGraph::fan_out(const std::shared_ptr<FrameRecord>& record) {
  auto on_device = std::make_shared<DeviceFrame>(DeviceFrame{record, {}, nullptr});
  for (const size_t job : record->jobs) {
    if (record->scoring->plan.jobs[job]->on_device()) {
      on_device->jobs.push_back(job);
    } else {
      send_to_cpu({record, job});
    }
  }
  if (!on_device->jobs.empty()) devices_[record->scoring->plan.device]->try_put(on_device);
  compare_.try_put(JobMessage{record, 0});
}

void ScoringGraph::run() {
  for (const auto& lane : lanes_) lane->start();
  graph_.wait_for_all();
}

}  // namespace vmafbatch::graph
