#include "io/av_log.h"

#include <cstdarg>
#include <cstdio>
#include <string_view>
#include <utility>

#include "io/av_handles.h"

namespace vmafbatch::io {
namespace {

// The sink of the context that a message comes from. Frame threads have copies of the AVCodecContext: `opaque` is copied too.
AvLogSink* sink_of(void* context) {
  if (context == nullptr) return nullptr;
  const AVClass* what = *static_cast<const AVClass**>(context);
  if (what == nullptr) return nullptr;
  const std::string_view name = what->class_name;
  if (name == "AVCodecContext") return static_cast<AvLogSink*>(static_cast<AVCodecContext*>(context)->opaque);
  if (name == "AVFormatContext") return static_cast<AvLogSink*>(static_cast<AVFormatContext*>(context)->opaque);
  return nullptr;
}

void on_message(void* context, int level, const char* format, va_list arguments) {
  if (level > AV_LOG_ERROR) return;
  AvLogSink* sink = sink_of(context);
  if (sink == nullptr) return;
  char text[512];
  std::vsnprintf(text, sizeof text, format, arguments);
  sink->put(text);
}

}  // namespace

void AvLogSink::put(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '.')) text.pop_back();
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  if (text.empty()) return;
  const std::lock_guard lock(mutex_);
  last_ = std::move(text);
}

std::string AvLogSink::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(last_, {});
}

void install_av_log() {
  static const bool kInstalled = [] {
    av_log_set_callback(on_message);
    return true;
  }();
  (void)kInstalled;
}

std::string with_log_text(std::string why, AvLogSink& sink) {
  const std::string said = sink.take();
  if (!said.empty()) why += " (libav says: " + said + ")";
  return why;
}

}  // namespace vmafbatch::io
