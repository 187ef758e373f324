// What the program says on standard error. A terminal that is gone, a pipe that nobody reads and a full disk lose the text, not the run.
#pragma once

#include <cstdio>
#include <string>

namespace vmafbatch::cli {

// A line, with its end.
inline void tell(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

}  // namespace vmafbatch::cli
