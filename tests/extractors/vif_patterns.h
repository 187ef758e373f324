// The pictures that the expected values of vif and float_vif stand for: luma from a formula of (x, y, frame) at any depth.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/run_extractor.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::testing {

inline std::uint32_t pattern_hash(int x, int y, int n, int s) {
  const auto u = [](int v) { return static_cast<std::uint32_t>(v); };
  std::uint32_t h = (u(x) * 73856093u) ^ (u(y) * 19349663u) ^ (u(n) * 83492791u) ^ (u(s) * 2654435761u);
  h ^= h >> 13;
  h *= 0x5bd1e995u;
  h ^= h >> 15;
  h *= 0x27d4eb2du;
  h ^= h >> 16;
  return h;
}

// Reference and distorted sample; the distorted one is not yet clipped.
struct PatternSample {
  int reference;
  int distorted;
};

inline PatternSample pattern_sample(const std::string& pattern, int depth, int x, int y, int n) {
  const int peak = (1 << depth) - 1;
  const int s = depth - 8;
  const auto below = [&](int seed, int modulus) {
    return static_cast<int>(pattern_hash(x, y, n, seed) % static_cast<std::uint32_t>(modulus));
  };
  const auto random = [&](int i, int j, int seed) { return static_cast<int>(pattern_hash(i, j, n, seed) >> (32 - depth)); };
  const int noise = random(x, y, 1);
  if (pattern == "ramp") {
    const int r = ((3 * x + 5 * y + 7 * n) << s) & peak;
    return {r, r + (((x * y) % 7) << s)};
  }
  if (pattern == "noise") return {noise, noise + below(2, 33 << s) - (16 << s)};
  if (pattern == "formula") {
    const int r = ((x * x + 3 * y * y + x * y + 11 * n) << s) & peak;
    return {r, (r * 7) / 8 + (((5 * x + 3 * y) % 9) << s)};
  }
  if (pattern == "enh") {
    const int b = random(x / 3, y / 3, 5);
    const int c = peak >> 1;
    return {c + (b - c) / 4, c + (b - c) / 2};
  }
  if (pattern == "ident") return {noise, noise};
  if (pattern == "flat") return {100 << s, 100 << s};
  if (pattern == "flatref") return {128 << s, noise};
  if (pattern == "neg") return {noise, peak - noise};
  if (pattern == "checker") {
    const bool q = ((x / 4 + y / 4 + n) & 1) != 0;
    return {q ? peak : 0, q ? peak - (10 << s) : 10 << s};
  }
  if (pattern == "lowvar") {
    const int r = (100 << s) + below(1, 4);
    return {r, r + below(2, 3) - 1};
  }
  // lowvar2
  const auto coarse = static_cast<int>(pattern_hash(x / 2, y / 2, n, 1) % (8u << s));
  return {(100 << s) + below(1, 8 << s), (100 << s) + coarse};
}

inline std::vector<std::shared_ptr<const io::FramePair>> pattern_pairs(const std::string& pattern, int width, int height, int depth,
                                                                       int frames = 2) {
  const io::PictureFormat format{width, height, io::Chroma::k400, depth};
  const int peak = (1 << depth) - 1;
  std::vector<std::shared_ptr<const io::FramePair>> pairs;
  for (int n = 0; n < frames; ++n) {
    pairs.push_back(std::make_shared<io::FramePair>(
        make_frame(format, [&](int, int x, int y) { return pattern_sample(pattern, depth, x, y, n).reference; }),
        make_frame(format, [&](int, int x, int y) { return std::clamp(pattern_sample(pattern, depth, x, y, n).distorted, 0, peak); })));
  }
  return pairs;
}

// One expectation: the values of libvmaf 3.2.0 under their keys.
struct PatternCase {
  std::string pattern;
  int width;
  int height;
  int depth;
  std::string feature;
  int frame;
  std::map<std::string, double> values;
};

// "" where every expected value came out with the same bits, else what differs.
inline std::string difference_of(const PatternCase& expected) {
  const auto run = run_extractor(expected.feature, pattern_pairs(expected.pattern, expected.width, expected.height, expected.depth));
  if (!run.ok()) return run.error().message;
  std::string text;
  for (const auto& [key, value] : expected.values) {
    const auto got = run->values.find({expected.frame, key});
    if (got == run->values.end()) {
      text += "\n  nothing under " + key;
    } else if (!same_bits(got->second, value)) {
      text += "\n  " + key + ": want " + bits_text(value) + ", got " + bits_text(got->second);
    }
  }
  return text;
}

}  // namespace vmafbatch::testing
