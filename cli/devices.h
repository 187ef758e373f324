// What `devices` and `doctor` say about device modules.
#pragma once

#include <string>

#include "hip/runtime.h"

namespace vmafbatch::cli {

// One line for each module: its file, and where it is and what it drives, or why it is not used.
std::string module_lines(const hip::Runtime& runtime);

}  // namespace vmafbatch::cli
