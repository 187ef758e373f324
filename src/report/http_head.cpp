#include "report/http_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "store/text.h"

namespace vmafbatch::report {
namespace {

constexpr size_t kMostHeaders = 100;

// Thrown inside this file: the request is refused.
using Refused = Refusal;

[[noreturn]] void refuse(int status, std::string sentence) { throw Refused{status, std::move(sentence)}; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string result;
  for (const char c : text) result += lower(c);
  return result;
}

// RFC 9110, 5.6.2: the characters of a token.
bool is_token(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

// What a request's target may hold: no control characters, no bytes above ASCII, no fragment.
bool is_of_target(char c) { return c > ' ' && c < 0x7F && std::string_view("\"<>\\^`{|}#").find(c) == std::string_view::npos; }

bool is_hex(char c) { return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'f'); }

// Takes what is before `end` away from `text`, and `end` too.
std::string_view take_until(std::string_view& text, std::string_view end) {
  const size_t at = text.find(end);
  if (at == std::string_view::npos) refuse(400, "the request is not after HTTP/1.1");
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + end.size());
  return taken;
}

// The headers that the server reads; all others are left out.
struct Headers {
  std::optional<std::string> host, origin, fetch_site, content_type, content_length;
};

class HeadReader {
 public:
  HeadReader(std::string_view head, const HostPolicy& policy) : rest_(head), policy_(policy) {}

  HttpHead read() {
    read_request_line();
    read_headers();
    check_host();
    check_site();
    const size_t length = body_length();
    return {{}, method_, length, text(length)};
  }

 private:
  void read_request_line() {
    std::string_view line = take_until(rest_, "\r\n");
    method_ = take_until(line, " ");
    target_ = take_until(line, " ");
    if (method_.empty() || !std::ranges::all_of(method_, is_token)) refuse(400, "the request is not after HTTP/1.1");
    if (line != "HTTP/1.1" && line != "HTTP/1.0") refuse(505, "only HTTP/1.1 is spoken here");
    if (method_ != "GET" && method_ != "HEAD" && method_ != "POST") refuse(405, "only GET, HEAD and POST are known here");
    if (target_.size() > kLongestTarget) refuse(414, "the address is too long");
    check_target();
  }

  void check_target() const {
    if (!target_.starts_with('/') || !std::ranges::all_of(target_, is_of_target)) refuse(400, "the address is not valid");
    for (size_t at = target_.find('%'); at != std::string::npos; at = target_.find('%', at + 1)) {
      const bool escape = at + 2 < target_.size() && is_hex(target_[at + 1]) && is_hex(target_[at + 2]);
      if (!escape || target_.compare(at, 3, "%00") == 0) refuse(400, "the address is not valid");
    }
    // No path of ours needs an escape, and check_site() must see the path that is answered.
    if (target_.substr(0, target_.find('?')).find('%') != std::string::npos) refuse(404, "there is no such page");
  }

  void read_headers() {
    for (size_t count = 0;; ++count) {
      const std::string_view line = take_until(rest_, "\r\n");
      if (line.empty()) break;
      if (count == kMostHeaders) refuse(431, "the request has too many headers");
      read_header(line);
    }
    if (!rest_.empty()) refuse(400, "the request is not after HTTP/1.1");
  }

  void read_header(std::string_view line) {
    const std::string name = lower(take_until(line, ":"));
    if (name.empty() || !std::ranges::all_of(name, is_token)) refuse(400, "a header of the request is not after HTTP/1.1");
    const auto is_control = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; };
    if (std::ranges::any_of(line, is_control)) refuse(400, "a header of the request is not after HTTP/1.1");
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    // A body whose end could be seen in two ways is where requests are smuggled.
    if (name == "transfer-encoding") refuse(501, "a body must have a Content-Length");
    if (name == "content-encoding") refuse(415, "a body must not be compressed");
    if (name == "expect") refuse(417, "Expect is not known here");
    keep(name, line);
  }

