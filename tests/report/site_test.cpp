// What the server answers, without HTTP: SQL of strangers above all.
#include "report/site.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "io/file_identity.h"
#include "io/pair_options.h"
#include "report_fixture.h"
#include "store/database_lock.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::report {
namespace {

using std::chrono::milliseconds;

class SiteTest : public ReportTest {
 protected:
  void SetUp() override {
    ReportTest::SetUp();
    add(some_record("a"), {{"psnr_y", {30.0, 31.5, 29.0}}});
    add(some_record("<img src=x onerror=alert(1)>"), {{"psnr_y", {40.0}}});
    close();
    before_ = store::read_file(path_);
  }
  // Whatever was asked: not a byte has changed, and nothing lies beside it.
  void TearDown() override {
    if (!std::filesystem::exists(path_)) return;
    EXPECT_EQ(store::read_file(path_), before_);
    EXPECT_FALSE(std::filesystem::exists(path_ + "-wal"));
    EXPECT_FALSE(std::filesystem::exists(path_ + "-journal"));
  }

  HttpAnswer get(const std::string& path, std::multimap<std::string, std::string> parameters = {}, const SiteLimits& limits = {}) {
    Site site(path_, {}, {}, limits, stopping_);
    return site.answer({"GET", path, std::move(parameters), ""});
  }
  HttpAnswer sql(const std::string& text, const SiteLimits& limits = {}, const std::string& path = "/api/sql") {
    Site site(path_, {}, {}, limits, stopping_);
    return site.answer({"POST", path, {}, text});
  }
  static std::string error(const HttpAnswer& answer) { return nlohmann::json::parse(answer.body()).at("error").get<std::string>(); }

  std::string before_;
  std::atomic<bool> stopping_ = false;
};

TEST_F(SiteTest, ASelectIsATable) {
  const HttpAnswer answer = sql("SELECT clip, mean FROM clip_scores ORDER BY mean -- and a comment\n");
  ASSERT_EQ(answer.status, 200) << answer.body();
  const auto table = nlohmann::json::parse(answer.body());
  EXPECT_EQ(table.at("columns"), nlohmann::json::parse(R"(["clip", "mean"])"));
  EXPECT_EQ(table.at("rows").size(), 2U);
  EXPECT_EQ(table.at("rows")[0][0], "a");
  EXPECT_EQ(table.at("rows")[1][0], "<img src=x onerror=alert(1)>");
  EXPECT_EQ(table.at("more"), false);
  EXPECT_EQ(sql("SELECT 1 AS n, 'x,y' AS t", {}, "/api/sql.csv").body(), "n,t\n1,\"x,y\"\n");
}

TEST_F(SiteTest, SqlThatCouldChangeOrReachAnythingIsRefused) {
  const std::string other = folder_.path("other.db");
  for (const std::string& text : std::vector<std::string>{std::string("DELETE FROM scoring"),
                                                          std::string("INSERT INTO clip (name) VALUES ('x')"),
                                                          std::string("UPDATE clip SET name = 'x'"),
                                                          std::string("DROP TABLE clip"),
                                                          std::string("CREATE TEMP TABLE t (a)"),
                                                          "ATTACH '" + other + "' AS o",
                                                          "VACUUM INTO '" + other + "'",
                                                          std::string("PRAGMA journal_mode = WAL"),
                                                          std::string("PRAGMA writable_schema = 1"),
                                                          std::string("SELECT * FROM pragma_database_list"),
                                                          std::string("SELECT load_extension('x')"),
                                                          std::string("SELECT readfile('/etc/hostname')"),
                                                          std::string("SELECT writefile('x', 'y')"),
                                                          std::string("BEGIN"),
                                                          std::string("SELECT 1; DELETE FROM clip"),
                                                          std::string("WITH x AS (SELECT 1) DELETE FROM clip"),
                                                          std::string("EXPLAIN DELETE FROM clip; DELETE FROM clip"),
                                                          std::string(""),
                                                          std::string("-- nothing"),
                                                          std::string("SELECT '\xFF'"),
                                                          std::string("SELECT 1\0 2", 10)}) {
    const HttpAnswer answer = sql(text);
    EXPECT_EQ(answer.status, 400) << text << answer.body();
    EXPECT_FALSE(error(answer).empty()) << text;
  }
  EXPECT_FALSE(std::filesystem::exists(other));
}

TEST_F(SiteTest, WhatIsNotAllowedIsNamedBesideWhatIs) {
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"SELECT * FROM pragma_database_list", "the table pragma_database_list"},
      {"SELECT * FROM pragma_table_info('clip')", "the table pragma_table_info"},
      {"SELECT * FROM dbstat", "the table dbstat"},
      {"SELECT load_extension('x')", "the function load_extension"},
      {"SELECT randomblob(9)", "the function randomblob"},
      {"SELECT count(*) FROM pragma_table_info('clip')", "PRAGMA"},
      {"PRAGMA table_info(clip)", "PRAGMA"},
      {"ATTACH ':memory:' AS x", "ATTACH"},
      {"DETACH main", "DETACH"},
      {"BEGIN", "a transaction"},
      {"VACUUM", "a change"},
      {"UPDATE sqlite_master SET sql = ''", ""},
      {"DROP TABLE clip", "a change"}};
  for (const auto& [text, what] : refused) {
    const HttpAnswer answer = sql(text);
    EXPECT_EQ(answer.status, 400) << text;
    if (what.empty()) continue;
    EXPECT_EQ(error(answer), what +
                                 " is not allowed here: only SELECT over the tables and views of this database is, with functions that "
                                 "compute a value");
  }
  EXPECT_EQ(nlohmann::json::parse(sql("SELECT value FROM json_each('[7]')").body()).at("rows")[0][0], 7);
}

