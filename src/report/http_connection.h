// The socket of one request.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string_view>

namespace vmafbatch::report {

// A connected socket with a deadline. Closes it at the end. Threads: one at a time.
class HttpConnection {
 public:
  // stopping: outlives this; true ends every wait.
  HttpConnection(int socket, const std::atomic<bool>& stopping) : socket_(socket), stopping_(stopping) {}
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  int socket() const { return socket_; }
  // From now; before the first call it is over.
  void set_deadline(int ms) { deadline_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms); }

  // Up to `size` bytes; 0 at the end, after the deadline, or when the server stops.
  size_t receive(char* bytes, size_t size);
  // Some of the bytes; -1 as receive's 0.
  ssize_t send_some(const char* bytes, size_t size);
  bool send_all(std::string_view bytes);
  // Says that no more comes, and reads what is under way: a client that still sends would lose its answer with the connection.
  void linger();

 private:
  bool wait(short event);

  int socket_;
  const std::atomic<bool>& stopping_;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace vmafbatch::report
