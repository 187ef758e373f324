// A client that sends bytes as they are, for servers on loopback.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace vmafbatch::testing {

class RawClient {
 public:
  explicit RawClient(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{20, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return connected_; }
  // False where the server has closed.
  bool send_bytes(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(count));
    }
    return true;
  }
  void end_sending() { shutdown(socket_, SHUT_WR); }

  // Everything until the server closes.
  std::string receive_all() {
    std::string all;
    char piece[65536];
    for (ssize_t count = 0; (count = recv(socket_, piece, sizeof piece, 0)) > 0;) all.append(piece, static_cast<size_t>(count));
    return all;
  }

 private:
  int socket_;
  bool connected_ = false;
};

// The whole answer to these bytes.
inline std::string answer_to(int port, std::string_view bytes) {
  RawClient client(port);
  EXPECT_TRUE(client.connected());
  client.send_bytes(bytes);
  return client.receive_all();
}

inline std::string get_text(std::string_view target) { return "GET " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"; }
inline std::string post_text(std::string_view target, std::string_view body) {
  return "POST " + std::string(target) +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + std::string(body);
}

// 0 where there is no answer.
inline int status_of(const std::string& answer) { return answer.starts_with("HTTP/1.1 ") ? std::atoi(answer.c_str() + 9) : 0; }

inline std::string body_of(const std::string& answer) {
  const size_t end = answer.find("\r\n\r\n");
  return end == std::string::npos ? "" : answer.substr(end + 4);
}

}  // namespace vmafbatch::testing
