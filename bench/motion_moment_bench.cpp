// The measurements of psnr, float_psnr, float_moment, motion and float_motion at 1920x1080, one thread: fast path beside plain twin.
#include <benchmark/benchmark.h>

#include "extractors/float_motion_planes.h"
#include "extractors/moment_sums.h"
#include "extractors/motion_sad.h"
#include "extractors/squared_error.h"
#include "support/random_frames.h"

namespace vmafbatch {
namespace {

std::shared_ptr<const io::Frame> picture(int depth, std::uint32_t seed) {
  return testing::random_frame({1920, 1080, io::Chroma::k420, depth}, seed, testing::RandomKind::kUniform);
}

template <auto kSum>
void two_frames(benchmark::State& state) {
  const auto a = picture(static_cast<int>(state.range(0)), 1);
  const auto b = picture(static_cast<int>(state.range(0)), 2);
  for (auto _ : state) benchmark::DoNotOptimize(kSum(*a, *b));
}

std::uint64_t luma_error(const io::Frame& a, const io::Frame& b) { return extractors::sum_of_squared_errors(a, b, 0); }
std::uint64_t slow_luma_error(const io::Frame& a, const io::Frame& b) { return extractors::slow_sum_of_squared_errors(a, b, 0); }

template <auto kSums>
void one_frame(benchmark::State& state) {
  const auto a = picture(static_cast<int>(state.range(0)), 1);
  for (auto _ : state) benchmark::DoNotOptimize(kSums(*a));
}

extractors::FloatPlane samples(const io::Frame& frame) { return extractors::float_samples(frame, 0, extractors::kCentredOffset); }
extractors::FloatPlane slow_samples(const io::Frame& frame) { return extractors::slow_float_samples(frame, 0, extractors::kCentredOffset); }

template <auto kBlur>
void blur(benchmark::State& state) {
  const extractors::FloatPlane plane = samples(*picture(8, 1));
  for (auto _ : state) benchmark::DoNotOptimize(kBlur(plane.view(), 5));
}

template <auto kDifference>
void difference(benchmark::State& state) {
  const extractors::FloatPlane a = samples(*picture(8, 1));
  const extractors::FloatPlane b = samples(*picture(8, 2));
  for (auto _ : state) benchmark::DoNotOptimize(kDifference(a.view(), b.view()));
}

#define VB_DEPTHS ->Arg(8)->Arg(10)->Arg(16)->Unit(benchmark::kMillisecond)
BENCHMARK(two_frames<luma_error>) VB_DEPTHS;
BENCHMARK(two_frames<slow_luma_error>) VB_DEPTHS;
BENCHMARK(two_frames<extractors::motion_sad>) VB_DEPTHS;
BENCHMARK(two_frames<extractors::slow_motion_sad>) VB_DEPTHS;
BENCHMARK(one_frame<extractors::moment_sums>) VB_DEPTHS;
BENCHMARK(one_frame<extractors::slow_moment_sums>) VB_DEPTHS;
BENCHMARK(one_frame<samples>) VB_DEPTHS;
BENCHMARK(one_frame<slow_samples>) VB_DEPTHS;
BENCHMARK(blur<extractors::float_motion_blur>)->Unit(benchmark::kMillisecond);
BENCHMARK(blur<extractors::slow_float_motion_blur>)->Unit(benchmark::kMillisecond);
BENCHMARK(difference<extractors::mean_absolute_difference>)->Unit(benchmark::kMillisecond);
BENCHMARK(difference<extractors::slow_mean_absolute_difference>)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vmafbatch
