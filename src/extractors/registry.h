// The extractors of this program by name, the grammar of --feature, and the keys of features.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "extractors/extractor.h"

namespace vmafbatch::extractors {

// All extractors, in the order in which a model's feature name is looked up (the first that provides it wins).
std::span<const ExtractorInfo* const> all_extractors();

// Null where there is none of that name. Names are case-sensitive.
const ExtractorInfo* find_extractor(std::string_view name);

// One extractor under one set of options: what --feature and models ask for.
struct FeatureRequest {
  const ExtractorInfo* extractor;
  Options options;

  // "adm=adm_enhn_gain_limit=1", or the name alone.
  std::string text() const;
};

// NAME or NAME=OPT=VAL[:OPT=VAL]... The error names what is unknown and lists what is valid.
Result<FeatureRequest> parse_feature(std::string_view text);

// Combines requests: equal keys become one instance whose outputs are the union; two values of an option that changes a shared key's
// value are an error that names the key and the option (decision 16). Order: first appearance.
Result<std::vector<FeatureRequest>> merge_requests(std::vector<FeatureRequest> requests);

// The key under which a feature is stored and reported. At most 255 bytes, as libvmaf cuts it.
std::string feature_key(const FeatureSpec& feature, const Options& options);

// The extractor that provides a feature under the internal name that model files use, and the feature's index in its table.
struct Provider {
  const ExtractorInfo* extractor;
  size_t feature;
};
std::optional<Provider> find_provider(std::string_view internal_name);

}  // namespace vmafbatch::extractors
