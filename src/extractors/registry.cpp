#include "extractors/registry.h"

#include <algorithm>
#include <array>

#include "extractors/all_extractors.h"

namespace vmafbatch::extractors {
namespace {

constexpr size_t kLongestKey = 255;

// Floats first, as a model's lookup expects.
const std::array kExtractors = {
    &kFloatPsnr,   &kFloatAdm,  &kFloatVif, &kFloatMotion, &kFloatMoment, &kSpeedChroma, &kSpeedTemporal,
    &kFloatMsSsim, &kFloatSsim, &kCiede,    &kPsnr,        &kPsnrHvs,     &kAdm,         &kMotion,
    &kVif,         &kCambi,     &kMotionV2, &kSsim,        &kSsimulacra2,
};

std::string known_extractors() {
  std::string names;
  for (const ExtractorInfo* info : kExtractors) {
    if (!names.empty()) names += ", ";
    names += info->name;
  }
  return names;
}

// Folds `request` into `kept`, an instance of the same key.
Status merge_into(FeatureRequest& kept, const FeatureRequest& request) {
  const std::span<const OptionSpec> specs = kept.options.specs();
  for (size_t i = 0; i < specs.size(); ++i) {
    const OptionValue& a = kept.options.value(i);
    const OptionValue& b = request.options.value(i);
    if (a == b || specs[i].role == OptionRole::kKey) continue;
    if (specs[i].role == OptionRole::kValue) {
      return Error{"feature " + request.text() + ": " + kept.text() + " is asked for as well, and option " + std::string(specs[i].name) +
                   " changes " + feature_key(kept.extractor->features.front(), kept.options) +
                   " without changing its name; ask for one of them, or score twice with two --label values"};
    }
    if (const bool* flag = std::get_if<bool>(&b)) {
      kept.options.set_value(i, *flag || std::get<bool>(a));
    } else if (kept.options.is_default(i)) {
      kept.options.set_value(i, b);
    } else if (!request.options.is_default(i)) {
      return Error{"feature " + request.text() + ": " + kept.text() + " is asked for as well; give option " + std::string(specs[i].name) +
                   " one value"};
    }
  }
  return {};
}

}  // namespace

std::span<const ExtractorInfo* const> all_extractors() { return kExtractors; }

const ExtractorInfo* find_extractor(std::string_view name) {
  const auto found = std::ranges::find_if(kExtractors, [&](const ExtractorInfo* info) { return info->name == name; });
  return found == kExtractors.end() ? nullptr : *found;
}

std::string FeatureRequest::text() const {
  const std::string given = options_text(options);
  return std::string(extractor->name) + (given.empty() ? "" : "=" + given);
}

Result<FeatureRequest> parse_feature(std::string_view text) {
  const size_t equals = text.find('=');
  const std::string name(text.substr(0, equals));
  const ExtractorInfo* info = find_extractor(name);
  if (info == nullptr) {
    return Error{"feature " + std::string(text) + ": there is no extractor \"" + name + "\"; known: " + known_extractors()};
  }
  FeatureRequest request{info, Options(info->options)};
  if (equals != std::string_view::npos) {
    std::string_view rest = text.substr(equals + 1);
    while (true) {
      const size_t colon = rest.find(':');
      const std::string_view item = rest.substr(0, colon);
      const size_t split = item.find('=');
      if (split == std::string_view::npos || split == 0) {
        return Error{"feature " + std::string(text) + ": \"" + std::string(item) + "\" is no OPTION=VALUE; write " + name +
                     "=OPTION=VALUE:OPTION=VALUE"};
      }
      if (Status set = request.options.set(item.substr(0, split), item.substr(split + 1)); !set) {
        return Error{"feature " + std::string(text) + ": " + set.error().message};
      }
      if (colon == std::string_view::npos) break;
      rest.remove_prefix(colon + 1);
    }
  }
  if (info->check_options != nullptr) {
    if (Status checked = info->check_options(request.options); !checked) {
      return Error{"feature " + std::string(text) + ": " + checked.error().message};
    }
  }
  return request;
}

Result<std::vector<FeatureRequest>> merge_requests(std::vector<FeatureRequest> requests) {
  std::vector<FeatureRequest> merged;
  for (FeatureRequest& request : requests) {
    const auto same = std::ranges::find_if(merged, [&](const FeatureRequest& kept) {
      return kept.extractor == request.extractor && key_suffix(kept.options) == key_suffix(request.options);
    });
    if (same == merged.end()) {
      merged.push_back(std::move(request));
    } else if (Status folded = merge_into(*same, request); !folded) {
      return folded.error();
    }
  }
  return merged;
}

std::string feature_key(const FeatureSpec& feature, const Options& options) {
  const std::string suffix = feature.suffixed ? key_suffix(options) : "";
  return (std::string(feature.reported_name) + suffix).substr(0, kLongestKey);
}

std::optional<Provider> find_provider(std::string_view internal_name) {
  for (const ExtractorInfo* info : kExtractors) {
    for (size_t i = 0; i < info->features.size(); ++i) {
      if (info->features[i].provided && info->features[i].internal_name == internal_name) return Provider{info, i};
    }
  }
  return std::nullopt;
}

Error unsupported(const ExtractorInfo& info, const ClipInfo& clip, std::string_view reason) {
  return Error{std::string(info.name) + " cannot score " + clip.format.text() + ": " + std::string(reason)};
}

}  // namespace vmafbatch::extractors
