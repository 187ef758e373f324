#include "io/pass_hash.h"

#include <algorithm>
#include <utility>

namespace vmafbatch::io {

void PassHash::hash(std::span<const std::byte> bytes) {
  hash_.update(bytes);
  next_ += bytes.size();
}

void PassHash::add(std::uint64_t offset, std::span<const std::byte> bytes) {
  const std::uint64_t end = offset + bytes.size();
  if (broken_ || end <= next_) return;
  if (offset > next_ && offset - next_ <= kSmallGap) fill(offset);
  if (offset > next_) return keep(offset, bytes);
  if (end <= next_) return;  // kept bytes behind the gap reach farther
  hash(bytes.subspan(static_cast<size_t>(next_ - offset)));
  use_kept();
}

void PassHash::keep(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (kept_bytes_ + bytes.size() > kMostKept) {  // finish() finds the gap, unless these bytes are read again
    dropped_bytes_ += bytes.size();
    if (dropped_bytes_ > kMostKept) give_up();  // a pass that began in the middle: the memory is better used
    return;
  }
  std::vector<std::byte>& place = kept_[offset];
  if (place.size() >= bytes.size()) return;
  kept_bytes_ += bytes.size() - place.size();
  place.assign(bytes.begin(), bytes.end());
}

void PassHash::give_up() {
  broken_ = true;
  kept_.clear();
  kept_bytes_ = 0;
}

void PassHash::use_kept() {
  while (!kept_.empty() && kept_.begin()->first <= next_) {
    const auto& [offset, bytes] = *kept_.begin();
    const auto known = static_cast<size_t>(next_ - offset);
    if (known < bytes.size()) hash(std::span(bytes).subspan(known));
    kept_bytes_ -= bytes.size();
    kept_.erase(kept_.begin());
  }
}

bool PassHash::fill(std::uint64_t end) {
  std::vector<std::byte> buffer(static_cast<size_t>(std::min<std::uint64_t>(end - next_, kSmallGap)));
  while (next_ < end && !broken_) {
    const size_t want = static_cast<size_t>(std::min<std::uint64_t>(end - next_, buffer.size()));
    const size_t got = read_(next_, std::span(buffer).first(want));
    if (got == 0) give_up();
    hash(std::span(buffer).first(got));
  }
  use_kept();
  return !broken_;
}

std::optional<std::string> PassHash::finish(std::uint64_t size) {
  std::uint64_t missing = 0;
  std::uint64_t at = next_;
  for (const auto& [offset, bytes] : kept_) {
    if (offset > at) missing += offset - at;
    at = std::max(at, offset + bytes.size());
  }
  if (at < size) missing += size - at;
  if (broken_ || at > size || missing > kMostAtEnd) return std::nullopt;
  while (next_ < size) {
    if (!fill(kept_.empty() ? size : kept_.begin()->first)) return std::nullopt;
  }
  return hash_.text();
}

}  // namespace vmafbatch::io
