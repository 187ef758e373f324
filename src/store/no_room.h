// Why a write found no room, and what to say of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace vmafbatch::store {

enum class NoRoom {
  kDisk,      // the file system is full
  kFileSize,  // a limit on the size of files: the process's (ulimit -f) or the file system's
  kQuota,     // the user's share of the file system
};

// Of an errno; nothing where it says something else.
std::optional<NoRoom> no_room(int system_error);

// "the disk is full", "make room".
std::string_view no_room_text(NoRoom cause);
std::string_view no_room_remedy(NoRoom cause);

// One sentence. `kept`: what becomes of the work so far, such as "nothing was kept".
Error no_room_error(const std::string& path, NoRoom cause, std::string_view kept);

// What the file `path` may still grow by: what is free in its place, and what the process's limit on the size of files leaves; nothing
// where nobody can say.
std::optional<std::uint64_t> room_to_grow(const std::string& path);

}  // namespace vmafbatch::store
