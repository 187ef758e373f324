#include "base/kept_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/utf8.h"

namespace vmafbatch {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as Linux follows

std::optional<std::pair<std::uint64_t, std::uint64_t>> identity_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return std::pair<std::uint64_t, std::uint64_t>(info.st_dev, info.st_ino);
}

}  // namespace

std::string resolved_path(const std::string& path) {
  std::error_code error;
  fs::path place(path);
  // weakly_canonical() leaves a link to what is not there as it is.
  for (int i = 0; i < kMostLinks && fs::is_symlink(place, error); ++i) {
    const fs::path next = place.parent_path() / fs::read_symlink(place, error);
    // What /proc's links to pipes and devices say is no path.
    if (fs::exists(place, error) && !fs::is_regular_file(place, error) && !fs::exists(next, error)) return path;
    place = next;
  }
  const fs::path resolved = fs::weakly_canonical(fs::absolute(place, error), error);
  return error ? path : resolved.string();
}

void KeptFiles::add(std::string path, std::string what) {
  if (!path.empty()) files_.push_back({std::move(path), std::move(what)});
}

Status KeptFiles::check(const std::string& output) {
  const auto identity = identity_of(output);
  const std::optional<size_t> found = identity ? find_there(*identity) : find_absent(output);
  if (!found) return {};
  const File& file = files_[*found];
  const std::string other = file.path == output ? "" : " (" + display_text(file.path) + ")";
  return Error{display_text(output) + ": this is " + file.what + other + ", which must stay as it is; name another file"};
}

std::optional<size_t> KeptFiles::find_there(std::pair<std::uint64_t, std::uint64_t> identity) {
  if (looked_at_ < files_.size()) {
    for (; looked_at_ < files_.size(); ++looked_at_) {
      if (const auto there = identity_of(files_[looked_at_].path)) there_.push_back({*there, looked_at_});
    }
    std::ranges::sort(there_);
  }
  const auto found = std::ranges::lower_bound(there_, identity, {}, &Known::identity);
  return found != there_.end() && found->identity == identity ? std::optional(found->file) : std::nullopt;
}

std::optional<size_t> KeptFiles::find_absent(const std::string& output) const {
  const std::string resolved = resolved_path(output);
  const fs::path name = fs::path(resolved).filename();
  for (size_t i = 0; i < files_.size(); ++i) {
    std::error_code error;
    const bool may_be = fs::path(files_[i].path).filename() == name || fs::is_symlink(files_[i].path, error);
    if (may_be && resolved_path(files_[i].path) == resolved) return i;
  }
  return std::nullopt;
}

}  // namespace vmafbatch
