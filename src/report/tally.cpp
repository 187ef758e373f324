#include "report/tally.h"

#include <algorithm>

namespace vmafbatch::report {

void Tally::add(const std::string& text, std::int64_t clip) {
  ++total_;
  if (entries_.size() == kMostTexts && !entries_.contains(text)) return;
  Entry& entry = entries_[text];
  ++entry.count;
  if (entry.clips.size() < kMostClips && (entry.clips.empty() || entry.clips.back() != clip)) entry.clips.push_back(clip);
}

std::vector<const std::pair<const std::string, Tally::Entry>*> Tally::by_count(std::size_t most) const {
  std::vector<const std::pair<const std::string, Entry>*> sorted;
  for (const auto& entry : entries_) sorted.push_back(&entry);
  std::ranges::stable_sort(sorted, std::ranges::greater(), [](const auto* entry) { return entry->second.count; });
  sorted.resize(std::min(sorted.size(), most));
  return sorted;
}

Json Tally::with_clips(std::size_t most) const {
  Json json = Json::array();
  for (const auto* entry : by_count(most)) {
    json.push_back({{"text", json_text(entry->first)}, {"count", entry->second.count}, {"clips", entry->second.clips}});
  }
  return json;
}

Json Tally::counts(std::size_t most) const {
  Json json = Json::array();
  for (const auto* entry : by_count(most)) json.push_back({{"text", json_text(entry->first)}, {"clips", entry->second.count}});
  return json;
}

}  // namespace vmafbatch::report
