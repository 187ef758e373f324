// The run's log file: plain lines with a time, for the morning after. Nothing is written before open_log().
#pragma once

#include <string>

#include "base/result.h"

namespace vmafbatch {

// Appends to `path`: a file, a terminal or another device of characters (/dev/null), not a pipe, which would make the run wait for its
// reader. Call once, before threads start.
Status open_log(const std::string& path);

// True where the file is there and begins with a line of such a log.
bool is_log(const std::string& path);

// Any thread; each line is flushed. Does nothing without a log.
void log_info(const std::string& text);
void log_warning(const std::string& text);
void log_error(const std::string& text);

}  // namespace vmafbatch
