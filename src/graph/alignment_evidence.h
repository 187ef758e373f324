// How well one picture explains another, and how clearly one offset explains pictures better than another one does. Private to the
// alignment.
#pragma once

#include <algorithm>
#include <cmath>

#include "graph/luma_signature.h"

namespace vmafbatch::graph {

// The squared difference of two signatures that lie `steps` of 8 bits apart in every block.
constexpr double squared_steps(double steps) { return 256 * steps * 256 * steps * static_cast<double>(LumaSignature::kBlocks); }

double squared_difference(const LumaSignature& a, const LumaSignature& b);

// What remains of the distorted's pattern when the reference's is taken out of it, squared. Brightness and contrast of the two sides
// may differ (a fade that was coded badly looks like one that comes late): the reference's pattern is fitted with any brightness and a
// contrast of 0.7 to 1.4.
double unexplained(const LumaSignature& reference, const LumaSignature& distorted);

// log2 of it, from the rounding of signatures on.
float mismatch(const LumaSignature& reference, const LumaSignature& distorted);

// What the numbers of "clearly better" are; found on the clips of docs/alignment.md and others like them. The evidence of one frame for
// an offset against another is the difference of their mismatches.
inline constexpr float kMostEvidence = 3;          // that one frame can give
inline constexpr float kSpeaks = 0.6F;             // a frame with less says nothing
inline constexpr int kLeastVotes = 8;              // frames that speak for the offset
inline constexpr float kMostContrary = 0.12F;      // frames that speak against it, as a share of those that speak for it
inline constexpr float kLeastMeanEvidence = 1.3F;  // of the frames that speak

// What some frames say for one offset against another.
struct Evidence {
  int frames = 0;  // that both explain somehow
  int votes = 0;
  int contrary = 0;
  float sum = 0;  // of the frames that speak

  // The mismatches of one frame; NaN: there is no such picture.
  void add(float ours, float theirs) {
    if (std::isnan(ours) || std::isnan(theirs)) return;
    ++frames;
    const float evidence = std::clamp(theirs - ours, -kMostEvidence, kMostEvidence);
    if (std::abs(evidence) < kSpeaks) return;
    ++(evidence > 0 ? votes : contrary);
    sum += evidence;
  }
  float mean() const { return votes + contrary > 0 ? sum / static_cast<float>(votes + contrary) : 0; }
  bool clear() const {
    // Far offsets meet fewer pictures in a short clip: there most of what they meet must speak.
    const int wanted = std::min(kLeastVotes, frames * 3 / 4);
    return votes > 0 && votes >= wanted && static_cast<float>(contrary) <= kMostContrary * static_cast<float>(votes) &&
           mean() >= kLeastMeanEvidence;
  }
};

}  // namespace vmafbatch::graph
