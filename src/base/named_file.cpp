#include "base/named_file.h"

#include <filesystem>
#include <system_error>

#include "base/utf8.h"

namespace vmafbatch {

std::optional<std::string_view> special_kind(const std::string& path) {
  using Type = std::filesystem::file_type;
  std::error_code ignored;
  switch (std::filesystem::status(path, ignored).type()) {
    case Type::fifo: return "a pipe";
    case Type::socket: return "a socket";
    case Type::character:
    case Type::block: return "a device";
    default: return std::nullopt;
  }
}

Status refuse_special(const std::string& path) {
  const auto kind = special_kind(path);
  if (!kind) return {};
  return Error{display_text(path) + ": is " + std::string(*kind) + ", not a file; name a regular file"};
}

Result<std::string> followed_links(const std::string& path) {
  constexpr int kMostLinks = 40;  // as many as Linux follows (path_resolution(7))
  std::filesystem::path place(path);
  for (int links = 0; links <= kMostLinks; ++links) {
    std::error_code error;
    if (!std::filesystem::is_symlink(std::filesystem::symlink_status(place, error))) return place.native();
    const std::filesystem::path target = std::filesystem::read_symlink(place, error);
    if (error) return Error{display_text(path) + ": its symbolic link cannot be read (" + error.message() + ")"};
    place = place.parent_path() / target;  // an absolute target stands alone
  }
  return Error{display_text(path) + ": its symbolic links go in a circle; name a file"};
}

}  // namespace vmafbatch
