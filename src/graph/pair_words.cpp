#include "graph/pair_words.h"

#include <cstring>

namespace vmafbatch::graph {
namespace {

constexpr std::uint64_t kReported = 1;
constexpr std::uint64_t kIdentical = 2;
constexpr size_t kWordsPerSignature = sizeof(LumaSignature) / sizeof(std::uint64_t);
constexpr size_t kWords = 1 + 2 * kWordsPerSignature;

}  // namespace

std::vector<std::uint64_t> pair_words(const PairFacts& facts) {
  std::vector<std::uint64_t> words(kWords);
  words[0] = (facts.reported ? kReported : 0) | (facts.identical ? kIdentical : 0);
  std::memcpy(&words[1], facts.reference.means.data(), sizeof(LumaSignature));
  std::memcpy(&words[1 + kWordsPerSignature], facts.distorted.means.data(), sizeof(LumaSignature));
  return words;
}

std::optional<PairFacts> pair_facts(std::span<const std::uint64_t> words) {
  if (words.size() != kWords || words[0] > (kReported | kIdentical)) return std::nullopt;
  PairFacts facts;
  facts.reported = (words[0] & kReported) != 0;
  facts.identical = (words[0] & kIdentical) != 0;
  std::memcpy(facts.reference.means.data(), &words[1], sizeof(LumaSignature));
  std::memcpy(facts.distorted.means.data(), &words[1 + kWordsPerSignature], sizeof(LumaSignature));
  return facts;
}

}  // namespace vmafbatch::graph