TEST_F(SiteTest, AProblemHasItsPlace) {
  const auto problem = nlohmann::json::parse(sql("SELECT clip\nFROM clip_scores WHERE \xC3\xA4\xC3\xA4 = nowhere").body());
  EXPECT_EQ(problem.at("line"), 2);
  EXPECT_EQ(problem.at("column"), 24);
}

TEST_F(SiteTest, SqlThatDoesNotEndIsStopped) {
  SiteLimits limits;
  limits.sql.time = limits.csv.time = milliseconds(200);
  for (const char* path : {"/api/sql", "/api/sql.csv"}) {
    for (const char* text :
         {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(a.i + b.i) FROM n a, n b",
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT count(*) FROM n a, n b, n c"}) {
      const HttpAnswer answer = sql(text, limits, path);
      EXPECT_EQ(answer.status, 400) << text;
      EXPECT_NE(error(answer).find("takes longer than 0.2 s"), std::string::npos) << answer.body();
    }
  }
}

// One row of such calls would take minutes, and is one step for SQLite.
TEST_F(SiteTest, ARowOfLongCallsIsStopped) {
  SiteLimits limits;
  limits.sql.time = milliseconds(200);
  const std::string patterns = "WITH t(a, p) AS MATERIALIZED (SELECT printf('%.*c', 90000, 'a'), '*' || printf('%.*c', 490, 'a') || 'b') ";
  std::string columns;
  for (int i = 0; i < 400; ++i) columns += i == 0 ? "a LIKE replace(p, '*', '%')" : ", a LIKE replace(p, '*', '%')";
  EXPECT_NE(error(sql(patterns + "SELECT " + columns + " FROM t", limits)).find("takes longer than 0.2 s"), std::string::npos);
  std::string many = "SELECT json_patch('{}', '{}')";
  for (int i = 0; i < 10; ++i) many += ", json_patch('{}', '{}')";
  EXPECT_NE(error(sql(many)).find("so many functions"), std::string::npos) << "what asks no clock is counted";
}

TEST_F(SiteTest, TextFunctionsGiveWhatSqliteGives) {
  const std::vector<std::string> texts = {"''",          "'a'",  "'aab'", "'abcabc'", "'\u00E4b\u00E4'", "'100%_x'", "'A*b?[c]'",
                                          "x'6161C3A4'", "NULL", "12",    "1.5"};
  SQLite::Database plain(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  const std::vector<std::string> calls = {"trim(X, Y)",
                                          "ltrim(X, Y)",
                                          "rtrim(X, Y)",
                                          "instr(X, Y)",
                                          "replace(X, Y, 'zz')",
                                          "X LIKE Y",
                                          "X LIKE '%' || Y || '_'",
                                          "X GLOB Y",
                                          "X GLOB '*' || Y || '?'",
                                          "X LIKE Y ESCAPE 'a'",
                                          "format(X, Y)",
                                          "printf('%s|%q|%d|%5.2f', X, Y, X, Y)",
                                          "format()",
                                          "format('%n', X)",
                                          "length(printf('%.*c', 40000, Y))"};
  for (const std::string& call : calls) {
    for (const std::string& x : texts) {
      std::string columns;
      for (const std::string& y : texts) {
        std::string one;
        for (const char c : call) one += c == 'X' ? x : c == 'Y' ? y : std::string(1, c);
        columns += (columns.empty() ? "" : " || ',' || ") + ("coalesce(hex(" + one + "), 'null')");
      }
      SQLite::Statement expected(plain, "SELECT " + columns);
      ASSERT_TRUE(expected.executeStep());
      const HttpAnswer answer = sql("SELECT " + columns);
      ASSERT_EQ(answer.status, 200) << answer.body();
      EXPECT_EQ(nlohmann::json::parse(answer.body()).at("rows")[0][0], expected.getColumn(0).getString()) << call << " of " << x;
    }
  }
  EXPECT_EQ(sql("SELECT replace(printf('%.*c', 90000, 'a'), 'a', 'bb')").status, 400) << "longer than a text may be";
  EXPECT_EQ(sql("SELECT 'a' LIKE printf('%.*c', 600, '%')").status, 400);
}

TEST_F(SiteTest, TheEndOfTheServerEndsStatements) {
  std::thread ender([&] {
    std::this_thread::sleep_for(milliseconds(200));  // the statement is on by then, or is refused at its beginning: both must end
    stopping_ = true;
  });
  SiteLimits limits;
  limits.sql.time = std::chrono::hours(1);
  const HttpAnswer answer = sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", limits);
  EXPECT_EQ(answer.status, 503) << answer.body() << "it is not the statement that was wrong";
  ender.join();
}

TEST_F(SiteTest, AnswersHaveASizeAndSayWhenTheyAreCut) {
  SiteLimits limits;
  limits.sql.rows = limits.csv.rows = 10;
  const std::string numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 11) SELECT i FROM n";
  const auto cut = nlohmann::json::parse(sql(numbers, limits).body());
  EXPECT_EQ(cut.at("rows").size(), 10U);
  EXPECT_EQ(cut.at("more"), true);
  EXPECT_EQ(sql(numbers, limits, "/api/sql.csv").status, 400);
  limits.sql.bytes = limits.csv.bytes = 1000;
  const std::string text = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT format('%800d', i) FROM n";
  const HttpAnswer large = sql(text, limits);
  ASSERT_EQ(large.status, 200) << large.body();
  EXPECT_EQ(nlohmann::json::parse(large.body()).at("more"), true);
  EXPECT_LT(large.body().size(), 4000U);
  EXPECT_EQ(sql(text, limits, "/api/sql.csv").status, 400);
  EXPECT_EQ(sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT length(group_concat(format('%90000d', i))) "
                "FROM n")
                .status,
            400)
      << "a text of 810,000 bytes";
  for (const char* wide :
       {"SELECT length(format('%1000000000d', 1))", "SELECT printf('%.*c', 100001, 'x')", "SELECT format('%s%100000d', 'a', 1)"}) {
    EXPECT_NE(error(sql(wide)).find("too big"), std::string::npos) << wide;
  }
}

