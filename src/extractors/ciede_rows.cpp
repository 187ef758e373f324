#include "extractors/ciede_rows.h"

#include <algorithm>
#include <vector>

#include "base/simd.h"
#include "extractors/ciede_quick.h"
#include "extractors/ordered_bands.h"

namespace vmafbatch::extractors {
namespace {

constexpr int kRowsOfBand = 4;

// One row of a picture with the chroma rows that cover it.
template <class Sample>
struct PixelRow {
  PixelRow(const io::Frame& frame, int y)
      : luma(frame.plane<Sample>(0).row(y)),
        cb(frame.plane<Sample>(1).row(ciede_chroma_position(frame.format().chroma, 0, y).y)),
        cr(frame.plane<Sample>(2).row(ciede_chroma_position(frame.format().chroma, 0, y).y)) {}

  const Sample* luma;
  const Sample* cb;
  const Sample* cr;
};

struct BandRoom {
  BandRoom(int width, int bit_depth) : memory(bit_depth), differences(static_cast<size_t>(width) * static_cast<size_t>(kRowsOfBand)) {}

  CiedeMemory memory;
  std::vector<float> differences;
  size_t count = 0;
};

}  // namespace

CiedeMemory::CiedeMemory(int bit_depth)
    : range_(ciede_range(bit_depth)),
      colours_(std::make_unique<Colour[]>(size_t{1} << kSlotBits)),
      differences_(std::make_unique<Difference[]>(size_t{1} << kSlotBits)) {
  static_assert(kBytes == (sizeof(Colour) + sizeof(Difference)) << kSlotBits);
}

const CiedeLab& CiedeMemory::lab(std::uint64_t pixel) {
  Colour& slot = colours_[slot_of(pixel)];
  if (slot.pixel != pixel) {
    const auto sample = [&](int shift) { return static_cast<int>(pixel >> shift & 0xFFFF); };
    slot = {pixel, ciede_lab(CiedeLibrary{}, range_, sample(0), sample(16), sample(32))};
  }
  return slot.lab;
}

float CiedeMemory::difference(std::uint64_t reference, std::uint64_t distorted) {
  Difference& slot = differences_[slot_of(reference * 31 + distorted)];
  if (slot.reference != reference || slot.distorted != distorted) {
    const CiedeLab of_reference = lab(reference);  // a copy: the other pixel may take its slot
    slot = {reference, distorted, ciede_difference(CiedeQuick{}, of_reference, lab(distorted))};
  }
  return slot.value;
}

void slow_ciede_row(const io::Frame& reference, const io::Frame& distorted, int y, float* out) {
  const io::PictureFormat& format = reference.format();
  const CiedeRange range = ciede_range(format.bit_depth);
  io::with_sample_type(format, [&](auto sample) {
    const PixelRow<decltype(sample)> a(reference, y);
    const PixelRow<decltype(sample)> b(distorted, y);
    for (int x = 0; x < format.width; ++x) {
      const int cx = ciede_chroma_position(format.chroma, x, y).x;
      const CiedeLab of_a = ciede_lab(CiedeLibrary{}, range, a.luma[x], a.cb[cx], a.cr[cx]);
      const CiedeLab of_b = ciede_lab(CiedeLibrary{}, range, b.luma[x], b.cb[cx], b.cr[cx]);
      out[x] = ciede_difference(CiedeLibrary{}, of_a, of_b);
    }
  });
}

void fast_ciede_row(const io::Frame& reference, const io::Frame& distorted, int y, CiedeMemory& memory, float* out) {
  const io::PictureFormat& format = reference.format();
  io::with_sample_type(format, [&](auto sample) {
    const PixelRow<decltype(sample)> a(reference, y);
    const PixelRow<decltype(sample)> b(distorted, y);
    for (int x = 0; x < format.width; ++x) {
      const int cx = ciede_chroma_position(format.chroma, x, y).x;
      const std::uint64_t of_a = CiedeMemory::pack(a.luma[x], a.cb[cx], a.cr[cx]);
      const std::uint64_t of_b = CiedeMemory::pack(b.luma[x], b.cb[cx], b.cr[cx]);
      out[x] = of_a == of_b ? 0.0f : memory.difference(of_a, of_b);
    }
  });
}

double ciede_sum(const io::FramePair& pair) {
  const io::PictureFormat& format = pair.reference().format();
  const bool fast = simd_mode() != SimdMode::kScalar;
  std::vector<BandRoom> rooms;
  for (size_t i = 0; i < kBandsInFlight; ++i) rooms.emplace_back(format.width, format.bit_depth);
  double sum = 0.0;
  fold_in_order((format.height + kRowsOfBand - 1) / kRowsOfBand, rooms,
                [&](int band, BandRoom& room) {
                  room.count = 0;
                  const int end = std::min(format.height, (band + 1) * kRowsOfBand);
                  for (int y = band * kRowsOfBand; y < end; ++y) {
                    float* out = room.differences.data() + room.count;
                    if (fast) {
                      fast_ciede_row(pair.reference(), pair.distorted(), y, room.memory, out);
                    } else {
                      slow_ciede_row(pair.reference(), pair.distorted(), y, out);
                    }
                    room.count += static_cast<size_t>(format.width);
                  }
                },
                [&](const BandRoom& room) {
                  for (size_t i = 0; i < room.count; ++i) sum = sum + static_cast<double>(room.differences[i]);
                });
  return sum;
}

size_t ciede_sum_bytes(int width) {
  return kBandsInFlight * (CiedeMemory::kBytes + static_cast<size_t>(width) * static_cast<size_t>(kRowsOfBand) * sizeof(float));
}

}  // namespace vmafbatch::extractors
