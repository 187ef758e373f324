// From a task and its opened files to the row that the database keeps of it.
#pragma once

#include "graph/run.h"
#include "io/group_reader.h"
#include "store/records.h"

namespace vmafbatch::graph {

// Notes size and time of the task's files, or why they cannot be found out within `limits`.
void look_at_files(ClipTask& task, io::FileLook& look, const io::ReadLimits& limits);

// The identity of a task: clip, label, files, options, models, program. Files that were not looked at have size 0.
store::ScoringRecord identity_record(const ClipTask& task, const RunOptions& options);

// Adds what is known once the pictures are open: the files as they were then, size, format, rate, what was done to them.
void describe_pictures(store::ScoringRecord& record, const io::GroupReader& reader, size_t member);

// The columns of a plan, in its order.
std::vector<store::ColumnSpec> column_specs(const ScoringPlan& plan);

// Who can fail: the jobs, the extractors that refused the clip, the models; in this order.
std::vector<store::ExtractorSpec> producer_specs(const ScoringPlan& plan);

// The reader's order for a group of tasks.
io::GroupSpec group_spec(const std::vector<ClipTask>& tasks, const std::vector<size_t>& members, const RunOptions& options,
                         int decoder_threads);

}  // namespace vmafbatch::graph
