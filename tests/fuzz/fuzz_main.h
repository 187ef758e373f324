// The frame of a fuzz target: a plain program that tries damaged input until its time is over. A target is one file, fuzz_<what>.cpp:
//
//   int main(int argc, char** argv) {
//     return vmafbatch::fuzz::run(argc, argv, [](vmafbatch::fuzz::Random& random) { ... one case, made from `random` alone ... });
//   }
//
// usage: fuzz_<what> [SECONDS [SEED [EXECUTIONS]]]    (default: 10 seconds from seed 1, no limit on executions)
//
// Case n of a run has the seed SEED + n. A case that crashes, throws or does not end is named on standard error; `fuzz_<what> 60 THAT_SEED
// 1` runs it alone. Exit code 0: nothing found, 1: a finding, 2: wrong arguments.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <random>
#include <string>
#include <string_view>

#if defined(__SANITIZE_ADDRESS__)
extern "C" void __sanitizer_set_death_callback(void (*callback)());  // NOLINT(bugprone-reserved-identifier): the sanitizer's name
#endif

namespace vmafbatch::fuzz {

// A case may take so long; one that takes longer counts as a hang.
constexpr unsigned kCaseSeconds = 60;

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  // 0 .. below - 1. REQUIRES: below > 0
  size_t index(size_t below) { return static_cast<size_t>(engine_() % below); }
  bool one_in(size_t n) { return index(n) == 0; }
  // REQUIRES: `items` is not empty
  template <class Items>
  const auto& pick(const Items& items) {
    return *(std::begin(items) + static_cast<std::ptrdiff_t>(index(std::size(items))));
  }

 private:
  std::mt19937_64 engine_;  // the same numbers everywhere, unlike the distributions of <random>
};

// A range [first, first + size) of `bytes`, at most `longest` long. REQUIRES: `bytes` is not empty
struct Range {
  size_t first, size;
};
inline Range some_range(std::string_view bytes, Random& random, size_t longest = 64) {
  const size_t first = random.index(bytes.size());
  return {first, 1 + random.index(std::min(longest, bytes.size() - first))};
}

// One small damage: a bit, a byte, a number at a border, a piece lost, doubled, overwritten, or the end cut off.
inline void damage_once(std::string& bytes, Random& random) {
  if (bytes.empty()) {
    bytes.push_back(static_cast<char>(random.bits()));
    return;
  }
  static constexpr std::uint64_t kBorders[] = {0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, ~0ULL};
  char& byte = bytes[random.index(bytes.size())];
  const Range range = some_range(bytes, random);
  switch (random.index(8)) {
    case 0: byte = static_cast<char>(byte ^ (1 << random.index(8))); break;
    case 1: byte = static_cast<char>(random.bits()); break;
    case 2: {
      const std::uint64_t border = random.pick(kBorders);
      std::memcpy(&bytes[range.first], &border, std::min(range.size, sizeof border));
      break;
    }
    case 3: bytes.erase(range.first, range.size); break;
    case 4: bytes.insert(random.index(bytes.size() + 1), std::string(bytes, range.first, range.size)); break;
    case 5: bytes.replace(random.index(bytes.size()), range.size, std::string(bytes, range.first, range.size)); break;
    case 6: std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(range.first), range.size, static_cast<char>(random.bits())); break;
    default:
      if (random.one_in(4)) bytes.resize(random.index(bytes.size()));
  }
}

// `bytes` with one to eight damages.
inline std::string damaged(std::string bytes, Random& random) {
  for (size_t count = 1 + random.index(8); count > 0; --count) damage_once(bytes, random);
  return bytes;
}

namespace detail {

inline char case_name[64] = "";  // for the signal handler: "case 123"

inline void say_case(const char* what) {
  for (const char* text : {"\nfuzz: ", static_cast<const char*>(case_name), what, "\n"}) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
  }
}

inline void on_hang(int /*signal*/) {
  say_case(" did not end");
  _exit(1);
}

inline void on_crash(int signal) {
  say_case(" crashed");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace detail

inline void tell_of_crashes() {
  std::signal(SIGALRM, detail::on_hang);
  std::signal(SIGABRT, detail::on_crash);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_set_death_callback([] { detail::say_case(" crashed"); });
#else
  for (const int signal : {SIGSEGV, SIGFPE, SIGBUS, SIGILL}) std::signal(signal, detail::on_crash);
#endif
}

// Runs cases until a limit is reached or one throws.
inline int run(int argc, char** argv, const std::function<void(Random&)>& one_case) {
  const auto number = [&](int index, std::uint64_t otherwise) {
    return argc > index ? std::strtoull(argv[index], nullptr, 10) : static_cast<unsigned long long>(otherwise);
  };
  if (argc > 4 || (argc > 1 && std::strspn(argv[1], "0123456789") != std::strlen(argv[1]))) {
    std::fprintf(stderr, "usage: %s [SECONDS [SEED [EXECUTIONS]]]\n", argv[0]);
    return 2;
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(number(1, 10));
  const std::uint64_t seed = number(2, 1);
  const std::uint64_t limit = number(3, ~0ULL);
  tell_of_crashes();
  std::uint64_t executions = 0;
  for (; executions < limit && std::chrono::steady_clock::now() < end; ++executions) {
    const std::uint64_t case_seed = seed + executions;
    std::snprintf(detail::case_name, sizeof detail::case_name, "case %llu", static_cast<unsigned long long>(case_seed));
    alarm(kCaseSeconds);
    try {
      Random random(case_seed);
      one_case(random);
    } catch (const std::exception& exception) {
      std::fprintf(stderr, "fuzz: %s threw: %s\n", detail::case_name, exception.what());
      return 1;
    }
  }
  alarm(0);
  std::printf("%llu executions, nothing found; the next seed is %llu\n", static_cast<unsigned long long>(executions),
              static_cast<unsigned long long>(seed + executions));
  return 0;
}

}  // namespace vmafbatch::fuzz
