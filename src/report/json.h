// JSON values as the documents have them (docs/report-data.md, "What holds everywhere").
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace vmafbatch::report {

using Json = nlohmann::ordered_json;

// A double with all its digits; "inf" and "-inf" are strings, NaN is null.
Json json_number(double value);
Json json_number(const std::optional<double>& value);
Json json_integer(const std::optional<std::int64_t>& value);

// Bytes as one line of text: what is no UTF-8 and control characters become \xHH.
Json json_text(std::string_view bytes);

// The document as text.
std::string json_document(const Json& json);

}  // namespace vmafbatch::report
