#include "report/warning_kind.h"

#include <algorithm>
#include <array>

namespace vmafbatch::report {
namespace {

struct Sign {
  std::string_view part;
  WarningKind kind;
};

// Parts of the sentences of graph/alignment_warnings.cpp, graph/auto_align.cpp and io/group_reader.cpp; tests/report/feature_facts_test.cpp
// has the sentences.
constexpr std::array kSigns = {
    Sign{"the distorted starts ", WarningKind::kAlignment},
    Sign{"the distorted does not stay in step", WarningKind::kAlignment},
    Sign{"the distorted stands still", WarningKind::kAlignment},
    Sign{"found no offset within", WarningKind::kAlignment},
    Sign{"sync timestamp paired", WarningKind::kAlignment},
    Sign{"the two sides differ in colour", WarningKind::kColour},
    Sign{"the samples of the two sides mean different light", WarningKind::kColour},
    Sign{" goes on; the common ", WarningKind::kLengths},
};

}  // namespace

WarningKind warning_kind(std::string_view text) {
  const auto sign = std::ranges::find_if(kSigns, [&](const Sign& s) { return text.find(s.part) != std::string_view::npos; });
  return sign == kSigns.end() ? WarningKind::kOther : sign->kind;
}

const char* warning_kind_name(WarningKind kind) {
  switch (kind) {
    case WarningKind::kAlignment: return "alignment";
    case WarningKind::kColour: return "colour";
    case WarningKind::kLengths: return "lengths";
    case WarningKind::kOther: break;
  }
  return "other";
}

}  // namespace vmafbatch::report
