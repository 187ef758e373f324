// Every registered extractor against libvmaf's values (tests/golden/scores), bit for bit, on the fast path and on the scalar twin.
// VMAFBATCH_GOLDEN_EXTRACTOR=NAME looks at one extractor only, VMAFBATCH_GOLDEN_CLIP=TEXT at the clips whose name contains it.
#include <gtest/gtest.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "base/number_text.h"
#include "base/simd.h"
#include "extractors/registry.h"
#include "support/golden_scores.h"
#include "support/run_extractor.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::testing {
namespace {

std::string compare(const Json& entry, const Result<ExtractorRun>& run) {
  const Json frames = entry.value("frames", Json::array());
  std::set<std::string> undefined;
  const Json undefined_keys = entry.value("undefined", Json::array());
  for (const auto& key : undefined_keys) undefined.insert(key.get<std::string>());
  std::map<std::pair<std::int64_t, std::string>, double> want;
  for (size_t n = 0; n < frames.size(); ++n) {
    for (const auto& [key, value] : frames[n].items()) {
      want[{static_cast<std::int64_t>(n), key}] = *parse_double(value.get<std::string>());
    }
  }
  if (want.empty() && undefined.empty()) {  // the reference refuses this clip
    if (run.ok()) return "should be refused";
    const bool named = run.error().message.find(entry.at("extractor").get<std::string>()) != std::string::npos;
    return named ? "" : "the refusal does not name the extractor: " + run.error().message;
  }
  if (!run.ok()) return run.error().message;
  std::string text;
  for (const auto& [where, value] : want) {
    const auto got = run->values.find(where);
    if (got != run->values.end() && same_bits(got->second, value)) continue;
    text += "\n  frame " + std::to_string(where.first) + " " + where.second + ": want " + bits_text(value) + ", got " +
            (got == run->values.end() ? "nothing" : bits_text(got->second));
  }
  for (const auto& [where, value] : run->values) {
    if (!want.contains(where) && !undefined.contains(where.second)) text += "\n  not in the reference: " + where.second;
  }
  const Json aggregates = entry.value("aggregate", Json::object());
  for (const auto& [key, value] : aggregates.items()) {
    const double expected = *parse_double(value.get<std::string>());
    const auto got = run->aggregates.find(key);
    if (got == run->aggregates.end() || !same_bits(got->second, expected)) text += "\n  aggregate " + key + " differs";
  }
  return text;
}

class Golden : public ::testing::TestWithParam<std::string> {
 protected:
  void compare_all(SimdMode mode) {
    const Json golden = read_golden(GetParam());
    const std::string only = environment("VMAFBATCH_GOLDEN_EXTRACTOR");
    std::vector<Json> entries;
    for (const Json& entry : golden.at("results")) {
      const std::string name = entry.at("extractor");
      if ((only.empty() || only == name) && extractors::find_extractor(name) != nullptr) entries.push_back(entry);
    }
    if (entries.empty()) GTEST_SKIP() << "no entry of " << only;
    const auto pairs = make_pairs(clip_of(golden.at("clip")));
    set_simd_mode(mode);
    std::mutex mutex;
    oneapi::tbb::parallel_for(size_t{0}, entries.size(), [&](size_t i) {
      const std::string difference = compare(entries[i], run_extractor(feature_of(entries[i]), pairs));
      const std::lock_guard lock(mutex);
      EXPECT_EQ(difference, "") << GetParam() << " " << feature_of(entries[i]);
    });
    set_simd_mode(SimdMode::kBest);
  }
};

TEST_P(Golden, EqualsLibvmaf) { compare_all(SimdMode::kBest); }
TEST_P(Golden, ScalarTwinEqualsLibvmaf) { compare_all(SimdMode::kScalar); }

INSTANTIATE_TEST_SUITE_P(Clips, Golden, ::testing::ValuesIn(golden_files()), [](const auto& param) { return param.param; });

}  // namespace
}  // namespace vmafbatch::testing
