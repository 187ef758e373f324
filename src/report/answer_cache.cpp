#include "report/answer_cache.h"

namespace vmafbatch::report {

std::optional<HttpAnswer> AnswerCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(key);
  if (place == places_.end()) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, place->second);
  return entries_.front().answer;
}

void AnswerCache::add(const std::string& key, const HttpAnswer& answer) {
  const std::lock_guard lock(mutex_);
  if (answer.body().size() > most_bytes_ || places_.contains(key)) return;
  while (bytes_ + answer.body().size() > most_bytes_) {
    bytes_ -= entries_.back().answer.body().size();
    places_.erase(entries_.back().key);
    entries_.pop_back();
  }
  entries_.push_front({key, answer});
  places_[key] = entries_.begin();
  bytes_ += answer.body().size();
}

size_t AnswerCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace vmafbatch::report
