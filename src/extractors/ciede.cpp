// ciede: the mean CIEDE2000 colour difference of all pixels as a score in decibels. Sources: Sharma, Wu, Dalal (2005); Yang, Ming, Yu
// (2012) for the weights and the score.
#include <array>
#include <cmath>

#include "extractors/all_extractors.h"
#include "extractors/ciede_rows.h"

namespace vmafbatch::extractors {
namespace {

constexpr std::array kFeatures = {
    FeatureSpec{.internal_name = "ciede2000",
                .reported_name = "ciede2000",
                .suffixed = false,
                .help = "45 - 20 log10 of the mean CIEDE2000 difference, dB"},
};

class Ciede final : public Extractor {
 public:
  Ciede(const Options&, const ClipInfo& clip)
      : pixels_(static_cast<double>(clip.format.width) * static_cast<double>(clip.format.height)),
        bytes_(ciede_sum_bytes(clip.format.width)) {}

  Needs needs() const override { return {.bytes_per_frame = bytes_}; }
  std::vector<size_t> outputs() const override { return {0}; }

  // Slot 0: the sum of the differences.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    out.resize(1);
    out.set_real(0, ciede_sum(window.pair()));
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    out.set(0, 45.0 - 20.0 * std::log10(measured.real(0) / pixels_));
  }

 private:
  double pixels_;
  size_t bytes_;
};

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  if (clip.format.chroma == io::Chroma::k400) return unsupported(kCiede, clip, "needs chroma: 4:2:0, 4:2:2 or 4:4:4");
  const int depth = clip.format.bit_depth;
  if (depth != 8 && depth != 10 && depth != 12 && depth != 16) return unsupported(kCiede, clip, "takes 8, 10, 12 or 16 bits");
  return make_extractor<Ciede>(options, clip);
}

}  // namespace

const ExtractorInfo kCiede = {
    .name = "ciede",
    .summary = "Mean CIEDE2000 colour difference of all pixels, as a score.",
    .range = "about 0 to infinity (identical pictures); higher is better",
    .source = "Sharma, Wu, Dalal, Color Research & Application 30(1), 2005; Yang, Ming, Yu, Advances in Multimedia 2012",
    .options = {},
    .features = kFeatures,
    .create = create,
};

}  // namespace vmafbatch::extractors
