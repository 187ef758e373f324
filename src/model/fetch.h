// Downloads of model files.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/known_models.h"
#include "model/model_file.h"

namespace vmafbatch::model {

// The VMAF project's public repository of models.
inline constexpr std::string_view kModelBaseUrl = "https://raw.githubusercontent.com/Netflix/vmaf/master/model/";

struct FetchSettings {
  std::string base_url{kModelBaseUrl};  // https or http: a file is accepted by its SHA-256, not by where it came from
  std::chrono::milliseconds connect_timeout{15000};
  std::chrono::milliseconds total_timeout{120000};  // of one file
  std::chrono::seconds stall_timeout{20};           // without a single byte
  std::uint64_t max_bytes = kMaxModelFileBytes;
  // Called while a file arrives; `total_bytes` is 0 where the server does not say.
  std::function<void(std::uint64_t received_bytes, std::uint64_t total_bytes)> progress;
};

// The body of a successful answer. The error names the address and what happened: not reachable, refused by the server (with its code),
// cut off, too slow, too large.
Result<std::string> download(const std::string& url, const FetchSettings& settings);

// Downloads one known model, checks its SHA-256 and installs it into `folder`. Returns the path of the installed file; after an error
// nothing has changed on disk.
Result<std::filesystem::path> fetch_model(const KnownModel& model, const std::filesystem::path& folder, const FetchSettings& settings);

// Whether `folder` holds the model, whole and with the right SHA-256.
bool has_model(const KnownModel& model, const std::filesystem::path& folder);

}  // namespace vmafbatch::model
