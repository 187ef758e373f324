// The answers that cost most, kept while there is room: the least recently used go first.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "report/http_server.h"

namespace vmafbatch::report {

// Threads: any.
class AnswerCache {
 public:
  explicit AnswerCache(size_t most_bytes) : most_bytes_(most_bytes) {}

  std::optional<HttpAnswer> find(const std::string& key);
  // An answer that alone is over the limit is not kept.
  void add(const std::string& key, const HttpAnswer& answer);

  size_t bytes() const;  // of the kept bodies

 private:
  struct Entry {
    std::string key;
    HttpAnswer answer;
  };
  const size_t most_bytes_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // the most recently used first
  std::map<std::string, std::list<Entry>::iterator> places_;
  size_t bytes_ = 0;
};

}  // namespace vmafbatch::report