TEST_F(SiteTest, ARowThatAloneIsTooLargeIsCut) {
  std::string wide = "SELECT 'first'";
  for (int column = 0; column < 100; ++column) wide += ", format('%90000d', 1)";
  SiteLimits limits;
  limits.sql.bytes = limits.csv.bytes = 200'000;
  const auto cut = nlohmann::json::parse(sql("SELECT 1 AS a, 2 AS b UNION ALL SELECT 3, 4", limits).body());
  EXPECT_EQ(cut.at("more"), false);
  const HttpAnswer large = sql(wide, limits);
  ASSERT_EQ(large.status, 200) << large.body();
  EXPECT_EQ(nlohmann::json::parse(large.body()).at("rows").size(), 0U);
  EXPECT_EQ(nlohmann::json::parse(large.body()).at("more"), true);
  EXPECT_EQ(sql(wide, limits, "/api/sql.csv").status, 400);
}

TEST_F(SiteTest, PagesAndDocumentsAreThereAndNothingElse) {
  EXPECT_EQ(get("/").status, 200);
  EXPECT_EQ(get("/").media_type.substr(0, 9), "text/html");
  for (const char* path :
       {"/../scores.db", "/scores.db", "//etc/passwd", "/api", "/api/", "/api/nothing", "/api/../summary", "/index.html/.."}) {
    EXPECT_EQ(get(path).status, 404) << path;
  }
  EXPECT_EQ(nlohmann::json::parse(get("/api/summary").body()).at("counts").at("done"), 2);
  EXPECT_EQ(nlohmann::json::parse(get("/api/clips").body()).at("clips").size(), 2U);
  EXPECT_EQ(get("/api/clip", {{"id", "1"}}).status, 200);
  EXPECT_EQ(get("/api/ladders").status, 200);
  EXPECT_EQ(get("/api/sql").status, 405);
}

