// The elements of an XML text, tag by tag, as far as logs need it: elements, attributes, the five named entities and numbered characters,
// comments and processing instructions. Document types (and with them entities that grow), text between the elements and attributes that
// an element has twice are refused. Nothing is kept, nothing recurses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace vmafbatch::store {

class XmlScanner {
 public:
  using Attributes = std::vector<std::pair<std::string, std::string>>;

  explicit XmlScanner(std::string_view text) : text_(text) {}

  // Moves to the next start tag; false at the end of a text whose every element is closed.
  Result<bool> next();

  // Of the start tag: names of the elements around it and its own, "VMAF/frames/frame".
  const std::string& path() const { return path_; }
  const Attributes& attributes() const { return attributes_; }
  std::size_t line() const { return line_; }  // where it began

 private:
  Error cut() const;
  void advance(std::size_t count);  // counts lines
  bool skip_past(std::string_view mark);
  std::string_view take_name();
  void skip_space();
  Result<bool> start_tag();
  Status end_tag();
  Status attribute();
  Status check_attributes();
  Status check_text(std::string_view text) const;
  Result<std::string> unescape(std::string_view value) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t current_line_ = 1;
  std::size_t line_ = 1;
  std::string path_;
  int depth_ = 0;
  bool is_empty_ = false;  // the last start tag was <x/>
  bool has_root_ = false;
  Attributes attributes_;
  std::vector<std::string_view> names_;  // of the attributes, sorted
};

}  // namespace vmafbatch::store
