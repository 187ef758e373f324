// Texts and numbers in the formats that are written: JSON, CSV and XML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"

namespace vmafbatch::store {

using vmafbatch::line_text;

// A JSON string with its quotes; bytes that are no UTF-8 as in display_text (base/utf8.h).
std::string json_string(std::string_view bytes);

// A JSON value: "inf" and "-inf" are strings, NaN is null; other numbers read back as the same double and look like one ("60.0").
std::string json_number(double value);

// A CSV field after RFC 4180, quoted only where it must be; a reader gets the text as it is, also where it has line ends or begins with
// what a spreadsheet takes for a formula. Bytes that are no UTF-8, and NUL, which readers refuse, are \xHH.
std::string csv_field(std::string_view bytes);

// A line of fields (csv_field() and numbers) with its end. One empty field is quoted: an empty line would be no row.
std::string csv_line(const std::vector<std::string>& fields);

// For XML: & < > " escaped; what XML 1.0 cannot hold becomes a space (control characters) or U+FFFD (U+FFFE, U+FFFF).
std::string xml_escape(std::string_view bytes);

// The nearest valid XML name: other characters become '_'.
std::string xml_name(std::string_view bytes);

}  // namespace vmafbatch::store
