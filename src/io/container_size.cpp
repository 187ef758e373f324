#include "io/container_size.h"

#include <bit>
#include <cstring>
#include <string_view>

namespace vmafbatch::io {
namespace {

using Bytes = std::span<const std::byte>;

std::uint64_t number_at(Bytes bytes, size_t at) { return std::to_integer<std::uint64_t>(bytes[at]); }

// An EBML number (RFC 8794, section 4): the leading zero bits of the first byte give the length.
struct EbmlNumber {
  std::uint64_t raw = 0;    // with the length marker: how identifiers are written
  std::uint64_t value = 0;  // without it
  bool open = false;        // all value bits set: the size is not known
};

std::optional<EbmlNumber> read_ebml_number(Bytes bytes, size_t& at) {
  if (at >= bytes.size() || number_at(bytes, at) == 0) return std::nullopt;
  const auto length = static_cast<size_t>(std::countl_zero(std::to_integer<std::uint8_t>(bytes[at]))) + 1;
  if (at + length > bytes.size()) return std::nullopt;
  EbmlNumber number;
  for (size_t i = 0; i < length; ++i) number.raw = number.raw << 8 | number_at(bytes, at + i);
  const std::uint64_t mask = (std::uint64_t{1} << (7 * length)) - 1;
  number.value = number.raw & mask;
  number.open = number.value == mask;
  at += length;
  return number;
}

// Element identifiers of RFC 9559.
constexpr std::uint64_t kEbmlHeader = 0x1A45DFA3;
constexpr std::uint64_t kSegment = 0x18538067;
constexpr std::uint64_t kVoid = 0xEC;

std::optional<std::uint64_t> matroska_bytes(Bytes head) {
  size_t at = 0;
  while (true) {
    const auto id = read_ebml_number(head, at);
    const auto size = id ? read_ebml_number(head, at) : std::nullopt;
    if (!size) return std::nullopt;
    if (id->raw == kSegment) return size->open ? std::nullopt : std::optional(at + size->value);
    if ((id->raw != kEbmlHeader && id->raw != kVoid) || size->value > head.size()) return std::nullopt;
    at += static_cast<size_t>(size->value);
  }
}

std::optional<std::uint64_t> riff_bytes(Bytes head) {
  if (head.size() < 12 || std::memcmp(head.data() + 8, "AVI ", 4) != 0) return std::nullopt;
  const std::uint64_t size = number_at(head, 4) | number_at(head, 5) << 8 | number_at(head, 6) << 16 | number_at(head, 7) << 24;
  if (size == 0 || size == 0xFFFFFFFF) return std::nullopt;  // never filled in: a recording that was piped
  return size + 8;
}

}  // namespace

bool names_its_container(std::span<const std::byte> head) {
  const auto at = [head](size_t offset, std::string_view mark) {
    return head.size() >= offset + mark.size() && std::memcmp(head.data() + offset, mark.data(), mark.size()) == 0;
  };
  // YUV4MPEG2(5); RFC 8794; ISO/IEC 14496-12; AVI RIFF; the IVF header; RFC 3533; FLV 10.1, version 1.
  return at(0, "YUV4MPEG2 ") || at(0, "\x1A\x45\xDF\xA3") || at(4, "ftyp") || (at(0, "RIFF") && at(8, "AVI ")) || at(0, "DKIF") ||
         at(0, "OggS") || at(0, "FLV\x01");
}

std::optional<std::uint64_t> declared_file_bytes(std::span<const std::byte> head) {
  if (head.size() < 4) return std::nullopt;
  if (std::memcmp(head.data(), "RIFF", 4) == 0) return riff_bytes(head);
  if (std::memcmp(head.data(), "\x1A\x45\xDF\xA3", 4) == 0) return matroska_bytes(head);
  return std::nullopt;
}

}  // namespace vmafbatch::io
