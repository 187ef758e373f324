// Pictures of random bits, for comparing a fast path with its plain twin.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "io/frame.h"

namespace vmafbatch::testing {

// What the random samples look like.
enum class RandomKind {
  kUniform,   // every bit random
  kExtremes,  // 0 and the largest value in random turn: the largest sums
  kNear,      // within 3 of mid-grey: small differences, many ties
};

std::shared_ptr<const io::Frame> random_frame(const io::PictureFormat& format, std::uint32_t seed, RandomKind kind);

// Sizes and depths that reach every branch of a vector loop: below one vector, odd tails, several vectors.
std::vector<io::PictureFormat> random_formats();

}  // namespace vmafbatch::testing
