#include "cli/model_use.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "extractors/registry.h"
#include "graph/scoring_plan.h"

namespace vmafbatch::cli {

model::ProviderLookup feature_provider() {
  return [](std::string_view feature) -> std::optional<std::string> {
    const auto found = extractors::find_provider(feature);
    if (!found) return std::nullopt;
    return std::string(found->extractor->name);
  };
}

Status check_usable(model::ModelFile file, const std::filesystem::path& path) {
  model::ModelSpec spec;
  spec.model = path.string();
  spec.is_path = true;
  Result<model::Model> model = model::Model::make(std::move(file), spec, path, "", feature_provider());
  if (!model) return model.error();
  const Result<graph::ScoringRequest> request = graph::make_request({}, {std::make_shared<const model::Model>(std::move(*model))});
  if (!request) return request.error();
  return {};
}

}  // namespace vmafbatch::cli
