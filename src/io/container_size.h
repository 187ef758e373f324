// How long a container says it is: libavformat reads a Matroska or AVI file that was cut short as if it were whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vmafbatch::io {

// Bytes that the file should have at least, from the size of the Matroska segment or the first RIFF chunk; nothing for other
// containers, for sizes that are left open (live recordings), and where the file cannot be read.
std::optional<std::uint64_t> declared_file_bytes(const std::string& path);

}  // namespace vmafbatch::io
