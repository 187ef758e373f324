#include "report/site.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "base/content_hash.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "report/read_guard.h"
#include "report/web_assets.h"
#include "store/database_lock.h"
#include "store/text.h"

namespace vmafbatch::report {
namespace {

// JavaScript's integers.
constexpr std::int64_t kLargestNumber = std::int64_t{1} << 53;

// Thrown inside this file: the answer is this error.
struct Failed {
  int status;
  std::string sentence;
};

std::optional<std::int64_t> optional_number(const HttpRequest& request, const std::string& name) {
  const auto [first, last] = request.parameters.equal_range(name);
  if (first == last) return std::nullopt;
  const std::string& text = first->second;
  const bool digits = !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  const auto number = digits ? parse_integer(text) : std::nullopt;
  if (std::next(first) != last || !number || *number > kLargestNumber) throw Failed{400, fmt::format("the address needs {}=NUMBER", name)};
  return number;
}

std::int64_t number(const HttpRequest& request, const std::string& name) {
  const auto number = optional_number(request, name);
  if (!number) throw Failed{400, fmt::format("the address needs {}=NUMBER", name)};
  return *number;
}

// The database is to blame.
HttpAnswer unreadable(const Error& error) { return error_answer(503, error.message); }

// What ReportDatabase::read() failed with.
HttpAnswer read_problem(const ReportDatabase& database, const Error& error) {
  if (!database.refused()) return unreadable(error);
  return error_answer(*database.refused() == Refused::Why::kNotThere ? 404 : 400, error.message);
}

HttpAnswer json_answer(std::string document) { return {200, "application/json", std::move(document)}; }

HttpAnswer page(const std::string& path) {
  const std::string wanted = path == "/" ? "index.html" : path.substr(1);
  const auto assets = web_assets();
  const auto asset = std::ranges::find(assets, wanted, &WebAsset::path);
  if (asset == assets.end()) return error_answer(404, "there is no such page");
  return {200, std::string(asset->mime_type), std::string(asset->text)};
}

// Another text after a database was replaced by another one.
std::string identity(const std::string& path, SQLite::Database& database) {
  struct stat status = {};
  stat(path.c_str(), &status);
  SQLite::Statement run(database, "SELECT id || started_at FROM run ORDER BY id LIMIT 1");
  return fmt::format("{} {} {}", status.st_dev, status.st_ino, run.executeStep() ? run.getColumn(0).getString() : "");
}

// Another text after a database was written or replaced: its file and the log behind it (sqlite.org/wal.html), which readers leave empty.
std::string state_of(const std::string& path) {
  std::string state;
  for (const char* suffix : {"", "-wal"}) {
    struct stat status = {};
    if (stat((path + suffix).c_str(), &status) != 0 || status.st_size == 0) continue;
    state += fmt::format("{} {} {} {} {} ", status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }
  return state;
}

// What a picture shows, as a text: another one after a clip was scored again, or the database replaced.
std::string picture_key(SQLite::Database& database, std::int64_t scoring, std::int64_t frame) {
  SQLite::Statement find(database,
                         "SELECT quote(reference_path) || quote(distorted_path) || quote(options) || reference_mtime_ns || ' ' || "
                         "distorted_mtime_ns || ' ' || started_at || quote(ended_at) FROM scoring WHERE id = ?");
  find.bind(1, scoring);
  if (!find.executeStep()) throw Failed{404, fmt::format("there is no scoring {}", scoring)};
  return fmt::format("{} {} {}", scoring, frame, find.getColumn(0).getString());
}

constexpr std::string_view kEnding = "the server ends";

HttpAnswer sql_problem(const SqlProblem& problem, bool is_ending) {
  if (is_ending) return error_answer(503, std::string(kEnding));
  return {problem.of_database ? 503 : 400, "application/json", problem_json(problem)};
}

double seconds(std::chrono::milliseconds time) { return static_cast<double>(time.count()) / 1000; }

HttpAnswer busy() { return error_answer(503, "the server is busy with other requests; try again"); }

}  // namespace

Site::Site(std::string database, std::optional<std::string> old_database, ShownPart shown, const SiteLimits& limits,
           const std::atomic<bool>& stopping)
    : database_(std::move(database)),
      old_database_(std::move(old_database)),
      shown_(std::move(shown)),
      limits_(limits),
      stopping_(stopping),
      kept_pictures_(limits.picture_bytes),
      kept_summaries_(limits.summary_bytes) {}

HttpAnswer Site::answer(const HttpRequest& request) {
  try {
    if (request.path.starts_with("/api/")) return api(request.path.substr(5), request);
    return page(request.path);
  } catch (const Failed& failed) {
    return error_answer(failed.status, failed.sentence);
  }
}

HttpAnswer Site::api(const std::string& name, const HttpRequest& request) {
  const bool is_post = request.method == "POST";
  if (name == "sql" || name == "sql.csv") {
    if (!is_post) return error_answer(405, "SQL is posted: POST with the statement as the body");
    return name == "sql" ? sql(request.body) : csv(request.body);
  }
  if (is_post) return error_answer(405, "only SQL is posted");
  if (name == "summary") return summary();
  if (name == "clips") return clips(request);
  if (name == "clip") {
    const std::int64_t id = number(request, "id");
    return document(documents_, [&](ReportDatabase& database) { return clip_document(database, id); });
  }
  if (name == "frames") {
    const std::int64_t id = number(request, "id"), first = number(request, "first"), last = number(request, "last");
    const auto feature = static_cast<size_t>(number(request, "feature"));
    return document(documents_, [&](ReportDatabase& database) { return frames_document(database, id, feature, first, last); });
  }
  if (name == "ladders") return document(documents_, [](ReportDatabase& database) { return ladders_document(database); });
  if (name == "picture") return picture(request);
  if (name == "comparison") {
    return with_comparison([&](ReportDatabase&, ReportDatabase&) { return comparison_answer_; });
  }
  if (name == "comparison-clip") return changed_clip(request);
  return error_answer(404, "there is no such document");
}

std::string Site::state() const {
  ContentHash hash;  // the numbers are nobody's business
  hash.update(state_of(database_));
  if (old_database_) hash.update(state_of(*old_database_));
  return hash.text();
}

template <class Make>
HttpAnswer Site::with_database(const std::string& path, std::chrono::milliseconds time, const Make& make) {
  auto opened = ReportDatabase::open(path, shown_);
  if (!opened.ok()) return error_answer(503, opened.error().message);
  (*opened)->set_time_limit(time, &stopping_);
  const TimeGuard guard((*opened)->database(), time, stopping_);
  HttpAnswer answer = make(**opened);
  if (answer.status == 200 || !guard.is_over()) return answer;
  return error_answer(503, stopping_ ? std::string(kEnding) : fmt::format("this takes longer than {} s; ask for less", seconds(time)));
}

template <class Make>
HttpAnswer Site::document(Turnstile& turnstile, const Make& make) {
  const Turnstile::Place place(turnstile, limits_.patience, stopping_);
  if (!place) return busy();
  return with_database(database_, limits_.document_time, [&](ReportDatabase& database) {
    Result<std::string> made = make(database);
    return made.ok() ? json_answer(std::move(*made)) : read_problem(database, made.error());
  });
}

// Every open page asks for it again and again while a run is on: it is made once for each state.
HttpAnswer Site::summary() {
  SummaryNotes notes{.live = store::is_being_written(database_), .state = state()};
  if (old_database_) notes.compared_with = std::filesystem::path(*old_database_).filename().string();
  const std::string key = fmt::format("{} {}", notes.state, notes.live);
  if (auto kept = kept_summaries_.find(key)) return *kept;
  HttpAnswer answer = document(documents_, [&](ReportDatabase& database) { return summary_document(database, notes); });
  if (answer.status == 200) kept_summaries_.add(key, answer);
  return answer;
}

HttpAnswer Site::clips(const HttpRequest& request) {
  const auto first = static_cast<size_t>(optional_number(request, "first").value_or(0));
  const auto count = static_cast<size_t>(optional_number(request, "count").value_or(kMostServedRows));
  return document(one_clips_, [&](ReportDatabase& database) -> Result<std::string> {
    const auto name = database.read([&] { return identity(database_, database.database()); });
    if (!name.ok()) return name.error();
    if (scores_of_ != *name) scores_ = ScoresCache();
    scores_of_ = *name;
    return clips_document(database, first, count, &scores_, limits_.document_time / 2);
  });
}

// The comparison is made again where a database has changed; who comes meanwhile waits for it. It is of the states that were there before
// it was begun, or newer ones.
template <class Make>
HttpAnswer Site::with_comparison(const Make& make) {
  if (!old_database_) return error_answer(404, "there is one database and no comparison; `vmafbatch serve OLD NEW` shows one");
  const Turnstile::Place place(comparisons_, limits_.comparison_time, stopping_);
  if (!place) return busy();
  const std::string state = this->state();
  return with_database(*old_database_, limits_.comparison_time, [&](ReportDatabase& before) {
    return with_database(database_, limits_.comparison_time, [&](ReportDatabase& after) {
      if (!comparison_ || comparison_of_ != state) {
        comparison_.reset();
        auto made = compare(before, after);
        if (!made.ok()) return unreadable(made.error());
        comparison_answer_ = json_answer(std::move(made->document));
        comparison_ = std::move(*made);
        comparison_of_ = state;
      }
      return make(before, after);
    });
  });
}

HttpAnswer Site::changed_clip(const HttpRequest& request) {
  const std::int64_t old_id = number(request, "old"), new_id = number(request, "new");
  return with_comparison([&](ReportDatabase& before, ReportDatabase& after) {
    const auto clip =
        std::ranges::find_if(comparison_->clips, [&](const ChangedClip& one) { return one.old_id == old_id && one.new_id == new_id; });
    if (clip == comparison_->clips.end()) return error_answer(404, "these two scorings are not compared, or do not differ");
    std::string text;
    const auto take = [&](const ChangedClip&, std::string document) {
      text = std::move(document);
      return Status();
    };
    const Status made = each_changed_clip(before, after, *comparison_, std::span(&*clip, 1), kServedRangePoints, take);
    return made.ok() ? json_answer(std::move(text)) : unreadable(made.error());
  });
}

HttpAnswer Site::sql(const std::string& text) {
  const Turnstile::Place place(sqls_, limits_.patience, stopping_);
  if (!place) return busy();
  SqlAnswer answer = sql_json(database_, text, limits_.sql, stopping_);
  give_back_memory();
  if (answer.problem) return sql_problem(*answer.problem, stopping_);
  return {200, "application/json", std::move(answer.text)};
}

HttpAnswer Site::csv(const std::string& text) {
  const Turnstile::Place place(sqls_, limits_.patience, stopping_);
  if (!place) return busy();
  SqlAnswer answer = sql_csv(database_, text, limits_.csv, stopping_);
  give_back_memory();
  if (answer.problem) return sql_problem(*answer.problem, stopping_);
  return {200, "text/csv; charset=utf-8", std::move(answer.text)};
}

// A kept picture does not wait behind those that are decoded.
HttpAnswer Site::picture(const HttpRequest& request) {
  const std::int64_t id = number(request, "id"), frame = number(request, "frame");
  std::string key;
  std::optional<PicturePlan> plan;
  {
    const Turnstile::Place place(documents_, limits_.patience, stopping_);
    if (!place) return busy();
    HttpAnswer read = with_database(database_, limits_.document_time, [&](ReportDatabase& database) {
      auto found = database.read([&] {
        key = picture_key(database.database(), id, frame);
        return plan_pictures_inside_read(database.database(), {.scoring = id, .frames = {frame}});
      });
      if (!found.ok()) return read_problem(database, found.error());
      if (!found->ok()) return error_answer(404, found->error().message);
      plan = std::move(**found);
      return HttpAnswer();
    });
    if (!plan) return read;
  }
  if (auto kept = kept_pictures_.find(key)) return *kept;
  const Turnstile::Place place(pictures_, limits_.picture_time, stopping_);
  if (!place) return busy();
  if (auto kept = kept_pictures_.find(key)) return *kept;  // made by who was before us
  HttpAnswer answer = made_picture(*plan);
  if (answer.status == 200) kept_pictures_.add(key, answer);
  return answer;
}

HttpAnswer Site::made_picture(const PicturePlan& plan) {
  const auto end = std::chrono::steady_clock::now() + limits_.picture_time;
  const auto is_late = [&] { return std::chrono::steady_clock::now() > end; };
  PictureOptions options;
  options.should_stop = [&] { return stopping_ || is_late(); };
  auto pictures = frame_pictures(plan, options);
  if (!pictures.ok() && stopping_) return error_answer(503, std::string(kEnding));
  if (!pictures.ok() && is_late()) {
    return error_answer(503,
                        fmt::format("this picture takes longer than {} s; `vmafbatch frames` has no limit", seconds(limits_.picture_time)));
  }
  if (!pictures.ok()) return error_answer(404, pictures.error().message);
  FramePicture& made = pictures->front();
  if (!made.problem.empty()) return error_answer(404, made.problem);
  return {200, made.media_type, std::move(made.bytes)};
}

}  // namespace vmafbatch::report
