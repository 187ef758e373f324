// The head of an HTTP/1.1 request, looked at before any other code sees it: the server takes only requests of a narrow form.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace vmafbatch::report {

// Longer heads, targets and bodies are refused. Browsers send heads of about 1 KiB to a local server.
inline constexpr size_t kLongestHead = 16 * 1024;
inline constexpr size_t kLongestTarget = 2 * 1024;
inline constexpr size_t kLongestBody = 64 * 1024;

// Why a request is refused: an HTTP status and one sentence.
struct Refusal {
  int status = 400;
  std::string sentence;
};

struct HttpHead {
  // Either the request may go on, or `refusal.sentence` is not empty.
  Refusal refusal;
  bool ok() const { return refusal.sentence.empty(); }

  std::string method;      // GET, HEAD or POST
  size_t body_length = 0;  // bytes that follow the head
  // The head again with only the headers that the server knows, each at most once. Nothing else of the client's goes farther.
  std::string text;
};

// Who may ask.
struct HostPolicy {
  // The server listens on a loopback address: a Host header that names another machine comes from a page that wants to read what is not
  // its own (DNS rebinding), and is refused.
  bool loopback_only = true;
};

// `head`: from the first byte to the empty line, "\r\n\r\n" included. What is not after RFC 9112, names another HTTP version or method,
// comes from a page of another site, has a body that is too long, chunked or encoded, or a Host that `policy` does not allow, is refused.
HttpHead check_head(std::string_view head, const HostPolicy& policy);

}  // namespace vmafbatch::report
