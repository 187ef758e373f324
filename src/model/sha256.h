// The digest by which model files are known.
#pragma once

#include <string>
#include <string_view>

namespace vmafbatch::model {

// SHA-256 (FIPS 180-4) as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace vmafbatch::model
