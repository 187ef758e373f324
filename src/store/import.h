// Logs of libvmaf and of ffmpeg's libvmaf filter become scorings, so that old results can be compared with new ones.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/log_file.h"
#include "store/writer.h"

namespace vmafbatch::store {

struct ImportOptions {
  std::optional<std::string> clip = std::nullopt;  // nothing: the log's file name without its extension
  std::string label = {};
  std::map<std::string, std::string> renames = {};  // a feature's name in the log -> its key here
};

// The key under which this program has a feature that a log calls `name`: libvmaf's internal names have an alias each
// ("VMAF_integer_feature_adm2_score" is "integer_adm2"), all others are keys already.
std::string key_of_log_name(std::string_view name);

// A log that is fit to be stored; its features have keys as names.
struct PreparedLog {
  std::string path;
  ScoreLog log;
  ScoringRecord record;
};

// Error: the log is unfit, in one sentence with the file and where possible the line.
Result<PreparedLog> prepare_log(const std::string& path, const ImportOptions& options);

// Stores it as a scoring that is done. Its options say that it was imported and name the hash of the log's bytes, its program version is
// the log's; of the files that were scored it knows nothing. Warnings say which values were null (stored as inf) or nan (left out). Pooled
// values are computed anew from the frames. False: the same log is there already. Error: the clip is there under this label with other
// options, or the writer's own. REQUIRES: writer.begin_run() was called
Result<bool> store_prepared_log(const PreparedLog& prepared, Writer& writer);

}  // namespace vmafbatch::store
