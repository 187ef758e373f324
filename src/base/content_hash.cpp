#include "base/content_hash.h"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "base/named_file.h"
#include "base/utf8.h"

namespace vmafbatch {
namespace {

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

// Large enough that the system's calls cost nothing beside the reading.
constexpr std::size_t kReadBytes = std::size_t{1} << 20;

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

Error cannot_read(const std::string& path) { return Error{display_text(path) + ": cannot be read (" + std::strerror(errno) + ")"}; }

}  // namespace

struct ContentHash::State {
  std::unique_ptr<XXH3_state_t, FreeState> inside;
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) {
  state_->inside.reset(XXH3_createState());
  if (!state_->inside || XXH3_128bits_reset(state_->inside.get()) != XXH_OK) throw std::bad_alloc();
}

ContentHash::~ContentHash() = default;
ContentHash::ContentHash(ContentHash&& other) noexcept = default;
ContentHash& ContentHash::operator=(ContentHash&& other) noexcept = default;

void ContentHash::update(std::span<const std::byte> bytes) {
  if (!bytes.empty()) XXH3_128bits_update(state_->inside.get(), bytes.data(), bytes.size());
}

void ContentHash::update(std::string_view bytes) { update(std::as_bytes(std::span(bytes))); }

std::string ContentHash::text() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_->inside.get());
  std::array<char, 38> text{};  // "xxh3:", 32 digits, the end
  std::snprintf(text.data(), text.size(), "xxh3:%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text.data();
}

Result<FileHash> hash_file(const std::string& path) {
  if (path.find('\0') != std::string::npos) return Error{display_text(path) + ": a file's name cannot hold a zero byte"};
  if (Status status = refuse_special(path); !status.ok()) return status.error();
  const Descriptor file(path);
  if (file.number() < 0) return cannot_read(path);
  ContentHash hash;
  FileHash result;
  std::vector<std::byte> buffer(kReadBytes);
  while (true) {
    const ssize_t got = ::read(file.number(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot_read(path);
    if (got == 0) break;
    hash.update(std::span(buffer).first(static_cast<std::size_t>(got)));
    result.size += static_cast<std::uint64_t>(got);
  }
  result.text = hash.text();
  return result;
}

}  // namespace vmafbatch
