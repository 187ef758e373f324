#include "store/diff_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <string_view>

namespace vmafbatch::store {
namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

// "modified 2026-01-31T12:34:56.000000007Z"
std::string modified_text(std::int64_t mtime_ns) {
  std::int64_t seconds = mtime_ns / kNanosecondsPerSecond;
  std::int64_t rest = mtime_ns % kNanosecondsPerSecond;
  if (rest < 0) {
    rest += kNanosecondsPerSecond;
    --seconds;
  }
  const std::time_t time = seconds;
  std::tm parts{};
  gmtime_r(&time, &parts);  // 64 bits of nanoseconds are the years 1677 to 2262
  return fmt::format("modified {}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec, rest);
}

// "imported, version 3.2.0": who says what the values are.
std::string origin_of(const DiffScoring& scoring) {
  const auto version = std::ranges::find(scoring.setup, "program version", [](const auto& entry) { return std::string_view(entry.first); });
  return (scoring.imported ? "imported, version " : "scored, version ") + (version == scoring.setup.end() ? "" : version->second);
}

class CauseList {
 public:
  void add_if_other(const std::string& name, const std::string& before, const std::string& after) {
    if (before != after) causes_.push_back({name, before, after});
  }

  void add_file(const std::string& name, const ScoredFile& before, const ScoredFile& after) {
    if (before.size != after.size) {
      add_if_other(name, before.size + " bytes", after.size + " bytes");
    } else if (!before.hash.empty() && !after.hash.empty()) {
      add_if_other(name, "content " + before.hash, "content " + after.hash);
    } else {
      add_if_other(name, modified_text(before.mtime_ns), modified_text(after.mtime_ns));
    }
  }

  // "" stands for an entry that a side lacks.
  void add_texts(const std::string& kind, const DiffSide::Texts& before, const DiffSide::Texts& after) {
    std::set<std::string> names;
    for (const auto& [name, text] : before) names.insert(name);
    for (const auto& [name, text] : after) names.insert(name);
    for (const std::string& name : names) add_if_other(kind + name, text_of(before, name), text_of(after, name));
  }

  // Only what ran on both sides: an extractor that a side lacks explains no value that both have.
  void add_backends(const std::map<std::string, DiffBackend>& before, const std::map<std::string, DiffBackend>& after) {
    for (const auto& [extractor, old_backend] : before) {
      const auto place = after.find(extractor);
      if (place == after.end()) continue;
      const bool same_backend = old_backend.ran == place->second.ran;
      add_if_other((same_backend ? "device of " : "backend of ") + extractor, old_backend.shown, place->second.shown);
    }
  }

  std::vector<Cause> take() { return std::move(causes_); }

 private:
  static std::string text_of(const DiffSide::Texts& texts, const std::string& name) {
    const auto place = texts.find(name);
    return place == texts.end() ? std::string() : place->second;
  }

  std::vector<Cause> causes_;
};

}  // namespace

std::vector<Cause> find_causes(const DiffScoring& before, DiffSide& old_side, const DiffScoring& after, DiffSide& new_side) {
  CauseList causes;
  if (before.imported || after.imported) {
    causes.add_if_other("origin", origin_of(before), origin_of(after));
    return causes.take();
  }
  causes.add_file("reference file", before.reference, after.reference);
  causes.add_file("distorted file", before.distorted, after.distorted);
  for (size_t index = 0; index < before.setup.size(); ++index) {
    causes.add_if_other(before.setup[index].first, before.setup[index].second, after.setup[index].second);
  }
  causes.add_texts("model ", old_side.models(before.id), new_side.models(after.id));
  causes.add_backends(old_side.backends(before.id), new_side.backends(after.id));
  return causes.take();
}

}  // namespace vmafbatch::store
