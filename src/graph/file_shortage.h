// When the process or the machine can open no more files. That is no fault of the clip that met it, so that no clip fails by it: the run
// ends, and the next one goes on.
#pragma once

#include <atomic>
#include <optional>

#include "base/result.h"

namespace vmafbatch::graph {

// Any thread.
class FileShortage {
 public:
  // `error`: EMFILE or ENFILE. The first one stays.
  void meet(int error) {
    int none = 0;
    error_.compare_exchange_strong(none, error);
  }
  bool is_met() const { return error_.load() != 0; }
  // What the user is told, once it is met.
  std::optional<Error> error() const;

 private:
  std::atomic<int> error_{0};
};

}  // namespace vmafbatch::graph
