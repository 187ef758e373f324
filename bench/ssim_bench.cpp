// The measurements of ssim, float_ssim and float_ms_ssim at 1920x1080, one thread: fast path beside plain twin.
#include <benchmark/benchmark.h>

#include "base/simd.h"
#include "extractors/registry.h"
#include "support/random_frames.h"

namespace vmafbatch {
namespace {

// One whole measure(), from decoded pictures on; nothing that a frame keeps is there before.
void measure(benchmark::State& state, const char* feature, SimdMode mode) {
  const io::PictureFormat format{1920, 1080, io::Chroma::k420, static_cast<int>(state.range(0))};
  const auto request = extractors::parse_feature(feature);
  const auto extractor = request->extractor->create(request->options, {format, "bench"});
  set_simd_mode(mode);
  for (auto _ : state) {
    state.PauseTiming();
    auto pair = std::make_shared<io::FramePair>(testing::random_frame(format, 1, testing::RandomKind::kUniform),
                                                testing::random_frame(format, 2, testing::RandomKind::kUniform));
    const io::FrameWindow window(0, {std::move(pair)});
    extractors::Measurements out;
    state.ResumeTiming();
    (*extractor)->measure(window, out);
    benchmark::DoNotOptimize(out);
  }
  set_simd_mode(SimdMode::kBest);
}

#define VB_BOTH_PATHS(name, feature)                                                                          \
  BENCHMARK_CAPTURE(measure, name, feature, SimdMode::kBest)->Arg(8)->Arg(16)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(measure, slow_##name, feature, SimdMode::kScalar)->Arg(8)->Arg(16)->Unit(benchmark::kMillisecond)
VB_BOTH_PATHS(ssim, "ssim");
VB_BOTH_PATHS(float_ssim, "float_ssim");
VB_BOTH_PATHS(float_ssim_scale1, "float_ssim=scale=1");
VB_BOTH_PATHS(float_ms_ssim, "float_ms_ssim");

}  // namespace
}  // namespace vmafbatch
