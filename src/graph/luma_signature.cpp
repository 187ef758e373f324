#include "graph/luma_signature.h"

#include <algorithm>

namespace vmafbatch::graph {
namespace {

constexpr int kRowsRead = 8;  // of a block

// Cut i of a length in equal parts; at least one sample long, so that a picture of any size has all its blocks.
struct Span {
  int begin;
  int end;
};
Span part(int length, size_t i, size_t parts) {
  const auto at = [&](size_t k) {
    return static_cast<int>(static_cast<std::int64_t>(length) * static_cast<std::int64_t>(k) / static_cast<std::int64_t>(parts));
  };
  const int begin = std::min(at(i), length - 1);
  return {begin, std::max(at(i + 1), begin + 1)};
}

template <class Sample>
std::uint64_t sum_of(const Sample* samples, int count) {
  constexpr int kStep = 16;  // a fixed length, which the compiler turns into vector instructions
  std::uint64_t sum = 0;
  int i = 0;
  for (; i + kStep <= count; i += kStep) {
    std::uint32_t step = 0;
    for (int k = 0; k < kStep; ++k) step += samples[i + k];
    sum += step;
  }
  for (; i < count; ++i) sum += samples[i];
  return sum;
}

}  // namespace

LumaSignature luma_signature(const io::Frame& frame) {
  LumaSignature signature;
  with_sample_type(frame.format(), [&](auto type) {
    using Sample = decltype(type);
    const io::Plane<const Sample> luma = frame.plane<Sample>(0);
    const int shift = 16 - frame.format().bit_depth;
    for (size_t row = 0; row < LumaSignature::kRows; ++row) {
      const Span rows = part(luma.height, row, LumaSignature::kRows);
      const int read = std::min(kRowsRead, rows.end - rows.begin);
      for (size_t column = 0; column < LumaSignature::kColumns; ++column) {
        const Span columns = part(luma.width, column, LumaSignature::kColumns);
        std::uint64_t sum = 0;
        for (int i = 0; i < read; ++i) {
          const int y = rows.begin + (rows.end - rows.begin) * (2 * i + 1) / (2 * read);
          sum += sum_of(luma.row(y) + columns.begin, columns.end - columns.begin);
        }
        const auto count = static_cast<std::uint64_t>(read) * static_cast<std::uint64_t>(columns.end - columns.begin);
        signature.means[row * LumaSignature::kColumns + column] = static_cast<std::uint16_t>(((sum << shift) + count / 2) / count);
      }
    }
  });
  return signature;
}

}  // namespace vmafbatch::graph
