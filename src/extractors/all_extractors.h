// The descriptions of all extractors; each is defined in the extractor's own file.
#pragma once

#include "extractors/extractor.h"

namespace vmafbatch::extractors {

extern const ExtractorInfo kFloatPsnr;
extern const ExtractorInfo kFloatAdm;
extern const ExtractorInfo kFloatVif;
extern const ExtractorInfo kFloatMotion;
extern const ExtractorInfo kFloatMoment;
extern const ExtractorInfo kSpeedChroma;
extern const ExtractorInfo kSpeedTemporal;
extern const ExtractorInfo kFloatMsSsim;
extern const ExtractorInfo kFloatSsim;
extern const ExtractorInfo kCiede;
extern const ExtractorInfo kPsnr;
extern const ExtractorInfo kPsnrHvs;
extern const ExtractorInfo kAdm;
extern const ExtractorInfo kMotion;
extern const ExtractorInfo kVif;
extern const ExtractorInfo kCambi;
extern const ExtractorInfo kMotionV2;
extern const ExtractorInfo kSsim;
extern const ExtractorInfo kSsimulacra2;

}  // namespace vmafbatch::extractors
