// Which requests the server takes, and why it refuses the others.
#include "report/http_head.h"

#include <gtest/gtest.h>

namespace vmafbatch::report {
namespace {

int status(const std::string& head, bool loopback_only = true) {
  const HttpHead read = check_head(head, {loopback_only});
  return read.ok() ? 200 : read.refusal.status;
}
int status_of_target(const std::string& target) { return status("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n"); }
int status_with(const std::string& header, const std::string& line = "GET /api/clip HTTP/1.1") {
  return status(line + "\r\nHost: localhost:8077\r\n" + header + "\r\n\r\n");
}
int status_of_post(const std::string& headers) { return status("POST /api/sql HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n"); }
int status_of_host(const std::string& host, bool loopback_only = true) {
  return status("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n", loopback_only);
}

TEST(HttpHead, OnlyKnownHeadersGoOn) {
  const HttpHead head =
      check_head("GET /a?b=%20c HTTP/1.1\r\nhost:  127.0.0.1:8077\t\r\nCookie: x\r\nRange: bytes=0-1\r\nAccept-Encoding: gzip\r\n\r\n", {});
  EXPECT_TRUE(head.ok()) << head.refusal.sentence;
  EXPECT_EQ(head.method, "GET");
  EXPECT_EQ(head.body_length, 0U);
  EXPECT_EQ(head.text, "GET /a?b=%20c HTTP/1.1\r\nHost: 127.0.0.1:8077\r\nConnection: close\r\n\r\n");
}

TEST(HttpHead, APostHasABodyOfKnownLength) {
  const HttpHead head = check_head(
      "POST /api/sql HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 0012\r\n\r\n", {});
  EXPECT_TRUE(head.ok()) << head.refusal.sentence;
  EXPECT_EQ(head.body_length, 12U);
  EXPECT_NE(head.text.find("Content-Length: 12\r\n"), std::string::npos);
  EXPECT_EQ(status_of_post("Content-Length: 65536\r\n"), 200);
  EXPECT_EQ(status_of_post("Content-Length: 65537\r\n"), 413);
  EXPECT_EQ(status_of_post("Content-Length: 99999999999999999999999\r\n"), 413);
  EXPECT_EQ(status_of_post(""), 411);
  for (const char* length : {"", "-1", "+1", "1 1", "0x1", "1,1", "a"})
    EXPECT_EQ(status_of_post(std::string("Content-Length: ") + length + "\r\n"), 400) << length;
  EXPECT_EQ(status_of_post("Content-Length: 1\r\nContent-Length: 1\r\n"), 400);
  EXPECT_EQ(status_of_post("Content-Length: 1\r\nContent-Type: application/x-www-form-urlencoded\r\n"), 415);
  EXPECT_EQ(status_of_post("Content-Length: 1\r\nContent-Type: multipart/form-data; boundary=a\r\n"), 415);
}

TEST(HttpHead, ABodyThatEndsInTwoWaysOrGrowsIsRefused) {
  EXPECT_EQ(status_of_post("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"), 501);
  EXPECT_EQ(status_of_post("Content-Length: 1\r\nContent-Encoding: gzip\r\n"), 415);
  EXPECT_EQ(status_of_post("Content-Length: 1\r\nExpect: 100-continue\r\n"), 417);
  EXPECT_EQ(status_with("Content-Length: 5"), 400) << "a GET with a body";
  EXPECT_EQ(status_with("Content-Length: 0"), 200);
}

TEST(HttpHead, OnlyThreeMethodsAndTwoVersionsAreKnown) {
  EXPECT_EQ(status_with("A: b", "HEAD / HTTP/1.0"), 200);
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "PRI"}) {
    EXPECT_EQ(status_with("A: b", std::string(method) + " / HTTP/1.1"), 405) << method;
  }
  for (const char* version : {"HTTP/2.0", "HTTP/0.9", "http/1.1", "HTTP/1.1 ", "HTTP/11", ""}) {
    EXPECT_EQ(status_with("A: b", std::string("GET / ") + version), 505) << version;
  }
  for (const char* line : {"GET /", "GET", "", " / HTTP/1.1", "G(T / HTTP/1.1"}) EXPECT_EQ(status_with("A: b", line), 400) << line;
}

