// Bytes as text for people: names and paths can hold anything.
#pragma once

#include <string>
#include <string_view>

namespace vmafbatch {

// True for valid UTF-8 (no overlong forms, no surrogates).
bool is_utf8(std::string_view bytes);

// "\xHH".
std::string escaped_byte(char c);

// Valid UTF-8: what is valid stays, every other byte becomes \xHH.
std::string display_text(std::string_view bytes);

// display_text on one line that no terminal takes for a command: control characters become \xHH too.
std::string line_text(std::string_view bytes);

}  // namespace vmafbatch
