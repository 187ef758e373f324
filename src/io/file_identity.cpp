#include "io/file_identity.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <iterator>
#include <utility>

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

  // In the thread of the call.
  static Seen of(const std::string& path) {
    Seen seen;
    seen.error = test_hooks::fault_at_look(path);
    if (seen.error == 0) seen.error = look_at(path, seen.identity);
    return seen;
  }
};

FileLook::FileLook() = default;
FileLook::~FileLook() = default;

void FileLook::expect(const std::vector<std::string>& paths) {
  ahead_.clear();
  expected_.clear();
  // The others are refused without a look.
  std::ranges::copy_if(paths, std::back_inserter(expected_), [](const std::string& path) { return path.find('\0') == std::string::npos; });
}

FileLook::Seen FileLook::first_look(const std::string& path, const ReadLimits& limits) {
  if (expected_.empty() || expected_.front() != path) return look_once(path, limits);
  if (ahead_.empty()) look_ahead(limits);
  const Seen seen = ahead_.front();
  ahead_.pop_front();
  expected_.pop_front();
  return seen;
}

FileLook::Seen FileLook::look_once(const std::string& path, const ReadLimits& limits) {
  if (!thread_) thread_ = std::make_unique<CallThread>();
  const auto seen = std::make_shared<Seen>();  // shared with a thread that may stay behind
  const CallThread::Outcome outcome = thread_->run([seen, path] { *seen = Seen::of(path); }, limits);
  if (outcome == CallThread::Outcome::kDone) return *seen;
  thread_.reset();
  return {outcome, 0, {}};
}

void FileLook::look_ahead(const ReadLimits& limits) {
  struct Batch {  // shared with a thread that may stay behind
    std::vector<std::string> paths;
    std::vector<Seen> seen;
    std::atomic<size_t> count{0};  // of `seen`, that are final
  };
  constexpr std::ptrdiff_t kMost = 256;  // makes the waiting small, and the looks that a late one throws away few
  if (!thread_) thread_ = std::make_unique<CallThread>();
  const auto batch = std::make_shared<Batch>();
  batch->paths.assign(expected_.begin(), expected_.begin() + std::min(std::ssize(expected_), kMost));
  batch->seen.resize(batch->paths.size());
  const auto call = [batch] {
    for (size_t i = 0; i < batch->paths.size(); ++i) {
      batch->seen[i] = Seen::of(batch->paths[i]);
      batch->count.store(i + 1, std::memory_order_release);
    }
  };
  const CallThread::Outcome outcome = thread_->run(call, limits);
  if (outcome != CallThread::Outcome::kDone) thread_.reset();
  const size_t count = batch->count.load(std::memory_order_acquire);
  ahead_.assign(batch->seen.begin(), batch->seen.begin() + static_cast<std::ptrdiff_t>(count));
  if (count == 0) ahead_.push_back({outcome, 0, {}});
}

Result<FileIdentity> FileLook::at(const std::string& path, const ReadLimits& limits) {
  if (path.find('\0') != std::string::npos) return Error{"the path of a file holds a zero byte"};
  const std::string what = "its size and time were looked at";
  const auto given_up = [&](CallThread::Outcome outcome) { return Error{path + ": " + given_up_text(outcome, what, limits)}; };
  for (int next_try = 2;; ++next_try) {
    const Seen seen = next_try == 2 ? first_look(path, limits) : look_once(path, limits);
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
