#include "store/no_room.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/machine.h"
#include "base/number_text.h"
#include "base/utf8.h"

namespace vmafbatch::store {
namespace {

// " (12.0 KiB are free at /data)" where so little is left that it may be the cause.
std::string free_text(const std::string& path) {
  constexpr std::uint64_t kLittle = std::uint64_t{64} << 20;  // twice what the WAL grows to
  const std::optional<std::uint64_t> room = free_bytes_at(path);
  if (!room || *room >= kLittle) return "";
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return fmt::format(" ({} are free at {})", bytes_text(*room), folder.empty() ? "." : display_text(folder.native()));
}

}  // namespace

std::optional<NoRoom> no_room(int system_error) {
  switch (system_error) {
    case ENOSPC: return NoRoom::kDisk;
    case EFBIG: return NoRoom::kFileSize;
    case EDQUOT: return NoRoom::kQuota;
    default: return std::nullopt;
  }
}

std::string_view no_room_text(NoRoom cause) {
  switch (cause) {
    case NoRoom::kDisk: return "the disk is full";
    case NoRoom::kFileSize: return "the limit on the size of a file is reached (ulimit -f, or the file system's)";
    case NoRoom::kQuota: return "the disk quota is used up";
  }
  return "";
}

std::string_view no_room_remedy(NoRoom cause) { return cause == NoRoom::kFileSize ? "raise it" : "make room"; }

Error no_room_error(const std::string& path, NoRoom cause, std::string_view kept) {
  return Error{fmt::format("{}: {}{}; {}, {} and run again", display_text(path), no_room_text(cause),
                           cause == NoRoom::kDisk ? free_text(path) : "", kept, no_room_remedy(cause))};
}

std::optional<std::uint64_t> room_to_grow(const std::string& path) {
  const std::optional<std::uint64_t> room = free_bytes_at(path);
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return room;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  const std::uint64_t used = error ? 0 : size;
  const std::uint64_t left = limit.rlim_cur > used ? limit.rlim_cur - used : 0;
  return room ? std::min(*room, left) : left;
}

}  // namespace vmafbatch::store