  void keep(const std::string& name, std::string_view value) {
    const std::pair<std::string_view, std::optional<std::string>*> known[] = {{"host", &headers_.host},
                                                                              {"origin", &headers_.origin},
                                                                              {"sec-fetch-site", &headers_.fetch_site},
                                                                              {"content-type", &headers_.content_type},
                                                                              {"content-length", &headers_.content_length}};
    for (const auto& [known_name, place] : known) {
      if (known_name != name) continue;
      if (*place) refuse(400, fmt::format("the request has two headers \"{}\"", name));
      *place = std::string(value);
    }
  }

  void check_host() const {
    if (!headers_.host || headers_.host->empty()) refuse(400, "the request has no Host");
    const auto is_of_host = [](char c) { return is_token(c) || c == ':' || c == '[' || c == ']'; };
    if (!std::ranges::all_of(*headers_.host, is_of_host)) refuse(400, "the Host is not valid");
    if (!policy_.loopback_only) return;
    const std::string host = lower(*headers_.host);
    const size_t colon = host.rfind(':');
    const bool has_port = colon != std::string::npos && host.find(']', colon) == std::string::npos;
    const std::string name = has_port ? host.substr(0, colon) : host;
    if (name != "localhost" && name != "[::1]" && !is_loopback_address(name)) {
      refuse(403, "this server answers only to addresses of this machine, such as 127.0.0.1 and localhost");
    }
  }

  // 127.0.0.0/8 in the usual form.
  static bool is_loopback_address(std::string_view name) {
    if (!name.starts_with("127.")) return false;
    return std::ranges::count(name, '.') == 3 && std::ranges::all_of(name, [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
  }

  // A page of another site must neither ask for data nor post. A link to a page of ours is fine.
  void check_site() const {
    const bool is_api = target_.starts_with("/api");
    const bool own_page = !headers_.origin || lower(*headers_.origin) == "http://" + lower(*headers_.host);
    const bool own_fetch = !headers_.fetch_site || *headers_.fetch_site == "same-origin" || *headers_.fetch_site == "none";
    if (!own_page || (!own_fetch && (is_api || method_ == "POST"))) refuse(403, "a page of another site may not ask this server");
  }

  size_t body_length() const {
    if (method_ != "POST") {
      if (headers_.content_length && *headers_.content_length != "0") refuse(400, "only POST has a body");
      return 0;
    }
    if (!headers_.content_length) refuse(411, "the body needs a Content-Length");
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto length = std::ranges::all_of(*headers_.content_length, is_digit) ? parse_integer(*headers_.content_length) : std::nullopt;
    if (!length && headers_.content_length->size() < 10) refuse(400, "the Content-Length is no number");
    if (!length || static_cast<size_t>(*length) > kLongestBody) refuse(413, fmt::format("the body is longer than {} bytes", kLongestBody));
    check_content_type();
    return static_cast<size_t>(*length);
  }

  // Forms have other types, or are refused by check_site().
  void check_content_type() const {
    const std::string type = lower(headers_.content_type.value_or("text/plain"));
    const std::string_view kind = std::string_view(type).substr(0, type.find(';'));
    if (kind != "text/plain" && kind != "application/sql") refuse(415, "the body must be text/plain");
  }

  std::string text(size_t length) const {
    std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", method_, target_, *headers_.host);
    if (method_ == "POST") text += fmt::format("Content-Type: text/plain\r\nContent-Length: {}\r\n", length);
    return text + "\r\n";
  }

  std::string_view rest_;
  HostPolicy policy_;
  std::string method_, target_;
  Headers headers_;
};

}  // namespace

HttpHead check_head(std::string_view head, const HostPolicy& policy) {
  try {
    return HeadReader(head, policy).read();
  } catch (const Refused& refused) {
    HttpHead result;
    result.refusal = refused;
    return result;
  }
}

}  // namespace vmafbatch::report
