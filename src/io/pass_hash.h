// The content hash of a file that is read once, by someone who does not read it quite in order. Private to this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/content_hash.h"

namespace vmafbatch::io {

// Hashes what continues the bytes it has; keeps what comes too early until its turn. Bytes that were passed over are read where they are
// few; where they are many there is no hash: it never costs a second pass. One thread at a time.
class PassHash {
 public:
  static constexpr size_t kMostKept = size_t{16} << 20;  // bytes that wait for their turn: an index at the end of a file
  static constexpr std::uint64_t kSmallGap = 256 << 10;  // passed over between two reads, a few sound packets: read whenever met
  static constexpr std::uint64_t kMostAtEnd = 1 << 20;   // read at the end, in all

  // Reads some of the file's bytes from an offset on; 0: it cannot.
  using Reader = std::function<size_t(std::uint64_t offset, std::span<std::byte> into)>;

  explicit PassHash(Reader read) : read_(std::move(read)) {}

  // Bytes that were read at `offset`.
  void add(std::uint64_t offset, std::span<const std::byte> bytes);

  // The hash of the whole file of `size` bytes, or nothing. Call once, at the end.
  std::optional<std::string> finish(std::uint64_t size);

 private:
  void hash(std::span<const std::byte> bytes);
  void keep(std::uint64_t offset, std::span<const std::byte> bytes);
  void use_kept();
  void give_up();
  // Reads and hashes up to `end`.
  bool fill(std::uint64_t end);

  Reader read_;
  ContentHash hash_;
  std::uint64_t next_ = 0;                                // everything before it is hashed
  std::map<std::uint64_t, std::vector<std::byte>> kept_;  // by offset; may overlap
  size_t kept_bytes_ = 0;
  size_t dropped_bytes_ = 0;  // came too early, and there was no room
  bool broken_ = false;       // there will be no hash
};

}  // namespace vmafbatch::io
