#include "extractors/cambi_heatmap.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "base/whole_file.h"
#include "extractors/cambi_scales.h"

namespace vmafbatch::extractors {
namespace {

// Owner and group, as the reference makes its folder.
constexpr mode_t kFolderMode = 0770;

// Of a file's name; between them stand the options of the key, and behind them scale, size and frame.
constexpr std::string_view kNameBegin = "cambi";
constexpr std::string_view kNameMiddle = "_heatmap_scale_";
constexpr std::string_view kNameEnd = ".gray";

// Makes a folder and those above it.
Status make_folders(const std::filesystem::path& folder) {
  std::filesystem::path grown;
  for (const std::filesystem::path& part : folder) {
    grown /= part;
    if (::mkdir(grown.c_str(), kFolderMode) == 0 || errno == EEXIST) continue;
    const int why = errno;
    std::error_code ignored;
    if (std::filesystem::is_directory(grown, ignored)) continue;  // on a file system that refuses before it looks
    return Error{"cambi: cannot make folder " + grown.string() + " for the heat maps: " + std::strerror(why) +
                 "; give heatmaps_path a folder that can be written"};
  }
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    return Error{"cambi: " + folder.string() + " is no folder, so the heat maps cannot be written; give another heatmaps_path"};
  }
  return {};
}

}  // namespace

std::string path_part(std::string_view name) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string part;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool special = byte < 0x20 || c == '/' || c == '\\' || c == '%' || (c == '.' && part.empty());
    if (special) {
      part += '%';
      part += kDigits[byte >> 4];
      part += kDigits[byte & 15];
    } else {
      part += c;
    }
  }
  return part.empty() ? "%" : part;
}

std::filesystem::path heatmap_folder(std::string_view folder, std::string_view clip_name) {
  return std::filesystem::path(folder) / path_part(clip_name);
}

bool is_heatmap_name(std::string_view file_name) {
  return file_name.starts_with(kNameBegin) && file_name.find(kNameMiddle) != std::string_view::npos && file_name.ends_with(kNameEnd);
}

std::vector<char> cambi_heatmap_bytes(io::Plane<const float> contrasts, int largest) {
  std::vector<char> bytes;
  bytes.reserve(2 * static_cast<size_t>(contrasts.width) * static_cast<size_t>(contrasts.height));
  const double scale = 65535 / static_cast<double>(largest);
  for (int y = 0; y < contrasts.height; ++y) {
    for (int x = 0; x < contrasts.width; ++x) {
      // `largest` is rounded down: a contrast just above it wraps around, as in the reference.
      const auto grey = static_cast<unsigned>(scale * static_cast<double>(contrasts.row(y)[x]));
      bytes.push_back(static_cast<char>(grey & 0xFF));
      bytes.push_back(static_cast<char>((grey >> 8) & 0xFF));
    }
  }
  return bytes;
}

CambiHeatmaps::CambiHeatmaps(std::filesystem::path folder, std::string_view key_suffix, const CambiView& view, int steps)
    : folder_(std::move(folder)),
      stem_(std::string(kNameBegin) + (key_suffix.empty() ? "" : path_part(key_suffix)) + std::string(kNameMiddle)),
      view_(view),
      largest_(cambi_weight(steps) * view.window * view.window / 4) {}

Result<CambiHeatmaps> CambiHeatmaps::create(const std::string& folder, std::string_view clip_name, std::string_view key_suffix,
                                            const CambiView& view, int steps) {
  CambiHeatmaps maps(heatmap_folder(folder, clip_name), key_suffix, view, steps);
  if (Status made = make_folders(maps.folder_); !made) return made.error();
  return maps;
}

void CambiHeatmaps::write(std::int64_t frame, int scale, io::Plane<const float> contrasts) const {
  const CambiView named = cambi_scale_view(view_, false, scale);
  char number[24];
  std::snprintf(number, sizeof number, "%06lld", static_cast<long long>(frame));
  const std::filesystem::path path = folder_ / (stem_ + std::to_string(scale) + "_" + std::to_string(named.width) + "x" +
                                                std::to_string(named.height) + "_16b_" + number + ".gray");
  const std::vector<char> bytes = cambi_heatmap_bytes(contrasts, largest_);
  const Status written = write_whole_file(path.string(), {bytes.data(), bytes.size()});
  if (!written.ok()) throw std::runtime_error("heat map " + written.error().message);
}

}  // namespace vmafbatch::extractors
