// The server against clients that are slow, hostile or many.
#include "report/http_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/raw_client.h"

namespace vmafbatch::report {
namespace {

using testing::answer_to;
using testing::body_of;
using testing::get_text;
using testing::post_text;
using testing::RawClient;
using testing::status_of;

// Answers with what it was asked; /throw throws, /large gives 8 MB, /slow waits.
class Served : public ::testing::Test {
 protected:
  void SetUp() override { start({.threads = 4, .request_ms = 400, .answer_ms = 600}); }

  void start(const HttpLimits& limits) {
    server_ = std::make_unique<HttpServer>(handle, limits);
    const auto port = server_->start("127.0.0.1", 0);
    ASSERT_TRUE(port.ok()) << port.error().message;
    port_ = *port;
  }

  static HttpAnswer handle(const HttpRequest& request) {
    if (request.path == "/throw") throw std::runtime_error("no \x1B luck");
    if (request.path == "/large") return {200, "text/plain", std::string(8'000'000, 'x')};
    if (request.path == "/slow") std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::string text = request.method + " " + request.path;
    for (const auto& [name, value] : request.parameters) text += " " + name + "=" + value;
    return {200, "text/plain", text + " " + request.body};
  }

  int status(const std::string& bytes) { return status_of(answer_to(port_, bytes)); }
  std::string body(const std::string& bytes) { return body_of(answer_to(port_, bytes)); }
  void expect_well() { EXPECT_EQ(body(get_text("/well")), "GET /well "); }

