#include "store/json_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "store/log_builder.h"

namespace vmafbatch::store {
namespace {

// A log has a depth of 4.
constexpr int kMaxDepth = 64;

void append_utf8(std::string& text, unsigned code) {
  const auto byte = [&](unsigned value) { text += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

bool is_scalar_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' || c == '.';
}

}  // namespace

Error JsonScanner::error(const std::string& what) const {
  if (at_ >= text_.size()) return log_error(line_, "the log ends in the middle; it was cut off");
  return log_error(line_, what + ", found " + quoted(text_.substr(at_, 20)));
}

void JsonScanner::skip_space() {
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\n') ++line_;
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
  }
}

bool JsonScanner::take(char c) {
  skip_space();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

Status JsonScanner::deeper() {
  if (++depth_ > kMaxDepth) return log_error(line_, "the log is nested deeper than any libvmaf log");
  return {};
}

Result<JsonScanner::Kind> JsonScanner::peek() {
  skip_space();
  if (at_ >= text_.size()) return error("");
  const char c = text_[at_];
  if (c == '{') return Kind::kObject;
  if (c == '[') return Kind::kArray;
  if (c == '"') return Kind::kString;
  if ((c >= '0' && c <= '9') || c == '-') return Kind::kNumber;
  if (is_scalar_byte(c)) return Kind::kWord;
  return error("a value is missing");
}

Status JsonScanner::object(const std::function<Status(const std::string& name)>& member) {
  if (!take('{')) return error("a { is missing");
  if (Status status = deeper(); !status.ok()) return status;
  if (!take('}')) {
    std::vector<std::pair<std::string, std::size_t>> names;  // with their lines
    do {
      skip_space();
      auto name = string();
      if (!name.ok()) return name.error();
      if (!take(':')) return error("a : is missing");
      const std::size_t line = line_;
      if (Status status = member(*name); !status.ok()) return status;
      names.emplace_back(std::move(*name), line);
    } while (take(','));
    std::ranges::sort(names);
    const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
    if (const auto twice = std::ranges::adjacent_find(names, same_name); twice != names.end())
      return log_error((twice + 1)->second,
                       fmt::format("{} is there twice, the first time on line {}", quoted(twice->first), twice->second));
    if (!take('}')) return error("a } is missing");
  }
  --depth_;
  return {};
}

Status JsonScanner::array(const std::function<Status()>& element) {
  if (!take('[')) return error("a [ is missing");
  if (Status status = deeper(); !status.ok()) return status;
  take(',');
  if (!take(']')) {
    do {
      if (Status status = element(); !status.ok()) return status;
    } while (take(','));
    if (!take(']')) return error("a ] is missing");
  }
  --depth_;
  return {};
}

Result<std::string> JsonScanner::string() {
  if (!take('"')) return error("a text in quotes is missing");
  std::string text;
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == '"') return text;
    if (static_cast<unsigned char>(c) < 0x20) return log_error(line_, "a text in quotes has no end on its line");
    if (c != '\\') {
      text += c;
    } else if (Status status = unescape(text); !status.ok()) {
      return status.error();
    }
  }
  return error("");
}

Status JsonScanner::unescape(std::string& text) {
  if (at_ >= text_.size()) return error("");
  const char c = text_[at_++];
  static constexpr std::string_view kLetters = "\"\\/bfnrt";
  static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (const auto place = kLetters.find(c); place != std::string_view::npos) {
    text += kMeanings[place];
    return {};
  }
  if (c != 'u') return log_error(line_, "there is no escape " + quoted(text_.substr(at_ - 2, 2)));
  const auto first = hex4();
  if (!first.ok()) return first.error();
  unsigned code = *first;
  if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
    at_ += 2;
    const auto second = hex4();
    if (!second.ok()) return second.error();
    if (*second < 0xDC00 || *second > 0xDFFF) return log_error(line_, "half a character (a lone surrogate) in a text");
    code = 0x10000 + ((code - 0xD800) << 10) + (*second - 0xDC00);
  } else if (code >= 0xD800 && code < 0xE000) {
    return log_error(line_, "half a character (a lone surrogate) in a text");
  }
  append_utf8(text, code);
  return {};
}

Result<unsigned> JsonScanner::hex4() {
  const std::string_view digits = text_.substr(at_, 4);
  unsigned code = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (digits.size() != 4 || failure != std::errc() || end != digits.data() + 4) return error("four hexadecimal digits are missing");
  at_ += 4;
  return code;
}

Result<std::string_view> JsonScanner::scalar() {
  skip_space();
  const std::size_t first = at_;
  while (at_ < text_.size() && is_scalar_byte(text_[at_])) ++at_;
  if (at_ == first) return error("a value is missing");
  if (at_ == text_.size()) return error("");  // a number may go on behind the cut
  return text_.substr(first, at_ - first);
}

Status JsonScanner::skip() {
  const auto kind = peek();
  if (!kind.ok()) return kind.error();
  switch (*kind) {
    case Kind::kObject: return object([this](const std::string&) { return skip(); });
    case Kind::kArray: return array([this] { return skip(); });
    case Kind::kString: {
      const auto text = string();
      return text.ok() ? Status() : Status(text.error());
    }
    case Kind::kNumber:
    case Kind::kWord: break;
  }
  const auto text = scalar();
  return text.ok() ? Status() : Status(text.error());
}

Status JsonScanner::end() {
  skip_space();
  return at_ >= text_.size() ? Status() : Status(error("nothing may follow the log"));
}

}  // namespace vmafbatch::store
