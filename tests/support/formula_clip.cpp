#include "support/formula_clip.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "support/synthetic_clip.h"

namespace vmafbatch::testing {
namespace {

struct Place {
  int n, p, x, y, depth;
  int largest() const { return (1 << depth) - 1; }
};

struct Sample {
  int reference, distorted;
};

int ramp(const Place& at) { return 3 * at.x + 5 * at.y + 7 * at.n + 11 * at.p; }

int hash(const Place& at, std::uint32_t side) {
  const auto u = [](int v) { return static_cast<std::uint32_t>(v); };
  std::uint32_t h = u(at.x) * 0x9E3779B1u + u(at.y) * 0x85EBCA77u + u(at.n) * 0xC2B2AE3Du + u(at.p) * 0x27D4EB2Fu + side * 0x165667B1u;
  h ^= h >> 15;
  h *= 0x2C1B3C6Du;
  h ^= h >> 12;
  h *= 0x297A2D39u;
  h ^= h >> 15;
  return static_cast<int>(h >> (32 - at.depth));
}

Sample brighter(const Place& at, int reference, int step) { return {reference, std::min(at.largest(), reference + step)}; }

Sample deep_ramp(const Place& at) {
  const int low = (7 * at.x + 3 * at.y + at.n) & ((1 << (at.depth - 8)) - 1);
  return brighter(at, ((ramp(at) & 255) << (at.depth - 8)) + low, at.x * at.y % 7);
}

Sample bright(const Place& at) {
  const int t = (37 * at.x + 101 * at.y + 53 * at.n) % 997;
  const int reference = t % 3 == 0 ? 2 * ((at.x * at.y + t) % 2048) + 1 : 65535 - t;
  const int darker = std::max(0, reference - (2 * ((at.x + at.y * at.y) % 1024) + 1));
  return {reference, t % 3 == 1 ? darker : (7 * at.x + 3 * at.y) % 701};
}

Sample translate(const Place& at) {
  constexpr std::array kShifts = {0, 1, 9, 5, 15, 16, 18, 4, 11};
  const int s = at.x + kShifts[static_cast<size_t>(at.n) % kShifts.size()];
  return brighter(at, (7 * s + 13 * at.y + ((s * at.y) >> 3)) & at.largest(), (at.x ^ at.y) & 3);
}

Sample sample_of(Formula formula, const Place& at) {
  switch (formula) {
    case Formula::kRamp: return brighter(at, ramp(at) & at.largest(), at.x * at.y % 7);
    case Formula::kSameRamp: return brighter(at, ramp(at) & at.largest(), 0);
    case Formula::kDeepRamp: return deep_ramp(at);
    case Formula::kLevel: return brighter(at, 100 << (at.depth - 8), at.n & 1);
    case Formula::kFlash: return {at.n % 2 == 1 ? at.largest() : 0, 0};
    case Formula::kHash: return {hash(at, 0), hash(at, 1)};
    case Formula::kBright: return bright(at);
    case Formula::kTranslate: return translate(at);
  }
  return {};
}

}  // namespace

std::vector<std::shared_ptr<const io::FramePair>> formula_pairs(Formula formula, const io::PictureFormat& format, int frames) {
  std::vector<std::shared_ptr<const io::FramePair>> pairs;
  for (int n = 0; n < frames; ++n) {
    const auto at = [&](int p, int x, int y) { return sample_of(formula, {n, p, x, y, format.bit_depth}); };
    pairs.push_back(std::make_shared<io::FramePair>(make_frame(format, [&](int p, int x, int y) { return at(p, x, y).reference; }),
                                                    make_frame(format, [&](int p, int x, int y) { return at(p, x, y).distorted; })));
  }
  return pairs;
}

}  // namespace vmafbatch::testing
