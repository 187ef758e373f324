// Where the program runs, as the database records it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace vmafbatch {

std::string c_library_text();  // "glibc 2.36"
std::string processor_text();  // the model name, "unknown" where the system does not say
std::string host_name();
// As it was given, arguments separated by blanks; what is longer than 64 KiB (thousands of files) ends with "... (N more bytes)".
std::string command_line_text();
// The same of any text, cut between characters.
std::string shortened(std::string text, std::size_t most_bytes);
std::size_t physical_memory_bytes();
// What may still be written on the file system of `path`, or of its folder where it is not there; nothing where nobody can say.
std::optional<std::uint64_t> free_bytes_at(const std::string& path);

}  // namespace vmafbatch
