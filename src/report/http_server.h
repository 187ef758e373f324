// A small HTTP server over cpp-httplib that no client can fill, hold or crash: a bounded number of threads, requests of bounded size and
// time, one request a connection, and only what check_head() lets through.
//
//   HttpServer server([](const HttpRequest& request) { return HttpAnswer{...}; });
//   const auto port = server.start("127.0.0.1", 0);
//   ... server.stop();
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/result.h"

namespace vmafbatch::report {

struct HttpRequest {
  std::string method;                                  // GET or POST (HEAD is a GET whose body is not sent)
  std::string path;                                    // percent-decoded, any bytes but NUL
  std::multimap<std::string, std::string> parameters;  // of the query, decoded
  std::string body;                                    // at most kLongestBody bytes
};

class HttpAnswer {
 public:
  HttpAnswer() = default;  // nothing, with status 200
  HttpAnswer(int code, std::string type, std::string body)
      : status(code), media_type(std::move(type)), body_(std::make_shared<const std::string>(std::move(body))) {}

  int status = 200;
  std::string media_type = "application/json";
  const std::string& body() const { return *body_; }
  // The body for as long as somebody sends it: copies of an answer share it.
  std::shared_ptr<const std::string> shared_body() const { return body_; }

 private:
  std::shared_ptr<const std::string> body_ = std::make_shared<const std::string>();
};

// {"error": "sentence"} with this status.
HttpAnswer error_answer(int status, const std::string& sentence);

// True for localhost, ::1 and 127.x.y.z: only this machine reaches them.
bool is_loopback_host(const std::string& host);

struct HttpLimits {
  int threads = 36;        // requests at a time; more wait
  int request_ms = 5'000;  // from accept to the request's last byte
  int answer_ms = 30'000;  // from the answer's first byte to its last
  // Of all answers that wait for clients to take them; one that would be beyond that is 503 instead, unless it is alone.
  size_t answer_bytes = 256'000'000;
};

class HttpServer {
 public:
  // Called by several threads at a time. An exception becomes the answer 500.
  using Handler = std::function<HttpAnswer(const HttpRequest&)>;

  explicit HttpServer(Handler handler, const HttpLimits& limits = {});
  // Stops.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Listens from now on, in threads of its own; gives the port. port 0: any free one. Error: the address cannot be used.
  Result<int> start(const std::string& host, int port);

  // Ends: open connections are closed. Waits for handlers, which should look at stopping().
  void stop();

  // False where listening failed for a reason that is not stop().
  bool is_well() const;

  // True from stop() on.
  const std::atomic<bool>& stopping() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vmafbatch::report
