#include "io/decoder_version.h"

extern "C" {
#include <libavcodec/avcodec.h>
}

namespace vmafbatch::io {

std::string decoder_version() {
  const unsigned version = avcodec_version();
  return "libavcodec " + std::to_string(AV_VERSION_MAJOR(version)) + "." + std::to_string(AV_VERSION_MINOR(version)) + "." +
         std::to_string(AV_VERSION_MICRO(version));
}

}  // namespace vmafbatch::io
