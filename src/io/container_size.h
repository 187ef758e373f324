// What the first bytes of a file (4096 are enough) say of it. Its length: libavformat reads a Matroska or AVI file that was cut short as
// if it were whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace vmafbatch::io {

// Bytes that the file should have at least, from the size of the Matroska segment or the first RIFF chunk; nothing for other
// containers and for sizes that are left open (live recordings).
std::optional<std::uint64_t> declared_file_bytes(std::span<const std::byte> head);

// True where the file begins as a Y4M, Matroska/WebM, MP4/MOV, AVI, IVF, Ogg or FLV file does. Such a file is never raw video: read as
// that, its bytes would give pictures, and scores, of nothing.
bool names_its_container(std::span<const std::byte> head);

}  // namespace vmafbatch::io
