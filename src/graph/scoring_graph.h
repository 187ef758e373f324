// The task graph of a run. Its wiring is one page: ScoringGraph's constructor.
#pragma once

#include <oneapi/tbb/flow_graph.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "graph/decode_lane.h"
#include "graph/frame_record.h"
#include "graph/score_sink.h"

namespace vmafbatch::graph {

// One graph for all clips of a run. Bodies never throw: they catch and put what happened into the message.
class ScoringGraph {
 public:
  // `context`'s send functions are set here. REQUIRES: constructed and run inside one task arena.
  ScoringGraph(LaneContext& context, ScoreSink& sink, size_t lanes);

  // Runs until every lane is done and every frame is with the writer.
  void run();

 private:
  using LaneMessage = DecodeLane*;
  using ExtractorNode = oneapi::tbb::flow::function_node<JobMessage, JobMessage>;
  // The jobs of one frame that go to its device.
  struct DeviceFrame {
    std::shared_ptr<FrameRecord> record;
    std::vector<size_t> jobs;
    std::shared_ptr<hip::FrameTask> task;
  };
  using DeviceMessage = std::shared_ptr<DeviceFrame>;
  using DeviceNode = oneapi::tbb::flow::async_node<DeviceMessage, DeviceMessage>;
  using Collect = oneapi::tbb::flow::multifunction_node<DeviceMessage, std::tuple<JobMessage>>;
  using ToWriter = std::shared_ptr<WriterMessage>;  // the graph copies messages
  using Gather = oneapi::tbb::flow::multifunction_node<JobMessage, std::tuple<ToWriter>>;

  void fan_out(const std::shared_ptr<FrameRecord>& record);
  void send_to_cpu(const JobMessage& message);
  static void send_to_device(const DeviceMessage& frame, hip::DeviceQueue& queue, DeviceNode::gateway_type& gateway) noexcept;
  void make_extractor_nodes(const std::vector<ClipTask>& tasks);
  void make_device_nodes(DeviceSet& devices);

  oneapi::tbb::flow::graph graph_;
  oneapi::tbb::flow::function_node<LaneMessage> decode_;
  std::map<std::string, std::unique_ptr<ExtractorNode>, std::less<>> extractors_;  // one node per extractor name
  std::vector<std::unique_ptr<DeviceNode>> devices_;                               // one node per device
  Collect collect_;
  ExtractorNode compare_;
  Gather gather_;
  oneapi::tbb::flow::function_node<ToWriter> writer_;
  std::vector<std::unique_ptr<DecodeLane>> lanes_;
};

}  // namespace vmafbatch::graph
