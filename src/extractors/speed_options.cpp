#include "extractors/speed_options.h"

#include <string>

#include "extractors/gaussian_window.h"

namespace vmafbatch::extractors {

Status check_speed_options(const Options& options) { return check_kernel_scale("speed_kernelscale", options.real("speed_kernelscale")); }

Status check_speed_size(const ExtractorInfo& info, const Options& options, const ClipInfo& clip, int plane) {
  const int width = clip.format.plane_width(plane);
  const int height = clip.format.plane_height(plane);
  const SpeedShape shape = speed_shape(options, width, height);
  if (shape.width >= kSmallestSpeedSide && shape.height >= kSmallestSpeedSide) return {};
  const std::string smallest = std::to_string(kSmallestSpeedSide);
  const bool resized = shape.width != width || shape.height != height;
  return unsupported(info, clip,
                     "needs " + std::string(plane == 0 ? "luma" : "chroma") + " planes of at least " + smallest + "x" + smallest +
                         (resized ? " after speed_prescale" : "") + ", these have " + std::to_string(shape.width) + "x" +
                         std::to_string(shape.height));
}

}  // namespace vmafbatch::extractors
