// The decoding library, as the database and `doctor` name it.
#pragma once

#include <string>

namespace vmafbatch::io {

// "libavcodec 59.37.100": of the library that runs, not of the headers.
std::string decoder_version();

}  // namespace vmafbatch::io
