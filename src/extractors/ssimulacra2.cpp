// ssimulacra2: structural and edge errors of XYB planes on six scales, as norms in a weighted sum.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "extractors/all_extractors.h"
#include "extractors/ssimulacra2_picture.h"
#include "extractors/ssimulacra2_sums.h"

namespace vmafbatch::extractors {
namespace {

namespace ss2 = ssimulacra2;

constexpr std::array kOptions = {
    OptionSpec{.name = "yuv_matrix",
               .type = OptionType::kInt,
               .role = OptionRole::kValue,
               .default_value = 0,
               .minimum = 0,
               .maximum = 3,
               .help = "0: BT.709 limited range, 1: BT.601 limited, 2: BT.709 full range, 3: BT.601 full"},
};

constexpr std::array kFeatures = {
    FeatureSpec{.internal_name = "ssimulacra2", .reported_name = "ssimulacra2", .suffixed = false, .help = "score of the picture"},
};

// SSIMULACRA 2.1's weights: a line for each scale of X, then of Y, then of B; in it the 1-norms and then the 4-norms of structure error,
// artifacts and detail loss.
constexpr double kWeights[ss2::kChannels * ss2::kScales][ss2::kSums] = {
    {0.0, 0.0007376606707406586, 0.0, 0.0, 0.0007793481682867309, 0.0},
    {0.0, 0.0004371155730107379, 0.0, 1.1041726426657346, 0.00066284834129271, 0.00015231632783718752},
    {0.0, 0.0016406437456599754, 0.0, 1.8422455520539298, 11.441172603757666, 0.0},
    {0.0007989109436015163, 0.000176816438078653, 0.0, 1.8787594979546387, 10.94906990605142, 0.0},
    {0.0007289346991508072, 0.9677937080626833, 0.0, 0.00014003424285435884, 0.9981766977854967, 0.00031949755934435053},
    {0.0004550992113792063, 0.0, 0.0, 0.0013648766163243398, 0.0, 0.0},
    {0.0, 0.0, 0.0, 7.466890328078848, 0.0, 17.445833984131262},
    {0.0006235601634041466, 0.0, 0.0, 6.683678146179332, 0.00037724407979611296, 1.027889937768264},
    {225.20515300849274, 0.0, 0.0, 19.213238186143016, 0.0011401524586618361, 0.001237755635509985},
    {176.39317598450694, 0.0, 0.0, 24.43300999870476, 0.28520802612117757, 0.0004485436923833408},
    {0.0, 0.0, 0.0, 34.77906344483772, 44.835625328877896, 0.0},
    {0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
    {0.0, 0.0008680556573291698, 0.0, 0.0, 0.0, 0.0},
    {0.0, 0.0005313191874358747, 0.0, 0.00016533814161379112, 0.0, 0.0},
    {0.0, 0.0, 0.0, 0.0004179171803251336, 0.0017290828234722833, 0.0},
    {0.0020827005846636437, 0.0, 0.0, 8.826982764996862, 23.19243343998926, 0.0},
    {95.1080498811086, 0.9863978034400682, 0.9834382792465353, 0.0012286405048278493, 171.2667255897307, 0.9807858872435379},
    {0.0, 0.0, 0.0, 0.0005130064588990679, 0.0, 0.00010854057858411537},
};

// SSIMULACRA 2.1's map from the weighted sum to the score, fitted to subjective quality.
constexpr double kSumScale = 0.9562382616834844;
constexpr double kLinear = 2.326765642916932, kQuadratic = 0.020884521182843837, kCubic = 6.248496625763138e-05;
constexpr double kExponent = 0.6276336467831387;
constexpr double kPerfect = 100.0;

double fourth_root(double x) { return std::sqrt(std::sqrt(x)); }

double score(double weighted_sum) {
  double z = weighted_sum * kSumScale;
  z = (kLinear * z - (kQuadratic * z) * z) + ((kCubic * z) * z) * z;
  if (!std::isfinite(z)) return std::numeric_limits<double>::quiet_NaN();  // never a plausible score of broken sums
  return z > 0.0 ? kPerfect - 10.0 * std::pow(z, kExponent) : kPerfect;
}

class Ssimulacra2 final : public Extractor {
 public:
  Ssimulacra2(const Options& options, const ClipInfo& clip)
      : width_(clip.format.width),
        height_(clip.format.height),
        matrix_(options.integer("yuv_matrix")),
        sizes_(ss2::scale_sizes(width_, height_)) {}

  Needs needs() const override {
    if (sizes_.empty()) return {};
    return {.bytes_per_frame = 2 * ss2::xyb_pyramid_bytes(width_, height_) +
                               std::max(ss2::xyb_scratch_bytes(width_, height_), ss2::channel_sums_bytes(width_, height_))};
  }

  std::vector<size_t> outputs() const override { return {0}; }

  // Slot (scale * 3 + channel) * 6 + i: sum i of MapTerms, a double; 0 for the scales of small pictures that are not evaluated.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    out.resize(ss2::kScales * kSumsPerScale);
    const ss2::XybPyramid& reference = ss2::shared_xyb_pyramid(window.reference(), matrix_);
    // Only a reference has several comparisons to share its planes with: the distorted picture's go when this one ends.
    const ss2::XybPyramid distorted = ss2::xyb_pyramid(window.distorted(), matrix_);
    for (size_t s = 0; s < sizes_.size(); ++s) {
      for (size_t c = 0; c < ss2::kChannels; ++c) {
        const ss2::ChannelSums sums = ss2::channel_sums(reference[s][c].view(), distorted[s][c].view());
        for (size_t i = 0; i < sums.size(); ++i) out.set_real(s * kSumsPerScale + c * ss2::kSums + i, sums[i]);
      }
    }
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    double weighted = 0.0;
    for (size_t c = 0; c < ss2::kChannels; ++c) {
      for (size_t s = 0; s < ss2::kScales; ++s) {
        const auto& weights = kWeights[c * ss2::kScales + s];
        const ss2::ChannelSums norms = s < sizes_.size() ? norms_of(measured, s, c) : ss2::ChannelSums{};
        for (const size_t power : {size_t{0}, size_t{1}}) {
          for (size_t map = 0; map < kMaps; ++map) weighted += weights[power * kMaps + map] * norms[2 * map + power];
        }
      }
    }
    out.set(0, score(weighted));
  }

 private:
  static constexpr size_t kMaps = 3;
  static constexpr size_t kSumsPerScale = ss2::kChannels * ss2::kSums;

  // The 1-norm and the 4-norm of each map, in the order of MapTerms.
  ss2::ChannelSums norms_of(const Measurements& measured, size_t scale, size_t channel) const {
    const double share = 1.0 / (static_cast<double>(sizes_[scale].width) * static_cast<double>(sizes_[scale].height));
    ss2::ChannelSums norms;
    for (size_t i = 0; i < norms.size(); ++i) {
      const double mean = share * measured.real(scale * kSumsPerScale + channel * ss2::kSums + i);
      norms[i] = i % 2 == 0 ? mean : fourth_root(mean);
    }
    return norms;
  }

  int width_;
  int height_;
  int matrix_;
  std::vector<ss2::Size> sizes_;
};

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  if (clip.format.plane_count() < 3) return unsupported(kSsimulacra2, clip, "needs chroma, 4:2:0, 4:2:2 or 4:4:4");
  return make_extractor<Ssimulacra2>(options, clip);
}

}  // namespace

const ExtractorInfo kSsimulacra2 = {
    .name = "ssimulacra2",
    .summary = "Structural and edge errors in the XYB colour space on six scales, as weighted norms.",
    .range = "100 for identical pictures, falling without a lower bound; 90 visually lossless, 70 high, 50 medium, 30 low quality",
    .source = "J. Sneyers, SSIMULACRA 2.1, libjxl tools, 2023",
    .options = kOptions,
    .features = kFeatures,
    .create = create,
};

}  // namespace vmafbatch::extractors
