// When the pictures of a file are presented, by its packets alone: read without decoding, so far quicker than a pass over the pictures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/file_identity.h"
#include "io/raw_geometry.h"
#include "io/read_limits.h"

namespace vmafbatch::io {

struct PictureTimes {
  FileIdentity file;             // as it was when it was opened
  std::vector<std::int64_t> ns;  // after the first picture, in order of presentation: those of FramePair's pictures
};

// Nothing where they cannot be known so: no safe way into the middle of the stream (io/random_access.h), packets without times or with
// equal ones, a file that cannot be read to its end, limits. Each packet counts as a picture; whether it gives one only decoding shows, so
// the caller compares the number with that of an earlier pass.
std::optional<PictureTimes> picture_times(const std::string& path, const std::optional<RawGeometry>& raw, const ReadLimits& limits);

}  // namespace vmafbatch::io
