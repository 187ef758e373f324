// Every twin on the HOST build against its extractor's measurements, word by word, over the golden clips and all option sets that they
// are scored with; the small clips also with shuffled threads. VMAFBATCH_GOLDEN_EXTRACTOR and VMAFBATCH_GOLDEN_CLIP as in golden_test.
#include <gtest/gtest.h>

#include <algorithm>

#include "extractors/registry.h"
#include "hip/twin.h"
#include "support/golden_scores.h"
#include "twin_run.h"

namespace vmafbatch::testing {
namespace {

class GoldenTwins : public ::testing::TestWithParam<std::string> {
 protected:
  // Calls check(feature, pairs) for every option set of every twin that the extractor takes this clip with.
  template <class Check>
  void for_each_feature(const Json& golden, Check&& check) {
    const std::string only = environment("VMAFBATCH_GOLDEN_EXTRACTOR");
    const Pairs pairs = make_pairs(clip_of(golden.at("clip")));
    const extractors::ClipInfo clip{pairs.front()->reference().format(), "golden"};
    int checked = 0;
    for (const Json& entry : golden.at("results")) {
      const std::string name = entry.at("extractor");
      if ((!only.empty() && only != name) || hip::find_twin(name) == nullptr) continue;
      const auto request = extractors::parse_feature(feature_of(entry));
      if (!request.ok() || !request->extractor->create(request->options, clip).ok()) continue;  // refused: golden_test looks at it
      check(feature_of(entry), pairs);
      ++checked;
    }
    if (checked == 0) GTEST_SKIP() << "no entry of a twin";
  }
};

// The documented limits of a twin, which the CPU extractor does not have.
bool may_decline(const std::string& feature, const Pairs& pairs) {
  const io::PictureFormat& format = pairs.front()->reference().format();
  const bool other_norm = feature.find("adm_p_norm=") != std::string::npos && feature.find("adm_p_norm=1") == std::string::npos &&
                          feature.find("adm_p_norm=3") == std::string::npos;
  return (feature.starts_with("vif") && std::min(format.width, format.height) < 16) || other_norm;
}

TEST_P(GoldenTwins, MeasureWhatTheExtractorMeasures) {
  for_each_feature(read_golden(GetParam()), [](const std::string& feature, const Pairs& pairs) {
    const TwinRun run = compare_twin(feature, pairs);
    if (run.declined && may_decline(feature, pairs)) return;
    EXPECT_EQ(run.difference, "") << feature;
  });
}

TEST_P(GoldenTwins, MeasureTheSameInEveryThreadOrder) {
  const Json golden = read_golden(GetParam());
  constexpr int kMostSamples = 200 * 200;
  if (golden.at("clip").at("width").get<int>() * golden.at("clip").at("height").get<int>() > kMostSamples) {
    GTEST_SKIP() << "the large clips run in order only";
  }
  for_each_feature(golden, [](const std::string& feature, const Pairs& pairs) {
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
      const TwinRun run = compare_twin(feature, pairs, {.shuffle_seed = seed});
      if (run.declined && may_decline(feature, pairs)) return;
      EXPECT_EQ(run.difference, "") << feature << " seed " << seed;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Clips, GoldenTwins, ::testing::ValuesIn(golden_files()), [](const auto& param) { return param.param; });

}  // namespace
}  // namespace vmafbatch::testing
