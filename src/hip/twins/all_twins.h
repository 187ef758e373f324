// The descriptions of all twins, each defined in its own file.
#pragma once

#include "hip/twin.h"

namespace vmafbatch::hip {

extern const TwinInfo kAdmTwin;
extern const TwinInfo kFloatAdmTwin;
extern const TwinInfo kFloatMomentTwin;
extern const TwinInfo kFloatMotionTwin;
extern const TwinInfo kFloatPsnrTwin;
extern const TwinInfo kFloatVifTwin;
extern const TwinInfo kMotionTwin;
extern const TwinInfo kMotionV2Twin;
extern const TwinInfo kPsnrTwin;
extern const TwinInfo kVifTwin;

}  // namespace vmafbatch::hip
