#include "extractors/cambi_setup.h"

#include <algorithm>
#include <cstdint>

namespace vmafbatch::extractors {
namespace {

constexpr int kSmallestLongSide = 216;

std::string size_text(const CambiView& view) { return std::to_string(view.width) + "x" + std::to_string(view.height); }

CambiView view_of(int width, int height, const io::PictureFormat& format) {
  if (width == 0 || height == 0) return {format.width, format.height};
  return {width, height};
}

bool speedup_applies(int threshold, const CambiView& view) {
  const std::int64_t pixels = std::int64_t{view.width} * view.height;
  switch (threshold) {
    case 1080: return pixels >= 1920 * 1080;
    case 1440: return pixels >= 2560 * 1440;
    case 2160: return pixels >= 3840 * 2160;
    default: return false;
  }
}

// window_size is meant for 3840x2160: 375 * 16 = 3840 + 2160.
int window_of(int window_size, const CambiView& view, bool half) {
  int side = window_size * (view.width + view.height) / 375 / 16;
  if (half) side = (side + 1) / 2;
  return side | 1;
}

Status check_sizes(const CambiView& encoded, const CambiView& source) {
  for (const CambiView& view : {encoded, source}) {
    if (view.width < kSmallestLongSide && view.height < kSmallestLongSide) {
      return Error{"needs a width or height of at least 216, and scores at " + size_text(view)};
    }
  }
  if ((source.width > encoded.width && source.height < encoded.height) ||
      (source.width < encoded.width && source.height > encoded.height)) {
    return Error{"the source size " + size_text(source) + " must not be wider and lower, or narrower and higher, than the encoded size " +
                 size_text(encoded) + "; change src_width and src_height"};
  }
  return {};
}

}  // namespace

const std::string& cambi_eotf_name(const Options& options) {
  const std::string& own = options.text("cambi_eotf");
  return own != "bt1886" ? own : options.text("eotf");
}

Result<CambiSetup> make_cambi_setup(const Options& options, const io::PictureFormat& format) {
  CambiSetup setup;
  setup.encoded = view_of(options.integer("enc_width"), options.integer("enc_height"), format);
  if (setup.encoded.width > format.width || setup.encoded.height > format.height) setup.encoded = {format.width, format.height};
  setup.source = view_of(options.integer("src_width"), options.integer("src_height"), format);
  if (Status sizes = check_sizes(setup.encoded, setup.source); !sizes) return sizes.error();

  setup.half = speedup_applies(options.integer("cambi_high_res_speedup"), setup.encoded);
  for (CambiView* view : {&setup.encoded, &setup.source}) {
    view->window = window_of(options.integer("window_size"), *view, setup.half);
    if (view->window > kCambiLargestWindow) {
      return Error{"the window would have " + std::to_string(view->window) + " samples a side at " + size_text(*view) +
                   ", and the most is 65; give a smaller window_size or cambi_high_res_speedup=1080"};
    }
  }

  const int encoded_depth = options.integer("enc_bitdepth");
  setup.antidither = (encoded_depth == 0 ? format.bit_depth : encoded_depth) < 10;
  setup.steps = 1 << options.integer("max_log_contrast");
  const CambiEotf eotf = cambi_eotf_name(options) == "pq" ? CambiEotf::kPq : CambiEotf::kBt1886;
  setup.thresholds = cambi_thresholds(eotf, options.real("tvi_threshold"), setup.steps);
  setup.dark_limit = cambi_dark_limit(eotf, options.real("cambi_vis_lum_threshold"));
  constexpr double kDefaultShare = 0.6;
  setup.pooled_share = options.real("topk") != kDefaultShare ? options.real("topk") : options.real("cambi_topk");
  return setup;
}

size_t cambi_pooled_count(double share, int width, int height) {
  const size_t all = static_cast<size_t>(width) * static_cast<size_t>(height);
  return std::clamp<size_t>(static_cast<size_t>(share * static_cast<double>(all)), 1, all);
}

}  // namespace vmafbatch::extractors
