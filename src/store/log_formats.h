// The three layouts of logs, each read by one function.
#pragma once

#include <string_view>

#include "base/result.h"
#include "store/log_file.h"

namespace vmafbatch::store {

Result<ScoreLog> parse_json_log(std::string_view text);
Result<ScoreLog> parse_xml_log(std::string_view text);
Result<ScoreLog> parse_csv_log(std::string_view text);

}  // namespace vmafbatch::store
