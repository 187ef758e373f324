#include "extractors/cambi_tables.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "base/number_text.h"

namespace vmafbatch::extractors {
namespace {

// Limited range at ten bits (ITU-R BT.601 and later).
constexpr int kBlack = 64;
constexpr int kWhite = 940;

// ITU-R BT.1886, annex 1.
double bt1886(double signal) {
  constexpr double kGamma = 2.4;
  constexpr double kWhiteLight = 300.0;
  constexpr double kBlackLight = 0.01;
  const double white = std::pow(kWhiteLight, 1.0 / kGamma);
  const double black = std::pow(kBlackLight, 1.0 / kGamma);
  const double gain = std::pow(white - black, kGamma);
  const double lift = black / (white - black);
  return gain * std::pow(std::max(signal + lift, 0.0), kGamma);
}

// SMPTE ST 2084; the constants are its m1, m2, c1, c2, c3.
double pq(double signal) {
  constexpr double kM1 = 0.1593017578125;
  constexpr double kM2 = 78.84375;
  constexpr double kC1 = 0.8359375;
  constexpr double kC2 = 18.8515625;
  constexpr double kC3 = 18.6875;
  const double e = std::pow(signal, 1.0 / kM2);
  const double above = std::max(e - kC1, 0.0);
  return 10000.0 * std::pow(above / (kC2 - kC3 * e), 1.0 / kM1);
}

// Where a sample lies against the last one at which a step is visible.
enum class Side { kBelow, kAtIt, kAbove };

// The last sample at which a step of d is visible, searched by halves in the reference's order.
class StepSearch {
 public:
  StepSearch(CambiEotf eotf, double tvi_threshold, int d) : eotf_(eotf), tvi_threshold_(tvi_threshold), d_(d) {}

  int last_visible() const {
    int low = kBlack;
    int high = kWhite - d_ - 1;
    const Side at_low = side(low);
    if (at_low == Side::kAbove) return 0;
    if (at_low == Side::kAtIt) return low;
    const Side at_high = side(high);
    if (at_high == Side::kBelow) return kCambiTopSample;
    if (at_high == Side::kAtIt) return high;
    while (true) {
      const int middle = low + (high - low) / 2;
      const Side at_middle = side(middle);
      if (at_middle == Side::kAtIt) return middle;
      (at_middle == Side::kAbove ? high : low) = middle;
    }
  }

 private:
  bool visible(int sample) const {
    const double light = cambi_luminance(eotf_, sample);
    return cambi_luminance(eotf_, sample + d_) - light > tvi_threshold_ * light;
  }
  Side side(int sample) const {
    if (!visible(sample)) return Side::kAbove;
    return visible(sample + 1) ? Side::kBelow : Side::kAtIt;
  }

  CambiEotf eotf_;
  double tvi_threshold_;
  int d_;
};

CambiReciprocals make_reciprocals() {
  constexpr int kDigits = 9;
  CambiReciprocals table{};
  for (size_t i = 1; i < table.size(); ++i) {
    const std::string decimal = format_general(1.0 / static_cast<double>(i), kDigits);
    std::from_chars(decimal.data(), decimal.data() + decimal.size(), table[i]);
  }
  return table;
}

}  // namespace

double cambi_luminance(CambiEotf eotf, int sample) {
  const double signal = static_cast<double>(std::clamp(sample, kBlack, kWhite) - kBlack) / (kWhite - kBlack);
  return eotf == CambiEotf::kPq ? pq(signal) : bt1886(signal);
}

CambiThresholds cambi_thresholds(CambiEotf eotf, double tvi_threshold, int steps) {
  CambiThresholds thresholds{};
  for (int d = 1; d <= steps; ++d) thresholds[static_cast<size_t>(d)] = StepSearch(eotf, tvi_threshold, d).last_visible();
  return thresholds;
}

int cambi_dark_limit(CambiEotf eotf, double luminance) {
  int sample = kBlack;
  while (sample < kWhite && cambi_luminance(eotf, sample) < luminance) ++sample;
  return sample == kBlack ? 0 : sample;
}

const CambiReciprocals& cambi_reciprocals() {
  static const CambiReciprocals table = make_reciprocals();
  return table;
}

}  // namespace vmafbatch::extractors