TEST_F(SiteTest, ParametersAreNumbersOnce) {
  for (const char* id : {"", "-1", "1e3", "1 ", "0x1", "99999999999999999999", "1 OR 1=1"}) {
    EXPECT_EQ(get("/api/clip", {{"id", id}}).status, 400) << id;
  }
  EXPECT_EQ(get("/api/clip").status, 400);
  EXPECT_EQ(get("/api/clip", {{"id", "1"}, {"id", "2"}}).status, 400);
}

TEST_F(SiteTest, WhatIsNotThereIs404AndAWrongQuestion400) {
  EXPECT_EQ(get("/api/clip", {{"id", "77"}}).status, 404);
  EXPECT_EQ(get("/api/picture", {{"id", "77"}, {"frame", "0"}}).status, 404);
  EXPECT_EQ(get("/api/picture", {{"id", "1"}, {"frame", "0"}}).status, 404) << "its files are not there";
  const auto frames = [&](const char* id, const char* feature, const char* first, const char* last) {
    return get("/api/frames", {{"id", id}, {"feature", feature}, {"first", first}, {"last", last}}).status;
  };
  EXPECT_EQ(frames("1", "0", "0", "2"), 200);
  EXPECT_EQ(frames("77", "0", "0", "2"), 404);
  EXPECT_EQ(frames("1", "9", "0", "2"), 404);
  EXPECT_EQ(frames("1", "0", "2", "0"), 400);
}

