#include "io/patient_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "io/patience.h"
#include "io/test_hooks.h"

namespace vmafbatch::io {
namespace {

// Of one call: what is read through the thread is copied once more, and stays in the cache.
constexpr size_t kMostBytes = size_t{4} << 20;

std::string difference(const FileIdentity& before, const FileIdentity& now) {
  if (before.size_bytes != now.size_bytes) {
    return "it had " + std::to_string(before.size_bytes) + " bytes and now has " + std::to_string(now.size_bytes);
  }
  return "its time of modification is another";
}

}  // namespace

class PatientFile::Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// What one call to the system gave.
struct PatientFile::Answer {
  CallThread::Outcome outcome = CallThread::Outcome::kDone;
  int error = 0;
  size_t bytes = 0;
  std::vector<std::byte> data;           // of a read through the thread
  std::string refused;                   // an open: why this is no file to read
  std::shared_ptr<Descriptor> file;      // an open
  std::optional<FileIdentity> identity;  // an open, a look at size and time
};

namespace {

template <class Call>
auto repeat_if_interrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace

PatientFile::Answer PatientFile::ask(std::function<void(Answer&)> call) {
  const auto answer = std::make_shared<Answer>();
  if (!limits_.any()) {
    call(*answer);
    return std::move(*answer);
  }
  const CallThread::Outcome outcome = thread_.run([answer, call = std::move(call)] { call(*answer); }, limits_);
  if (outcome == CallThread::Outcome::kDone) return std::move(*answer);
  Answer given_up;  // the thread may still write into the other one
  given_up.outcome = outcome;
  return given_up;
}

PatientFile::Answer PatientFile::reopen() {
  return ask([path = path_](Answer& answer) {
    answer.error = test_hooks::fault_at_open(path);
    if (answer.error != 0) return;
    struct stat state {};
    if (repeat_if_interrupted([&] { return ::stat(path.c_str(), &state); }) != 0) {
      answer.error = errno;
      return;
    }
    // Before it is opened: to open a pipe would wait for its writer.
    if (S_ISDIR(state.st_mode)) answer.refused = "is a folder, not a file";
    if (S_ISFIFO(state.st_mode) || S_ISSOCK(state.st_mode))
      answer.refused = "is a pipe, not a file; a clip must be a file that can be read from anywhere";
    if (S_ISREG(state.st_mode) && state.st_size == 0) answer.refused = "the file is empty";
    if (S_ISCHR(state.st_mode)) answer.refused = "is a device, not a file";
    if (!answer.refused.empty()) return;
    const int number = repeat_if_interrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
    if (number < 0) {
      answer.error = errno;
      return;
    }
    answer.file = std::make_shared<Descriptor>(number);
    if (::fstat(number, &state) != 0) answer.error = errno;
    answer.identity = identity_of(state);
  });
}

PatientFile::Failure PatientFile::given_up(CallThread::Outcome outcome, const std::string& what) const {
  return {given_up_text(outcome, what, limits_), outcome == CallThread::Outcome::kLate};
}

std::optional<PatientFile::Failure> PatientFile::pause(const std::string& what, int error, int next_try) {
  const auto outcome = pause_before_try(next_try, path_, what, error, limits_);
  if (!outcome) return std::nullopt;
  return given_up(*outcome, what);
}

void PatientFile::tell_shortage(int error) const {
  if (limits_.no_more_files && (error == EMFILE || error == ENFILE)) limits_.no_more_files(error);
}

Result<FileIdentity> PatientFile::open_patiently() {
  const std::string what = "it was opened";
  for (int attempt = 1;; ++attempt) {
    Answer answer = reopen();
    if (answer.outcome != CallThread::Outcome::kDone) return Error{given_up(answer.outcome, what).text};
    if (!answer.refused.empty()) return Error{answer.refused};
    if (answer.error == 0) {
      file_ = std::move(answer.file);
      return *answer.identity;
    }
    if (!may_pass(answer.error)) return Error{error_text(answer.error)};
    if (attempt >= limits_.tries) {
      tell_shortage(answer.error);
      return Error{"cannot be opened: " + error_text(answer.error) + " (" + std::to_string(attempt) + " tries)"};
    }
    if (const auto failure = pause(what, answer.error, attempt + 1)) return Error{failure->text};
  }
}

Result<std::unique_ptr<PatientFile>> PatientFile::open(const std::string& path, const ReadLimits& limits) {
  if (path.find('\0') != std::string::npos) return Error{"the path of a file holds a zero byte"};
  std::unique_ptr<PatientFile> file(new PatientFile(path, limits));  // NOLINT(cppcoreguidelines-owning-memory): private constructor
  const Result<FileIdentity> identity = file->open_patiently();
  if (!identity.ok()) return Error{path + ": " + identity.error().message};
  file->identity_ = *identity;
  file->cached_reads_ = limits.any() && !test_hooks::has_fault(path);
  return file;
}

std::optional<size_t> PatientFile::read_cached(std::uint64_t offset, std::span<std::byte> into) {
  if (!cached_reads_ || stale_) return std::nullopt;
  const iovec target{into.data(), into.size()};
  const ssize_t got = ::preadv2(file_->number(), &target, 1, static_cast<off_t>(offset), RWF_NOWAIT);
  if (got > 0) return static_cast<size_t>(got);
  if (got < 0 && errno != EAGAIN && errno != EINTR) cached_reads_ = false;  // not on this file system, or the thread meets it again
  return std::nullopt;
}

PatientFile::Answer PatientFile::read_now(std::uint64_t offset, std::span<std::byte> into) {
  const bool own_thread = !limits_.any();
  std::byte* const target = own_thread ? into.data() : nullptr;  // a thread that is left behind must not write there
  const size_t most = own_thread ? into.size() : std::min(into.size(), kMostBytes);
  Answer answer = ask([path = path_, file = file_, offset, target, most](Answer& a) {
    size_t size = most;
    a.error = test_hooks::fault_at_read(path, offset, size);
    if (a.error != 0) return;
    if (target == nullptr) a.data.resize(size);
    std::byte* const place = target != nullptr ? target : a.data.data();
    const ssize_t got = repeat_if_interrupted([&] { return ::pread(file->number(), place, size, static_cast<off_t>(offset)); });
    if (got < 0) {
      a.error = errno;
    } else {
      a.bytes = static_cast<size_t>(got);
    }
  });
  if (!answer.data.empty()) std::copy_n(answer.data.begin(), answer.bytes, into.begin());
  return answer;
}

PatientFile::Read PatientFile::read(std::uint64_t offset, std::span<std::byte> into, int tries) {
  const std::string what = "byte " + std::to_string(offset) + " was read";
  if (limits_.stopped()) return {0, given_up(CallThread::Outcome::kStopped, what)};
  if (limits_.late()) return {0, given_up(CallThread::Outcome::kLate, what)};
  if (const auto cached = read_cached(offset, into)) return {*cached, {}};
  for (int attempt = 1;; ++attempt) {
    Answer answer = stale_ ? reopen() : read_now(offset, into);
    if (stale_ && answer.file && answer.error == 0) {
      if (*answer.identity != identity_)
        return {0, Failure{"the file changed while it was read: " + difference(identity_, *answer.identity), false}};
      file_ = std::move(answer.file);
      stale_ = false;
      answer = read_now(offset, into);
    }
    if (answer.outcome != CallThread::Outcome::kDone) return {0, given_up(answer.outcome, what)};
    if (answer.error == 0 && answer.refused.empty()) return {answer.bytes, {}};
    if (!answer.refused.empty()) return {0, Failure{"the file changed while it was read: " + answer.refused, false}};
    if (!may_pass(answer.error) || attempt >= tries) {
      tell_shortage(answer.error);
      const std::string number = attempt == 1 ? "1 try" : std::to_string(attempt) + " tries";
      return {0,
              Failure{"reading failed at byte " + std::to_string(offset) + ": " + error_text(answer.error) + " (" + number + ")", false}};
    }
    if (answer.error == ESTALE) stale_ = true;
    if (auto failure = pause(what, answer.error, attempt + 1)) return {0, std::move(failure)};
  }
}

std::optional<std::string> PatientFile::changed() {
  const Answer answer = ask([file = file_](Answer& a) {
    struct stat state {};
    if (::fstat(file->number(), &state) == 0) a.identity = identity_of(state);
  });
  if (answer.outcome != CallThread::Outcome::kDone || !answer.identity || *answer.identity == identity_) return std::nullopt;
  return "the file changed while it was read: " + difference(identity_, *answer.identity);
}

}  // namespace vmafbatch::io
