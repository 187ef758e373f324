#include "store/xml_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "store/log_builder.h"

namespace vmafbatch::store {
namespace {

// A log has a depth of 3.
constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxNameBytes = 1000;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool ends_name(char c) { return is_space(c) || c == '/' || c == '>' || c == '=' || c == '<' || c == '"' || c == '\''; }

struct Entity {
  std::string_view name;
  char meaning;
};
constexpr std::array<Entity, 5> kEntities = {{{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};

}  // namespace

Error XmlScanner::cut() const { return log_error(current_line_, "the log ends in the middle; it was cut off"); }

void XmlScanner::advance(std::size_t count) {
  const std::string_view passed = text_.substr(at_, count);
  current_line_ += static_cast<std::size_t>(std::ranges::count(passed, '\n'));
  at_ += passed.size();
}

bool XmlScanner::skip_past(std::string_view mark) {
  const auto place = text_.find(mark, at_);
  if (place == std::string_view::npos) {
    advance(text_.size());
    return false;
  }
  advance(place + mark.size() - at_);
  return true;
}

void XmlScanner::skip_space() {
  std::size_t end = at_;
  while (end < text_.size() && is_space(text_[end])) ++end;
  advance(end - at_);
}

std::string_view XmlScanner::take_name() {
  std::size_t end = at_;
  while (end < text_.size() && !ends_name(text_[end])) ++end;
  const std::string_view name = text_.substr(at_, end - at_);
  at_ = end;
  return name;
}

Result<bool> XmlScanner::next() {
  if (is_empty_) {  // the element ended with its start tag
    path_.resize(std::max<std::size_t>(path_.rfind('/') + 1, 1) - 1);
    --depth_;
    is_empty_ = false;
  }
  while (true) {
    const auto tag = text_.find('<', at_);
    if (Status text = check_text(text_.substr(at_, tag - at_)); !text.ok()) return text.error();
    if (tag == std::string_view::npos) {
      advance(text_.size());
      if (depth_ > 0 || !has_root_) return cut();
      return false;
    }
    advance(tag - at_);
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) {
      advance(4);
      if (!skip_past("-->")) return cut();
    } else if (rest.starts_with("<?")) {
      if (!skip_past("?>")) return cut();
    } else if (rest.starts_with("<!")) {
      return log_error(current_line_, "a document type or a CDATA section is no part of a log");
    } else if (rest.starts_with("</")) {
      if (Status status = end_tag(); !status.ok()) return status.error();
    } else {
      return start_tag();
    }
  }
}

Status XmlScanner::end_tag() {
  advance(2);
  const std::string_view name = take_name();
  skip_space();
  if (at_ >= text_.size()) return cut();
  const std::string_view open = std::string_view(path_).substr(path_.rfind('/') + 1);
  if (depth_ == 0 || name != open || text_[at_] != '>') {
    return log_error(current_line_, fmt::format("the end tag {} ends no element that is open", quoted(name)));
  }
  advance(1);
  path_.resize(path_.size() - std::min(path_.size(), open.size() + 1));
  --depth_;
  return {};
}

Result<bool> XmlScanner::start_tag() {
  line_ = current_line_;
  advance(1);
  const std::string_view name = take_name();
  if (at_ >= text_.size()) return cut();
  if (name.empty() || name.size() > kMaxNameBytes) return log_error(line_, "an element has no name, or one of more than 1000 bytes");
  if (depth_ == 0 && has_root_) return log_error(line_, fmt::format("a second root element {} follows the first", quoted(name)));
  has_root_ = true;
  if (++depth_ > kMaxDepth) return log_error(line_, "the log is nested deeper than any libvmaf log");
  path_ += depth_ == 1 ? "" : "/";
  path_ += name;
  attributes_.clear();
  while (true) {
    skip_space();
    if (at_ >= text_.size()) return cut();
    is_empty_ = text_.substr(at_, 2) == "/>";
    if (is_empty_ || text_[at_] == '>') {
      advance(is_empty_ ? 2 : 1);
      if (Status status = check_attributes(); !status.ok()) return status.error();
      return true;
    }
    if (Status status = attribute(); !status.ok()) return status.error();
  }
}

Status XmlScanner::attribute() {
  const std::string_view name = take_name();
  skip_space();
  if (at_ >= text_.size()) return cut();
  if (name.empty() || text_[at_] != '=') return log_error(current_line_, fmt::format("the attribute {} has no value", quoted(name)));
  advance(1);
  skip_space();
  if (at_ >= text_.size()) return cut();
  const char quote = text_[at_];
  if (quote != '"' && quote != '\'') return log_error(current_line_, fmt::format("the value of {} is not in quotes", quoted(name)));
  const auto end = text_.find(quote, at_ + 1);
  if (end == std::string_view::npos) return cut();
  auto value = unescape(text_.substr(at_ + 1, end - at_ - 1));
  if (!value.ok()) return value.error();
  advance(end + 1 - at_);
  if (attributes_.size() > kMaxLogColumns)
    return log_error(current_line_, fmt::format("there are more than {} attributes", kMaxLogColumns));
  attributes_.emplace_back(name, std::move(*value));
  return {};
}

// XML has each attribute once in an element.
Status XmlScanner::check_attributes() {
  names_.clear();
  for (const auto& [name, value] : attributes_) names_.push_back(name);
  std::ranges::sort(names_);
  const auto twice = std::ranges::adjacent_find(names_);
  return twice == names_.end() ? Status() : log_error(line_, fmt::format("the attribute {} is there twice", quoted(*twice)));
}

Status XmlScanner::check_text(std::string_view text) const {
  const auto first = std::ranges::find_if_not(text, is_space);
  if (first == text.end()) return {};
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), first, '\n'));
  return log_error(current_line_ + lines, fmt::format("the text {} is no part of a log", quoted({first, text.end()})));
}

Result<std::string> XmlScanner::unescape(std::string_view value) const {
  std::string text;
  while (true) {
    const auto place = value.find('&');
    text += value.substr(0, place);
    if (place == std::string_view::npos) return text;
    value.remove_prefix(place + 1);
    const auto end = value.find(';');
    const std::string_view name = value.substr(0, end);
    const auto entity = std::ranges::find(kEntities, name, &Entity::name);
    unsigned code = 0;
    const char* const last = name.data() + name.size();
    if (end != std::string_view::npos && entity != kEntities.end()) {
      text += entity->meaning;
    } else if (end != std::string_view::npos && name.starts_with('#') && std::from_chars(name.data() + 1, last, code).ptr == last &&
               code >= 0x20 && code < 0x7F) {
      text += static_cast<char>(code);
    } else {
      return log_error(current_line_, fmt::format("the entity {} is unknown", quoted(name)));
    }
    value.remove_prefix(end + 1);
  }
}

}  // namespace vmafbatch::store
