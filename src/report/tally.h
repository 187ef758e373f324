// How often each text occurs, and in which clips.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/json.h"

namespace vmafbatch::report {

class Tally {
 public:
  // Beyond kMostTexts different ones a new text only adds to total().
  void add(const std::string& text, std::int64_t clip);

  std::int64_t total() const { return total_; }
  // [{"text", "count", "clips": [ids]}], the most frequent first, then by text; at most `most`, and kMostClips ids each.
  Json with_clips(std::size_t most) const;
  // [{"text", "clips": count}]
  Json counts(std::size_t most) const;

  static constexpr std::size_t kMostTexts = 10'000;
  static constexpr std::size_t kMostClips = 20;

 private:
  struct Entry {
    std::int64_t count = 0;
    std::vector<std::int64_t> clips;
  };
  std::vector<const std::pair<const std::string, Entry>*> by_count(std::size_t most) const;

  std::map<std::string, Entry> entries_;
  std::int64_t total_ = 0;
};

}  // namespace vmafbatch::report
