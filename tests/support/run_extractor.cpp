#include "support/run_extractor.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <exception>

namespace vmafbatch::testing {
namespace {

using extractors::ClipSeries;
using extractors::Extractor;
using extractors::FeatureRequest;
using extractors::FrameFeatures;
using extractors::Measurements;

std::vector<Measurements> measure_all(const Extractor& extractor, const std::vector<std::shared_ptr<const io::FramePair>>& pairs,
                                      int subsample) {
  const extractors::Needs needs = extractor.needs();
  std::vector<Measurements> measured(pairs.size());
  for (auto n = static_cast<std::int64_t>(pairs.size()) - 1; n >= 0; --n) {
    if (n % subsample != 0 && !needs.every_frame) continue;
    extractor.measure(window_at(pairs, n, needs.history), measured[static_cast<size_t>(n)]);
  }
  return measured;
}

}  // namespace

Result<ExtractorRun> run_extractor(const std::string& feature, const std::vector<std::shared_ptr<const io::FramePair>>& pairs,
                                   int subsample) {
  const Result<FeatureRequest> request = extractors::parse_feature(feature);
  if (!request) return request.error();
  const extractors::ClipInfo clip{pairs.front()->reference().format(), "clip"};
  const auto extractor = request->extractor->create(request->options, clip);
  if (!extractor) return extractor.error();

  const auto key = [&](size_t index) { return extractors::feature_key(request->extractor->features[index], request->options); };
  ExtractorRun run;
  try {
    const std::vector<Measurements> measured = measure_all(**extractor, pairs, subsample);
    for (size_t n = 0; n < measured.size(); ++n) {
      if (n % static_cast<size_t>(subsample) != 0) continue;
      FrameFeatures features;
      (*extractor)->conclude(measured[n], features);
      for (const auto& [index, value] : features.values()) run.values[{static_cast<std::int64_t>(n), key(index)}] = value;
    }
    if ((*extractor)->needs().series) {
      ClipSeries series(measured, true);
      (*extractor)->finish(series);
      for (const auto& value : series.values()) {
        if (value.frame % subsample == 0) run.values[{value.frame, key(value.feature)}] = value.value;
      }
      for (const auto& [index, value] : series.aggregates()) run.aggregates[key(index)] = value;
    }
  } catch (const std::exception& failure) {
    return Error{std::string(request->extractor->name) + ": " + failure.what()};
  }
  for (const auto& [where, value] : run.values) {
    if (std::isnan(value)) {
      return Error{std::string(request->extractor->name) + ": " + where.second + " is NaN at frame " + std::to_string(where.first)};
    }
  }
  return run;
}

std::string bits_text(double value) {
  char text[96];
  std::snprintf(text, sizeof text, "%.17g (%a)", value, value);
  return text;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace vmafbatch::testing
