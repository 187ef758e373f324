// A library to be loaded before all others: the time of day goes back by an hour each time that it is asked for. The steady clock stays.
#include <dlfcn.h>

#include <atomic>
#include <ctime>

// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the C library's names are reserved
extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  using Function = int (*)(clockid_t, timespec*);
  static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = real(clock, time);
  static std::atomic<time_t> asked{0};
  constexpr time_t kHour = 3600;
  if (clock == CLOCK_REALTIME && result == 0) time->tv_sec -= kHour * asked.fetch_add(1);
  return result;
}
