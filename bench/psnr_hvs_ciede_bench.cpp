// psnr_hvs and ciede, one 1920x1080 pair of all planes on one thread: fast path beside plain twin.
#include <benchmark/benchmark.h>
#include <oneapi/tbb/global_control.h>

#include "base/simd.h"
#include "extractors/ciede_rows.h"
#include "extractors/psnr_hvs_bands.h"
#include "support/random_frames.h"
#include "support/synthetic_clip.h"

namespace vmafbatch {
namespace {

using Pair = std::shared_ptr<const io::FramePair>;

Pair noise() {
  const io::PictureFormat format{1920, 1080, io::Chroma::k420, 8};
  return std::make_shared<io::FramePair>(testing::random_frame(format, 1, testing::RandomKind::kUniform),
                                         testing::random_frame(format, 2, testing::RandomKind::kUniform));
}

Pair blur() { return testing::make_pairs({.width = 1920, .height = 1080, .frames = 1, .distortion = "blur"}).front(); }
Pair quantised() { return testing::make_pairs({.width = 1920, .height = 1080, .frames = 1, .distortion = "quantise:12"}).front(); }

float psnr_hvs(const io::FramePair& pair) {
  float sum = 0.0f;
  for (int plane = 0; plane < 3; ++plane) sum += extractors::hvs_error_sum(pair, plane);
  return sum;
}

template <auto kSum, auto kPair, SimdMode kMode>
void one_pair(benchmark::State& state) {
  const oneapi::tbb::global_control one_thread(oneapi::tbb::global_control::max_allowed_parallelism, 1);
  const Pair pair = kPair();
  set_simd_mode(kMode);
  for (auto _ : state) benchmark::DoNotOptimize(kSum(*pair));
  set_simd_mode(SimdMode::kBest);
}

#define VB_MODES(sum, pair)                                                       \
  BENCHMARK(one_pair<sum, pair, SimdMode::kBest>)->Unit(benchmark::kMillisecond); \
  BENCHMARK(one_pair<sum, pair, SimdMode::kScalar>)->Unit(benchmark::kMillisecond)
VB_MODES(psnr_hvs, noise);
VB_MODES(psnr_hvs, blur);
VB_MODES(psnr_hvs, quantised);
VB_MODES(extractors::ciede_sum, noise);
VB_MODES(extractors::ciede_sum, blur);
VB_MODES(extractors::ciede_sum, quantised);

}  // namespace
}  // namespace vmafbatch
