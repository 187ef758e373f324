// The words of the reports of a comparison. Texts are one line of UTF-8 each, whatever bytes the databases hold.
#pragma once

#include <string>

#include "store/diff.h"

namespace vmafbatch::store {

const char* kind_name(Difference::Kind kind);  // "frames", for programs

std::string clip_text(const ClipDifference& clip);  // "film [label]"
std::string difference_text(const Difference& difference);
std::string cause_text(const Cause& cause);
std::string summary_text(const DiffSummary& summary);

}  // namespace vmafbatch::store
