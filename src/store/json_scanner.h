// JSON, token by token, for logs that may be huge or damaged: nothing is kept, and what is nested too deep is refused. Also reads what
// libvmaf wrote at times and JSON has no words for: nan, inf and -inf.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace vmafbatch::store {

class JsonScanner {
 public:
  enum class Kind { kObject, kArray, kString, kNumber, kWord };  // of a value; kWord: null, true, false, nan ...

  explicit JsonScanner(std::string_view text) : text_(text) {}

  std::size_t line() const { return line_; }

  // The next byte that is not white space begins a value of this kind. Error: it begins none.
  Result<Kind> peek();
  // Calls `member` for every member of the object that comes, by its name; `member` must take the value (a call below, or of itself).
  // Error: two members have one name (which of them counts, JSON does not say).
  Status object(const std::function<Status(const std::string& name)>& member);
  // Calls `element` for every element of the array that comes; `element` must take it. A comma before the first is passed over: libvmaf
  // 3.2.0 writes one where frame 0 has no row.
  Status array(const std::function<Status()>& element);
  Result<std::string> string();
  // A number's or word's text. The text's form is not checked further.
  Result<std::string_view> scalar();
  // Takes any value.
  Status skip();
  // Nothing but white space comes.
  Status end();

 private:
  Error error(const std::string& what) const;
  void skip_space();
  bool take(char c);  // after white space
  Status unescape(std::string& text);
  Result<unsigned> hex4();
  Status deeper();

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  int depth_ = 0;
};

}  // namespace vmafbatch::store
