// Limits what is in flight by bytes: the pictures of a step and the planes that will be derived from them.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace vmafbatch::graph {

// Hands out permission to decode the next step of a clip. Never blocks a thread: who asks gives a continuation, which runs at once
// in the asking thread where there is room, else later in the thread that makes room. Requests are served in their order.
//
// A step has two parts that end at different times: it is *open* until its scores are with the writer, and its *bytes* count until its
// pictures are freed (the last frames of a clip are kept as history). A request is granted when its bytes fit the budget, and also
// whenever no step is open: then kept pictures alone hold the memory, and they must not hold it against the frame that replaces them.
// So there is no budget, however small, at which a run stands still.
//
// Any thread may call any member.
class Admission {
 public:
  // `open_limit` bounds the steps that are open at once, so that a slow disk stops decoding before scores pile up.
  Admission(size_t budget_bytes, size_t open_limit);
  Admission(const Admission&) = delete;
  Admission& operator=(const Admission&) = delete;

  // Calls `granted` when a step of `bytes` may start. The step is then open and its bytes count.
  void request(size_t bytes, std::function<void()> granted);

  // Ends the open part of a granted step.
  void close_step();

  // The pictures of a granted step are freed.
  void release(size_t bytes);

  // Drops the requests that wait and grants no further one: the run is over, and nobody is left to continue.
  void shut();

  // For tests: what is handed out now.
  size_t bytes_in_flight() const;
  size_t open_steps() const;
  // The most at one time.
  size_t peak_bytes() const;

 private:
  struct Request {
    size_t bytes;
    std::function<void()> granted;
  };

  // Takes the requests that may start now out of the queue; the caller runs them without the lock.
  std::deque<std::function<void()>> grant_locked();
  void grant();

  const size_t budget_bytes_;
  const size_t open_limit_;
  mutable std::mutex mutex_;
  std::deque<Request> waiting_;
  size_t bytes_ = 0;
  size_t peak_bytes_ = 0;
  size_t open_ = 0;
  bool shut_ = false;
};

// Holds the bytes of one granted step and gives them back when the last picture that carries it is freed.
class AdmittedBytes {
 public:
  AdmittedBytes(Admission& admission, size_t bytes) : admission_(admission), bytes_(bytes) {}
  AdmittedBytes(const AdmittedBytes&) = delete;
  AdmittedBytes& operator=(const AdmittedBytes&) = delete;
  ~AdmittedBytes() { admission_.release(bytes_); }

 private:
  Admission& admission_;
  size_t bytes_;
};

// Ends the open part of one granted step when the last frame of the step is with the writer.
class OpenStep {
 public:
  explicit OpenStep(Admission& admission) : admission_(admission) {}
  OpenStep(const OpenStep&) = delete;
  OpenStep& operator=(const OpenStep&) = delete;
  ~OpenStep() { admission_.close_step(); }

 private:
  Admission& admission_;
};

}  // namespace vmafbatch::graph
