#include "graph/clip_record.h"

#include "base/machine.h"
#include "base/number_text.h"
#include "base/version.h"
#include "io/decoder_version.h"
#include "io/file_identity.h"
#include "io/pair_options.h"

namespace vmafbatch::graph {
namespace {

void set_identity(store::FileIdentity& record, const io::FileIdentity& identity) {
  record.size = identity.size_bytes;
  record.mtime_ns = identity.modified_ns;
}

store::FileIdentity file_record(const std::string& path, const std::optional<io::FileIdentity>& identity) {
  store::FileIdentity record;
  record.path = path;
  set_identity(record, identity.value_or(io::FileIdentity{}));
  return record;
}

void add(std::string& text, const std::string& name, const std::string& value) { text += (text.empty() ? "" : " ") + name + "=" + value; }

io::PairOptions pair_options(const ClipTask& task, const RunOptions& options) {
  const io::CatalogueRow& row = task.row;
  io::PairOptions pair;
  pair.skip_reference = row.skip_reference;
  pair.skip_distorted = row.skip_distorted;
  pair.frames = row.frames;
  pair.start_s = row.start_s;
  pair.duration_s = row.duration_s;
  pair.sync = task.sync;
  pair.reference_raw = row.reference_raw;
  pair.distorted_raw = row.distorted_raw;
  pair.scaler = task.scaler;
  pair.convert = options.convert;
  pair.strict_length = options.strict_length;
  return pair;
}

// Everything that decides the values, beside the files: one canonical text.
std::string options_text(const ClipTask& task, const RunOptions& options) {
  std::string text;
  add(text, "features", task.request->text());
  if (task.subsample != 1) add(text, "subsample", std::to_string(task.subsample));
  text += " " + io::pair_options_text(pair_options(task, options));
  if (options.auto_align) add(text, "auto_align", "true");
  if (options.align_search_s) add(text, "align_search", format_double(*options.align_search_s));
  return text;
}

}  // namespace

void look_at_files(ClipTask& task, io::FileLook& look, const io::ReadLimits& limits) {
  const auto identity = [&](const std::string& path) -> std::optional<io::FileIdentity> {
    const Result<io::FileIdentity> found = look.at(path, limits);
    if (found.ok()) return *found;
    if (!task.look_error) task.look_error = found.error();
    return std::nullopt;
  };
  task.reference_file = identity(task.row.reference);
  task.distorted_file = identity(task.row.distorted);
}

store::ScoringRecord identity_record(const ClipTask& task, const RunOptions& options) {
  store::ScoringRecord record;
  record.clip = task.row.name;
  record.label = task.label;
  record.reference = file_record(task.row.reference, task.reference_file);
  record.distorted = file_record(task.row.distorted, task.distorted_file);
  record.options = options_text(task, options);
  for (const auto& model : task.request->models) record.models.push_back({model->name(), model->path().string(), model->sha256()});
  record.tags = task.row.tags;
  record.program_version = kVersion;
  record.c_library = c_library_text();
  record.processor = processor_text();
  record.decoder = io::decoder_version();
  return record;
}

void describe_pictures(store::ScoringRecord& record, const io::GroupReader& reader, size_t member) {
  const io::PictureFormat& format = reader.format(member);
  record.width = format.width;
  record.height = format.height;
  record.pixel_format = std::string(io::chroma_name(format.chroma)) + "p" + std::to_string(format.bit_depth);
  const io::StreamInfo& info = reader.reference_info();
  set_identity(record.reference, info.file);  // of the bytes that are scored, whatever the file was when the run began
  set_identity(record.distorted, reader.distorted_info(member).file);
  if (info.fps_numerator > 0) record.fps = static_cast<double>(info.fps_numerator) / info.fps_denominator;
  record.pictures = reader.member_notes(member);
}

std::vector<store::ColumnSpec> column_specs(const ScoringPlan& plan) {
  std::vector<store::ColumnSpec> specs;
  for (const Column& column : plan.columns) {
    const store::ColumnScope scope = column.scope == extractors::FeatureScope::kFrame    ? store::ColumnScope::kFrame
                                     : column.scope == extractors::FeatureScope::kSeries ? store::ColumnScope::kSeries
                                                                                         : store::ColumnScope::kAggregate;
    specs.push_back({column.key, scope, column.producer, static_cast<int>(specs.size())});
  }
  return specs;
}

std::vector<store::ExtractorSpec> producer_specs(const ScoringPlan& plan) {
  std::vector<store::ExtractorSpec> specs;
  for (const auto& job : plan.jobs) specs.push_back({job->name(), extractors::options_text(job->request.options)});
  for (const Refusal& refusal : plan.refusals) specs.push_back({refusal.extractor, refusal.options});
  for (const ModelJob& job : plan.models) specs.push_back(producer_spec(*job.model));
  return specs;
}

io::GroupSpec group_spec(const std::vector<ClipTask>& tasks, const std::vector<size_t>& members, const RunOptions& options,
                         int decoder_threads) {
  const ClipTask& first = tasks[members.front()];
  io::GroupSpec spec = io::pair_spec(first.row.reference, first.row.distorted, pair_options(first, options));
  spec.members.clear();
  spec.decoder_threads = decoder_threads;
  for (const size_t member : members) {
    const io::CatalogueRow& row = tasks[member].row;
    spec.members.push_back({row.distorted, row.distorted_raw, row.skip_distorted});
  }
  return spec;
}

}  // namespace vmafbatch::graph
