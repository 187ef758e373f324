#include "io/file_identity.h"

#include <sys/stat.h>

#include <cerrno>

#include "io/call_thread.h"
#include "io/patience.h"
#include "io/test_hooks.h"

namespace vmafbatch::io {
namespace {

// 0, or an error number.
int look_at(const std::string& path, FileIdentity& identity) {
  struct stat state {};
  if (stat(path.c_str(), &state) != 0) return errno;
  if (S_ISDIR(state.st_mode)) return EISDIR;
  identity = identity_of(state);
  return 0;
}

Error cannot_look(const std::string& path, int error) {
  return Error{path + ": " + (error == EISDIR ? "is a folder, not a file" : error_text(error))};
}

}  // namespace

FileIdentity identity_of(const struct stat& state) {
  constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
  return {static_cast<std::uint64_t>(state.st_size), std::int64_t{state.st_mtim.tv_sec} * kNanosecondsPerSecond + state.st_mtim.tv_nsec};
}

Result<FileIdentity> file_identity(const std::string& path) {
  if (path.find('\0') != std::string::npos) return Error{"the path of a file holds a zero byte"};
  FileIdentity identity;
  const int error = look_at(path, identity);
  if (error != 0) return cannot_look(path, error);
  return identity;
}

struct FileLook::Seen {
  CallThread::Outcome outcome = CallThread::Outcome::kDone;
  int error = 0;
  FileIdentity identity;
};

FileLook::FileLook() = default;
FileLook::~FileLook() = default;

FileLook::Seen FileLook::look_once(const std::string& path, const ReadLimits& limits) {
  if (!thread_) thread_ = std::make_unique<CallThread>();
  const auto seen = std::make_shared<Seen>();  // shared with a thread that may stay behind
  const auto call = [seen, path] {
    seen->error = test_hooks::fault_at_look(path);
    if (seen->error == 0) seen->error = look_at(path, seen->identity);
  };
  const CallThread::Outcome outcome = thread_->run(call, limits);
  if (outcome == CallThread::Outcome::kDone) return *seen;
  thread_.reset();
  return {outcome, 0, {}};
}

Result<FileIdentity> FileLook::at(const std::string& path, const ReadLimits& limits) {
  if (path.find('\0') != std::string::npos) return Error{"the path of a file holds a zero byte"};
  const std::string what = "its size and time were looked at";
  const auto given_up = [&](CallThread::Outcome outcome) { return Error{path + ": " + given_up_text(outcome, what, limits)}; };
  for (int next_try = 2;; ++next_try) {
    const Seen seen = look_once(path, limits);
    if (seen.outcome != CallThread::Outcome::kDone) return given_up(seen.outcome);
    const bool again = may_pass(seen.error) && patient_ && next_try <= limits.tries;
    if (!again) {
      patient_ = !may_pass(seen.error);
      if (seen.error != 0) return cannot_look(path, seen.error);
      return seen.identity;
    }
    if (const auto outcome = pause_before_try(next_try, path, what, seen.error, limits)) return given_up(*outcome);
  }
}

}  // namespace vmafbatch::io
