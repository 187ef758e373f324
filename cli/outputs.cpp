#include "cli/outputs.h"

#include <filesystem>
#include <set>
#include <system_error>

#include "base/kept_files.h"
#include "base/log.h"
#include "base/utf8.h"
#include "extractors/all_extractors.h"
#include "extractors/cambi_heatmap.h"
#include "store/files_of_database.h"

namespace vmafbatch::cli {
namespace {

// There, with nothing in it.
bool is_empty_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path, error) == 0;
}

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

// Looking at ten thousand clips takes time, and one on a mount that hangs does not come back: only where it is needed.
enum class Clips { kLookAt, kLeaveOut };

KeptFiles inputs_of(const ScoreOptions& options, const ScoreJob* job, Clips clips) {
  KeptFiles kept;
  kept.add(options.catalogue, "the catalogue");
  if (job == nullptr) return kept;
  std::set<std::string> models;
  for (const graph::ClipTask& task : job->tasks) {
    for (const auto& model : task.request->models) {
      if (models.insert(model->path().string()).second) kept.add(model->path().string(), "a model of this run");
    }
    if (clips == Clips::kLeaveOut) continue;
    kept.add(task.row.reference, "a video of this run");
    kept.add(task.row.distorted, "a video of this run");
  }
  return kept;
}

// Where the run puts heat maps.
std::set<std::filesystem::path> heatmap_folders(const ScoreJob& job) {
  std::set<std::filesystem::path> folders;
  for (const graph::ClipTask& task : job.tasks) {
    for (const extractors::FeatureRequest& feature : task.request->features) {
      if (feature.extractor != &extractors::kCambi) continue;
      const std::string& path = feature.options.text("heatmaps_path");
      if (!path.empty()) folders.insert(extractors::heatmap_folder(path, task.row.name));
    }
  }
  return folders;
}

// A file that is not there yet and would get the name of a heat map.
bool is_place_of_heatmap(const std::string& path, const std::filesystem::path& folder) {
  const std::filesystem::path resolved = resolved_path(path);
  return extractors::is_heatmap_name(resolved.filename().string()) && resolved.parent_path() == resolved_path(folder.string());
}

}  // namespace

Status check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& databases) {
  KeptFiles kept;
  for (const std::string& database : databases) store::keep_database_and_sources(kept, database);
  for (const std::string& output : outputs) {
    if (Status status = kept.check(output); !status.ok()) return status;
  }
  return {};
}

Status check_database_place(const ScoreOptions& options, const ScoreJob& job) {
  // What is neither empty nor a database is refused when it is opened.
  const Clips clips = is_empty_file(options.output) ? Clips::kLookAt : Clips::kLeaveOut;
  return inputs_of(options, &job, clips).check(options.output);
}

Status check_heatmaps(const ScoreOptions& options, const ScoreJob& job, const std::string& database) {
  const std::set<std::filesystem::path> folders = heatmap_folders(job);
  if (folders.empty()) return {};
  KeptFiles kept = inputs_of(options, &job, Clips::kLookAt);
  store::keep_database(kept, database);
  kept.add(options.log_file, "the log file");
  for (const std::filesystem::path& folder : folders) {
    for (const std::string& path : {database, options.log_file}) {
      if (path.empty() || !is_place_of_heatmap(path, folder)) continue;
      return Error{display_text(path) + ": a heat map of cambi would take this place; name another file, or another heatmaps_path"};
    }
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      if (!extractors::is_heatmap_name(entry->path().filename().string())) continue;
      if (Status status = kept.check(entry->path().string()); !status.ok()) return status;
    }
  }
  return {};
}

Status open_log_file(const ScoreOptions& options, const ScoreJob* job) {
  if (options.log_file.empty()) return {};
  const bool is_free = !is_there(options.log_file) || is_log(options.log_file);
  if (job == nullptr && !is_free && !is_empty_file(options.log_file)) return {};
  KeptFiles kept = inputs_of(options, job, is_free ? Clips::kLeaveOut : Clips::kLookAt);
  store::keep_database(kept, options.output);
  if (Status status = kept.check(options.log_file); !status.ok()) return status;
  return open_log(options.log_file);
}

}  // namespace vmafbatch::cli
