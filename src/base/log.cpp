#include "base/log.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <cstdio>
#include <memory>

namespace vmafbatch {
namespace {

std::shared_ptr<spdlog::logger>& logger() {
  static std::shared_ptr<spdlog::logger> instance;
  return instance;
}

void write(spdlog::level::level_enum level, const std::string& text) {
  if (logger()) logger()->log(level, "{}", text);
}

}  // namespace

Status open_log(const std::string& path) {
  try {
    auto opened = std::make_shared<spdlog::logger>("vmafbatch", std::make_shared<spdlog::sinks::basic_file_sink_mt>(path));
    opened->set_pattern("%Y-%m-%d %H:%M:%S.%e %l %v");
    opened->flush_on(spdlog::level::trace);
    // A log that cannot be written is told once and loses lines; it does not stop a run.
    opened->set_error_handler([path, told = std::make_shared<std::atomic<bool>>(false)](const std::string& what) {
      if (!told->exchange(true)) std::fputs(("warning: " + path + ": lines of the log are lost (" + what + ")\n").c_str(), stderr);
    });
    logger() = std::move(opened);
  } catch (const spdlog::spdlog_ex&) {
    return Error{path + ": the log file cannot be written; choose another place with --log-file"};
  }
  return {};
}

void log_info(const std::string& text) { write(spdlog::level::info, text); }
void log_warning(const std::string& text) { write(spdlog::level::warn, text); }
void log_error(const std::string& text) { write(spdlog::level::err, text); }

}  // namespace vmafbatch
