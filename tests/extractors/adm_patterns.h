// The pictures that the expected values of adm stand for: luma from a formula of (x, y, frame) at any depth.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/synthetic_clip.h"

namespace vmafbatch::testing {

// Reference and distorted sample of one position of pattern `name`; random(c) is a hash of the position and c.
inline std::pair<int, int> adm_sample(const std::string& name, int depth, int x, int y, int n) {
  const auto u = [](int v) { return static_cast<std::uint32_t>(v); };
  const auto random = [&](std::uint32_t c) {
    std::uint32_t t = (u(x) * 73856093u) ^ (u(y) * 19349663u) ^ (u(n) * 83492791u) ^ (c * 2654435761u);
    t ^= t >> 13;
    t *= 0x5bd1e995u;
    return t ^ (t >> 15);
  };
  const int peak = (1 << depth) - 1;
  const int s = depth - 8;
  const int first = static_cast<int>(random(1) & u(peak));
  const int second = static_cast<int>(random(2) & u(peak));
  if (name == "grad") {
    const int r = ((3 * x + 5 * y + 7 * n) & 255) << s;
    return {r, std::min(peak, r + (((x * y) % 7) << s))};
  }
  if (name == "noise") return {first, second};
  if (name == "bw") return {(random(1) & 1) != 0 ? peak : 0, (random(2) & 1) != 0 ? peak : 0};
  if (name == "small") return {first, std::clamp(first + static_cast<int>(random(2) % (9u << s)) - (4 << s), 0, peak)};
  if (name == "gain2") {
    const int r = first / 8 + peak / 2 - peak / 16;
    return {r, std::clamp((r - peak / 2) * 5 + peak / 2, 0, peak)};
  }
  if (name == "ident") return {first, first};
  if (name == "flatnoise") return {peak / 2, second};
  if (name == "noiseflat") return {first, peak / 2};
  if (name == "cols") return {(x & 1) != 0 ? peak : 0, (x & 1) != 0 ? peak : 0};
  return {peak / 2, peak / 2};  // flat
}

inline std::shared_ptr<const io::FramePair> adm_pair(const std::string& name, int width, int height, int depth, int frame,
                                                     io::Chroma chroma = io::Chroma::k400) {
  const io::PictureFormat format{width, height, chroma, depth};
  return std::make_shared<io::FramePair>(
      make_frame(format, [&](int, int x, int y) { return adm_sample(name, depth, x, y, frame).first; }),
      make_frame(format, [&](int, int x, int y) { return adm_sample(name, depth, x, y, frame).second; }));
}

}  // namespace vmafbatch::testing
