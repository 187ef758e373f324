#include "support/expect_values.h"

#include <gtest/gtest.h>

namespace vmafbatch::testing {

void expect_bits(double got, double want, const std::string& what) {
  EXPECT_TRUE(same_bits(got, want)) << what << ": want " << bits_text(want) << ", got " << bits_text(got);
}

ExtractorRun run_or_fail(const std::string& feature, const Pairs& pairs, int subsample) {
  Result<ExtractorRun> run = run_extractor(feature, pairs, subsample);
  EXPECT_TRUE(run.ok()) << (run.ok() ? "" : run.error().message);
  return run.ok() ? std::move(*run) : ExtractorRun{};
}

void expect_value(const ExtractorRun& run, std::int64_t frame, const std::string& key, double want) {
  const auto found = run.values.find({frame, key});
  const std::string what = key + " at frame " + std::to_string(frame);
  ASSERT_NE(found, run.values.end()) << "no " << what;
  expect_bits(found->second, want, what);
}

void expect_series(const ExtractorRun& run, const std::string& key, const std::vector<double>& want) {
  for (size_t n = 0; n < want.size(); ++n) expect_value(run, static_cast<std::int64_t>(n), key, want[n]);
  EXPECT_FALSE(run.values.contains({static_cast<std::int64_t>(want.size()), key})) << key << " has more values";
}

void expect_aggregate(const ExtractorRun& run, const std::string& key, double want) {
  const auto found = run.aggregates.find(key);
  ASSERT_NE(found, run.aggregates.end()) << "no " << key;
  expect_bits(found->second, want, key);
}

std::set<std::string> keys_of(const ExtractorRun& run) {
  std::set<std::string> keys;
  for (const auto& [where, value] : run.values) keys.insert(where.second);
  for (const auto& [key, value] : run.aggregates) keys.insert(key);
  return keys;
}

}  // namespace vmafbatch::testing
