// cambi: banding in the distorted picture. P. Tandon, M. Afonso, J. Sole, L. Krasula, "CAMBI: Contrast-aware multiscale banding
// index", Picture Coding Symposium 2021, in libvmaf's later form.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "extractors/all_extractors.h"
#include "extractors/cambi_heatmap.h"
#include "extractors/cambi_scales.h"
#include "extractors/tables.h"

namespace vmafbatch::extractors {
namespace {

constexpr OptionSpec text(std::string_view name, std::string_view alias, OptionRole role, std::string_view value, std::string_view help) {
  return {.name = name, .alias = alias, .type = OptionType::kText, .role = role, .default_value = value, .help = help};
}

constexpr std::array kOptions = {
    real_option("cambi_max_val", "cmxv", 1000.0, 0.0, 1000.0, "larger values are reported as this one"),
    integer_option("enc_width", "encw", 0, 180, 7680, "width the picture was encoded at, luma samples; it is scored at that size"),
    integer_option("enc_height", "ench", 0, 150, 7680, "height the picture was encoded at, luma samples"),
    integer_option("enc_bitdepth", "encbd", 0, 6, 16, "bit depth it was encoded at; below 10, dithering is filtered away"),
    integer_option("src_width", "srcw", 0, 320, 7680, "width that the source is scored at, luma samples"),
    integer_option("src_height", "srch", 0, 200, 4320, "height that the source is scored at, luma samples"),
    integer_option("window_size", "ws", 65, 15, 127, "side of the window at 3840x2160, luma samples; smaller pictures take a smaller one"),
    real_option("topk", "", 0.6, 0.0001, 1.0, "share of the picture, the worst part, that is pooled; wins over cambi_topk"),
    real_option("cambi_topk", "ctpk", 0.6, 0.0001, 1.0, "share of the picture, the worst part, that is pooled"),
    real_option("tvi_threshold", "tvit", 0.019, 0.0001, 1.0, "smallest change of luminance that is visible, as a share of it"),
    real_option("cambi_vis_lum_threshold", "vlt", 0.0, 0.0, 300.0, "luminance below which banding is invisible, cd/m2"),
    integer_option("max_log_contrast", "mlc", 2, 0, 5, "largest contrast looked for, as a power of two of 10-bit sample values"),
    text("heatmaps_path", "", OptionRole::kOutput, "", "folder for pictures of the banding, 16-bit grey, one per frame and scale"),
    output_option("full_ref", false, "also score the reference, and the difference"),
    text("eotf", "", OptionRole::kKey, "bt1886", "transfer function: bt1886 or pq"),
    text("cambi_eotf", "ceot", OptionRole::kKey, "bt1886", "transfer function: bt1886 or pq; wins over eotf"),
    integer_option("cambi_high_res_speedup", "hrs", 0, 0, 2160,
                   "1080, 1440 or 2160: pictures from this size on are halved first; else off"),
};

enum Feature : size_t { kScore, kSource, kFullReference };

constexpr FeatureSpec plain(std::string_view name, std::string_view help) {
  return {.internal_name = name, .reported_name = name, .suffixed = false, .provided = false, .help = help};
}
constexpr std::array kFeatures = {
    FeatureSpec{.internal_name = "Cambi_feature_cambi_score", .reported_name = "cambi", .help = "banding in the distorted picture"},
    plain("cambi_source", "banding in the reference"),
    plain("cambi_full_reference", "banding that the distorted picture has more than the reference, at least 0"),
};

class Cambi final : public Extractor {
 public:
  Cambi(const Options& options, const CambiSetup& setup, std::optional<CambiHeatmaps> heatmaps)
      : setup_(setup),
        full_reference_(options.flag("full_ref")),
        largest_value_(options.real("cambi_max_val")),
        source_key_("cambi source " + options_text(options)),
        heatmaps_(std::move(heatmaps)) {}

  Needs needs() const override {
    size_t bytes = cambi_picture_bytes(setup_.encoded);
    size_t scratch = cambi_sums_bytes(setup_.encoded, setup_);
    if (heatmaps_) scratch += cambi_picture_bytes(setup_.encoded);  // the samples of one map
    if (full_reference_) {
      bytes += cambi_picture_bytes(setup_.source);
      scratch = std::max(scratch, cambi_sums_bytes(setup_.source, setup_));
    }
    return {.reference = full_reference_, .bytes_per_frame = bytes + scratch};
  }