TEST(HttpHead, AnAddressIsPlainAndShort) {
  EXPECT_EQ(status_of_target("/api/clip?id=1&x=%41+b/../c"), 200);
  EXPECT_EQ(status_of_target("/%61pi/summary"), 404) << "/api in other letters";
  for (const char* target : {"", "x", "http://localhost/", "*", "/%", "/%4", "/%zz", "/%00", "/a%00b", "/a#b", "/a\\b", "/\"", "/<",
                             "/\xC3\xA4", "/\x01", "/\t"}) {
    EXPECT_EQ(status_of_target(target), 400) << target;
  }
  EXPECT_EQ(status_of_target("/" + std::string(2047, 'a')), 200);
  EXPECT_EQ(status_of_target("/" + std::string(2048, 'a')), 414);
}

TEST(HttpHead, HeadersAreAfterTheStandard) {
  for (const char* header : {"nocolon", ": x", "a b: x", " folded: x", "a: b\x01", "a: b\nc: d", "a\r: b", "a: \x7F"}) {
    EXPECT_EQ(status_with(header), 400) << header;
  }
  EXPECT_EQ(status_with(std::string("a: b\0c", 6)), 400);
  EXPECT_EQ(status_with("a: \xFF\xC3\tb"), 200) << "not read, and not sent on";
  std::string many;
  for (int count = 0; count < 99; ++count) many += "a: b\r\n";
  EXPECT_EQ(status_with(many + "a: b"), 431);
  EXPECT_EQ(status("GET / HTTP/1.1\nHost: localhost\n\n"), 400) << "lines end with CR LF";
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: localhost\r\n"), 400) << "no empty line";
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: localhost\r\n\r\nmore"), 400);
}

TEST(HttpHead, OnLoopbackOnlyAddressesOfThisMachineAreHosts) {
  for (const char* host : {"localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8077", "127.1.2.3:80", "[::1]", "[::1]:8077"}) {
    EXPECT_EQ(status_of_host(host), 200) << host;
  }
  for (const char* host : {"evil.example", "evil.example:8077", "localhost.evil.example", "127.0.0.1.evil.example", "127.evil", "0.0.0.0",
                           "10.0.0.1", "[::2]", "127.0.0.1:80:80", "1127.0.0.1"}) {
    EXPECT_EQ(status_of_host(host), 403) << host;
    EXPECT_EQ(status_of_host(host, false), 200) << host;
  }
  for (const char* host : {"", "a b", "a/b", "a@b", "<x>"}) EXPECT_EQ(status_of_host(host, false), 400) << host;
  EXPECT_EQ(status("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"), 400);
}

TEST(HttpHead, PagesOfOtherSitesMayNotAsk) {
  const std::string post = "POST /api/sql HTTP/1.1";
  EXPECT_EQ(status_with("Origin: http://localhost:8077\r\nContent-Length: 1", post), 200);
  EXPECT_EQ(status_with("Sec-Fetch-Site: same-origin\r\nContent-Length: 1", post), 200);
  for (const char* origin :
       {"http://evil.example", "http://localhost", "https://localhost:8077", "null", "http://localhost:8077.evil.example", ""}) {
    EXPECT_EQ(status_with(std::string("Origin: ") + origin + "\r\nContent-Length: 1", post), 403) << origin;
    EXPECT_EQ(status_with(std::string("Origin: ") + origin), 403) << origin;
  }
  for (const char* site : {"cross-site", "same-site", "", "x"}) {
    EXPECT_EQ(status_with(std::string("Sec-Fetch-Site: ") + site + "\r\nContent-Length: 1", post), 403) << site;
    EXPECT_EQ(status_with(std::string("Sec-Fetch-Site: ") + site), 403) << site;
  }
  EXPECT_EQ(status_with("Sec-Fetch-Site: cross-site", "GET / HTTP/1.1"), 200) << "a link to the page";
  EXPECT_EQ(status_with("Sec-Fetch-Site: none"), 200) << "typed by a person";
}

}  // namespace
}  // namespace vmafbatch::report
