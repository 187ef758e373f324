#include "graph/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace vmafbatch::graph {
namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace): literals have no other way

// 1234567 -> "1,234,567"
std::string grouped(std::int64_t value) {
  std::string digits = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

std::string bar(double fraction, size_t width) {
  const auto filled = static_cast<size_t>(std::lround(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(width)));
  return std::string(filled, '#') + std::string(width - filled, '.');
}

}  // namespace

ProgressSnapshot snapshot(const ProgressCounters& counters, double seconds) {
  ProgressSnapshot s;
  s.clips_total = counters.clips_total.load();
  s.clips_ended = counters.clips_ended.load();
  s.clips_failed = counters.clips_failed.load();
  s.frames = counters.frames_scored.load();
  s.seconds = seconds;
  s.frames_per_second = seconds > 0 ? static_cast<double>(s.frames) / seconds : 0;
  const std::int64_t known = counters.clips_with_length.load();
  if (known > 0 && s.frames_per_second > 0) {
    // Clips whose length is not known yet count as long as the mean of those that are.
    const double mean = static_cast<double>(counters.frames_expected.load()) / static_cast<double>(known);
    const double expected = mean * static_cast<double>(s.clips_total - counters.clips_kept.load());
    s.seconds_left = std::max(0.0, expected - static_cast<double>(s.frames)) / s.frames_per_second;
  }
  return s;
}

std::optional<std::uint64_t> bytes_left(const ProgressCounters& counters) {
  // Measured: a row of frame_score with its share of the tree above it.
  constexpr double kBytesPerValue = 22;
  const std::int64_t clips = counters.clips_with_length.load();
  if (clips == 0) return std::nullopt;
  const double frames = static_cast<double>(counters.frames_expected.load()) / static_cast<double>(clips);
  const double columns = static_cast<double>(counters.columns_opened.load()) / static_cast<double>(counters.clips_opened.load());
  const auto to_score = static_cast<double>(counters.clips_total.load() - counters.clips_kept.load());
  const double frames_left = frames * to_score - static_cast<double>(counters.frames_scored.load());
  const double bytes = std::max(0.0, frames_left * columns * kBytesPerValue);
  // What is new lies in the WAL first, which grows to its limit (writer_open.cpp) before it goes into the file.
  constexpr double kWalBytes = 32 << 20;
  return static_cast<std::uint64_t>(bytes + std::min(bytes, kWalBytes));
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string progress_text(const ProgressSnapshot& s) {
  std::string text = fmt::format("{}/{} clips  {} frames  {:.1f} fps", grouped(s.clips_ended), grouped(s.clips_total), grouped(s.frames),
                                 s.frames_per_second);
  if (s.seconds_left >= 0 && s.clips_ended < s.clips_total) text += "  " + duration_text(s.seconds_left) + " left";
  if (s.clips_failed > 0) text += "  " + grouped(s.clips_failed) + " failed or partial";
  return text;
}

ProgressReporter::ProgressReporter(const ProgressCounters& counters, Style style, Teller& out)
    : counters_(counters), style_(style), out_(out) {
  if (style_ != Style::kSilent) thread_ = std::thread([this] { run(); });
}

ProgressReporter::~ProgressReporter() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
  show(true);
}

void ProgressReporter::run() {
  const auto period = style_ == Style::kBar ? 250ms : 10'000ms;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, period, [this] { return stop_; })) show(false);
}

void ProgressReporter::show(bool last) {
  if (!last && out_.is_behind()) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const ProgressSnapshot s = snapshot(counters_, seconds);
  std::string text = progress_text(s);
  if (style_ == Style::kBar) {
    const double fraction = s.seconds_left >= 0 && seconds + s.seconds_left > 0 ? seconds / (seconds + s.seconds_left) : 0.0;
    // \r returns to the line's start, \x1b[K clears what a longer line left behind.
    text = fmt::format("\r[{}] {}\x1b[K{}", bar(last ? 1.0 : fraction, 24), text, last ? "\n" : "");
  } else {
    text = fmt::format("{} after {}\n", text, duration_text(seconds));
  }
  if (last) {
    out_.tell(text);
  } else {
    out_.tell_later(text);
  }
}

}  // namespace vmafbatch::graph
