// What a warning of a scoring is about.
#pragma once

#include <string_view>

namespace vmafbatch::report {

// In the order in which they are shown.
enum class WarningKind { kAlignment, kColour, kLengths, kOther };

// From its sentence, as this program writes it; the database has no kinds.
WarningKind warning_kind(std::string_view text);

const char* warning_kind_name(WarningKind kind);  // "alignment"

}  // namespace vmafbatch::report
