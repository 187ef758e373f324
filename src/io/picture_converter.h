// Brings decoded pictures to the format that is scored: gathers their samples and, where it was asked for, scales and converts them.
// Private to this room.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "io/av_handles.h"
#include "io/frame.h"
#include "io/frame_pool.h"
#include "io/video_reader.h"

namespace vmafbatch::io {

// One thread at a time. Steps, each left out where it has nothing to do: gather into planes -> libswscale (size, chroma layout, RGB) ->
// shift up to the depth.
class PictureConverter {
 public:
  // The format in which pictures of `native` can be scored without scaling; an error where that needs `convert`.
  static Result<PictureFormat> source_format(AVPixelFormat native, int width, int height, bool convert);

  // REQUIRES: source_format(native, ...) gave `source`. The errors are those of VideoReader::set_output().
  static Result<std::unique_ptr<PictureConverter>> create(AVPixelFormat native, const PictureFormat& source, const OutputFormat& output,
                                                          bool convert);

  // The picture as it is scored, or the sentence part that says what is wrong with it.
  Result<std::shared_ptr<Frame>> convert(const AVFrame& picture, FramePool& pool);

  // What is done ("scaled 320x180 -> 640x360 bicubic; 4:2:2 -> 4:2:0"); empty: nothing that changes the picture.
  const std::string& done() const { return done_; }

 private:
  PictureConverter() = default;

  Status open_scaler(AVPixelFormat from, const PictureFormat& source, const OutputFormat& output);

  PictureFormat output_;
  bool gather_first_ = false;  // before libswscale
  FramePtr planar_;            // what is given to libswscale
  FramePtr scaled_;            // what libswscale makes
  SwsContextPtr scaler_;
  std::string done_;
};

}  // namespace vmafbatch::io
