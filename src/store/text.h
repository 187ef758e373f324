// Bytes as text: names and paths can hold anything.
#pragma once

#include <string>
#include <string_view>

namespace vmafbatch::store {

// True for valid UTF-8 (no overlong forms, no surrogates).
bool is_utf8(std::string_view bytes);

// Valid UTF-8 for people: what is valid stays, every other byte becomes \xHH.
std::string display_text(std::string_view bytes);

// A JSON string with its quotes; bytes that are no UTF-8 as display_text.
std::string json_string(std::string_view bytes);

// A JSON value: "inf" and "-inf" are strings, NaN is null; other numbers read back as the same double and look like one ("60.0").
std::string json_number(double value);

// A CSV field after RFC 4180: quoted only where it must be.
std::string csv_field(std::string_view bytes);

// For XML attribute values: & < > " and control characters escaped.
std::string xml_escape(std::string_view bytes);

// The nearest valid XML name: other characters become '_'.
std::string xml_name(std::string_view bytes);

}  // namespace vmafbatch::store
