#include "report/http_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "report/http_connection.h"
#include "report/http_head.h"
#include "report/http_queue.h"
#include "report/web_assets.h"
#include "store/text.h"

namespace vmafbatch::report {
namespace {

using std::chrono::milliseconds;

// Answers up to so many bytes, such as the pages, always have room: there are no more of them than threads.
constexpr size_t kSmallAnswer = 1'000'000;

// cpp-httplib takes an empty name for every address of the machine, and does not tell why it does not know one.
Status check_address(const std::string& host) {
  if (host.empty()) return Error{"--host is empty; name an address such as 127.0.0.1"};
  addrinfo* found = nullptr;
  const int code = getaddrinfo(host.c_str(), nullptr, nullptr, &found);
  if (code != 0) return Error{fmt::format("--host {} is not known ({}); name another address", store::line_text(host), gai_strerror(code))};
  freeaddrinfo(found);
  return {};
}

// What cpp-httplib reads: a request that is whole and checked. What it writes goes to the connection.
class CheckedStream : public httplib::Stream {
 public:
  CheckedStream(std::string request, HttpConnection& connection, int answer_ms)
      : request_(std::move(request)), connection_(connection), answer_ms_(answer_ms) {}

  bool is_readable() const override { return at_ < request_.size(); }
  bool is_writable() const override { return true; }
  ssize_t read(char* bytes, size_t size) override {
    const size_t count = std::min(size, request_.size() - at_);
    std::memcpy(bytes, request_.data() + at_, count);
    at_ += count;
    return static_cast<ssize_t>(count);
  }
  // The answer's time begins with its first byte: the handler's own does not count.
  ssize_t write(const char* bytes, size_t size) override {
    if (!std::exchange(answering_, true)) connection_.set_deadline(answer_ms_);
    return connection_.send_some(bytes, size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { unknown(ip, port); }
  void get_local_ip_and_port(std::string& ip, int& port) const override { unknown(ip, port); }
  socket_t socket() const override { return connection_.socket(); }

 private:
  static void unknown(std::string& ip, int& port) {
    ip.clear();
    port = 0;
  }

  std::string request_;
  size_t at_ = 0;
  HttpConnection& connection_;
  int answer_ms_;
  bool answering_ = false;
};

// Of the answer that this thread sends.
thread_local size_t own_unsent_bytes = 0;

// With every answer.
const std::vector<std::pair<const char*, std::string>>& safe_headers() {
  static const std::vector<std::pair<const char*, std::string>> kHeaders = {{"Content-Security-Policy", std::string(kServedPolicy)},
                                                                            {"X-Content-Type-Options", "nosniff"},
                                                                            {"Referrer-Policy", "no-referrer"},
                                                                            {"Cross-Origin-Resource-Policy", "same-origin"},
                                                                            {"Cross-Origin-Opener-Policy", "same-origin"},
                                                                            {"Cache-Control", "no-store"},
                                                                            {"Accept-Ranges", "none"}};
  return kHeaders;
}

Refusal late() { return {408, "the request did not arrive in time"}; }

std::string refusal_text(const Refusal& refusal) {
  const HttpAnswer answer = error_answer(refusal.status, refusal.sentence);
  std::string text = fmt::format("HTTP/1.1 {} Refused\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n", answer.status,
                                 answer.media_type, answer.body().size());
  if (refusal.status == 405) text += "Allow: GET, HEAD, POST\r\n";
  for (const auto& [name, value] : safe_headers()) text += fmt::format("{}: {}\r\n", name, value);
  return text + "\r\n" + answer.body();
}

}  // namespace

HttpAnswer error_answer(int status, const std::string& sentence) {
  return {status, "application/json", fmt::format("{{\"error\": {}}}\n", store::json_string(sentence))};
}

bool is_loopback_host(const std::string& host) { return host == "localhost" || host == "::1" || host.starts_with("127."); }

class HttpServer::Impl : public httplib::Server {
 public:
  Impl(HttpServer::Handler handler, const HttpLimits& limits) : handler_(std::move(handler)), limits_(limits) {
    new_task_queue = [threads = limits.threads] { return std::make_unique<BoundedQueue>(threads).release(); };
    set_socket_options([](socket_t socket) {
      // Not SO_REUSEPORT, cpp-httplib's default: two servers would share one port.
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    httplib::Headers headers;
    for (const auto& [name, value] : safe_headers()) headers.emplace(name, value);
    set_default_headers(headers);
    set_payload_max_length(kLongestBody);
    // GET and HEAD come this way, with any path. A POST goes on to its handler, for which cpp-httplib reads the body.
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      if (request.method == "POST") return HandlerResponse::Unhandled;
      answer(request, response);
      return HandlerResponse::Handled;
    });
    for (const char* path : {"/api/sql", "/api/sql\\.csv"}) {
      Post(path, [this](const httplib::Request& request, httplib::Response& response) { answer(request, response); });
    }
    // A POST to any other place.
    set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (!response.content_provider_) give(error_answer(response.status, "nothing is here to post to"), response);
    });
  }

  Result<int> start_listening(const std::string& host, int port) {
    host_ = host;
    policy_.loopback_only = is_loopback_host(host);
    if (Status known = check_address(host); !known.ok()) return known.error();
    port_ = port == 0 ? bind_to_any_port(host) : bind_to_port(host, port) ? port : -1;
    if (port_ <= 0) {
      return Error{fmt::format("{} port {} cannot be used ({}); choose another one with --port or --host", store::line_text(host), port,
                               std::strerror(errno))};
    }
    thread_ = std::thread([this] { listen_until_stopped(); });
    return port_;
  }

