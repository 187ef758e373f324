// The texts of --feature and --model, damaged: a request or one sentence.
#include <stdexcept>
#include <string>
#include <vector>

#include "extractors/registry.h"
#include "fuzz/fuzz_main.h"
#include "model/model_spec.h"

namespace {

constexpr const char* kFeatures[] = {"psnr=enable_mse=true:min_sse=0.5",
                                     "adm=adm_enhn_gain_limit=1.2:adm_csf_mode=2:debug=true",
                                     "cambi=cambi_max_val=17:eotf=bt1886:enc_width=1920",
                                     "float_vif=vif_prescale=0.5:vif_prescale_method=bilinear",
                                     "motion=motion_max_val=0x12:motion_force_zero=true",
                                     "speed_chroma=speed_sigma_nn=nan"};
constexpr const char* kModels[] = {"version=vmaf_v0.6.1:name=a:disable_clip=true:adm.adm_enhn_gain_limit=1.0",
                                   "path=dir\\:x/model.json:enable_transform", "vmaf_v0.6.1neg:name=b"};

void check_sentence(const vmafbatch::Error& error) {
  if (error.message.empty()) throw std::logic_error("an error without a sentence");
}

void try_features(vmafbatch::fuzz::Random& random) {
  using namespace vmafbatch::extractors;  // NOLINT(google-build-using-namespace): three names of one header
  std::vector<FeatureRequest> requests;
  for (int count = 0; count < 3; ++count) {
    auto request = parse_feature(vmafbatch::fuzz::damaged(random.pick(kFeatures), random));
    if (!request.ok()) {
      check_sentence(request.error());
      continue;
    }
    const auto again = parse_feature(request->text());
    if (!again.ok() || !(again->options == request->options)) throw std::logic_error("\"" + request->text() + "\" does not read back");
    for (const FeatureSpec& feature : request->extractor->features) {
      if (feature_key(feature, request->options).size() > 255) throw std::logic_error("a key of more than 255 bytes");
    }
    requests.push_back(std::move(*request));
  }
  if (const auto merged = merge_requests(std::move(requests)); !merged.ok()) check_sentence(merged.error());
}

void try_model(vmafbatch::fuzz::Random& random) {
  const auto spec = vmafbatch::model::parse_model_spec(vmafbatch::fuzz::damaged(random.pick(kModels), random));
  if (!spec.ok()) check_sentence(spec.error());
  if (spec.ok() && spec->name.size() > vmafbatch::model::kMaxModelNameBytes) throw std::logic_error("a model's name that is too long");
}

}  // namespace

int main(int argc, char** argv) {
  return vmafbatch::fuzz::run(argc, argv,
                              [](vmafbatch::fuzz::Random& random) { random.one_in(3) ? try_model(random) : try_features(random); });
}
