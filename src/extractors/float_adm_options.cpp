#include "extractors/float_adm_options.h"

#include <string>

namespace vmafbatch::extractors::float_adm {

CsfSettings csf_settings(const Options& options) {
  CsfSettings settings{.mode = options.integer("adm_csf_mode"),
                       .view_distance = options.real("adm_norm_view_dist"),
                       .display_height = options.integer("adm_ref_display_height"),
                       .scale = options.real("adm_csf_scale"),
                       .diagonal_scale = options.real("adm_csf_diag_scale")};
  for (size_t s = 0; s < kScales; ++s) {
    settings.f1[s] = options.real("adm_f1s" + std::to_string(s));
    settings.f2[s] = options.real("adm_f2s" + std::to_string(s));
  }
  return settings;
}

SumSettings sum_settings(const Options& options) {
  return {.gain_limit = options.real("adm_enhn_gain_limit"),
          .masking = options.integer("adm_bypass_cm") == 0,
          .exponent = options.real("adm_p_norm")};
}

}  // namespace vmafbatch::extractors::float_adm
