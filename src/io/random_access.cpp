#include "io/random_access.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace vmafbatch::io {
namespace {

using Bytes = std::span<const std::uint8_t>;

// Calls f(first byte of the unit) for every NAL unit behind a length of `length_bytes` (ISO/IEC 14496-15).
template <class F>
void for_each_sized_unit(Bytes data, size_t length_bytes, F f) {
  while (data.size() > length_bytes) {
    size_t length = 0;
    for (size_t i = 0; i < length_bytes; ++i) length = length << 8 | data[i];
    data = data.subspan(length_bytes);
    if (length == 0 || length > data.size()) return;
    f(data[0]);
    data = data.subspan(length);
  }
}

// The same for units behind start codes 00 00 01 (Annex B of H.264 and H.265).
template <class F>
void for_each_started_unit(Bytes data, F f) {
  for (size_t i = 0; i + 3 < data.size(); ++i) {
    if (data[i] == 0 && data[i + 1] == 0 && data[i + 2] == 1) f(data[i + 3]);
  }
}

// The codec's configuration record begins with version 1; its byte `at` ends with the size of a length, less one. Without such a record
// the units have start codes.
template <class F>
void for_each_unit(const AVPacket& packet, const AVCodecParameters& stream, int at, F f) {
  const Bytes data(packet.data, static_cast<size_t>(packet.size));
  if (stream.extradata_size > at && stream.extradata[0] == 1) {
    for_each_sized_unit(data, (stream.extradata[at] & 3U) + 1, f);
  } else {
    for_each_started_unit(data, f);
  }
}

bool has_idr(const AVPacket& packet, const AVCodecParameters& stream) {
  bool found = false;
  for_each_unit(packet, stream, 4, [&](std::uint8_t first) { found = found || (first & 0x1FU) == 5; });
  return found;
}

bool has_irap(const AVPacket& packet, const AVCodecParameters& stream) {
  bool found = false;
  for_each_unit(packet, stream, 21, [&](std::uint8_t first) {
    const unsigned type = first >> 1U & 0x3FU;
    found = found || (type >= 16 && type <= 21);
  });
  return found;
}

}  // namespace

bool has_random_access(const AVCodecParameters& stream) {
  switch (stream.codec_id) {
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_HEVC:
    case AV_CODEC_ID_VP8:
    case AV_CODEC_ID_VP9:
    case AV_CODEC_ID_AV1:
    case AV_CODEC_ID_MPEG4:
    case AV_CODEC_ID_MPEG2VIDEO:
    case AV_CODEC_ID_FFV1: return true;
    default: break;
  }
  const AVCodecDescriptor* properties = avcodec_descriptor_get(stream.codec_id);
  return properties != nullptr && (properties->props & AV_CODEC_PROP_INTRA_ONLY) != 0;
}

bool is_random_access_point(const AVPacket& packet, const AVCodecParameters& stream) {
  if ((packet.flags & AV_PKT_FLAG_KEY) == 0) return false;
  if (stream.codec_id == AV_CODEC_ID_H264) return has_idr(packet, stream);
  if (stream.codec_id == AV_CODEC_ID_HEVC) return has_irap(packet, stream);
  return true;
}

}  // namespace vmafbatch::io