// Three places, and who comes then: one waits, one is sent away, and the one that waited goes in.
TEST(TurnstileTest, LetsSomeInAndSomeWait) {
  const std::atomic<bool> stopping = false;
  Turnstile turnstile(1, 1);
  auto first = std::make_unique<Turnstile::Place>(turnstile, milliseconds(0), stopping);
  ASSERT_TRUE(*first);
  EXPECT_FALSE(Turnstile::Place(turnstile, milliseconds(0), stopping)) << "its patience is over";
  std::atomic<bool> let_in = false;
  std::thread waiting([&] {
    while (!let_in) let_in = static_cast<bool>(Turnstile::Place(turnstile, std::chrono::hours(1), stopping));
  });
  // Somebody waits for an hour once a second one is sent away at once.
  while (true) {
    const auto before = std::chrono::steady_clock::now();
    EXPECT_FALSE(Turnstile::Place(turnstile, milliseconds(20), stopping));
    if (std::chrono::steady_clock::now() - before < milliseconds(20)) break;
  }
  EXPECT_FALSE(let_in);
  first.reset();
  waiting.join();
  EXPECT_TRUE(let_in);
  EXPECT_TRUE(Turnstile::Place(turnstile, milliseconds(0), stopping)) << "it was given back";
}

TEST(TurnstileTest, TheEndOfTheServerEndsWaiting) {
  std::atomic<bool> stopping = false;
  Turnstile turnstile(1, 1);
  const Turnstile::Place first(turnstile, milliseconds(0), stopping);
  std::thread ender([&] { stopping = true; });
  EXPECT_FALSE(Turnstile::Place(turnstile, std::chrono::hours(1), stopping));
  ender.join();
}

TEST_F(SiteTest, WhoFindsNoPlaceIsToldThatTheServerIsBusy) {
  SiteLimits limits;
  limits.patience = milliseconds(0);
  limits.sql.time = std::chrono::hours(1);
  Site site(path_, {}, {}, limits, stopping_);
  std::vector<std::thread> askers;
  for (int i = 0; i < 3; ++i) {
    askers.emplace_back([&] {
      while (!stopping_) {  // until it has a place, and then until the end
        site.answer({"POST", "/api/sql", {}, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"});
      }
    });
  }
  HttpAnswer answer;
  while (answer.status != 503) answer = site.answer({"POST", "/api/sql", {}, "SELECT 1"});  // until all three are in
  EXPECT_EQ(error(answer), "the server is busy with other requests; try again");
  EXPECT_EQ(site.answer({"GET", "/api/summary", {}, ""}).status, 200);
  stopping_ = true;
  for (std::thread& asker : askers) asker.join();
}

TEST(AnswerCacheTest, TheLeastRecentlyUsedGoFirst) {
  AnswerCache cache(10);
  cache.add("a", {200, "x", "aaaa"});
  cache.add("b", {200, "x", "bbbb"});
  ASSERT_TRUE(cache.find("a"));
  cache.add("c", {200, "x", "cccc"});
  EXPECT_FALSE(cache.find("b"));
  EXPECT_EQ(cache.find("a")->body(), "aaaa");
  EXPECT_EQ(cache.find("c")->body(), "cccc");
  EXPECT_EQ(cache.find("c")->shared_body(), cache.find("c")->shared_body()) << "no copies";
  EXPECT_EQ(cache.bytes(), 8U);
  cache.add("large", {200, "x", std::string(11, 'l')});
  EXPECT_FALSE(cache.find("large"));
  EXPECT_EQ(cache.bytes(), 8U);
}

TEST_F(SiteTest, IsLiveWhileSomebodyWritesTheDatabase) {
  Site site(path_, {}, {}, {}, stopping_);
  const auto live = [&] { return nlohmann::json::parse(site.answer({"GET", "/api/summary", {}, ""}).body()).at("live").get<bool>(); };
  EXPECT_FALSE(live());
  store::run_sql(path_, "UPDATE run SET ended_at = NULL");  // a run that was killed
  before_ = store::read_file(path_);
  EXPECT_FALSE(live());
  {
    const auto lock = store::DatabaseLock::take(path_);
    ASSERT_OK(lock);
    EXPECT_TRUE(live());
    std::filesystem::create_symlink(path_, folder_.path("link.db"));
    EXPECT_TRUE(store::is_being_written(folder_.path("link.db")));
  }
  EXPECT_FALSE(live());
  store::write_file(path_ + ".lock", "process 1 on host none, since 2026-01-31T12:34:56Z\n");  // left behind
  EXPECT_FALSE(live());
  std::filesystem::remove(path_ + ".lock");
}

TEST_F(SiteTest, ASummaryIsMadeOnceForEachState) {
  Site site(path_, {}, {}, {}, stopping_);
  const auto summary = [&] { return site.answer({"GET", "/api/summary", {}, ""}).body(); };
  const std::string first = summary();
  const auto written = std::filesystem::last_write_time(path_);
  store::write_file(path_, std::string(before_.size(), 'x'));
  std::filesystem::last_write_time(path_, written);
  EXPECT_EQ(summary(), first) << "nobody looked into the file";
  store::write_file(path_, before_);
  store::run_sql(path_, "UPDATE run SET host = 'another'");
  before_ = store::read_file(path_);
  EXPECT_EQ(nlohmann::json::parse(summary()).at("runs")[0].at("host"), "another");
}

// That a file of this process is open, by its path.
bool is_open(const std::string& path) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    if (std::filesystem::read_symlink(entry.path(), error) == path) return true;
  }
  return false;
}

