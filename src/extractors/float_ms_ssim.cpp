// float_ms_ssim: structural similarity on five dyadic scales, combined as a weighted geometric product. Z. Wang, E. P. Simoncelli,
// A. C. Bovik, "Multiscale structural similarity for image quality assessment", Asilomar Conference on Signals, Systems and Computers,
// 2003; low-pass and window of libvmaf 3.2.0.
#include <algorithm>
#include <array>
#include <cmath>

#include "extractors/all_extractors.h"
#include "extractors/float_ms_ssim_pyramid.h"
#include "extractors/float_ssim_sums.h"
#include "extractors/ssim_decibels.h"

namespace vmafbatch::extractors {
namespace {

constexpr std::array kOptions = {
    OptionSpec{.name = "enable_lcs",
               .type = OptionType::kBool,
               .role = OptionRole::kOutput,
               .default_value = false,
               .help = "also give the means of luminance, contrast and structure at each scale, luma only"},
    kSsimEnableDb,
    kSsimClipDb,
    OptionSpec{.name = "enable_chroma",
               .type = OptionType::kBool,
               .role = OptionRole::kOutput,
               .default_value = false,
               .help = "also score Cb and Cr (off for 4:0:0)"},
};

constexpr size_t kScales = kMsSsimScales;
enum Feature : size_t {
  kScore,
  kLuminance0,
  kContrast0 = kLuminance0 + kScales,
  kStructure0 = kContrast0 + kScales,
  kCb = kStructure0 + kScales,
  kCr
};

constexpr FeatureSpec score(std::string_view name, std::string_view help) {
  return {.internal_name = name, .reported_name = name, .suffixed = false, .help = help};
}
constexpr FeatureSpec luminance(std::string_view name) {
  return {.internal_name = name, .reported_name = name, .suffixed = false, .provided = false, .help = "mean of the luminance factor"};
}
constexpr FeatureSpec contrast(std::string_view name) {
  return {.internal_name = name, .reported_name = name, .suffixed = false, .provided = false, .help = "mean of the contrast factor"};
}
constexpr FeatureSpec structure(std::string_view name) {
  return {.internal_name = name, .reported_name = name, .suffixed = false, .provided = false, .help = "mean of the structure factor"};
}

constexpr std::array kFeatures = {
    score("float_ms_ssim", "multi-scale structural similarity of luma"),
    luminance("float_ms_ssim_l_scale0"),
    luminance("float_ms_ssim_l_scale1"),
    luminance("float_ms_ssim_l_scale2"),
    luminance("float_ms_ssim_l_scale3"),
    luminance("float_ms_ssim_l_scale4"),
    contrast("float_ms_ssim_c_scale0"),
    contrast("float_ms_ssim_c_scale1"),
    contrast("float_ms_ssim_c_scale2"),
    contrast("float_ms_ssim_c_scale3"),
    contrast("float_ms_ssim_c_scale4"),
    structure("float_ms_ssim_s_scale0"),
    structure("float_ms_ssim_s_scale1"),
    structure("float_ms_ssim_s_scale2"),
    structure("float_ms_ssim_s_scale3"),
    structure("float_ms_ssim_s_scale4"),
    score("float_ms_ssim_cb", "multi-scale structural similarity of Cb"),
    score("float_ms_ssim_cr", "multi-scale structural similarity of Cr"),
};
static_assert(kFeatures.size() == kCr + 1);

// The means of the three factors at one scale.
struct ScaleMeans {
  double luminance;
  double contrast;
  double structure;
};
using PlaneMeans = std::array<ScaleMeans, kScales>;

// The means enter by absolute value, where libvmaf 3.2.0 has NaN as soon as one is negative. `keep_sign`: they do not, for dB, where
// libvmaf turns that NaN into the ceiling.
double combined(const PlaneMeans& means, bool keep_sign) {
  const auto base = [&](double mean) { return keep_sign ? mean : std::fabs(mean); };
  double product = 1.0;
  for (size_t k = 0; k < kScales; ++k) {
    const auto exponent = static_cast<double>(kMsSsimExponents[k]);
    const double luminance = std::pow(base(means[k].luminance), static_cast<double>(kMsSsimLuminanceExponents[k]));
    product = product * ((luminance * std::pow(base(means[k].contrast), exponent)) * std::pow(base(means[k].structure), exponent));
  }
  return product;
}

int planes_of(const Options& options, const io::PictureFormat& format) { return options.flag("enable_chroma") ? format.plane_count() : 1; }

class FloatMsSsim final : public Extractor {
 public:
  FloatMsSsim(const Options& options, const ClipInfo& clip)
      : format_(clip.format), planes_(planes_of(options, clip.format)), lcs_(options.flag("enable_lcs")), scale_(options, clip.format) {}

