// The pictures that the expected values of psnr_hvs and ciede stand for: all planes from a formula of (x, y, frame, plane).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "support/synthetic_clip.h"

namespace vmafbatch::testing {

inline std::uint32_t plane_hash(int x, int y, int n, int p) {
  const auto u = [](int v) { return static_cast<std::uint32_t>(v); };
  std::uint32_t v = (u(x) * 73856093u) ^ (u(y) * 19349663u) ^ (u(n) * 83492791u) ^ (u(p) * 2654435761u);
  v ^= v >> 13;
  v *= 0x5bd1e995u;
  v ^= v >> 15;
  return v;
}

struct PlaneSample {
  int reference;
  int distorted;
};

// 'R' ramp, 'N' noise, 'S' soft noise, 'F' flat, 'E' inverted checker, 'K' blocks. x and y are counted in the plane itself.
inline PlaneSample plane_sample(char pattern, int depth, int x, int y, int n, int p) {
  const int peak = (1 << depth) - 1;
  const int s = depth - 8;
  const auto below = [](std::uint32_t hash, int modulus) { return static_cast<int>(hash % static_cast<std::uint32_t>(modulus)); };
  switch (pattern) {
    case 'R': {
      const int r = (3 * x + 5 * y + 7 * n + 11 * p) & peak;
      return {r, std::min(peak, r + (((x * y + p) % 7) << s))};
    }
    case 'N': {
      const auto noise = [&](int frame) { return static_cast<int>(plane_hash(x, y, frame, p) & static_cast<std::uint32_t>(peak)); };
      return {noise(n), noise(n + 1000)};
    }
    case 'S': {
      const int r = ((128 << s) + below(plane_hash(x / 4, y / 4, n, p), 60 << s)) & peak;
      return {r, std::clamp(r + below(plane_hash(x, y, n, p + 9), 9 << s) - (4 << s), 0, peak)};
    }
    case 'F': {
      const int r = (100 + 20 * p) << s;
      return {r, r + (1 << s)};
    }
    case 'E': {
      const int r = ((x / 8 + y / 8 + n + p) & 1) != 0 ? peak : 0;
      return {r, peak - r};
    }
    default: {
      const int r = ((x >> 3) * 37 + (y >> 3) * 91 + 53 * p + 17 * n) % (peak + 1);
      return {r, ((x >> 3) * 41 + (y >> 3) * 83 + 59 * p + 19 * n) % (peak + 1)};
    }
  }
}

inline std::vector<std::shared_ptr<const io::FramePair>> plane_pairs(char pattern, const io::PictureFormat& format, int frames = 1) {
  std::vector<std::shared_ptr<const io::FramePair>> pairs;
  for (int n = 0; n < frames; ++n) {
    const auto sample = [&](int p, int x, int y) { return plane_sample(pattern, format.bit_depth, x, y, n, p); };
    pairs.push_back(std::make_shared<io::FramePair>(make_frame(format, [&](int p, int x, int y) { return sample(p, x, y).reference; }),
                                                    make_frame(format, [&](int p, int x, int y) { return sample(p, x, y).distorted; })));
  }
  return pairs;
}

// The reference of every pair on both sides.
inline std::vector<std::shared_ptr<const io::FramePair>> equal_sides(char pattern, const io::PictureFormat& format) {
  const auto picture =
      make_frame(format, [&](int p, int x, int y) { return plane_sample(pattern, format.bit_depth, x, y, 0, p).reference; });
  return {std::make_shared<io::FramePair>(picture, picture)};
}

}  // namespace vmafbatch::testing
