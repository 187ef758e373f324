#include "io/test_hooks.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "base/number_text.h"

namespace vmafbatch::io::test_hooks {
namespace {

enum class Place { kRead, kOpen, kLook };

struct Fault {
  std::string part;  // of the path
  Place place = Place::kRead;
  std::uint64_t byte = 0;             // of kRead
  int error = 0;                      // 0: a stall
  std::atomic<std::int64_t> left{0};  // times
  std::int64_t seconds = 0;           // of a stall

  bool meets(const std::string& path) const { return path.find(part) != std::string::npos; }

  // What the call gives.
  int strike() {
    if (error != 0) return left.fetch_sub(1) > 0 ? error : 0;
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
    return 0;
  }
};

constexpr std::array<std::pair<std::string_view, int>, 7> kKinds = {
    {{"EIO", EIO}, {"ESTALE", ESTALE}, {"ETIMEDOUT", ETIMEDOUT}, {"EAGAIN", EAGAIN}, {"EMFILE", EMFILE}, {"ENFILE", ENFILE}, {"stall", 0}}};

// The last word of `text` behind a colon, which is cut off.
std::string_view take_last_word(std::string_view& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view word = text.substr(colon + 1);
  text = text.substr(0, colon);
  return word;
}

// A test that is spelt wrong must not pass: the program ends.
void add_fault(std::string_view text, std::deque<Fault>& faults) {
  Fault& fault = faults.emplace_back();
  const auto number = parse_integer(take_last_word(text));
  const auto kind = std::ranges::find(kKinds, take_last_word(text), &std::pair<std::string_view, int>::first);
  const std::string_view byte = take_last_word(text);
  const auto position = parse_integer(byte);
  if (!number || kind == kKinds.end() || (!position && byte != "open" && byte != "look") || text.empty()) std::abort();
  fault.part = text;
  if (position) fault.byte = static_cast<std::uint64_t>(*position);
  if (!position) fault.place = byte == "open" ? Place::kOpen : Place::kLook;
  fault.error = kind->second;
  fault.left = *number;
  fault.seconds = *number;
}

std::deque<Fault> parse_faults() {
  std::deque<Fault> faults;
  const char* const variable = std::getenv("VMAFBATCH_TEST_READ_FAULT");
  std::string_view text = variable == nullptr ? "" : variable;
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    add_fault(text.substr(0, end), faults);
    text = text.substr(std::min(end + 1, text.size()));
  }
  return faults;
}

std::deque<Fault>& faults() {
  static std::deque<Fault> faults = parse_faults();
  return faults;
}

int fault_at(Place place, const std::string& path) {
  for (Fault& fault : faults()) {
    if (fault.place != place || !fault.meets(path)) continue;
    if (const int error = fault.strike(); error != 0) return error;
  }
  return 0;
}

}  // namespace

bool has_fault(const std::string& path) {
  return std::ranges::any_of(faults(), [&](const Fault& fault) { return fault.meets(path); });
}

int fault_at_open(const std::string& path) { return fault_at(Place::kOpen, path); }

int fault_at_look(const std::string& path) { return fault_at(Place::kLook, path); }

int fault_at_read(const std::string& path, std::uint64_t offset, std::size_t& size) {
  for (Fault& fault : faults()) {
    if (fault.place != Place::kRead || !fault.meets(path)) continue;
    if (fault.byte == offset) {
      if (const int error = fault.strike(); error != 0) return error;
    } else if (fault.byte > offset) {
      size = static_cast<std::size_t>(std::min<std::uint64_t>(size, fault.byte - offset));
    }
  }
  return 0;
}

}  // namespace vmafbatch::io::test_hooks
