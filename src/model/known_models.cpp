#include "model/known_models.h"

#include <array>

namespace vmafbatch::model {
namespace {

// The files of the VMAF project's repository as of libvmaf 3.2.0, vmaf_v1.0.16 from its later state. `sha256sum` of each file.
constexpr std::array kKnownModels = {
    KnownModel{"vmaf_v0.6.1.json", "vmaf_v0.6.1.json", "5950d61fa1f861bd45d8149d80539ed9f3376cfc2495b8f0fa8e9f57cb131ee3"},
    KnownModel{"vmaf_4k_rb_v0.6.2.json", "vmaf_4k_rb_v0.6.2/vmaf_4k_rb_v0.6.2.json",
               "18a109a5c7e0f29d7a9619603a3c3de6526a9469e672919a7b0220bcf8eba942"},
    KnownModel{"vmaf_4k_v0.6.1.json", "vmaf_4k_v0.6.1.json", "73b187001309703c89d57cf58baab01660bd11e4ea6fac62bc064c5f5da6dac8"},
    KnownModel{"vmaf_4k_v0.6.1neg.json", "vmaf_4k_v0.6.1neg.json", "f92048bf94401a5b915f551eb248709275c61df5f20d062a3ae010dcf4d4e8fc"},
    KnownModel{"vmaf_b_v0.6.3.json", "vmaf_b_v0.6.3.json", "34f620dbaff662fe7d33dd80326553c2cc3910e4135349ba4c367171d3a3cfbd"},
    KnownModel{"vmaf_float_4k_v0.6.1.json", "vmaf_float_4k_v0.6.1.json",
               "2af34f3068174720a35126807dbe8d0b19c5143fee328a9fc2331c15c54e4433"},
    KnownModel{"vmaf_float_b_v0.6.3.json", "vmaf_float_b_v0.6.3.json", "e32df73119386b124836910956fe8e0b0583a35638d2c518719e5a5069d0248b"},
    KnownModel{"vmaf_float_v0.6.1.json", "vmaf_float_v0.6.1.json", "26573aa333346f1109226e7283969e8b3581119a1ab7f18897767351dd963ff8"},
    KnownModel{"vmaf_float_v0.6.1neg.json", "vmaf_float_v0.6.1neg.json",
               "8ac8e9bd6153e57fed4e9809c49711ea7654da2a14ea701423187905e914597a"},
    KnownModel{"vmaf_rb_v0.6.2.json", "vmaf_rb_v0.6.2/vmaf_rb_v0.6.2.json",
               "ef6f5170cb9278ec056881783d61e973b84f20be81fe41094346489a4bd711a0"},
    KnownModel{"vmaf_rb_v0.6.3.json", "vmaf_rb_v0.6.3/vmaf_rb_v0.6.3.json",
               "0cdf991dcf6cc8656509aba6aae7c8946f31d1dc8a31679ce4ebc605017cae93"},
    KnownModel{"vmaf_v0.6.1neg.json", "vmaf_v0.6.1neg.json", "1fcda193aaa2a3136471b7516b3c5dc344546c05fcde2d58609f8c60a2387392"},
    KnownModel{"vmaf_v1.0.16_1d5h_2160.json", "vmaf_v1.0.16/vmaf_v1.0.16_1d5h_2160.json",
               "634d36e0502cb797384726cdd1a106a2c207827595a9e4958d3dae1bd517b139"},
    KnownModel{"vmaf_v1.0.16_3d0h.json", "vmaf_v1.0.16/vmaf_v1.0.16_3d0h.json",
               "e4cf8c147e1368b35497d772920bc92f98c1ad7853c1033d8a836947f427140e"},
    KnownModel{"vmaf_v1.0.16_3d0h_2160.json", "vmaf_v1.0.16/vmaf_v1.0.16_3d0h_2160.json",
               "77f552fd8d5b6c6a2166bfc4470c9368ec68d2425ed40f1cc235b0cc500f33c2"},
    KnownModel{"vmaf_v1.0.16_5d0h.json", "vmaf_v1.0.16/vmaf_v1.0.16_5d0h.json",
               "64e12d9c1e4ed5d79da7fa515b82fac7247a9e2ccc91e0ebce31d05489500385"},
    KnownModel{"vmaf_v1.0.16_hfr_1d5h_2160.json", "vmaf_v1.0.16_hfr/vmaf_v1.0.16_hfr_1d5h_2160.json",
               "0371db55d3de81a760125f6d65eb4386f1d38af6cf1d00c2f48158e3596246d4"},
    KnownModel{"vmaf_v1.0.16_hfr_3d0h.json", "vmaf_v1.0.16_hfr/vmaf_v1.0.16_hfr_3d0h.json",
               "dcfdfab1c00685c1e5f75b6f1078bb4a44c722654e4de090fa5c66784c75241b"},
    KnownModel{"vmaf_v1.0.16_hfr_3d0h_2160.json", "vmaf_v1.0.16_hfr/vmaf_v1.0.16_hfr_3d0h_2160.json",
               "1bc502f00aeee11433e2d09468186bbf1bbce56ee650c9bade06c7435ebdd4db"},
    KnownModel{"vmaf_v1.0.16_hfr_5d0h.json", "vmaf_v1.0.16_hfr/vmaf_v1.0.16_hfr_5d0h.json",
               "590f612c87df94badca58e563b318fa9958eac631ab8aadd73bff8cc1adfc515"},
};

}  // namespace

std::span<const KnownModel> known_models() { return kKnownModels; }

const KnownModel* find_known_model(std::string_view name) {
  for (const KnownModel& known : kKnownModels) {
    if (name == known.file_name || name == known.name() || name == known.sub_path ||
        name == known.sub_path.substr(0, known.sub_path.size() - std::string_view(".json").size())) {
      return &known;
    }
  }
  return nullptr;
}

}  // namespace vmafbatch::model
