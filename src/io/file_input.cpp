#include "io/file_input.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <utility>

extern "C" {
#include <libavutil/mem.h>
}

namespace vmafbatch::io {
namespace {

constexpr size_t kHeadBytes = 4096;
// libavformat's own is 32 KiB. Measured on 1080p Y4M and MP4 from the page cache: larger ones gain nothing.
constexpr size_t kBufferBytes = size_t{256} << 10;

int refuse_to_open(AVFormatContext* /*format*/, AVIOContext** /*context*/, const char* /*url*/, int /*flags*/, AVDictionary** /*options*/) {
  return AVERROR(EPERM);
}

}  // namespace

FileInput::FileInput(std::unique_ptr<PatientFile> file)
    : file_(std::move(file)),
      hash_([this](std::uint64_t offset, std::span<std::byte> into) { return file_->read_once(offset, into).bytes; }) {}

FileInput::~FileInput() {
  if (context_ == nullptr) return;
  av_freep(static_cast<void*>(&context_->buffer));  // libavformat may have put another one there
  avio_context_free(&context_);
}

Result<std::unique_ptr<FileInput>> FileInput::open(const std::string& path, const ReadLimits& limits) {
  auto file = PatientFile::open(path, limits);
  if (!file.ok()) return file.error();
  std::unique_ptr<FileInput> input(new FileInput(std::move(*file)));  // NOLINT(cppcoreguidelines-owning-memory): private constructor
  input->head_.resize(kHeadBytes);
  size_t known = 0;
  while (known < kHeadBytes) {
    const size_t got = input->read(std::span(input->head_).subspan(known));
    if (input->failure_) return Error{path + ": " + input->failure_->text};
    if (got == 0) break;
    known += got;
  }
  input->head_.resize(known);
  input->position_ = 0;
  auto* const buffer = static_cast<unsigned char*>(av_malloc(kBufferBytes));
  if (buffer != nullptr) {
    input->context_ = avio_alloc_context(buffer, static_cast<int>(kBufferBytes), 0, input.get(), read_packet, nullptr, seek);
  }
  if (input->context_ == nullptr) {
    av_free(buffer);
    return Error{path + ": out of memory"};
  }
  return input;
}

void FileInput::attach(AVFormatContext& format) {
  format.pb = context_;
  format.flags |= AVFMT_FLAG_CUSTOM_IO;
  format.io_open = refuse_to_open;
}

size_t FileInput::read(std::span<std::byte> into) {
  if (failure_) return 0;
  PatientFile::Read read = file_->read(position_, into);
  if (read.failure) failure_ = std::move(read.failure);
  hash_.add(position_, into.first(read.bytes));
  position_ += read.bytes;
  return read.bytes;
}

int FileInput::read_packet(void* opaque, std::uint8_t* buffer, int size) noexcept {
  auto& input = *static_cast<FileInput*>(opaque);
  try {
    const size_t got = size <= 0 ? 0 : input.read(std::as_writable_bytes(std::span(buffer, static_cast<size_t>(size))));
    if (input.failure_) return AVERROR(EIO);
    return got == 0 ? AVERROR_EOF : static_cast<int>(got);
  } catch (const std::exception&) {
    return AVERROR(ENOMEM);
  }
}

std::int64_t FileInput::seek(void* opaque, std::int64_t offset, int whence) noexcept {
  auto& input = *static_cast<FileInput*>(opaque);
  const auto size = static_cast<std::int64_t>(input.identity().size_bytes);
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return size;
    case SEEK_SET: break;
    case SEEK_CUR: offset += static_cast<std::int64_t>(input.position_); break;
    case SEEK_END: offset += size; break;
    default: return AVERROR(EINVAL);
  }
  if (offset < 0) return AVERROR(EINVAL);
  input.position_ = static_cast<std::uint64_t>(offset);
  return offset;
}

}  // namespace vmafbatch::io
