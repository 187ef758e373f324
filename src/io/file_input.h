// What libavformat reads a file through: bytes by PatientFile, their content hash on the way, no other file. Private to this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/av_handles.h"
#include "io/pass_hash.h"
#include "io/patient_file.h"
#include "io/read_limits.h"

namespace vmafbatch::io {

// One thread at a time. Must outlive the AVFormatContext that it is attached to.
class FileInput {
 public:
  // The error is a sentence that begins with the path.
  static Result<std::unique_ptr<FileInput>> open(const std::string& path, const ReadLimits& limits);
  FileInput(const FileInput&) = delete;
  FileInput& operator=(const FileInput&) = delete;
  ~FileInput();

  // Has the format read from this file, and open no other one (playlists, MOV references). REQUIRES: it was not opened yet
  void attach(AVFormatContext& format);

  // The file's first bytes, 4096 where it has so many.
  std::span<const std::byte> head() const { return head_; }
  const FileIdentity& identity() const { return file_->identity(); }

  // Set once a read failed for good; all later ones fail too. Without the file's name.
  const std::optional<PatientFile::Failure>& failure() const { return failure_; }

  // A sentence part where the file is not what it was when it was opened.
  std::optional<std::string> changed() { return failure_ ? std::nullopt : file_->changed(); }

  // Of the whole file, once all of it (but for a little) was read; see PassHash. Call once, after the last read.
  std::optional<std::string> content_hash() { return failure_ ? std::nullopt : hash_.finish(identity().size_bytes); }

 private:
  explicit FileInput(std::unique_ptr<PatientFile> file);

  // libavformat's callbacks; `opaque` is this.
  static int read_packet(void* opaque, std::uint8_t* buffer, int size) noexcept;
  static std::int64_t seek(void* opaque, std::int64_t offset, int whence) noexcept;
  // 0: the end, or a failure.
  size_t read(std::span<std::byte> into);

  std::unique_ptr<PatientFile> file_;
  PassHash hash_;
  std::vector<std::byte> head_;
  std::optional<PatientFile::Failure> failure_;
  std::uint64_t position_ = 0;
  AVIOContext* context_ = nullptr;
};

}  // namespace vmafbatch::io
