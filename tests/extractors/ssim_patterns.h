// The pictures that the expected values of ssim, float_ssim and float_ms_ssim stand for: one formula per sample, any size and depth.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/expect_values.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::testing {

// One sample changed in the distorted luma of frame 0.
struct Tweak {
  int x;
  int y;
  int by;
};

struct SsimPattern {
  std::string name;  // ramp, noise, same, near, inv, flat, check, smooth
  int a = 0;
  int b = 0;
  std::vector<Tweak> tweaks{};
};

inline std::uint32_t ssim_hash(int x, int y, int n, int s) {
  const auto u = [](int v) { return static_cast<std::uint32_t>(v); };
  std::uint32_t h = (u(x) * 73856093u) ^ (u(y) * 19349663u) ^ (u(n + 1) * 83492791u) ^ (u(s) * 2654435761u);
  h ^= h >> 15;
  h *= 2246822519u;
  h ^= h >> 13;
  h *= 3266489917u;
  h ^= h >> 16;
  return h;
}

struct SsimSample {
  int reference;
  int distorted;
};

inline SsimSample ssim_sample(const SsimPattern& pattern, int depth, int n, int p, int x, int y) {
  const int peak = (1 << depth) - 1;
  const auto random = [&](int s) { return static_cast<int>(ssim_hash(x, y, n, s) >> (32 - depth)); };
  const auto checker = [&](int i, int j) { return ((i >> 3) + (j >> 3)) % 2 == 1 ? peak : 0; };
  const int noise = random(2 * p + pattern.a);
  if (pattern.name == "ramp") {
    const int r = (3 * x + 5 * y + 7 * n + 11 * p) & peak;
    return {r, std::min(peak, r + (x * y) % 7)};
  }
  if (pattern.name == "same") return {noise, noise};
  if (pattern.name == "near") {
    const auto step = static_cast<int>(ssim_hash(x, y, n, 2 * p + 1 + pattern.a) % 9) - 4;
    return {noise, std::clamp(noise + step, 0, peak)};
  }
  if (pattern.name == "inv") return {noise, peak - noise};
  if (pattern.name == "flat") return {pattern.a, pattern.b};
  if (pattern.name == "check") return {checker(x, y), checker(x + pattern.a, y + pattern.b)};
  if (pattern.name == "smooth") {
    const std::int64_t value = std::int64_t{x} * x + 2 * y * y + 3 * x * y + 50 * n + 40 * p;
    const auto r = static_cast<int>((value << depth >> 16) & peak);
    return {r, std::clamp(r + 2 * (1 << (depth - 8)) * ((x + y + n) % 3 - 1), 0, peak)};
  }
  int d = random(2 * p + 1 + pattern.b);  // noise
  for (const Tweak& tweak : pattern.tweaks) d += n == 0 && p == 0 && tweak.x == x && tweak.y == y ? tweak.by : 0;
  return {noise, d};
}

inline Pairs ssim_pairs(const SsimPattern& pattern, const io::PictureFormat& format, int frames = 1) {
  Pairs pairs;
  for (int n = 0; n < frames; ++n) {
    const auto at = [&](int p, int x, int y) { return ssim_sample(pattern, format.bit_depth, n, p, x, y); };
    pairs.push_back(std::make_shared<io::FramePair>(make_frame(format, [&](int p, int x, int y) { return at(p, x, y).reference; }),
                                                    make_frame(format, [&](int p, int x, int y) { return at(p, x, y).distorted; })));
  }
  return pairs;
}

// Grey pictures: the extractors look at luma only.
inline io::PictureFormat grey(int width, int height, int depth = 8) { return {width, height, io::Chroma::k400, depth}; }

// The extractor gives exactly these values of `keys` at frame 0.
inline void expect_keys(const std::string& feature, const Pairs& pairs, const std::vector<std::string>& keys,
                        const std::vector<double>& values) {
  const ExtractorRun run = run_or_fail(feature, pairs);
  EXPECT_EQ(run.values.size(), keys.size() * pairs.size()) << feature;
  for (size_t i = 0; i < keys.size(); ++i) expect_value(run, 0, keys[i], values[i]);
}

// The refusal, or "" where there is none.
inline std::string ssim_refusal(const std::string& feature, const io::PictureFormat& format) {
  const auto run = run_extractor(feature, ssim_pairs({"ramp"}, format));
  return run.ok() ? "" : run.error().message;
}

}  // namespace vmafbatch::testing
