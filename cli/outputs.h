// Where commands write: never into what they read, nor into a file that a database was scored from.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/score_options.h"

namespace vmafbatch::cli {

// Nothing wrong, or the sentence: one of `outputs` is one of the databases, a file beside it, or a video or model that it was scored from.
Status check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& databases);

// The same of a run's database, where it is the catalogue, a clip or a model of the run.
Status check_database_place(const ScoreOptions& options, const ScoreJob& job);

// Nothing wrong, or the sentence: a heat map of the run (cambi's option heatmaps_path) would take the place of its database or log file,
// the catalogue, a clip or a model.
Status check_heatmaps(const ScoreOptions& options, const ScoreJob& job, const std::string& database);

// Opens --log-file, unless it is the database, the catalogue, a clip or a model. `job` is null where none could be made: then only a new
// file or a log is written to, because nobody knows which files are clips.
Status open_log_file(const ScoreOptions& options, const ScoreJob* job);

}  // namespace vmafbatch::cli
