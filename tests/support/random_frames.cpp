#include "support/random_frames.h"

#include <random>

#include "support/synthetic_clip.h"

namespace vmafbatch::testing {

std::shared_ptr<const io::Frame> random_frame(const io::PictureFormat& format, std::uint32_t seed, RandomKind kind) {
  std::mt19937 random(seed);
  const int largest = (1 << format.bit_depth) - 1;
  return make_frame(format, [&](int, int, int) {
    const auto bits = static_cast<int>(random() & 0x7FFFFFFF);
    switch (kind) {
      case RandomKind::kUniform: return bits & largest;
      case RandomKind::kExtremes: return bits % 2 == 0 ? 0 : largest;
      case RandomKind::kNear: return largest / 2 + bits % 7 - 3;
    }
    return 0;
  });
}

std::vector<io::PictureFormat> random_formats() {
  std::vector<io::PictureFormat> formats;
  for (const int depth : {8, 10, 12, 16}) {
    for (const auto& [width, height] : {std::pair{3, 3},
                                        {4, 5},
                                        {5, 17},
                                        {7, 4},
                                        {15, 16},
                                        {16, 33},
                                        {17, 3},
                                        {31, 7},
                                        {33, 20},
                                        {64, 16},
                                        {67, 35},
                                        {257, 19},
                                        {1000, 9}}) {
      formats.push_back({width, height, io::Chroma::k420, depth});
    }
  }
  return formats;
}

}  // namespace vmafbatch::testing
