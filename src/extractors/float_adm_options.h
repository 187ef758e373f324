// What the parts of float_adm read from its options; the twin on a device reads the same.
#pragma once

#include "extractors/float_adm_csf.h"
#include "extractors/float_adm_sums.h"
#include "extractors/options.h"

namespace vmafbatch::extractors::float_adm {

// REQUIRES: the options of float_adm
CsfSettings csf_settings(const Options& options);
SumSettings sum_settings(const Options& options);

}  // namespace vmafbatch::extractors::float_adm
