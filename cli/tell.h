// What the program says on standard error, all of it. A terminal that is gone, a pipe that nobody reads and a full disk lose the text, not
// the work (fmt::print would throw there); a reader that does not go on holds it up for some seconds (base/teller.h).
#pragma once

#include <string>

#include "base/result.h"
#include "base/teller.h"
#include "cli/commands.h"

namespace vmafbatch::cli {

// Text as it is.
inline void tell_part(const std::string& text) { standard_error().tell(text); }

// A line, with its end.
inline void tell(const std::string& line) { tell_part(line + "\n"); }

// Says why `program` ("vmafbatch diff") could not do its work. Gives the exit code.
inline int refuse(const char* program, const Error& error) {
  tell(std::string(program) + ": " + error.message);
  return kExitError;
}

}  // namespace vmafbatch::cli
