// How far a run is, for people: a bar on a terminal, plain lines elsewhere.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/teller.h"

namespace vmafbatch::graph {

// Counters that the graph's nodes raise; any thread.
struct ProgressCounters {
  std::atomic<std::int64_t> clips_total{0};
  std::atomic<std::int64_t> clips_ended{0};        // done, partial, failed or skipped
  std::atomic<std::int64_t> clips_failed{0};       // failed or partial
  std::atomic<std::int64_t> clips_kept{0};         // of the ended: from an earlier run, no work of this one
  std::atomic<std::int64_t> clips_with_length{0};  // opened so far, whose length is known and counted in frames_expected
  std::atomic<std::int64_t> frames_expected{0};
  std::atomic<std::int64_t> frames_scored{0};
  std::atomic<std::int64_t> clips_opened{0};
  std::atomic<std::int64_t> columns_opened{0};  // features and models of the opened clips
};

// A moment's figures.
struct ProgressSnapshot {
  std::int64_t clips_total = 0;
  std::int64_t clips_ended = 0;
  std::int64_t clips_failed = 0;
  std::int64_t frames = 0;
  double seconds = 0;
  double frames_per_second = 0;
  double seconds_left = -1;  // negative: not known yet
};

ProgressSnapshot snapshot(const ProgressCounters& counters, double seconds);

// "12/40 clips  3,456 frames  123.4 fps  0:12 left  1 failed"
std::string progress_text(const ProgressSnapshot& snapshot);

// About how many bytes the database will still grow by; nothing where no clip's length is known yet.
std::optional<std::uint64_t> bytes_left(const ProgressCounters& counters);

// "1:02:03", "0:07"
std::string duration_text(double seconds);

// Shows the counters while it lives: on a terminal one line that is redrawn four times a second, elsewhere a line every
// ten seconds. Owns a thread that sleeps in between. A display whose reader has stopped skips lines.
class ProgressReporter {
 public:
  enum class Style { kBar, kLines, kSilent };

  ProgressReporter(const ProgressCounters& counters, Style style, Teller& out);
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;
  ~ProgressReporter();

 private:
  void run();
  void show(bool last);

  const ProgressCounters& counters_;
  Style style_;
  Teller& out_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace vmafbatch::graph
