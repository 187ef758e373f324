#include "toy_twins.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "hip/host/host_runtime.h"
#include "hip/platform/launcher.h"

namespace vmafbatch::testing {
namespace {

constexpr std::array<std::uint64_t, 4> kWeights = {1, 3, 5, 7};

struct DoubleRowsKernel {
  static constexpr const char* kName = "toy_double_rows";
  static constexpr int kWidth = 16, kHeight = 1;
  using Shared = hip::NoShared;
  io::Plane<const std::uint8_t> from;
  io::Plane<std::uint16_t> to;
  int first;  // every second row from here

  template <class Thread>
  void operator()(Thread& t, Shared&) const {
    const int x = t.global_x();
    const int y = first + 2 * t.block_y();
    if (x < from.width && y < from.height) to.row(y)[x] = static_cast<std::uint16_t>(2 * from.row(y)[x]);
  }
};

struct DifferenceKernel {
  static constexpr const char* kName = "toy_difference";
  static constexpr int kWidth = 16, kHeight = 1;
  using Shared = hip::NoShared;
  io::Plane<const std::uint8_t> a, b;
  io::Plane<std::uint16_t> to;

  template <class Thread>
  void operator()(Thread& t, Shared&) const {
    const int x = t.global_x();
    const int y = t.global_y();
    if (x >= a.width) return;
    const int difference = a.row(y)[x] - b.row(y)[x];
    to.row(y)[x] = static_cast<std::uint16_t>(difference < 0 ? -difference : difference);
  }
};

struct AddKernel {
  static constexpr const char* kName = "toy_add";
  static constexpr int kWidth = 16, kHeight = 1;
  using Shared = hip::NoShared;
  io::Plane<const std::uint16_t> plane;
  const std::uint64_t* weights;
  std::uint64_t* total;

  template <class Thread>
  void operator()(Thread& t, Shared&) const {
    const int x = t.global_x();
    const int y = t.global_y();
    if (x < plane.width) t.atomic_add(total, weights[(x + y) % 4] * plane.row(y)[x]);
  }
};

// Calls what the test wants to happen while a frame's kernels run.
struct CallKernel {
  static constexpr const char* kName = "toy_call";
  static constexpr int kWidth = 1, kHeight = 1;
  using Shared = hip::NoShared;
  const std::function<void()>* function;

  template <class Thread>
  void operator()(Thread&, Shared&) const {
    (*function)();
  }
};

struct FaultyKernel {
  static constexpr const char* kName = "toy_faulty";
  static constexpr int kWidth = 2, kHeight = 1;
  using Shared = hip::NoShared;
  int unused;

  template <class Thread>
  void operator()(Thread& t, Shared&) const {
    t.sync();
  }
};

io::Plane<const std::uint16_t> doubled(const io::Frame& frame, hip::FrameWork& work) {
  const io::Plane<const std::uint8_t> luma = work.plane<std::uint8_t>(frame, 0);
  return work.derived<std::uint16_t>(frame, "doubled", luma.width, luma.height, [&](const io::Plane<std::uint16_t>& to) {
    for (const int first : {0, 1}) {
      const hip::Grid grid{hip::blocks_for(luma.width, DoubleRowsKernel::kWidth), hip::blocks_for(luma.height, 2), 1};
      work.launch(grid, DoubleRowsKernel{luma, to, first});
    }
  });
}

void add(hip::FrameWork& work, const io::Plane<const std::uint16_t>& plane, std::byte* results) {
  const std::uint64_t* const weights = work.table<std::uint64_t>("toy weights", kWeights);
  work.launch(hip::grid_over<AddKernel>(plane.width, plane.height), AddKernel{plane, weights, reinterpret_cast<std::uint64_t*>(results)});
}

void collect_word(const std::byte* results, extractors::Measurements& out) {
  std::uint64_t word = 0;
  std::memcpy(&word, results, sizeof word);
  out.resize(1);
  out.set_integer(0, word);
}

// A plane of 16-bit words of the HOST, with its gaps.
std::size_t plane_bytes(const io::PictureFormat& format) {
  const hip::ModuleTable& module = hip::host_module();
  return module.plane_pitch(2 * static_cast<std::size_t>(format.width), 0) * static_cast<std::size_t>(format.height);
}

template <class Value>
std::uint64_t weighted(const io::PictureFormat& format, Value&& value) {
  std::uint64_t sum = 0;
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) sum += kWeights[static_cast<std::size_t>(x + y) % 4] * static_cast<std::uint64_t>(value(x, y));
  }
  return sum;
}

std::uint64_t doubled_word(const io::Frame& frame) {
  const io::Plane<const std::uint8_t> luma = frame.plane<std::uint8_t>(0);
  return weighted(frame.format(), [&](int x, int y) { return 2 * luma.row(y)[x]; });
}

}  // namespace

const hip::ModuleTable& toy_module() {
  static const std::vector<hip::ModuleKernel> kernels =
      hip::kernel_table(hip::KernelList<DoubleRowsKernel, DifferenceKernel, AddKernel, CallKernel, FaultyKernel>{});
  static const hip::ModuleTable table = [] {
    hip::ModuleTable t = hip::host_module();
    t.kernels = kernels.data();
    t.kernel_count = kernels.size();
    return t;
  }();
  return table;
}

std::size_t ReferenceTwin::device_bytes() const { return plane_bytes(format_); }

void ReferenceTwin::submit(const io::FrameWindow& window, hip::FrameWork& work, std::byte* results) const {
  add(work, doubled(window.reference(), work), results);
}

void ReferenceTwin::collect(const io::FrameWindow&, const std::byte* results, extractors::Measurements& out) const {
  collect_word(results, out);
}

std::size_t PairTwin::device_bytes() const { return plane_bytes(format_); }

void PairTwin::submit(const io::FrameWindow& window, hip::FrameWork& work, std::byte* results) const {
  const io::Plane<const std::uint8_t> a = work.plane<std::uint8_t>(window.reference(), 0);
  const io::Plane<const std::uint8_t> b = work.plane<std::uint8_t>(window.distorted(), 0);
  const io::Plane<std::uint16_t> difference = work.scratch_plane<std::uint16_t>(a.width, a.height);
  work.launch(hip::grid_over<DifferenceKernel>(a.width, a.height), DifferenceKernel{a, b, difference});
  add(work, {difference.data, difference.stride, difference.width, difference.height}, results);
  if (window.history() > 0) add(work, doubled(window.reference(1), work), results);
  work.launch(hip::Grid{}, CallKernel{&running_});
  submitted_(work.device());
}

void PairTwin::collect(const io::FrameWindow&, const std::byte* results, extractors::Measurements& out) const {
  collect_word(results, out);
}

void FaultyTwin::submit(const io::FrameWindow&, hip::FrameWork& work, std::byte*) const { work.launch(hip::Grid{}, FaultyKernel{0}); }

void FaultyTwin::collect(const io::FrameWindow&, const std::byte* results, extractors::Measurements& out) const {
  collect_word(results, out);
}

std::uint64_t reference_word(const io::FrameWindow& window) { return doubled_word(window.reference()); }

std::uint64_t pair_word(const io::FrameWindow& window) {
  const io::Plane<const std::uint8_t> a = window.reference().plane<std::uint8_t>(0);
  const io::Plane<const std::uint8_t> b = window.distorted().plane<std::uint8_t>(0);
  const std::uint64_t now = weighted(window.format(), [&](int x, int y) { return std::abs(a.row(y)[x] - b.row(y)[x]); });
  return now + (window.history() > 0 ? doubled_word(window.reference(1)) : 0);
}

}  // namespace vmafbatch::testing
