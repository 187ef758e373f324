#include "base/log.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <memory>
#include <string_view>

#include "base/teller.h"

namespace vmafbatch {
namespace {

std::shared_ptr<spdlog::logger>& logger() {
  static std::shared_ptr<spdlog::logger> instance;
  return instance;
}

constexpr const char* kPattern = "%Y-%m-%d %H:%M:%S.%e %l %v";
constexpr std::string_view kTimeShape = "dddd-dd-dd dd:dd:dd.ddd ";  // of kPattern: d is a digit

// Nothing wrong where it is not there yet.
Status check_kind(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode) || S_ISCHR(info.st_mode)) return {};
  const char* const kind = S_ISDIR(info.st_mode) ? "folder" : S_ISFIFO(info.st_mode) ? "pipe" : "device";
  return Error{path + ": is a " + kind + ", and a log needs a file; choose another place with --log-file"};
}

void write(spdlog::level::level_enum level, const std::string& text) {
  if (logger()) logger()->log(level, "{}", text);
}

}  // namespace

Status open_log(const std::string& path) {
  if (Status kind = check_kind(path); !kind.ok()) return kind;
  try {
    auto opened = std::make_shared<spdlog::logger>("vmafbatch", std::make_shared<spdlog::sinks::basic_file_sink_mt>(path));
    opened->set_pattern(kPattern);
    opened->flush_on(spdlog::level::trace);
    // A log that cannot be written is told once and loses lines; it does not stop a run.
    opened->set_error_handler([path, told = std::make_shared<std::atomic<bool>>(false)](const std::string& what) {
      if (!told->exchange(true)) standard_error().tell_later("warning: " + path + ": lines of the log are lost (" + what + ")\n");
    });
    logger() = std::move(opened);
  } catch (const spdlog::spdlog_ex&) {
    return Error{path + ": the log file cannot be written; choose another place with --log-file"};
  }
  return {};
}

bool is_log(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  std::string begin(kTimeShape.size(), '\0');
  if (!std::ifstream(path, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()))) return false;
  for (size_t i = 0; i < begin.size(); ++i) {
    const bool is_digit = begin[i] >= '0' && begin[i] <= '9';
    if (kTimeShape[i] == 'd' ? !is_digit : begin[i] != kTimeShape[i]) return false;
  }
  return true;
}

void log_info(const std::string& text) { write(spdlog::level::info, text); }
void log_warning(const std::string& text) { write(spdlog::level::warn, text); }
void log_error(const std::string& text) { write(spdlog::level::err, text); }

}  // namespace vmafbatch
