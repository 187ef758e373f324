// What the extractors of this program make of a model file.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "model/model_file.h"
#include "model/predictor.h"

namespace vmafbatch::cli {

// Looks up which extractor gives a feature.
model::ProviderLookup feature_provider();

// Whether `score` could use the model: every feature has an extractor here, and the extractor takes the options. The error names `path`,
// where the file lies or comes from.
Status check_usable(model::ModelFile file, const std::filesystem::path& path);

}  // namespace vmafbatch::cli
