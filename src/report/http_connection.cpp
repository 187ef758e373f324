#include "report/http_connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

namespace vmafbatch::report {
namespace {

using Clock = std::chrono::steady_clock;

// How often a waiting thread looks whether the server stops.
constexpr int kSliceMs = 100;
// linger() reads for so long and so far.
constexpr int kLingerMs = 500;
constexpr size_t kLingerBytes = 1 << 20;

}  // namespace

HttpConnection::~HttpConnection() {
  shutdown(socket_, SHUT_RDWR);
  ::close(socket_);
}

size_t HttpConnection::receive(char* bytes, size_t size) {
  if (!wait(POLLIN)) return 0;
  const ssize_t count = recv(socket_, bytes, size, 0);
  return count > 0 ? static_cast<size_t>(count) : 0;
}

ssize_t HttpConnection::send_some(const char* bytes, size_t size) {
  if (!wait(POLLOUT)) return -1;
  return send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool HttpConnection::send_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send_some(bytes.data(), bytes.size());
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

void HttpConnection::linger() {
  shutdown(socket_, SHUT_WR);
  set_deadline(kLingerMs);
  char bytes[4096];
  for (size_t total = 0; total < kLingerBytes;) {
    const size_t count = receive(bytes, sizeof bytes);
    if (count == 0) return;
    total += count;
  }
}

bool HttpConnection::wait(short event) {
  while (!stopping_) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
    if (left <= 0) return false;
    pollfd entry{socket_, event, 0};
    const int ready = poll(&entry, 1, static_cast<int>(std::min<std::int64_t>(left, kSliceMs)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
  return false;
}

}  // namespace vmafbatch::report
