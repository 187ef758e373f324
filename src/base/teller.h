// Text for people, on a descriptor whose reader may have stopped: a paused pager, a hung ssh, a terminal held by Ctrl-S. Such a reader
// holds the program up for a while, not for ever.
#pragma once

#include <chrono>
#include <memory>
#include <string>

namespace vmafbatch {

class Teller {
 public:
  // How long a reader may pause before the program goes on without it. A slow terminal draws a line in less.
  static constexpr std::chrono::milliseconds kPatience{10'000};

  // Does not own `descriptor`.
  explicit Teller(int descriptor, std::chrono::milliseconds patience = kPatience);
  // Waits as tell() does for what tell_later() left.
  ~Teller();
  Teller(const Teller&) = delete;
  Teller& operator=(const Teller&) = delete;

  // Returns when the text is written, cannot be, or after the patience. From then on nothing is waited for until the reader goes on; it
  // gets then what was told in between, up to a megabyte. Any thread.
  void tell(const std::string& text);

  // Returns at once. Any thread.
  void tell_later(const std::string& text);

  // Text is waiting for the reader. Any thread.
  bool is_behind() const;

 private:
  struct State;
  bool append(const std::string& text);

  std::shared_ptr<State> state_;  // shared with the thread that writes, which a reader may hold longer than this lives
  std::chrono::milliseconds patience_;
};

// Standard error. What must not mix with its texts is written through it, too.
Teller& standard_error();

}  // namespace vmafbatch
