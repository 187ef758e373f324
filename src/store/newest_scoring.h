// Which scoring of a clip is the one that is shown: the newest that ended. A running one is newer where it began after that.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace vmafbatch::store {

// SELECTs of one id, or of NULL where there is none, for use inside a statement: among the rows `n` of scoring for which `condition` holds,
// the one that ended last, and the one that began last and has not ended.
std::string newest_ended_sql(std::string_view condition);
std::string newest_open_sql(std::string_view condition);

// The scoring of the clip of this name that ended last, under this label or, without one, under any. Error: there is none.
// Throws SQLite::Exception.
Result<std::int64_t> newest_ended(SQLite::Database& database, const std::string& clip, const std::optional<std::string>& label);

}  // namespace vmafbatch::store
