// What a path of the user names, looked at before it is opened: to open a pipe waits for its other end, maybe for ever.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace vmafbatch {

// "a pipe", "a socket" or "a device" where `path` is one, links followed; nothing for a file, a folder and what is not there.
std::optional<std::string_view> special_kind(const std::string& path);

// Nothing wrong, or one sentence that begins with the path: it is a pipe, a socket or a device.
Status refuse_special(const std::string& path);

// The path behind symbolic links in the last name of `path`, also where nothing is there yet. Error: the links go in a circle.
Result<std::string> followed_links(const std::string& path);

}  // namespace vmafbatch
