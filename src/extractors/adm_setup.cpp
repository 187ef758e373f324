#include "extractors/adm_setup.h"

namespace vmafbatch::extractors::adm {

Viewing viewing_of(const Options& options) {
  return {.mode = static_cast<CsfMode>(options.integer("adm_csf_mode")),
          .distance = options.real("adm_norm_view_dist"),
          .display_height = options.integer("adm_ref_display_height"),
          .scale = options.real("adm_csf_scale"),
          .diagonal_scale = options.real("adm_csf_diag_scale")};
}

Setup setup_of(const Options& options, const io::PictureFormat& format) {
  const Viewing viewing = viewing_of(options);
  Setup setup{.geometry = geometry_of(format.width, format.height),
              .weights = float_weights(viewing),
              .pooling = {.noise_weight = options.real("adm_noise_weight"),
                          .dlm_weight = options.real("adm_dlm_weight"),
                          .smallest_adm3 = options.real("adm_min_val"),
                          .skip_scale0 = options.flag("adm_skip_scale0"),
                          .skip_aim = options.flag("adm_skip_aim")},
              .constants = {}};
  const FixedWeights fixed = fixed_weights(viewing, setup.weights);
  for (size_t s = 0; s < kScales; ++s) setup.constants[s] = {options.real("adm_enhn_gain_limit"), fixed[s]};
  return setup;
}

}  // namespace vmafbatch::extractors::adm
