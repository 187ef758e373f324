// What may explain that two scorings have other values.
#pragma once

#include <vector>

#include "store/diff.h"
#include "store/diff_side.h"

namespace vmafbatch::store {

// Everything known that was not the same for both, the files first. Files: other sizes, else other content hashes, else (where a side
// has no hash) other times of modification. Throws as DiffSide does.
std::vector<Cause> find_causes(const DiffScoring& before, DiffSide& old_side, const DiffScoring& after, DiffSide& new_side);

}  // namespace vmafbatch::store
