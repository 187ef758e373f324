// Base64 (RFC 4648, section 4).
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace vmafbatch::report {

std::string base64(std::span<const std::byte> bytes);

}  // namespace vmafbatch::report
