// The sum of the largest contrasts of a scale.
#pragma once

#include <cstddef>
#include <span>

namespace vmafbatch::extractors {

// The sum in double of the `count` largest of `values`, bit-equal to the one that adds them in the order in which the reference's
// selection (C. A. R. Hoare, "Algorithm 65: Find", Communications of the ACM 4(7), 1961, descending) leaves them; of all, in the order
// they stand in, where count is their number. May change the order of the values.
// REQUIRES: 1 <= count <= values.size(); no value is negative, infinite or NaN
double cambi_sum_of_largest(std::span<float> values, size_t count);
double slow_cambi_sum_of_largest(std::span<float> values, size_t count);
double fast_cambi_sum_of_largest(std::span<float> values, size_t count);

}  // namespace vmafbatch::extractors
