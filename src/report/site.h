// What `vmafbatch serve` answers: the pages, their documents (docs/report-data.md), SQL (docs/serve.md) and pictures of frames.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>

#include "report/answer_cache.h"
#include "report/comparison.h"
#include "report/documents.h"
#include "report/http_server.h"
#include "report/report_database.h"
#include "report/sql_console.h"
#include "report/turnstile.h"
#include "report/worst_frames.h"

namespace vmafbatch::report {

struct SiteLimits {
  std::chrono::milliseconds document_time{20'000};
  std::chrono::milliseconds picture_time{60'000};
  std::chrono::milliseconds comparison_time{60'000};
  std::chrono::milliseconds patience{10'000};  // for a turn
  SqlLimits sql{};
  SqlLimits csv{std::chrono::milliseconds(10'000), 1'000'000, 64'000'000};
  size_t picture_bytes = 64'000'000;  // of all kept pictures
  size_t summary_bytes = 8'000'000;
};

// One database, and an older one that it is compared with where there is one. Every answer opens it anew and closes it again: what it shows
// is what is there, also while a run writes it, after it was replaced, or when it is gone; and no connection stays behind that a run would
// have to wait for. Threads: any number at a time.
class Site {
 public:
  Site(std::string database, std::optional<std::string> old_database, ShownPart shown, const SiteLimits& limits,
       const std::atomic<bool>& stopping);

  HttpAnswer answer(const HttpRequest& request);

 private:
  std::string state() const;  // of the databases: another text after one was written or replaced
  HttpAnswer api(const std::string& name, const HttpRequest& request);
  HttpAnswer summary();
  HttpAnswer sql(const std::string& text);
  HttpAnswer csv(const std::string& text);
  HttpAnswer clips(const HttpRequest& request);
  HttpAnswer picture(const HttpRequest& request);
  HttpAnswer made_picture(const PicturePlan& plan);
  HttpAnswer changed_clip(const HttpRequest& request);
  template <class Make>
  HttpAnswer with_comparison(const Make& make);
  template <class Make>
  HttpAnswer with_database(const std::string& path, std::chrono::milliseconds time, const Make& make);
  template <class Make>
  HttpAnswer document(Turnstile& turnstile, const Make& make);

  std::string database_;
  std::optional<std::string> old_database_;
  ShownPart shown_;
  SiteLimits limits_;
  const std::atomic<bool>& stopping_;
  // At a time, and waiting: 31 together, fewer than HttpLimits::threads, so that a page is always answered. A browser asks for six things
  // at a time.
  Turnstile documents_{4, 6}, one_clips_{1, 3}, sqls_{3, 3}, pictures_{2, 6}, comparisons_{1, 2};
  ScoresCache scores_;     // used by who has the place of one_clips_
  std::string scores_of_;  // the database of scores_
  AnswerCache kept_pictures_, kept_summaries_;
  std::optional<DatabaseComparison> comparison_;  // used by who has the place of comparisons_
  HttpAnswer comparison_answer_;                  // its document
  std::string comparison_of_;                     // the states of the databases that it was made of
};

}  // namespace vmafbatch::report