  void stop_listening() {
    stopping_ = true;
    // stop() does nothing before the thread has begun to listen.
    while (thread_.joinable() && !ended_) {
      stop();
      std::this_thread::sleep_for(milliseconds(5));
    }
    if (thread_.joinable()) thread_.join();
  }

  bool is_well() const { return !ended_ || stopping_; }
  const std::atomic<bool>& stopping() const { return stopping_; }

 private:
  // cpp-httplib leaves its loop when accept() fails for whatever reason.
  void listen_until_stopped() {
    do {
      ::listen(svr_sock_, SOMAXCONN);  // cpp-httplib lets five wait; what others send is dropped, and they try again after seconds
      listen_after_bind();
    } while (!stopping_ && bind_to_port(host_, port_));
    ended_ = true;
  }

  bool process_and_close_socket(socket_t socket) override {
    HttpConnection connection(socket, stopping_);
    try {
      serve(connection);
    } catch (const std::exception&) {
      return false;  // no memory for the request: the connection is closed
    }
    return true;
  }

  void serve(HttpConnection& connection) {
    connection.set_deadline(limits_.request_ms);
    std::string bytes;
    const size_t head_length = receive_head(connection, bytes);
    if (head_length == 0) return refuse(connection, bytes);
    const HttpHead head = check_head(std::string_view(bytes).substr(0, head_length), policy_);
    if (!head.ok()) return refuse(connection, head.refusal);
    std::string body = bytes.substr(head_length);
    if (!receive_body(connection, head.body_length, body)) return refuse(connection, late());
    CheckedStream stream(head.text + body, connection, limits_.answer_ms);
    bool closed = false;
    process_request(stream, true, closed, [](httplib::Request&) {});
    unsent_bytes_ -= std::exchange(own_unsent_bytes, 0);
    connection.linger();
  }

  // Bytes up to a head's end and perhaps more; its length, 0 where there is none.
  static size_t receive_head(HttpConnection& connection, std::string& bytes) {
    while (bytes.size() <= kLongestHead) {
      char piece[4096];
      const size_t count = connection.receive(piece, sizeof piece);
      if (count == 0) return 0;
      const size_t from = bytes.size() < 3 ? 0 : bytes.size() - 3;
      bytes.append(piece, count);
      const size_t end = bytes.find("\r\n\r\n", from);
      if (end != std::string::npos) return end + 4 <= kLongestHead ? end + 4 : 0;
    }
    return 0;
  }

  // What is behind the body is another request of an impatient client; the connection ends before it.
  static bool receive_body(HttpConnection& connection, size_t length, std::string& body) {
    while (body.size() < length) {
      char piece[4096];
      const size_t count = connection.receive(piece, sizeof piece);
      if (count == 0) return false;
      body.append(piece, count);
    }
    body.resize(length);
    return true;
  }

  // A head without an end.
  void refuse(HttpConnection& connection, const std::string& bytes) {
    if (bytes.empty()) return;
    refuse(connection, bytes.size() > kLongestHead - 4096 ? Refusal{431, "the head of the request is too long"} : late());
  }

  void refuse(HttpConnection& connection, const Refusal& refusal) {
    connection.set_deadline(limits_.request_ms);
    if (connection.send_all(refusal_text(refusal))) connection.linger();
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    HttpAnswer answer;
    try {
      answer = handler_({request.method == "POST" ? "POST" : "GET", request.path, request.params, request.body});
    } catch (const std::exception& exception) {
      answer = error_answer(500, fmt::format("the server failed: {}", store::line_text(exception.what())));
    }
    if (!take_room(answer.body().size())) answer = error_answer(503, "the server is busy sending other answers; try again");
    give(answer, response);
  }

  // For an answer of the calling thread, until it was sent.
  bool take_room(size_t bytes) {
    if (bytes <= kSmallAnswer) return true;
    const size_t before = unsent_bytes_.fetch_add(bytes);
    own_unsent_bytes += bytes;
    if (before == 0 || before + bytes <= limits_.answer_bytes) return true;
    unsent_bytes_ -= std::exchange(own_unsent_bytes, 0);
    return false;
  }

  static void give(const HttpAnswer& answer, httplib::Response& response) {
    response.status = answer.status;
    response.headers.erase("Content-Type");
    if (answer.body().empty()) return;  // which is no content
    const auto send = [body = answer.shared_body()](size_t from, size_t size, httplib::DataSink& sink) {
      return sink.write(body->data() + from, size);
    };
    response.set_content_provider(answer.body().size(), answer.media_type, send);
  }

  HttpServer::Handler handler_;
  HttpLimits limits_;
  HostPolicy policy_;
  std::string host_;
  int port_ = -1;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> ended_ = false;
  std::atomic<size_t> unsent_bytes_ = 0;
  std::thread thread_;
};

HttpServer::HttpServer(Handler handler, const HttpLimits& limits) : impl_(std::make_unique<Impl>(std::move(handler), limits)) {}
HttpServer::~HttpServer() { stop(); }

Result<int> HttpServer::start(const std::string& host, int port) { return impl_->start_listening(host, port); }
void HttpServer::stop() { impl_->stop_listening(); }
bool HttpServer::is_well() const { return impl_->is_well(); }
const std::atomic<bool>& HttpServer::stopping() const { return impl_->stopping(); }

}  // namespace vmafbatch::report
