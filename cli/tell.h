// What the program says on standard error. A terminal that is gone, a pipe that nobody reads and a full disk lose the text, not the run;
// a reader that does not go on holds it up for some seconds (base/teller.h).
#pragma once

#include <string>

#include "base/teller.h"

namespace vmafbatch::cli {

// A line, with its end.
inline void tell(const std::string& line) { standard_error().tell(line + "\n"); }

}  // namespace vmafbatch::cli