  std::unique_ptr<HttpServer> server_;
  int port_ = 0;
};

TEST_F(Served, PathParametersAndBodyArrive) {
  EXPECT_EQ(body(get_text("/a/b?id=1&name=%3Cx%3E+y")), "GET /a/b id=1 name=<x> y ");
  EXPECT_EQ(body(post_text("/api/sql", "SELECT 'a\n\xC3\xA4'")), "POST /api/sql SELECT 'a\n\xC3\xA4'");
  EXPECT_EQ(body(post_text("/api/sql", "")), "POST /api/sql ");
  EXPECT_EQ(status(post_text("/other", "x")), 404);
  const std::string head = answer_to(port_, "HEAD /a HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(status_of(head), 200);
  EXPECT_EQ(body_of(head), "");
  EXPECT_NE(head.find("Accept-Ranges: none\r\n"), std::string::npos) << head;
}

TEST_F(Served, EveryAnswerCarriesTheSafeHeaders) {
  for (const std::string& request : {get_text("/a"), get_text("/throw"), std::string("PUT / HTTP/1.1\r\n\r\n"), post_text("/other", "x")}) {
    const std::string answer = answer_to(port_, request);
    for (const char* header :
         {"Content-Security-Policy: default-src 'none'; ", "X-Content-Type-Options: nosniff\r\n", "Referrer-Policy: no-referrer\r\n",
          "Cross-Origin-Resource-Policy: same-origin\r\n", "Cache-Control: no-store\r\n", "Connection: close\r\n"}) {
      EXPECT_NE(answer.find(header), std::string::npos) << header << answer;
    }
    EXPECT_EQ(answer.find("Access-Control"), std::string::npos);
  }
}

TEST_F(Served, AHandlerThatThrowsIsAnAnswer) {
  const std::string answer = answer_to(port_, get_text("/throw"));
  EXPECT_EQ(status_of(answer), 500);
  EXPECT_EQ(body_of(answer), "{\"error\": \"the server failed: no \\\\x1B luck\"}\n");
  expect_well();
}

TEST_F(Served, RubbishIsRefusedOrClosed) {
  EXPECT_EQ(status("\r\n\r\n"), 400);
  EXPECT_EQ(status(std::string(64, '\0') + "\r\n\r\n"), 400);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(20'000, 'x')), 431);
  EXPECT_EQ(status("GET /" + std::string(5'000'000, 'a')), 431);
  EXPECT_EQ(status("DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n"), 405);
  EXPECT_EQ(status("POST /api/sql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999\r\n\r\n" + std::string(999'999, 'x')), 413);
  EXPECT_EQ(status(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xFC\x03\x03", 11)), 408) << "a TLS client";
  expect_well();
}

TEST_F(Served, ARequestBehindARequestIsNotAnswered) {
  const std::string answer = answer_to(port_, get_text("/first") + get_text("/second"));
  EXPECT_NE(answer.find("GET /first "), std::string::npos);
  EXPECT_EQ(answer.find("/second"), std::string::npos);
  const std::string posted = answer_to(port_, post_text("/api/sql", "x") + get_text("/second") + std::string(100'000, 'y'));
  EXPECT_EQ(body_of(posted), "POST /api/sql x");
}

TEST_F(Served, SlowClientsHoldAThreadOnlyForAWhile) {
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int count = 0; count < 12; ++count) {
    slow.push_back(std::make_unique<RawClient>(port_));
    slow.back()->send_bytes(count % 3 == 0   ? ""
                            : count % 3 == 1 ? "GET / HT"
                                             : "POST /api/sql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab");
  }
  expect_well();
  for (int count = 0; count < 12; ++count) {
    const std::string answer = slow[static_cast<size_t>(count)]->receive_all();
    if (count % 3 == 0) {
      EXPECT_EQ(answer, "");
    } else {
      EXPECT_EQ(status_of(answer), 408) << answer;
    }
  }
}

TEST_F(Served, AByteNowAndThenDoesNotExtendTheTime) {
  RawClient client(port_);
  bool open = true;
  for (int count = 0; open && count < 100; ++count) {
    open = client.send_bytes(count == 0 ? "GET / HTTP/1.1\r\nX: " : "x");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_FALSE(open);
  expect_well();
}

TEST_F(Served, ClientsThatDoNotReadOrLeaveAreGivenUp) {
  std::vector<std::unique_ptr<RawClient>> lazy;
  for (int count = 0; count < 8; ++count) {
    lazy.push_back(std::make_unique<RawClient>(port_));
    lazy.back()->send_bytes(get_text("/large"));
  }
  lazy.resize(4);  // the others leave
  expect_well();
}

TEST_F(Served, LargeAnswersThatNobodyTakesHaveABound) {
  server_.reset();
  start({.threads = 8, .request_ms = 20'000, .answer_ms = 60'000, .answer_bytes = 10'000'000});
  EXPECT_EQ(status(get_text("/large")), 200);
  std::vector<std::unique_ptr<RawClient>> lazy;
  int refused = 200;
  while (refused == 200 && lazy.size() < 6) {
    lazy.push_back(std::make_unique<RawClient>(port_));
    lazy.back()->send_bytes(get_text("/large"));
    refused = status(get_text("/large"));
  }
  EXPECT_EQ(refused, 503);
  expect_well();
  lazy.clear();
  int given = 503;
  for (int tries = 0; given != 200 && tries < 1000; ++tries) given = status(get_text("/large"));
  EXPECT_EQ(given, 200) << "those who have left hold nothing";
}

TEST_F(Served, AClientThatEndsItsSideIsAnswered) {
  RawClient client(port_);
  client.send_bytes(get_text("/a"));
  client.end_sending();
  EXPECT_EQ(body_of(client.receive_all()), "GET /a ");
}

TEST_F(Served, ManyAtATimeAreAllAnswered) {
  start({.threads = 4, .request_ms = 10'000, .answer_ms = 10'000});
  std::vector<std::string> answers(60);
  std::vector<std::thread> clients;
  for (size_t index = 0; index < answers.size(); ++index) {
    clients.emplace_back([&, index] {
      answers[index] = body(index % 2 == 0 ? get_text("/" + std::to_string(index)) : post_text("/api/sql", std::to_string(index)));
    });
  }
  for (std::thread& client : clients) client.join();
  for (size_t index = 0; index < answers.size(); ++index) {
    EXPECT_EQ(answers[index], index % 2 == 0 ? "GET /" + std::to_string(index) + " " : "POST /api/sql " + std::to_string(index));
  }
}

TEST_F(Served, StopEndsOpenConnections) {
  start({.threads = 4, .request_ms = 60'000, .answer_ms = 60'000});
  RawClient idle(port_), half(port_), lazy(port_);
  half.send_bytes("GET / HT");
  lazy.send_bytes(get_text("/large"));
  expect_well();  // idle has a thread by now, or waits for one
  server_->stop();
  EXPECT_TRUE(server_->stopping());
  EXPECT_TRUE(server_->is_well());
  EXPECT_EQ(idle.receive_all(), "");
  EXPECT_FALSE(RawClient(port_).connected());
}

TEST_F(Served, APortThatIsTakenIsTold) {
  HttpServer second(handle);
  const auto port = second.start("127.0.0.1", port_);
  ASSERT_FALSE(port.ok());
  EXPECT_NE(port.error().message.find("choose another one with --port"), std::string::npos) << port.error().message;
  HttpServer third(handle);
  const auto unknown = third.start("no such host.", 0);
  ASSERT_FALSE(unknown.ok());
  EXPECT_TRUE(unknown.error().message.starts_with("--host no such host. is not known (")) << unknown.error().message;
  const auto empty = third.start("", 0);
  ASSERT_FALSE(empty.ok()) << "every address of the machine";
  EXPECT_EQ(empty.error().message, "--host is empty; name an address such as 127.0.0.1");
}

}  // namespace
}  // namespace vmafbatch::report
