#include "graph/admission.h"

#include <algorithm>
#include <utility>

namespace vmafbatch::graph {

Admission::Admission(size_t budget_bytes, size_t open_limit) : budget_bytes_(budget_bytes), open_limit_(std::max<size_t>(1, open_limit)) {}

void Admission::request(size_t bytes, std::function<void()> granted) {
  {
    const std::lock_guard lock(mutex_);
    if (shut_) return;
    waiting_.push_back({bytes, std::move(granted)});
  }
  grant();
}

void Admission::shut() {
  const std::lock_guard lock(mutex_);
  shut_ = true;
  waiting_.clear();
}

void Admission::close_step() {
  {
    const std::lock_guard lock(mutex_);
    --open_;
  }
  grant();
}

void Admission::release(size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    bytes_ -= bytes;
  }
  grant();
}

std::deque<std::function<void()>> Admission::grant_locked() {
  std::deque<std::function<void()>> granted;
  while (!waiting_.empty()) {
    const size_t bytes = waiting_.front().bytes;
    const bool fits = bytes <= budget_bytes_ && bytes_ <= budget_bytes_ - bytes && open_ < open_limit_;
    if (!fits && open_ != 0) break;
    bytes_ += bytes;
    peak_bytes_ = std::max(peak_bytes_, bytes_);
    ++open_;
    granted.push_back(std::move(waiting_.front().granted));
    waiting_.pop_front();
  }
  return granted;
}

void Admission::grant() {
  std::deque<std::function<void()>> granted;
  {
    const std::lock_guard lock(mutex_);
    granted = grant_locked();
  }
  for (const std::function<void()>& start : granted) start();
}

size_t Admission::bytes_in_flight() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

size_t Admission::open_steps() const {
  const std::lock_guard lock(mutex_);
  return open_;
}

size_t Admission::peak_bytes() const {
  const std::lock_guard lock(mutex_);
  return peak_bytes_;
}

}  // namespace vmafbatch::graph
