// speed_chroma and speed_temporal at 1920x1080, one thread: fast path beside plain twin; fresh frames each time, as in a run.
#include <benchmark/benchmark.h>

#include "base/simd.h"
#include "extractors/registry.h"
#include "support/synthetic_clip.h"

namespace vmafbatch {
namespace {

void frame(benchmark::State& state, const char* feature, SimdMode mode) {
  const testing::SyntheticClip clip{.width = 1920, .height = 1080, .frames = 2, .seed = 29, .distortion = "quantise:2500"};
  const auto request = extractors::parse_feature(feature);
  set_simd_mode(mode);
  const auto extractor = request->extractor->create(request->options, {testing::format_of(clip), "clip"});
  const auto given = testing::make_pairs(clip);
  const auto copy = [](const io::Frame& from) {  // without the derived planes
    return testing::make_frame(from.format(), [&](int p, int x, int y) { return from.plane<std::uint8_t>(p).row(y)[x]; });
  };
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<std::shared_ptr<const io::FramePair>> pairs;
    for (const auto& pair : given) pairs.push_back(std::make_shared<io::FramePair>(copy(pair->reference()), copy(pair->distorted())));
    const io::FrameWindow window = testing::window_at(pairs, 1, 1);
    state.ResumeTiming();
    extractors::Measurements measured;
    extractors::FrameFeatures features;
    (*extractor)->measure(window, measured);
    (*extractor)->conclude(measured, features);
    benchmark::DoNotOptimize(features);
  }
  set_simd_mode(SimdMode::kBest);
}

constexpr const char* kHalved =
    "speed_chroma=speed_nn_floor=0.1:speed_sigma_nn=0.19:speed_weight_var_mode=5:speed_prescale=0.5:"
    "speed_prescale_method=bilinear";

#define VB_BOTH(name, feature)                                                             \
  BENCHMARK_CAPTURE(frame, name, feature, SimdMode::kBest)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(frame, name##_plain, feature, SimdMode::kScalar)->Unit(benchmark::kMillisecond)
VB_BOTH(chroma, "speed_chroma");
VB_BOTH(chroma_half_size, kHalved);
VB_BOTH(temporal, "speed_temporal");

}  // namespace
}  // namespace vmafbatch
