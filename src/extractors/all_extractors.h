// The descriptions of all extractors; each is defined in the extractor's own file.
#pragma once

#include "extractors/extractor.h"

namespace vmafbatch::extractors {

extern const ExtractorInfo kPsnr;

}  // namespace vmafbatch::extractors
