// What is wrong with a Y4M header: libavformat does not say it, or reads rubbish as something else. Private to this room.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace vmafbatch::io {

// A sentence part for the first thing that is wrong; nothing where `head`, the file's first bytes, is no Y4M file or nothing is found.
// The format: wiki.multimedia.cx/index.php/YUV4MPEG2
std::optional<std::string> y4m_header_fault(std::span<const std::byte> head);

}  // namespace vmafbatch::io
