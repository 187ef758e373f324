// SQL over a database, for reading only, and its rows as text.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "base/result.h"

namespace vmafbatch::store {

enum class OutputFormat { kTable, kCsv, kJson };

// What `vmafbatch query` shows without SQL.
inline constexpr std::string_view kOverviewSql =
    "SELECT clip, feature, frames, mean, min, max, harmonic_mean FROM clip_scores ORDER BY clip, feature";

// Runs one SQL statement that reads, and writes its rows to `out` as they come.
//   table  aligned columns for people, numbers with 8 digits; widths come from the first rows
//   csv    a header and RFC 4180 fields; numbers read back as the same doubles, inf and -inf for infinities, NULL is empty
//   json   an array with one object a row; infinities are the strings "inf" and "-inf"
// Bytes that are no UTF-8 are shown as \xHH. Errors: what open_read_only says, SQL that is wrong, writes, or is more than one statement.
Status run_query(const std::string& database, const std::string& sql, OutputFormat format, std::ostream& out);

}  // namespace vmafbatch::store
