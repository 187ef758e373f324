// Where the program runs, as the database records it.
#pragma once

#include <cstddef>
#include <string>

namespace vmafbatch {

std::string c_library_text();  // "glibc 2.36"
std::string processor_text();  // the model name, "unknown" where the system does not say
std::string host_name();
std::string command_line_text();  // as it was given, arguments separated by blanks
std::size_t physical_memory_bytes();

}  // namespace vmafbatch
