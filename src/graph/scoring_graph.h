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
  using ToWriter = std::shared_ptr<WriterMessage>;  // the graph copies messages
  using Gather = oneapi::tbb::flow::multifunction_node<JobMessage, std::tuple<ToWriter>>;

  void fan_out(const std::shared_ptr<FrameRecord>& record);

  oneapi::tbb::flow::graph graph_;
  oneapi::tbb::flow::function_node<LaneMessage> decode_;
  std::map<std::string, std::unique_ptr<ExtractorNode>, std::less<>> extractors_;  // one node per extractor name
  ExtractorNode compare_;
  Gather gather_;
  oneapi::tbb::flow::function_node<ToWriter> writer_;
  std::vector<std::unique_ptr<DecodeLane>> lanes_;
};

}  // namespace vmafbatch::graph
