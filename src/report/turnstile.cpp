#include "report/turnstile.h"

namespace vmafbatch::report {

Turnstile::Place::Place(Turnstile& turnstile, std::chrono::milliseconds patience, const std::atomic<bool>& stopping)
    : turnstile_(turnstile) {
  constexpr std::chrono::milliseconds kSlice(50);  // how often it looks at `stopping`
  const auto end = std::chrono::steady_clock::now() + patience;
  std::unique_lock lock(turnstile_.mutex_);
  if (turnstile_.free_ == 0 && turnstile_.room_ == 0) return;
  --turnstile_.room_;
  while (turnstile_.free_ == 0 && !stopping && std::chrono::steady_clock::now() < end) turnstile_.changed_.wait_for(lock, kSlice);
  ++turnstile_.room_;
  taken_ = turnstile_.free_ > 0 && !stopping;
  if (taken_) --turnstile_.free_;
}

Turnstile::Place::~Place() {
  if (!taken_) return;
  {
    const std::lock_guard lock(turnstile_.mutex_);
    ++turnstile_.free_;
  }
  turnstile_.changed_.notify_one();
}

}  // namespace vmafbatch::report
