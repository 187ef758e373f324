// Keeps what libav says about one file, so that an error can quote it; nothing goes to standard error.
#pragma once

#include <mutex>
#include <string>

namespace vmafbatch::io {

// Put a pointer to it into `opaque` of an AVFormatContext or AVCodecContext: it then receives their error messages. Any thread may
// call any member (decoder threads do). It must outlive the contexts.
class AvLogSink {
 public:
  void put(std::string text);
  // The last error message, one line, and forgets it; empty where there was none.
  std::string take();

 private:
  std::mutex mutex_;
  std::string last_;
};

// Sends all messages of libav to the sinks. May be called any number of times.
void install_av_log();

// "why (libav says: text)", or `why` alone where the sink holds nothing.
std::string with_log_text(std::string why, AvLogSink& sink);

}  // namespace vmafbatch::io
