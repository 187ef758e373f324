#include "graph/clip_record.h"

#include "base/machine.h"
#include "base/number_text.h"
#include "base/version.h"
#include "io/decoder_version.h"
#include "io/file_identity.h"

namespace vmafbatch::graph {
namespace {

store::FileIdentity file_record(const std::string& path) {
  store::FileIdentity record;
  record.path = path;
  if (const Result<io::FileIdentity> identity = io::file_identity(path); identity.ok()) {
    record.size = identity->size_bytes;
    record.mtime_ns = identity->modified_ns;
  }
  return record;
}

void add(std::string& text, const std::string& name, const std::string& value) { text += (text.empty() ? "" : " ") + name + "=" + value; }

std::string geometry_text(const io::RawGeometry& raw) {
  return std::to_string(raw.width) + "x" + std::to_string(raw.height) + ":" + raw.pixel_format + ":" +
         std::to_string(raw.bit_depth.value_or(8)) + "@" + std::to_string(raw.fps_numerator) + "/" + std::to_string(raw.fps_denominator);
}

// Everything that decides the values, beside the files: one canonical text.
std::string options_text(const ClipTask& task, const RunOptions& options) {
  const io::CatalogueRow& row = task.row;
  std::string text;
  add(text, "features", task.request->text());
  if (task.subsample != 1) add(text, "subsample", std::to_string(task.subsample));
  if (row.skip_reference != 0) add(text, "skip_reference", std::to_string(row.skip_reference));
  if (row.skip_distorted != 0) add(text, "skip_distorted", std::to_string(row.skip_distorted));
  if (row.frames) add(text, "frames", std::to_string(*row.frames));
  if (row.start_s) add(text, "start", format_double(*row.start_s));
  if (row.duration_s) add(text, "duration", format_double(*row.duration_s));
  if (task.sync == io::Sync::kTimestamp) add(text, "sync", "timestamp");
  if (row.reference_raw) add(text, "reference_raw", geometry_text(*row.reference_raw));
  if (row.distorted_raw) add(text, "distorted_raw", geometry_text(*row.distorted_raw));
  add(text, "scale", io::scaler_name(task.scaler));
  if (options.convert) add(text, "convert", "true");
  if (options.strict_length) add(text, "strict_length", "true");
  if (options.auto_align) add(text, "auto_align", "true");
  if (options.align_search_s) add(text, "align_search", format_double(*options.align_search_s));
  return text;
}

}  // namespace

store::ScoringRecord identity_record(const ClipTask& task, const RunOptions& options) {
  store::ScoringRecord record;
  record.clip = task.row.name;
  record.label = task.label;
  record.reference = file_record(task.row.reference);
  record.distorted = file_record(task.row.distorted);
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
  if (info.fps_numerator > 0) record.fps = static_cast<double>(info.fps_numerator) / info.fps_denominator;
  record.pictures = reader.member_notes(member);
}

io::GroupSpec group_spec(const std::vector<ClipTask>& tasks, const std::vector<size_t>& members, const RunOptions& options,
                         int decoder_threads) {
  const ClipTask& first = tasks[members.front()];
  io::GroupSpec spec;
  spec.reference = first.row.reference;
  spec.reference_raw = first.row.reference_raw;
  spec.skip_reference = first.row.skip_reference;
  spec.start_s = first.row.start_s;
  spec.duration_s = first.row.duration_s;
  spec.frames = first.row.frames;
  spec.scaler = first.scaler;
  spec.sync = first.sync;
  spec.strict_length = options.strict_length;
  spec.convert = options.convert;
  spec.decoder_threads = decoder_threads;
  for (const size_t member : members) {
    const io::CatalogueRow& row = tasks[member].row;
    spec.members.push_back({row.distorted, row.distorted_raw, row.skip_distorted});
  }
  return spec;
}

}  // namespace vmafbatch::graph