class PictureSite : public SiteTest {
 protected:
  // Scoring 1 is of long.y4m against itself. Gives the file's path.
  std::string add_long_clip() {
    std::string clip = std::filesystem::canonical(folder_.path("")) / "long.y4m";
    testing::write_y4m({.width = 16, .height = 16, .frames = 20'000}, clip);
    const io::FileIdentity file = io::file_identity(clip).value();
    store::run_sql(path_, fmt::format("UPDATE scoring SET options = 'features=psnr {2}', frames = 20000, reference_path = '{0}', "
                                      "distorted_path = '{0}', reference_size = {1}, distorted_size = {1}, reference_mtime_ns = {3}, "
                                      "distorted_mtime_ns = {3} WHERE id = 1",
                                      clip, file.size_bytes, io::pair_options_text({}), file.modified_ns));
    before_ = store::read_file(path_);
    return clip;
  }
};

TEST_F(PictureSite, OneThatTakesTooLongIsStoppedAndSaysSo) {
  add_long_clip();
  SiteLimits limits;
  limits.picture_time = milliseconds(1);
  Site site(path_, {}, {}, limits, stopping_);
  const HttpAnswer late = site.answer({"GET", "/api/picture", {{"id", "1"}, {"frame", "19999"}}, ""});
  EXPECT_EQ(late.status, 503);
  EXPECT_EQ(error(late), "this picture takes longer than 0.001 s; `vmafbatch frames` has no limit");
}

TEST_F(PictureSite, ADatabaseIsClosedWhileAPictureIsDecoded) {
  const std::string clip = add_long_clip();
  HttpAnswer answer;
  std::atomic<bool> ended = false;
  std::thread asker([&] {
    answer = get("/api/picture", {{"id", "1"}, {"frame", "19999"}});
    ended = true;
  });
  int seen = 0;
  while (!ended) {
    if (!is_open(clip)) continue;
    ++seen;
    EXPECT_FALSE(is_open(std::filesystem::canonical(path_)));
  }
  asker.join();
  EXPECT_GT(seen, 0) << "it was never looked at while it was decoded";
  EXPECT_EQ(answer.status, 200) << answer.body();
}

TEST_F(SiteTest, ADatabaseThatGoesOrIsNoneIsSaid) {
  Site site(path_, {}, {}, {}, stopping_);
  ASSERT_EQ(site.answer({"GET", "/api/summary", {}, ""}).status, 200);
  std::filesystem::remove(path_);
  for (const HttpRequest& request :
       {HttpRequest{"GET", "/api/summary", {}, ""}, HttpRequest{"GET", "/api/clips", {}, ""},
        HttpRequest{"GET", "/api/picture", {{"id", "1"}, {"frame", "0"}}, ""}, HttpRequest{"POST", "/api/sql", {}, "SELECT 1"},
        HttpRequest{"POST", "/api/sql.csv", {}, "SELECT 1"}}) {
    const HttpAnswer answer = site.answer(request);
    EXPECT_EQ(answer.status, 503) << request.path << answer.body();
    EXPECT_NE(error(answer).find("there is no such file"), std::string::npos) << answer.body();
  }
  store::write_file(path_, before_.substr(0, before_.size() / 2));
  for (const char* path : {"/api/summary", "/api/clips", "/api/ladders"}) {
    const HttpAnswer answer = site.answer({"GET", path, {}, ""});
    EXPECT_EQ(answer.status, 503) << path << answer.body();
    EXPECT_FALSE(error(answer).empty()) << path;
  }
  std::filesystem::remove(path_);
}

TEST_F(SiteTest, AnotherDatabaseOfTheSameNameIsShownAtOnce) {
  Site site(path_, {}, {}, {}, stopping_);
  ASSERT_EQ(nlohmann::json::parse(site.answer({"GET", "/api/clips", {}, ""}).body()).at("clips").size(), 2U);
  std::filesystem::remove(path_);
  store::make_database(path_);
  const auto shown = nlohmann::json::parse(site.answer({"GET", "/api/clips", {}, ""}).body());
  EXPECT_EQ(shown.at("clips").size(), 3U);
  before_ = store::read_file(path_);
}

// Beside the database of SiteTest, an older one whose clip "a" has other values.
class ComparingSite : public SiteTest {
 protected:
  void SetUp() override {
    SiteTest::SetUp();
    add_old("a", {{"psnr_y", {30.0, 33.5, 29.0}}});
  }
  void add_old(const std::string& clip, const std::vector<Column>& columns) {
    auto writer = store::Writer::open(old_path_);
    ASSERT_OK(writer);
    ASSERT_OK((*writer)->begin_run(store::some_run()));
    end_clip(**writer, begin_clip(**writer, some_record(clip), columns), 3);
    ASSERT_OK((*writer)->end_run());
    ASSERT_OK((*writer)->close());
  }
  static nlohmann::json json_of(Site& site, const std::string& path, std::multimap<std::string, std::string> parameters = {}) {
    const HttpAnswer answer = site.answer({"GET", path, std::move(parameters), ""});
    EXPECT_EQ(answer.status, 200) << answer.body();
    return nlohmann::json::parse(answer.body());
  }

  const std::string old_path_ = folder_.path("old.db");
  const SiteLimits limits_{};
};

TEST_F(ComparingSite, ShowsWhatChangedBesideTheNewSide) {
  Site site(path_, old_path_, {}, limits_, stopping_);
  EXPECT_EQ(json_of(site, "/api/summary").at("compared_with"), "old.db");
  EXPECT_EQ(json_of(site, "/api/clips").at("clips").size(), 2U);
  const auto comparison = json_of(site, "/api/comparison");
  EXPECT_EQ(comparison.at("outcome"), "different");
  ASSERT_EQ(comparison.at("changes").size(), 2U);
  EXPECT_EQ(comparison.at("changes")[0].at("only_in"), "new");
  EXPECT_EQ(comparison.at("changes")[1].at("features")[0].at("largest").at("change"), -2.0);
  const auto clip = json_of(site, "/api/comparison-clip", {{"old", "1"}, {"new", "1"}});
  EXPECT_EQ(numbers_of<double>(clip.at("features")[0].at("old").at("values")), (std::vector<double>{30.0, 33.5, 29.0}));
  EXPECT_EQ(numbers_of<double>(clip.at("features")[0].at("difference").at("values")), (std::vector<double>{0, -2, 0}));
  EXPECT_EQ(site.answer({"GET", "/api/comparison-clip", {{"old", "1"}, {"new", "2"}}, ""}).status, 404);
  EXPECT_EQ(site.answer({"GET", "/api/comparison-clip", {{"old", "1"}}, ""}).status, 400);
}

TEST_F(ComparingSite, IsMadeAgainWhenASideChanges) {
  Site site(path_, old_path_, {}, limits_, stopping_);
  const auto state = json_of(site, "/api/summary").at("state");
  EXPECT_EQ(json_of(site, "/api/comparison"), json_of(site, "/api/comparison"));
  EXPECT_EQ(json_of(site, "/api/summary").at("state"), state) << "looking changes nothing";
  store::run_sql(old_path_, "UPDATE frame_score SET value = 29.5 WHERE frame = 2");
  EXPECT_NE(json_of(site, "/api/summary").at("state"), state);
  EXPECT_EQ(json_of(site, "/api/comparison").at("changes")[1].at("features")[0].at("changed"), 2);
  const auto clip = json_of(site, "/api/comparison-clip", {{"old", "1"}, {"new", "1"}});
  EXPECT_EQ(numbers_of<double>(clip.at("features")[0].at("difference").at("values")), (std::vector<double>{0, -2, -0.5}));
}

TEST_F(ComparingSite, ASideThatGoesOrIsDamagedIsSaidAndTheOtherPagesStay) {
  Site site(path_, old_path_, {}, limits_, stopping_);
  json_of(site, "/api/comparison");
  const std::string whole = store::read_file(old_path_);
  std::filesystem::remove(old_path_);
  EXPECT_EQ(site.answer({"GET", "/api/comparison", {}, ""}).status, 503);
  EXPECT_EQ(site.answer({"GET", "/api/clips", {}, ""}).status, 200);
  store::write_file(old_path_, whole);
  store::run_sql(old_path_, "PRAGMA ignore_check_constraints = ON; UPDATE frame_score SET value = 'x'");
  const HttpAnswer damaged = site.answer({"GET", "/api/comparison", {}, ""});
  EXPECT_EQ(damaged.status, 503);
  EXPECT_NE(error(damaged).find("old.db"), std::string::npos) << damaged.body();
}

// The old side is read while the new side is.
TEST_F(ComparingSite, DamageIsOfTheFileThatHasIt) {
  store::run_sql(old_path_,
                 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10001) INSERT INTO feature (name) SELECT "
                 "'f' || i FROM n");
  Site site(path_, old_path_, {}, limits_, stopping_);
  const HttpAnswer damaged = site.answer({"GET", "/api/comparison", {}, ""});
  EXPECT_EQ(damaged.status, 503);
  EXPECT_NE(error(damaged).find(old_path_), std::string::npos) << damaged.body();
  EXPECT_EQ(error(damaged).find(path_), std::string::npos) << damaged.body();
}

TEST_F(ComparingSite, OneThatTakesTooLongIsStopped) {
  add_old("long", {{"psnr_y", ramp(200'000)}});
  SiteLimits limits;
  limits.comparison_time = milliseconds(0);
  Site site(path_, old_path_, {}, limits, stopping_);
  const HttpAnswer answer = site.answer({"GET", "/api/comparison", {}, ""});
  EXPECT_EQ(answer.status, 503) << answer.body();
  EXPECT_EQ(site.answer({"GET", "/api/summary", {}, ""}).status, 200);
}

TEST_F(ComparingSite, OneDatabaseHasNoComparison) {
  EXPECT_EQ(get("/api/comparison").status, 404);
  EXPECT_EQ(get("/api/comparison-clip", {{"old", "1"}, {"new", "1"}}).status, 404);
  EXPECT_TRUE(nlohmann::json::parse(get("/api/summary").body()).at("compared_with").is_null());
}

}  // namespace
}  // namespace vmafbatch::report
