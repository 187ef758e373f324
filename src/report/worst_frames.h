// The frames of a scored clip as pictures: reference, distorted and their amplified difference side by side, with a caption. The frames
// are decoded again exactly as they were scored; a file that is not the one that was scored is refused.
//
//   auto plan = plan_pictures(database, {.clip = "film_720p", .worst = 3, .feature = "vmaf"});
//   database = nullptr;  // decoding takes long, and needs none
//   auto pictures = frame_pictures(*plan, {});
//   for (const FramePicture& picture : *pictures) if (picture.problem.empty()) send(picture.media_type, picture.bytes);
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/picture_writer.h"
#include "report/scored_pair.h"

namespace vmafbatch::report {

// Which frames of which scoring.
struct FrameWish {
  std::optional<std::int64_t> scoring = std::nullopt;  // its id; or
  std::string clip{};                                  // a name: the newest finished scoring
  std::optional<std::string> label = std::nullopt;     // ... under this label

  std::vector<std::int64_t> frames{};  // by number; and
  int worst = 0;                       // so many, the worst first (worst_frames() below), of
  std::string feature{};               // this feature; empty: the first model score, else the first feature that tells quality
  std::vector<std::string> among{};    // ... of those that match one of these patterns (base/glob.h); none: of all
};

// A frame that is wanted, and what the database says of it.
struct WantedFrame {
  std::int64_t frame = 0;
  std::string feature;                                 // of which it is one of the worst; empty: asked for by number
  size_t rank = 0;                                     // from 1; 0: asked for by number
  size_t place = 0;                                    // in the wish's order, from 0
  std::vector<std::pair<std::string, double>> scores;  // in the order of reports; empty: it was not reported
};

struct PicturePlan {
  ScoredPair scored;
  std::vector<WantedFrame> frames;  // in the wish's order (numbers first, then the worst), each once
};

struct PictureOptions {
  io::ImageFormat format = io::ImageFormat::kPng;
  double amplify = 8;                   // difference of 8-bit samples times this, at most 255
  int max_width = 1920;                 // of the whole picture; larger ones are scaled down. At least kLeastWidth (side_by_side.h)
  int decoder_threads = 1;              // of each decoder
  std::function<bool()> should_stop{};  // true: give up with an error (ScoredReaderOptions). May be empty.
};

struct FramePicture {
  size_t place = 0;  // in the wish's order, from 0
  std::int64_t frame = 0;
  std::string clip;
  std::string label;
  std::optional<double> time_s;                        // frame / fps, as in reports; nothing where the rate is not known
  std::string feature;                                 // of which it is one of the worst; empty: asked for by number
  std::vector<std::pair<std::string, double>> scores;  // of this frame, in the order of reports; empty: it was not reported
  std::vector<std::string> caption;                    // the lines in the picture
  std::string bytes;                                   // of a PNG or JPEG file
  std::string media_type;                              // "image/png"
  int width = 0;
  int height = 0;
  std::string problem;  // one sentence: why there is no picture; bytes are empty then
};

// All that the pictures need of the database. Error, one sentence: no such clip, no finished scoring, an imported or failed one, no such
// feature, options that cannot be read, a database that cannot. Throws nothing.
Result<PicturePlan> plan_pictures(SQLite::Database& database, const FrameWish& wish);
// The same for use inside ReportDatabase::read(): a database that cannot be read is an SQLite::Exception, and the Error is of the wish.
Result<PicturePlan> plan_pictures_inside_read(SQLite::Database& database, const FrameWish& wish);

// The pictures, in the wish's order. Frames are decoded in rising order, not beyond the last one, and sought where that is safe
// (report/scored_reader.h).
// Error, one sentence: files that are missing or have changed since they were scored, also while they are decoded; should_stop. A frame
// that is not in the clip, or that cannot be decoded any more, has a `problem`; the others are shown. Threads: any. Throws nothing.
Result<std::vector<FramePicture>> frame_pictures(const PicturePlan& plan, const PictureOptions& options);

// The same one by one, in the order of decoding, for those who keep no pictures. An error of `take` ends it and is returned.
using TakePicture = std::function<Status(FramePicture)>;
Status each_frame_picture(const PicturePlan& plan, const PictureOptions& options, const TakePicture& take);

// The numbers of the worst frames of one column (scoring_feature.id) of a scoring, the worst first: the highest values where lower is
// better, else the lowest (report/feature_direction.h). inf and -inf count by their order like every value; equal values by frame number.
// Fewer where there are fewer. Throws SQLite::Exception.
std::vector<std::int64_t> worst_frames(SQLite::Database& database, std::int64_t scoring_feature, const std::string& feature, int count);

}  // namespace vmafbatch::report
