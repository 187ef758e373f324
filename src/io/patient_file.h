// Reads a file that may be on a network mount: what may pass is tried again, what never returns is given up. Private to this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "io/call_thread.h"
#include "io/file_identity.h"
#include "io/read_limits.h"

namespace vmafbatch::io {

// Tried again with growing pauses: EIO, ETIMEDOUT, EAGAIN, and ESTALE, after which the file is opened anew and must be the same by size
// and time. Each further try is one line of the log: a mount that is away gives ReadLimits::tries - 1 of them for each open or read.
// Everything else is final at once. One thread at a time.
class PatientFile {
 public:
  struct Failure {
    std::string text;   // without the file's name: "reading failed at byte 4096: Input/output error (7 tries)"
    bool late = false;  // given up for ReadLimits::deadline or longest_call
  };
  struct Read {
    size_t bytes = 0;  // can be fewer than were asked for; 0: the end of the file
    std::optional<Failure> failure;
  };

  // `path` is any byte string. The error is a sentence that begins with the path; a folder and an empty file are errors.
  static Result<std::unique_ptr<PatientFile>> open(const std::string& path, const ReadLimits& limits);

  // As it was when it was opened.
  const FileIdentity& identity() const { return identity_; }

  // REQUIRES: `into` is not empty
  Read read(std::uint64_t offset, std::span<std::byte> into) { return read(offset, into, limits_.tries); }
  // Without a second try: for bytes that nobody needs.
  Read read_once(std::uint64_t offset, std::span<std::byte> into) { return read(offset, into, 1); }

  // A sentence part where size or time are not those of identity() any more; nothing where they are or cannot be found out.
  std::optional<std::string> changed();

 private:
  class Descriptor;
  struct Answer;

  PatientFile(std::string path, const ReadLimits& limits) : path_(std::move(path)), limits_(limits) {}

  Result<FileIdentity> open_patiently();
  // Where an error that is final means that no more files can be opened.
  void tell_shortage(int error) const;
  Read read(std::uint64_t offset, std::span<std::byte> into, int tries);
  Answer read_now(std::uint64_t offset, std::span<std::byte> into);
  // The bytes that are in memory already, without a thread; nothing where that cannot be done.
  std::optional<size_t> read_cached(std::uint64_t offset, std::span<std::byte> into);
  Answer reopen();
  // Has `call` fill the answer, which both share; in this thread where nothing limits it.
  Answer ask(std::function<void(Answer&)> call);
  // Logs and sleeps; a failure where the waiting was given up.
  std::optional<Failure> pause(const std::string& what, int error, int next_try);
  Failure given_up(CallThread::Outcome outcome, const std::string& what) const;

  std::string path_;
  ReadLimits limits_;
  CallThread thread_;
  std::shared_ptr<Descriptor> file_;
  FileIdentity identity_;
  bool stale_ = false;        // the descriptor is to be opened anew
  bool cached_reads_ = true;  // the file system can tell what is in memory
};

}  // namespace vmafbatch::io
