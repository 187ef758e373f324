#include "report/feature_facts.h"

#include <algorithm>
#include <array>

#include "base/glob.h"

namespace vmafbatch::report {
namespace {

struct Entry {
  std::string_view pattern;  // of plain_key(); the first that matches counts
  std::string_view unit;
  std::string_view range;
  std::optional<double> low;
  std::optional<double> high;
  std::string_view help;
};

constexpr std::optional<double> kOpen = std::nullopt;

// Ranges as `vmafbatch features --describe` has them.
constexpr std::array<Entry, 26> kEntries = {{
    {"*_stddev", "", "", 0.0, kOpen, "spread of the models of a bootstrap"},
    {"vmaf*", "", "0 .. 100", 0.0, 100.0, "predicted opinion score"},
    {"psnr_hvs*", "dB", "about -5 .. infinity (no visible difference)", kOpen, kOpen, "PSNR weighted by the eye's contrast sensitivity"},
    {"apsnr_*", "dB", "0 .. a cap for identical pictures", 0.0, kOpen, "peak signal-to-noise ratio of the whole clip"},
    {"psnr*", "dB", "0 .. a cap for identical pictures", 0.0, kOpen, "peak signal-to-noise ratio"},
    {"mse_*", "", "0 (identical) upwards", 0.0, kOpen, "mean squared error"},
    {"ms_ssim*", "", "0 .. 1, or dB with enable_db", kOpen, kOpen, "structural similarity on five scales"},
    {"ssimulacra2*", "", "up to 100; 90 visually lossless, 70 high, 50 medium, 30 low quality", kOpen, 100.0, "structural and edge errors"},
    {"ssim*", "", "-1 .. 1, or dB with enable_db", kOpen, kOpen, "structural similarity"},
    {"adm_num*", "", "", kOpen, kOpen, "numerator of adm"},
    {"adm_den*", "", "", kOpen, kOpen, "denominator of adm"},
    {"adm*", "", "0 .. 1, above 1 where detail was enhanced", 0.0, 1.0, "detail that is kept"},
    {"aim*", "", "0 upwards", 0.0, kOpen, "impairment that was added"},
    {"vif_num*", "", "", kOpen, kOpen, "numerator of vif"},
    {"vif_den*", "", "", kOpen, kOpen, "denominator of vif"},
    {"vif*", "", "0 .. 1, above 1 where contrast is enhanced", 0.0, 1.0, "information of the reference that survives"},
    {"motion*", "", "0 (still) .. 256", 0.0, kOpen, "motion of the reference"},
    {"moment_*1st*", "", "0 .. 256", 0.0, 256.0, "mean luma"},
    {"moment_*2nd*", "", "0 .. 65536", 0.0, 65536.0, "mean squared luma"},
    {"ciede2000*", "", "about 0 .. infinity (identical pictures)", kOpen, kOpen, "colour difference as a score"},
    {"cambi_source*", "", "0 .. about 24", 0.0, 24.0, "banding of the reference"},
    {"cambi_full_reference*", "", "0 .. about 24", 0.0, 24.0, "banding that was added"},
    {"cambi*", "", "0 .. about 24; 5: annoying", 0.0, 24.0, "visible banding"},
    {"speed_chroma*", "", "0 (equal) upwards", 0.0, kOpen, "entropic difference of colour planes"},
    {"speed_temporal*", "", "0 (equal) upwards", 0.0, kOpen, "entropic difference of frame differences"},
    {"*", "", "", kOpen, kOpen, ""},
}};

const Entry& entry_of(std::string_view key) {
  return *std::ranges::find_if(kEntries, [&](const Entry& entry) { return glob_matches(entry.pattern, key); });
}

}  // namespace

FeatureFacts feature_facts(std::string_view feature, std::string_view source) {
  const Entry* entry = &entry_of(plain_key(feature));
  // A model's score may have any name; the database then gives the model of that name as its source.
  if (entry->pattern == "*" && !source.empty() && feature.starts_with(source)) entry = &entry_of("vmaf");
  const bool of_model = entry->pattern == "vmaf*";
  return {feature_direction(feature), entry->unit, entry->range, entry->low, entry->high, of_model, entry->help};
}

}  // namespace vmafbatch::report
