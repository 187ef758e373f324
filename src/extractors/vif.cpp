// vif: visual information fidelity on four scales in fixed point. H. R. Sheikh and A. C. Bovik, "Image information and visual
// quality", IEEE Transactions on Image Processing 15(2), 2006, pixel domain; integer form and constants of libvmaf.
#include <array>

#include "extractors/all_extractors.h"
#include "extractors/vif_features.h"
#include "extractors/vif_pyramid.h"
#include "extractors/vif_simd.h"
#include "extractors/vif_sums.h"

namespace vmafbatch::extractors {
namespace {

constexpr std::array kOptions = {kVifDebug, kVifGainLimit, kVifSkipScale0};

constexpr std::array kFeatures = {
    frame_feature("VMAF_integer_feature_vif_scale0_score", "integer_vif_scale0", "visual information fidelity at full resolution"),
    frame_feature("VMAF_integer_feature_vif_scale1_score", "integer_vif_scale1", "visual information fidelity at half resolution"),
    frame_feature("VMAF_integer_feature_vif_scale2_score", "integer_vif_scale2",
                  "visual information fidelity at a quarter of the resolution"),
    frame_feature("VMAF_integer_feature_vif_scale3_score", "integer_vif_scale3",
                  "visual information fidelity at an eighth of the resolution"),
    frame_feature("integer_vif", "visual information fidelity of all scales together"),
    frame_feature("integer_vif_num", "information that the distorted picture keeps, all scales"),
    frame_feature("integer_vif_den", "information of the reference, all scales"),
    frame_feature("integer_vif_num_scale0", "information that the distorted picture keeps at scale 0"),
    frame_feature("integer_vif_den_scale0", "information of the reference at scale 0"),
    frame_feature("integer_vif_num_scale1", "information that the distorted picture keeps at scale 1"),
    frame_feature("integer_vif_den_scale1", "information of the reference at scale 1"),
    frame_feature("integer_vif_num_scale2", "information that the distorted picture keeps at scale 2"),
    frame_feature("integer_vif_den_scale2", "information of the reference at scale 2"),
    frame_feature("integer_vif_num_scale3", "information that the distorted picture keeps at scale 3"),
    frame_feature("integer_vif_den_scale3", "information of the reference at scale 3"),
};

static_assert(kVifAll == kVifScales);

// One row behind the vertical pass, as the plain path keeps it and as the fast path does.
size_t scratch_bytes(int width) { return sizeof(VifMoments) * static_cast<size_t>(width) + VifRows::bytes_of(width); }

class Vif final : public Extractor {
 public:
  Vif(const Options& options, const ClipInfo& clip)
      : gain_limit_(options.real("vif_enhn_gain_limit")),
        skip_scale0_(options.flag("vif_skip_scale0")),
        debug_(options.flag("debug")),
        bytes_(2 * vif_pyramid_bytes(clip.format.width, clip.format.height) + scratch_bytes(clip.format.width)) {}

  Needs needs() const override { return {.bytes_per_frame = bytes_}; }

  std::vector<size_t> outputs() const override { return first_features(debug_ ? kFeatures.size() : kVifScales); }

  // Slots 4s .. 4s+3: the four integers of VifSums at scale s, in their order; all zero for a scale that is left out.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    out.resize(kSlotsPerScale * kVifScales);
    for (int scale = skip_scale0_ ? 1 : 0; scale < kVifScales; ++scale) {
      const VifSums sums = vif_scale_sums(window.pair(), scale, gain_limit_);
      const size_t slot = kSlotsPerScale * static_cast<size_t>(scale);
      out.set_signed(slot, sums.log_numerator);
      out.set_signed(slot + 1, sums.log_denominator);
      out.set_signed(slot + 2, sums.flat_variance);
      out.set_signed(slot + 3, sums.flat_pixels);
    }
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    std::array<VifParts, kVifScales> scales{};
    if (skip_scale0_) out.set(kVifScore0, 0.0);
    for (size_t scale = skip_scale0_ ? 1 : 0; scale < kVifScales; ++scale) {
      const size_t slot = kSlotsPerScale * scale;
      const VifSums sums{measured.signed_integer(slot), measured.signed_integer(slot + 1), measured.signed_integer(slot + 2),
                         measured.signed_integer(slot + 3)};
      const float kept = vif_numerator(sums);
      const float given = vif_denominator(sums);
      out.set(kVifScore0 + scale, static_cast<double>(kept / given));
      scales[scale] = {static_cast<double>(kept), static_cast<double>(given)};
    }
    if (debug_) set_vif_debug_features(scales, skip_scale0_, out);
  }

 private:
  static constexpr size_t kSlotsPerScale = 4;

  double gain_limit_;
  bool skip_scale0_;
  bool debug_;
  size_t bytes_;
};

// Below 8 a scale is empty and has no score; below 16 scale 3 has a side of one sample, which libvmaf defines by accident (vif_sums).
constexpr int kSmallestSide = 8;

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  if (clip.format.width < kSmallestSide || clip.format.height < kSmallestSide) return unsupported(kVif, clip, "needs at least 8x8");
  return make_extractor<Vif>(options, clip);
}

}  // namespace

const ExtractorInfo kVif = {
    .name = "vif",
    .summary = "Visual information fidelity on four scales, in fixed point: how much of the reference's information survives.",
    .range = "about 0 .. 1, above 1 where contrast is enhanced; higher is better",
    .source = "H. R. Sheikh, A. C. Bovik, Image information and visual quality, IEEE Trans. Image Processing 15(2), 2006",
    .options = kOptions,
    .features = kFeatures,
    .create = create,
};

}  // namespace vmafbatch::extractors
