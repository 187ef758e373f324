#include "io/y4m_header.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/number_text.h"
#include "base/utf8.h"

namespace vmafbatch::io {
namespace {

constexpr std::string_view kMagic = "YUV4MPEG2";
constexpr std::int64_t kMostSamples = std::int64_t{1} << 28;  // of luma: av_image_check_size() takes no more
constexpr size_t kShown = 40;                                 // bytes of a value that are quoted

std::string quoted(std::string_view text) { return "'" + line_text(text.substr(0, kShown)) + (text.size() > kShown ? "...'" : "'"); }

// The value behind a parameter's letter; the last one counts.
std::optional<std::string_view> parameter(std::string_view line, char letter) {
  std::optional<std::string_view> found;
  for (size_t at = line.find(' '); at != std::string_view::npos; at = line.find(' ', at + 1)) {
    const std::string_view word = line.substr(at + 1, line.find(' ', at + 1) - at - 1);
    if (!word.empty() && word.front() == letter) found = word.substr(1);
  }
  return found;
}

// A side of the picture, or what is wrong with it.
std::pair<std::int64_t, std::optional<std::string>> side(std::string_view line, char letter, const std::string& name) {
  const auto text = parameter(line, letter);
  if (!text) return {0, "the " + name + " (" + letter + ") is missing"};
  const auto number = parse_integer(*text);
  if (number && *number > 0) return {*number, std::nullopt};
  return {0, "the " + name + " " + quoted(std::string(1, letter) + std::string(*text)) + " is no whole number greater than 0"};
}

}  // namespace

std::optional<std::string> y4m_header_fault(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (!text.starts_with(kMagic)) return std::nullopt;
  const std::string_view line = text.substr(0, text.find('\n'));
  const auto [width, width_fault] = side(line, 'W', "width");
  if (width_fault) return width_fault;
  const auto [height, height_fault] = side(line, 'H', "height");
  if (height_fault) return height_fault;
  if (width >= kMostSamples || height >= kMostSamples || width * height >= kMostSamples) {
    return "pictures of " + std::to_string(width) + "x" + std::to_string(height) + " are too large to be read";
  }
  if (const auto interlacing = parameter(line, 'I');
      interlacing && *interlacing != "p" && *interlacing != "t" && *interlacing != "b" && *interlacing != "?") {
    return "the interlacing " + quoted("I" + std::string(*interlacing)) + " is not one of Ip, It, Ib and I?";
  }
  if (line.size() == text.size()) return "its first line does not end";
  return std::nullopt;
}

}  // namespace vmafbatch::io