  std::vector<size_t> outputs() const override {
    if (full_reference_) return {kScore, kSource, kFullReference};
    return {kScore};
  }

  // Slot s: the sum of the pooled contrasts of the distorted picture at scale s; slot 5 + s: that of the reference, with full_ref.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    out.resize(full_reference_ ? 2 * kCambiScales : kCambiScales);
    CambiContrastVisitor visit;
    if (heatmaps_) {
      visit = [&](int scale, io::Plane<const float> contrasts) { heatmaps_->write(window.index(), scale, contrasts); };
    }
    const CambiPicture& distorted = cambi_picture(window.distorted(), setup_.encoded, setup_.antidither);
    store(cambi_sums(distorted, setup_.encoded, setup_, visit), 0, out);
    if (!full_reference_) return;
    const CambiSums& source = window.reference().derived().get<CambiSums>(source_key_, [&] {
      return cambi_sums(cambi_picture(window.reference(), setup_.source, setup_.antidither), setup_.source, setup_, {});
    });
    store(source, kCambiScales, out);
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    const double distorted = score(measured, 0, setup_.encoded);
    out.set(kScore, std::min(distorted, largest_value_));
    if (!full_reference_) return;
    const double source = score(measured, kCambiScales, setup_.source);
    out.set(kSource, std::min(source, largest_value_));
    out.set(kFullReference, std::min(std::max(0.0, distorted - source), largest_value_));
  }

 private:
  static void store(const CambiSums& sums, size_t first_slot, Measurements& out) {
    for (size_t scale = 0; scale < sums.sums.size(); ++scale) out.set_real(first_slot + scale, sums.sums[scale]);
  }

  // The scales' means, each scale with twice the weight of the next, over the size of the window.
  double score(const Measurements& measured, size_t first_slot, const CambiView& view) const {
    double weighted = 0.0;
    for (int scale = 0; scale < kCambiScales; ++scale) {
      const CambiView size = cambi_scale_view(view, setup_.half, scale);
      const auto count = static_cast<double>(cambi_pooled_count(setup_.pooled_share, size.width, size.height));
      const double mean = measured.real(first_slot + static_cast<size_t>(scale)) / count;
      weighted += mean * (1 << (kCambiScales - 1 - scale));
    }
    return weighted / static_cast<double>(view.window * view.window);
  }

  CambiSetup setup_;
  bool full_reference_;
  double largest_value_;
  std::string source_key_;
  std::optional<CambiHeatmaps> heatmaps_;
};

// Of the two options of the transfer function only the one that wins is looked at, as in the reference.
Status check_options(const Options& options) {
  const std::string& name = cambi_eotf_name(options);
  if (name == "bt1886" || name == "pq") return {};
  const std::string option = options.text("cambi_eotf") == name ? "cambi_eotf" : "eotf";
  return Error{"option " + option + " is one of bt1886, pq, not \"" + name + "\""};
}

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  const Result<CambiSetup> setup = make_cambi_setup(options, clip.format);
  if (!setup) return unsupported(kCambi, clip, setup.error().message);
  std::optional<CambiHeatmaps> heatmaps;
  if (const std::string& folder = options.text("heatmaps_path"); !folder.empty()) {
    Result<CambiHeatmaps> made = CambiHeatmaps::create(folder, clip.name, key_suffix(options), setup->encoded, setup->steps);
    if (!made) return made.error();
    heatmaps = std::move(*made);
  }
  return std::unique_ptr<Extractor>(std::make_unique<Cambi>(options, *setup, std::move(heatmaps)));
}

}  // namespace

const ExtractorInfo kCambi = {
    .name = "cambi",
    .summary = "Contrast-aware multiscale banding index: visible contours in flat areas of the distorted picture.",
    .range = "0 .. about 24, lower is better; 0: no banding, 5: annoying",
    .source = "P. Tandon, M. Afonso, J. Sole, L. Krasula, CAMBI: Contrast-aware multiscale banding index, Picture Coding Symposium 2021",
    .options = kOptions,
    .features = kFeatures,
    .check_options = check_options,
    .create = create,
};

}  // namespace vmafbatch::extractors
