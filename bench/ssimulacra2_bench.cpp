// ssimulacra2, one 1920x1080 pair on one thread: fast paths beside their plain twins.
#include <benchmark/benchmark.h>

#include <memory>

#include "base/simd.h"
#include "extractors/ssimulacra2_picture.h"
#include "extractors/ssimulacra2_sums.h"
#include "support/synthetic_clip.h"

namespace vmafbatch {
namespace {

namespace ss2 = extractors::ssimulacra2;

std::shared_ptr<const io::FramePair> quantised() {
  return testing::make_pairs({.width = 1920, .height = 1080, .frames = 1, .distortion = "quantise:2000"}).front();
}

// Conversion, XYB and halving of one picture: what the renditions of a ladder share of their reference.
template <SimdMode kMode>
void pyramid(benchmark::State& state) {
  const auto pair = quantised();
  set_simd_mode(kMode);
  for (auto _ : state) benchmark::DoNotOptimize(ss2::xyb_pyramid(pair->reference(), 0));
  set_simd_mode(SimdMode::kBest);
}

// The blurs and error maps of all scales and channels.
template <SimdMode kMode>
void sums(benchmark::State& state) {
  const auto pair = quantised();
  const ss2::XybPyramid reference = ss2::xyb_pyramid(pair->reference(), 0);
  const ss2::XybPyramid distorted = ss2::xyb_pyramid(pair->distorted(), 0);
  set_simd_mode(kMode);
  for (auto _ : state) {
    for (size_t s = 0; s < reference.size(); ++s) {
      for (size_t c = 0; c < ss2::kChannels; ++c) {
        benchmark::DoNotOptimize(ss2::channel_sums(reference[s][c].view(), distorted[s][c].view()));
      }
    }
  }
  set_simd_mode(SimdMode::kBest);
}

BENCHMARK(pyramid<SimdMode::kBest>)->Unit(benchmark::kMillisecond);
BENCHMARK(pyramid<SimdMode::kScalar>)->Unit(benchmark::kMillisecond);
BENCHMARK(sums<SimdMode::kBest>)->Unit(benchmark::kMillisecond);
BENCHMARK(sums<SimdMode::kScalar>)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vmafbatch
