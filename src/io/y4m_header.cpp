#include "io/y4m_header.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/utf8.h"

namespace vmafbatch::io {
namespace {

constexpr std::string_view kMagic = "YUV4MPEG2";
constexpr std::int64_t kMostSamples = std::int64_t{1} << 28;  // of luma: av_image_check_size() takes no more
constexpr size_t kShown = 40;                                 // bytes of a value that are quoted

std::string quoted(std::string_view text) { return "'" + line_text(text.substr(0, kShown)) + (text.size() > kShown ? "...'" : "'"); }

// All that libavformat knows. Of another text it takes the first letters that it knows: 420p99 for 420.
constexpr std::array<std::string_view, 28> kChromas = {"420",      "420jpeg", "420mpeg2", "420paldv", "420p9",  "420p10", "420p12",
                                                       "420p14",   "420p16",  "422",      "422p9",    "422p10", "422p12", "422p14",
                                                       "422p16",   "444",     "444p9",    "444p10",   "444p12", "444p14", "444p16",
                                                       "444alpha", "411",     "mono",     "mono9",    "mono10", "mono12", "mono16"};

// What it takes from XYSCSS where C is missing. 422P10 is not among it: it is read as 8 bit, and all else as 420 or by its first letters.
constexpr std::array<std::string_view, 21> kSubsamplings = {"411",    "420",    "420JPEG", "420MPEG2", "420PALDV", "420P9",  "420P10",
                                                            "420P12", "420P14", "420P16",  "422",      "422P9",    "422P12", "422P14",
                                                            "422P16", "444",    "444P9",   "444P10",   "444P12",   "444P14", "444P16"};

// Parameters have one letter; of the extensions, these two have a name that counts.
constexpr std::array<std::string_view, 8> kNames = {"W", "H", "C", "I", "F", "A", "XYSCSS=", "XCOLORRANGE="};

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (size_t at = line.find(' '); at != std::string_view::npos; at = line.find(' ', at + 1)) {
    const std::string_view word = line.substr(at + 1, line.find(' ', at + 1) - at - 1);
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

// The parameters of a header line, each once.
class Header {
 public:
  // Takes the words; the sentence where two of them contradict each other.
  std::optional<std::string> read(std::string_view line) {
    for (const std::string_view word : words_of(line)) {
      const auto name = std::ranges::find_if(kNames, [&](std::string_view one) { return word.starts_with(one); });
      if (name == kNames.end()) continue;
      const auto [before, added] = words_.emplace(*name, word);
      if (!added && before->second != word) return quoted(before->second) + " and " + quoted(word) + " contradict each other";
    }
    return std::nullopt;
  }

  // With its letter, for a sentence; nothing where it is not there.
  std::optional<std::string_view> word(std::string_view name) const {
    const auto found = words_.find(name);
    return found == words_.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::string_view> value(std::string_view name) const {
    const auto found = word(name);
    return found ? std::optional(found->substr(name.size())) : std::nullopt;
  }

 private:
  std::map<std::string_view, std::string_view> words_;
};

// Digits to the end, no sign; what libavformat has room for.
std::optional<std::int64_t> whole_number(std::string_view text) {
  if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const auto number = parse_integer(text);
  return number && *number <= std::numeric_limits<std::int32_t>::max() ? number : std::nullopt;
}

// A side of the picture, or what is wrong with it.
std::pair<std::int64_t, std::optional<std::string>> side(const Header& header, std::string_view letter, const std::string& name) {
  const auto text = header.value(letter);
  if (!text) return {0, "the " + name + " (" + std::string(letter) + ") is missing"};
  const auto number = whole_number(*text);
  if (number && *number > 0) return {*number, std::nullopt};
  return {0, "the " + name + " " + quoted(*header.word(letter)) + " is no whole number greater than 0"};
}

std::optional<std::string> size_fault(const Header& header) {
  const auto [width, width_fault] = side(header, "W", "width");
  if (width_fault) return width_fault;
  const auto [height, height_fault] = side(header, "H", "height");
  if (height_fault) return height_fault;
  if (width < kMostSamples && height < kMostSamples && width * height < kMostSamples) return std::nullopt;
  return "pictures of " + std::to_string(width) + "x" + std::to_string(height) + " are too large to be read";
}

std::optional<std::string> chroma_fault(const Header& header) {
  const auto chroma = header.value("C");
  const auto subsampling = header.value("XYSCSS=");
  if (!chroma && !subsampling) return std::nullopt;  // 420
  if (chroma ? std::ranges::find(kChromas, *chroma) != kChromas.end()
             : std::ranges::find(kSubsamplings, *subsampling) != kSubsamplings.end())
    return std::nullopt;
  return "the chroma format " + quoted(*header.word(chroma ? "C" : "XYSCSS=")) +
         " is unknown; known are C420, C422 and C444, with p10, p12 ... behind them, and Cmono";
}

std::optional<std::string> interlacing_fault(const Header& header) {
  const auto interlacing = header.value("I");
  if (!interlacing || *interlacing == "p" || *interlacing == "t" || *interlacing == "b" || *interlacing == "?") return std::nullopt;
  return "the interlacing " + quoted(*header.word("I")) + " is not one of Ip, It, Ib and I?";
}

// "25:1", "0:0" where it is unknown. The aspect is not used, so that half of it may be unknown.
std::optional<std::string> ratio_fault(const Header& header, std::string_view letter, const std::string& name, const std::string& example,
                                       bool may_be_half) {
  const auto text = header.value(letter);
  if (!text) return std::nullopt;
  const size_t colon = text->find(':');
  const auto numerator = whole_number(text->substr(0, colon));
  const auto denominator = colon == std::string_view::npos ? std::nullopt : whole_number(text->substr(colon + 1));
  if (numerator && denominator && (may_be_half || (*numerator == 0) == (*denominator == 0))) return std::nullopt;
  return "the " + name + " " + quoted(*header.word(letter)) + " is no ratio of two whole numbers such as " + example;
}

}  // namespace

std::optional<std::string> y4m_header_fault(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (!text.starts_with(kMagic)) return std::nullopt;
  const std::string_view line = text.substr(0, text.find('\n'));
  if (line.size() == text.size()) return "its first line does not end";
  Header header;
  if (auto fault = header.read(line)) return fault;
  if (auto fault = size_fault(header)) return fault;
  if (auto fault = chroma_fault(header)) return fault;
  if (auto fault = interlacing_fault(header)) return fault;
  if (auto fault = ratio_fault(header, "F", "frame rate", "F25:1", false)) return fault;
  return ratio_fault(header, "A", "pixel aspect", "A1:1", true);
}

}  // namespace vmafbatch::io
