// What the first bytes of a file say of it. Its length: libavformat reads a Matroska or AVI file that was cut short as if it were whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vmafbatch::io {

// Bytes that the file should have at least, from the size of the Matroska segment or the first RIFF chunk; nothing for other
// containers, for sizes that are left open (live recordings), and where the file cannot be read.
std::optional<std::uint64_t> declared_file_bytes(const std::string& path);

// True where the file begins as a Y4M, Matroska/WebM, MP4/MOV, AVI, IVF, Ogg or FLV file does. Such a file is never raw video: read as
// that, its bytes would give pictures, and scores, of nothing.
bool names_its_container(const std::string& path);

}  // namespace vmafbatch::io
