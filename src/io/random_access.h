// Where decoding may begin in the middle of a stream and still give every later picture as a decoder does that began at its start.
// Private to this room.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
}

namespace vmafbatch::io {

// True for codecs whose key packets can be told from the packets that a container or parser takes for such (recovery points, pictures
// of a gradual refresh, after which pictures are only nearly right).
bool has_random_access(const AVCodecParameters& stream);

// True where the packet begins with a picture that needs none before it, and no picture that is presented after it does: an IDR picture
// of H.264 (7.4.1.2.4 of ITU-T H.264), an IRAP picture of H.265 (3.70 of ITU-T H.265), a key frame of the others.
// REQUIRES: has_random_access(stream)
bool is_random_access_point(const AVPacket& packet, const AVCodecParameters& stream);

}  // namespace vmafbatch::io
