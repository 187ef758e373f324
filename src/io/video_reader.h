// Decodes one video file, picture by picture, into native planar samples. Everything goes through libavformat and libavcodec
// (software decoders only); the picture that comes out does not depend on the processor or on the number of threads.
//
// The codec's own cropping is applied; rotation and other display hints are recorded, never applied; range and matrix are
// never converted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/file_identity.h"
#include "io/frame.h"
#include "io/frame_pool.h"
#include "io/picture_format.h"
#include "io/raw_geometry.h"
#include "io/read_limits.h"
#include "io/scaler.h"

namespace vmafbatch::io {

struct ReaderOptions {
  std::optional<RawGeometry> raw;  // the file is raw planar video of this shape
  int threads = 1;                 // of the decoder; 1: decode in the calling thread
  bool convert = false;            // accept pixel formats (RGB, 4:1:1 ...) that only a lossy conversion brings to Y, Cb, Cr
  ReadLimits limits{};             // how long reading the file may take
};

// As the stream is tagged, in FFmpeg's names ("tv", "bt709", "smpte2084"); empty where it is not.
struct ColourTags {
  std::string range, matrix, primaries, transfer;

  bool operator==(const ColourTags&) const = default;
};

struct StreamInfo {
  PictureFormat format;       // as next() delivers pictures: size, chroma and depth after set_output()
  PictureFormat source;       // the same before scaling and conversion
  std::string native_format;  // FFmpeg's name of the decoder's pixel format
  bool rgb = false;           // that format is RGB
  int native_bit_depth = 8;   // 9 and 14 are delivered as 10 and 16
  std::string codec;          // "h264"
  std::string container;      // "mov,mp4,m4a,3gp,3g2,mj2"
  FileIdentity file;          // as it was when it was opened
  ColourTags colour;
  double rotation_degrees = 0;  // what a player would turn the picture by, clockwise
  int fps_numerator = 0;        // 0 where the stream says nothing
  int fps_denominator = 1;
  std::optional<std::int64_t> declared_frames;  // only where the container's count can be trusted
  std::optional<double> duration_s;
};

// How the pictures are to be delivered.
struct OutputFormat {
  PictureFormat format;
  Scaler scaler = Scaler::kBicubic;
  // For sources in RGB: the matrix and range of the Y, Cb, Cr to make ("bt709", "tv"); empty: BT.709, limited.
  std::string rgb_matrix{}, rgb_range{};
};

struct ReadResult {
  enum class Kind { kFrame, kEnd, kDamage };

  Kind kind = Kind::kEnd;
  std::shared_ptr<const Frame> frame;  // kFrame
  std::string text;                    // kDamage: one sentence with the file and the frame number
};

// One thread at a time.
class VideoReader {
 public:
  // Opens the first video stream that is no cover picture and decodes its first picture. `path` is any byte string.
  static Result<std::unique_ptr<VideoReader>> open(const std::string& path, const ReaderOptions& options);
  virtual ~VideoReader() = default;

  virtual const StreamInfo& info() const = 0;

  // What was done to the pictures ("scaled 320x180 -> 640x360 bicubic"), several joined by "; "; empty: nothing that changes them.
  virtual const std::string& done_to_pictures() const = 0;

  // Asks for another size, chroma layout or a greater depth. An error where the source cannot be brought there: another size with
  // Scaler::kNone, another layout or depth without ReaderOptions::convert, a smaller depth.
  // REQUIRES: no frame was read or skipped yet.
  virtual Status set_output(const OutputFormat& output) = 0;

  // The next picture, the end, or the damage. After an end or a damage every further call repeats it.
  virtual ReadResult next(FramePool& pool) = 0;

  // As next(), for a picture that nobody will look at: `frame` is null.
  virtual ReadResult skip() = 0;

  // Goes on with picture `number` (from 0), which is known to be presented `time_ns` nanoseconds after the first one. False where the
  // stream has no safe way there (no key picture at or before it that can be trusted, no picture of exactly that time): the reader may
  // then not be used any more. REQUIRES: no picture was read or skipped yet.
  virtual bool seek(std::int64_t number, std::int64_t time_ns) = 0;

  // Presentation time in seconds of the picture that next() or skip() would deliver, counted from the stream's first picture.
  // Nothing at the end, at damage, or where the container has no times.
  virtual std::optional<double> peek_time_s() = 0;

  // Of the whole file (base/content_hash.h), once its end was reached; nothing where this pass left out too much of it, as after a seek.
  virtual const std::optional<std::string>& content_hash() const = 0;

  // A sentence where the file is not what it was when it was opened. At the end of the stream next() says so; this is for a reader that
  // stops before it.
  virtual std::optional<std::string> changed() = 0;
};

}  // namespace vmafbatch::io
