// What the database keeps of a pair of pictures while its scoring is unfinished, as 64-bit words: enough to count it and to align it
// again without its pictures.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/luma_signature.h"
#include "store/records.h"

namespace vmafbatch::graph {

struct PairFacts {
  bool reported = true;
  bool identical = false;
  LumaSignature reference;
  LumaSignature distorted;

  bool operator==(const PairFacts&) const = default;
};

std::vector<std::uint64_t> pair_words(const PairFacts& facts);
// Nothing where the words were not made by pair_words.
std::optional<PairFacts> pair_facts(std::span<const std::uint64_t> words);

}  // namespace vmafbatch::graph
