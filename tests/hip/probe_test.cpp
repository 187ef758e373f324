// The probe of a device's arithmetic: on the HOST build, and on devices that compute wrongly in one way each.
#include "hip/probe.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "hip/host/host_runtime.h"
#include "hip/host/host_schedule.h"
#include "hip/kernels/probe_kernels.h"
#include "hip/platform/launcher.h"

namespace vmafbatch::hip {
namespace {

enum class Fault { kFusedFloat, kFusedDouble, kReciprocal, kFlushedFloat, kFlushedConversion, kRootOff, kIntegerTowardsZero };

bool is_denormal(float value) { return std::fpclassify(value) == FP_SUBNORMAL; }

ProbeResults wrong_results(const ProbeOperands& o, Fault fault) {
  ProbeResults results = probe_results(o);
  const float narrowed = static_cast<float>(o.p);
  const float from_integer = static_cast<float>(o.integer);
  switch (fault) {
    case Fault::kFusedFloat:
      results.float_multiply_add = probe_result(std::fma(o.a, o.b, o.c));  // NOLINT(fused): the fault that is planted
      break;
    case Fault::kFusedDouble:
      results.double_multiply_add = probe_result(std::fma(o.p, o.q, o.r));  // NOLINT(fused): the fault that is planted
      break;
    case Fault::kReciprocal: results.float_quotient = probe_result(o.a * (1.0f / o.b)); break;
    case Fault::kFlushedFloat:
      if (is_denormal(o.a / o.b)) results.float_quotient = probe_result(0.0f);
      break;
    case Fault::kFlushedConversion:
      if (is_denormal(narrowed)) results.from_double = probe_result(0.0f);
      break;
    case Fault::kRootOff:
      if (std::isnormal(o.p) && o.p > 0) results.double_root ^= (results.double_root & 0xFFFF) == 0 ? 1U : 0U;
      break;
    case Fault::kIntegerTowardsZero:
      if (std::fabs(static_cast<double>(from_integer)) > std::fabs(static_cast<double>(o.integer))) {
        results.from_integer = probe_result(std::nextafter(from_integer, 0.0f));
      }
      break;
  }
  return results;
}

template <Fault kFault>
struct WrongProbeKernel {
  static constexpr const char* kName = ProbeKernel::kName;
  static constexpr int kWidth = ProbeKernel::kWidth, kHeight = ProbeKernel::kHeight;
  using Shared = NoShared;
  ProbeKernel right;
  void operator()(HostThread& t, Shared&) const {
    const int i = t.global_x();
    if (i < right.count) right.results[i] = wrong_results(probe_operands(right.first + static_cast<std::uint32_t>(i)), kFault);
  }
};

// The sentence of a HOST device whose probe kernel has the fault.
template <Fault kFault>
std::string told() {
  std::vector<ModuleKernel> kernels = kernel_table(KernelList<WrongProbeKernel<kFault>>{});
  ModuleTable table = host_module();
  table.kernels = kernels.data();
  table.kernel_count = kernels.size();
  set_host_config({});
  Device device(table, 0);
  const Status status = probe_arithmetic(device);
  return status ? "passed" : status.error().message;
}

void expect_told(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find("host device 0 (CPU threads, host): its arithmetic is not the host's: " + part), std::string::npos) << text;
}

TEST(Probe, TheHostBuildPasses) {
  set_host_config({});
  Device device(host_module(), 0);
  const Status status = probe_arithmetic(device);
  EXPECT_TRUE(status) << status.error().message;
}

TEST(Probe, FindsEachWrongOperation) {
  expect_told(told<Fault::kFusedFloat>(), "a * b + c in float for ");
  expect_told(told<Fault::kFusedDouble>(), "a * b + c in double for ");
  expect_told(told<Fault::kReciprocal>(), "a / b in float for ");
  expect_told(told<Fault::kFlushedFloat>(), "a / b in float for ");
  expect_told(told<Fault::kFlushedConversion>(), "the float of a double for ");
  expect_told(told<Fault::kRootOff>(), "the square root in double for ");
  expect_told(told<Fault::kIntegerTowardsZero>(), "the float of the integer ");
}

TEST(Probe, ADeviceThatFailsIsToldNotThrown) {
  HostConfig config;
  config.failing_call = HostCall::kLaunch;
  config.failing_number = 3;
  set_host_config(config);
  Device device(host_module(), 0);
  const Status status = probe_arithmetic(device);
  set_host_config({});
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("launch of arithmetic_probe failed"), std::string::npos) << status.error().message;
  EXPECT_NE(status.error().message.find("could not be compared with the host's, and it is not used"), std::string::npos);
}

TEST(Probe, OperandsReachEveryHardCase) {
  struct Counts {
    int fused_float = 0, fused_double = 0, denormal_float = 0, denormal_double = 0, infinite = 0, nan = 0, ties = 0, denormal_narrowed = 0;
  } counts;
  for (std::uint32_t n = 0; n < kProbeOperands; ++n) {
    const ProbeOperands o = probe_operands(n);
    const ProbeResults want = probe_results(o);
    counts.fused_float += wrong_results(o, Fault::kFusedFloat) != want;
    counts.fused_double += wrong_results(o, Fault::kFusedDouble) != want;
    counts.denormal_float += is_denormal(o.a / o.b) || is_denormal(o.a * o.b + o.c);
    counts.denormal_double += std::fpclassify(o.p / o.q) == FP_SUBNORMAL || std::fpclassify(o.p * o.q + o.r) == FP_SUBNORMAL;
    counts.infinite += std::isinf(o.a * o.b + o.c) || std::isinf(o.p / o.q);
    counts.nan += std::isnan(o.a / o.b) || std::isnan(o.p / o.q);
    const float narrowed = static_cast<float>(o.p);
    const double away = static_cast<double>(std::nextafter(narrowed, o.p > static_cast<double>(narrowed) ? HUGE_VALF : -HUGE_VALF));
    counts.ties += std::isfinite(narrowed) && o.p - static_cast<double>(narrowed) == away - o.p && o.p != static_cast<double>(narrowed);
    counts.denormal_narrowed += is_denormal(narrowed);
  }
  EXPECT_GT(counts.fused_float, 100000);
  EXPECT_GT(counts.fused_double, 100000);
  EXPECT_GT(counts.denormal_float, 50000);
  EXPECT_GT(counts.denormal_double, 50000);
  EXPECT_GT(counts.infinite, 10000);
  EXPECT_GT(counts.nan, 1000);
  EXPECT_GT(counts.ties, 50000);
  EXPECT_GT(counts.denormal_narrowed, 1000);
}

}  // namespace
}  // namespace vmafbatch::hip