  Needs needs() const override {
    size_t bytes = float_ssim_scratch_bytes(format_.width);
    for (int p = 0; p < planes_; ++p) bytes += 2 * ms_ssim_pyramid_bytes(format_.plane_width(p), format_.plane_height(p));
    return {.bytes_per_frame = bytes};
  }

  std::vector<size_t> outputs() const override {
    std::vector<size_t> list{kScore};
    for (size_t feature = kLuminance0; lcs_ && feature < kCb; ++feature) list.push_back(feature);
    if (planes_ > 1) list.insert(list.end(), {kCb, kCr});
    return list;
  }

  // Slots 3 (5p + k) and the two behind it: the sums of luminance, contrast and structure over the windows of plane p at scale k, doubles.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    out.resize(static_cast<size_t>(planes_) * kScales * 3);
    for (int p = 0; p < planes_; ++p) measure_plane(window.pair(), p, out);
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    const PlaneMeans luma = means_of(measured, 0);
    out.set(kScore, score_of(luma));
    for (size_t k = 0; lcs_ && k < kScales; ++k) {
      out.set(kLuminance0 + k, luma[k].luminance);
      out.set(kContrast0 + k, luma[k].contrast);
      out.set(kStructure0 + k, luma[k].structure);
    }
    if (planes_ == 1) return;
    out.set(kCb, score_of(means_of(measured, 1)));
    out.set(kCr, score_of(means_of(measured, 2)));
  }

 private:
  static size_t slot_of(int plane, size_t scale) { return 3 * (static_cast<size_t>(plane) * kScales + scale); }

  static void measure_plane(const io::FramePair& pair, int plane, Measurements& out) {
    const MsSsimPyramid& reference = shared_ms_ssim_pyramid(pair.reference(), plane);
    const MsSsimPyramid& distorted = shared_ms_ssim_pyramid(pair.distorted(), plane);
    for (size_t k = 0; k < kScales; ++k) {
      const FloatSsimSums sums =
          k == 0 ? shared_float_ssim_sums(pair, plane, 1) : float_ssim_sums(reference.planes[k - 1].view(), distorted.planes[k - 1].view());
      out.set_real(slot_of(plane, k), sums.luminance);
      out.set_real(slot_of(plane, k) + 1, sums.contrast);
      out.set_real(slot_of(plane, k) + 2, sums.structure);
    }
  }

  double score_of(const PlaneMeans& means) const { return scale_(combined(means, scale_.decibels())); }

  PlaneMeans means_of(const Measurements& measured, int plane) const {
    PlaneMeans means{};
    int width = format_.plane_width(plane);
    int height = format_.plane_height(plane);
    for (size_t k = 0; k < kScales; ++k) {
      const double windows = ssim_window_count(width, height);
      const auto mean = [&](size_t i) { return static_cast<double>(static_cast<float>(measured.real(slot_of(plane, k) + i) / windows)); };
      means[k] = {mean(0), mean(1), mean(2)};
      width = half_side(width);
      height = half_side(height);
    }
    return means;
  }

  io::PictureFormat format_;
  int planes_;
  bool lcs_;
  SsimScale scale_;
};

// The coarsest scale must hold a window: 11 << 4.
constexpr int kSmallestSide = kSsimTaps << (kMsSsimScales - 1);

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  const std::string limit = std::to_string(kSmallestSide) + "x" + std::to_string(kSmallestSide);
  for (int p = 0; p < planes_of(options, clip.format); ++p) {
    const int width = clip.format.plane_width(p);
    const int height = clip.format.plane_height(p);
    if (std::min(width, height) >= kSmallestSide) continue;
    if (p == 0) return unsupported(kFloatMsSsim, clip, "needs at least " + limit);
    return unsupported(kFloatMsSsim, clip,
                       "enable_chroma needs chroma planes of at least " + limit + ", and they are " + std::to_string(width) + "x" +
                           std::to_string(height));
  }
  return make_extractor<FloatMsSsim>(options, clip);
}

}  // namespace

const ExtractorInfo kFloatMsSsim = {
    .name = "float_ms_ssim",
    .summary = "Structural similarity on five dyadic scales, combined as a weighted geometric product.",
    .range = "0 .. 1, a little above 1 at times, or dB with enable_db; higher is better",
    .source =
        "Z. Wang, E. P. Simoncelli, A. C. Bovik, Multiscale structural similarity for image quality assessment, Asilomar Conf. Signals, "
        "Systems and Computers, 2003",
    .options = kOptions,
    .features = kFeatures,
    .create = create,
};

}  // namespace vmafbatch::extractors
