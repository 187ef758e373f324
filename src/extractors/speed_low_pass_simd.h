// The fast path of speed_low_pass; speed_low_pass.h chooses.
#pragma once

#include "extractors/speed_low_pass.h"

namespace vmafbatch::extractors {

// As speed_low_pass. Reads and resizes only the rows that the decimation keeps something of.
FloatPlane fast_speed_low_pass(const SpeedSource& source, const SpeedShape& shape);
size_t fast_speed_low_pass_bytes(int width, int height, const SpeedShape& shape);

}  // namespace vmafbatch::extractors
