// The run's log file: plain lines with a time, for the morning after. Nothing is written before open_log().
#pragma once

#include <string>

#include "base/result.h"

namespace vmafbatch {

// Appends to `path`. Call once, before threads start.
Status open_log(const std::string& path);

// Any thread; each line is flushed. Does nothing without a log.
void log_info(const std::string& text);
void log_warning(const std::string& text);
void log_error(const std::string& text);

}  // namespace vmafbatch
