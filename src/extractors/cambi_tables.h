// What cambi prepares on the host before the first frame: which steps the eye sees at which sample value, and reciprocals.
#pragma once

#include <array>

#include "extractors/cambi_math.h"

namespace vmafbatch::extractors {

// How samples become light.
enum class CambiEotf { kBt1886, kPq };

// The luminance of a 10-bit limited-range sample in cd/m2. BT.1886: a display of 300 cd/m2 with a black of 0.01. PQ: SMPTE ST 2084.
double cambi_luminance(CambiEotf eotf, int sample);

// Entry d: the last sample value at which a step of d is visible, that is, raises the luminance by more than tvi_threshold times
// itself; 0: none, kCambiTopSample: all. Never falls with d. Entry 0 is unused.
using CambiThresholds = std::array<int, kCambiMostSteps + 1>;
CambiThresholds cambi_thresholds(CambiEotf eotf, double tvi_threshold, int steps);

// The first sample value whose luminance reaches `luminance`; 0 where black does.
int cambi_dark_limit(CambiEotf eotf, double luminance);

// The largest window whose counts the table of reciprocals holds.
inline constexpr int kCambiLargestWindow = 65;
// Entry i: 1 / i rounded to nine decimal digits and then to float, which differs from 1.0f / i for 42 entries; entry 0 is 0.
using CambiReciprocals = std::array<float, kCambiLargestWindow * kCambiLargestWindow + 1>;
const CambiReciprocals& cambi_reciprocals();

}  // namespace vmafbatch::extractors
