#include "hip/probe.h"

#include <cstdio>
#include <string>

#include "hip/kernels/probe_kernels.h"

namespace vmafbatch::hip {
namespace {

// Operands of one launch: their results are 3 MiB.
constexpr int kChunk = 1 << 16;

template <class... Values>
std::string text_of(const char* format, Values... values) {
  char text[256];
  (void)std::snprintf(text, sizeof text, format, values...);
  return text;
}

// What differs, in words; "" where all is the same.
std::string difference(const ProbeOperands& o, const ProbeResults& want, const ProbeResults& got) {
  const auto told = [](const std::string& operation, auto host, auto device) {
    return operation +
           text_of(" gives bits %llx, the host's are %llx", static_cast<unsigned long long>(device), static_cast<unsigned long long>(host));
  };
  const auto values = [](auto... v) {
    std::string text = " for";
    ((text += text_of(" %a", static_cast<double>(v))), ...);
    return text;
  };
  if (want.float_multiply_add != got.float_multiply_add)
    return told("a * b + c in float" + values(o.a, o.b, o.c), want.float_multiply_add, got.float_multiply_add);
  if (want.float_quotient != got.float_quotient) return told("a / b in float" + values(o.a, o.b), want.float_quotient, got.float_quotient);
  if (want.float_root != got.float_root) return told("the square root in float" + values(o.a), want.float_root, got.float_root);
  if (want.from_integer != got.from_integer)
    return told("the float of the integer " + std::to_string(o.integer), want.from_integer, got.from_integer);
  if (want.from_double != got.from_double) return told("the float of a double" + values(o.p), want.from_double, got.from_double);
  if (want.double_multiply_add != got.double_multiply_add)
    return told("a * b + c in double" + values(o.p, o.q, o.r), want.double_multiply_add, got.double_multiply_add);
  if (want.double_quotient != got.double_quotient)
    return told("a / b in double" + values(o.p, o.q), want.double_quotient, got.double_quotient);
  if (want.double_root != got.double_root) return told("the square root in double" + values(o.p), want.double_root, got.double_root);
  return "";
}

// One launch and its results on the host.
struct Chunk {
  explicit Chunk(Device& device)
      : results(device, DeviceMemory::Kind::kDevice, kChunk * sizeof(ProbeResults)),
        copy(device, DeviceMemory::Kind::kPinned, kChunk * sizeof(ProbeResults)),
        done(device),
        stream(device) {}

  void start(std::uint32_t number) {
    first = number;
    stream.launch(grid_over<ProbeKernel>(kChunk, 1), ProbeKernel{number, kChunk, results.as<ProbeResults>()});
    stream.download(copy.data(), results.data(), kChunk * sizeof(ProbeResults));
    stream.record(done);
  }

  std::uint32_t first = 0;
  DeviceMemory results;
  DeviceMemory copy;
  DeviceEvent done;
  DeviceStream stream;  // goes first, and its end waits for the device
};

// "" or the first difference of a chunk that is done.
std::string compare(const Chunk& chunk) {
  const auto* const results = chunk.copy.as<const ProbeResults>();
  for (std::uint32_t i = 0; i < kChunk; ++i) {
    const ProbeOperands operands = probe_operands(chunk.first + i);
    const ProbeResults want = probe_results(operands);
    if (want != results[i]) return difference(operands, want, results[i]);
  }
  return "";
}

// Two chunks take turns: the device computes one while the host compares the other.
std::string run(Device& device) {
  Chunk chunks[2] = {Chunk(device), Chunk(device)};
  constexpr int kLaunches = kProbeOperands / kChunk;
  chunks[0].start(0);
  for (int n = 0; n < kLaunches; ++n) {
    const Chunk& chunk = chunks[n % 2];
    if (n + 1 < kLaunches) chunks[(n + 1) % 2].start(static_cast<std::uint32_t>((n + 1) * kChunk));
    device.wait(chunk.done);
    if (std::string found = compare(chunk); !found.empty()) return found;
  }
  return "";
}

}  // namespace

Status probe_arithmetic(Device& device) {
  try {
    const std::string found = run(device);
    if (found.empty()) return {};
    return Error{device.text() + ": its arithmetic is not the host's: " + found + "; it is not used"};
  } catch (const DeviceError& e) {
    return Error{std::string(e.what()) + "; its arithmetic could not be compared with the host's, and it is not used"};
  }
}

}  // namespace vmafbatch::hip
