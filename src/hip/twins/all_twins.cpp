#include "hip/twins/all_twins.h"

#include <algorithm>
#include <array>

namespace vmafbatch::hip {

std::span<const TwinInfo* const> all_twins() {
  static constexpr std::array kAll = {
      &kAdmTwin,      &kFloatAdmTwin, &kFloatMomentTwin, &kFloatMotionTwin, &kFloatPsnrTwin,
      &kFloatVifTwin, &kMotionTwin,   &kMotionV2Twin,    &kPsnrTwin,        &kVifTwin,
  };
  return kAll;
}

const TwinInfo* find_twin(std::string_view extractor) {
  const auto twins = all_twins();
  const auto found = std::ranges::find(twins, extractor, &TwinInfo::extractor);
  return found == twins.end() ? nullptr : *found;
}

}  // namespace vmafbatch::hip
