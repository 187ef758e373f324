// From the fields of one catalogue line to a row. Private to this room.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/catalogue.h"

namespace vmafbatch::io {

// (column, text) as the file gives them; an empty text means that the column is not given.
using CatalogueFields = std::vector<std::pair<std::string, std::string>>;

// An error that lists the known columns where `column` is none of them.
Status check_column(std::string_view column);

// The error names the column, not the file and line. REQUIRES: every column passes check_column().
Result<CatalogueRow> make_catalogue_row(const CatalogueFields& fields, const std::filesystem::path& folder);

// Part of a file as an error shows it: control characters as \xNN too, and no more than a line.
std::string quoted_text(std::string_view bytes);

}  // namespace vmafbatch::io
