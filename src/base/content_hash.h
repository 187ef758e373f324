// The hash of a file's content, by which the database knows a file whatever its name and time: XXH3-128 (xxhash.com), seed 0. It finds
// damage and mix-ups, not forgeries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace vmafbatch {

// Takes bytes in pieces; the pieces' borders do not matter. Copies are not possible. Threads: one at a time.
class ContentHash {
 public:
  ContentHash();
  ~ContentHash();
  ContentHash(ContentHash&& other) noexcept;
  ContentHash& operator=(ContentHash&& other) noexcept;

  void update(std::span<const std::byte> bytes);
  void update(std::string_view bytes);

  // "xxh3:" and 32 lower-case hexadecimal digits, high half first, of all bytes so far. More bytes may follow.
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct FileHash {
  std::string text;        // as ContentHash::text()
  std::uint64_t size = 0;  // bytes that were read
};

// Reads the whole file. The error is one sentence that begins with the path; pipes and devices are one.
Result<FileHash> hash_file(const std::string& path);

}  // namespace vmafbatch
