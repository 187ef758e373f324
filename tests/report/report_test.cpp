#include "report/report.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>

#include "report/comparison.h"
#include "report/point_budget.h"
#include "report_fixture.h"

namespace vmafbatch::report {
namespace {

using nlohmann::json;

// The documents of a page by their names, in order.
std::vector<std::pair<std::string, std::string>> documents_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data-";
  std::vector<std::pair<std::string, std::string>> documents;
  for (size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at + 1)) {
    const size_t name = at + begin.size();
    const size_t text = page.find("\">", name);
    const size_t end = page.find("</script>", text);
    documents.emplace_back(page.substr(name, text - name), page.substr(text + 2, end - text - 2));
  }
  return documents;
}

constexpr const char* kOlder = "<title>vmafbatch report</title>an older one";

class Report : public ReportTest {
 protected:
  std::map<std::string, json> write(ReportWish wish) {
    close();
    if (wish.database.empty()) wish.database = path_;
    wish.output = output_;
    const auto outcome = write_report(wish);
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    if (!outcome.ok()) return {};
    written_ = *outcome;
    std::map<std::string, json> documents;
    for (const auto& [name, text] : documents_of(store::read_file(output_))) {
      EXPECT_EQ(text.find('<'), std::string::npos);
      documents[name] = json::parse(text);
      order_.push_back(name);
    }
    return documents;
  }
  std::string refusal(ReportWish wish) {
    close();
    if (wish.database.empty()) wish.database = path_;
    const auto outcome = write_report(wish);
    EXPECT_FALSE(outcome.ok());
    return outcome.ok() ? "" : outcome.error().message;
  }
  size_t files_in_folder() const {
    size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.path())) ++files;
    return files;
  }

  const std::string output_ = folder_.path("report.html");
  ReportOutcome written_;
  std::vector<std::string> order_;
};

TEST_F(Report, HoldsEveryDocumentAndShowsTheFirstViewFirst) {
  const auto a = add(some_record("</script><b>"), {{"vmaf", {90, 0, 80}, "vmaf"}});
  const auto b = add(some_record("b"), {{"vmaf", ramp(3), "vmaf"}});
  const auto documents = write({});
  EXPECT_EQ(written_.clips, 2);
  EXPECT_EQ(written_.bytes, std::filesystem::file_size(output_));
  EXPECT_EQ(order_, (std::vector<std::string>{"summary", "clips", "clip-" + std::to_string(a), "clip-" + std::to_string(b), "ladders"}));
  EXPECT_EQ(documents.at("summary")["title"], "scores.db");
  EXPECT_EQ(documents.at("summary")["live"], false);
  EXPECT_EQ(documents.at("clips")["total"], 2);
  EXPECT_EQ(documents.at("clips")["clips"][0]["name"], "</script><b>");
  EXPECT_EQ(documents.at("clip-" + std::to_string(a))["features"][0]["worst"][0], json({{"frame", 1}, {"value", 0.0}}));
  EXPECT_EQ(documents.at("clips")["clips"][1], clips()["clips"][1]);  // what the server gives
  EXPECT_EQ(files_in_folder(), 2U);                                   // database and report: nothing is left behind
}

TEST_F(Report, OfAnEmptyDatabaseIsAPage) {
  const auto documents = write({});
  EXPECT_EQ(documents.at("clips")["total"], 0);
  EXPECT_EQ(written_.clips, 0);
}

TEST_F(Report, ReplacesAReportAndNothingElse) {
  add(some_record("a"), {{"vmaf", {1}, "vmaf"}});
  store::write_file(output_, kOlder);
  write({});
  EXPECT_EQ(store::read_file(output_).find(kOlder), std::string::npos);
  EXPECT_NE(refusal({.output = path_}).find("this is no report"), std::string::npos);
  store::write_file(folder_.path("clips.csv"), "reference,distorted\n");
  EXPECT_NE(refusal({.output = folder_.path("clips.csv")}).find("this is no report"), std::string::npos);
  EXPECT_EQ(store::read_file(folder_.path("clips.csv")), "reference,distorted\n");
  EXPECT_NE(refusal({.output = folder_.path().string()}).find("this is a folder, a pipe or a device"), std::string::npos);
  EXPECT_NE(refusal({.output = folder_.path("none/report.html")}).find("cannot be written"), std::string::npos);
  EXPECT_EQ(store::csv_of(path_, "SELECT count(*) FROM clip"), "1\n");
}

TEST_F(Report, GoesWhereALinkLeads) {
  add(some_record("a"), {{"vmaf", {1}, "vmaf"}});
  const std::string target = folder_.path("target.html");
  store::write_file(target, "");
  std::filesystem::create_symlink("target.html", output_);
  write({});
  EXPECT_TRUE(std::filesystem::is_symlink(output_));
  EXPECT_GT(std::filesystem::file_size(target), 1000U);
}

TEST_F(Report, OfNothingIsRefusedWhereAPatternIsTheReason) {
  add(some_record("a"), {{"vmaf", {1}, "vmaf"}});
  EXPECT_EQ(refusal({.shown = {.clips = {"nope"}}, .output = output_}), "there is no clip to show; check --clips and --label");
  EXPECT_EQ(refusal({.shown = {.label = "nope"}, .output = output_}), "there is no clip to show; check --clips and --label");
  EXPECT_EQ(refusal({.shown = {.features = {"nope"}}, .output = output_}), "there is no feature to show; check --features");
  EXPECT_EQ(refusal({.old_database = path_, .shown = {.clips = {"nope"}}, .output = output_}),
            "there is no clip to show; check --clips and --label");
  EXPECT_FALSE(std::filesystem::exists(output_));
}

TEST_F(Report, ThatFailsLeavesTheOldOne) {
  add(some_record("a"), {{"vmaf", {1, 2}, "vmaf"}});
  close();
  store::write_file(output_, kOlder);
  store::run_sql(path_, "PRAGMA ignore_check_constraints = ON; UPDATE frame_score SET value = 'x'");
  EXPECT_NE(refusal({.output = output_}).find("is no number"), std::string::npos);
  EXPECT_EQ(store::read_file(output_), kOlder);
  EXPECT_EQ(files_in_folder(), 2U);
  EXPECT_NE(refusal({.database = folder_.path("none.db"), .output = output_}).find("there is no such file"), std::string::npos);
}

TEST_F(Report, WithoutTheScoredFilesHasANoteInAPicturesPlace) {
  const auto id = add(some_record("a"), {{"vmaf", {1, 2}, "vmaf"}});
  const auto documents = write({.worst = 1});
  ASSERT_EQ(written_.notes.size(), 1U);
  EXPECT_NE(written_.notes[0].find("a: no picture: "), std::string::npos) << written_.notes[0];
  const json pictures = documents.at("pictures-" + std::to_string(id));
  EXPECT_EQ(pictures["pictures"], json::array());
  ASSERT_EQ(pictures["missing"].size(), 1U);
  EXPECT_EQ(pictures["missing"][0]["frame"], json());
  EXPECT_EQ("a: no picture: " + pictures["missing"][0]["text"].get<std::string>(), written_.notes[0]) << "the page says why, too";
}

TEST(PointBudget, KeepsAThousandClipsSmall) {
  EXPECT_EQ(points_per_curve(6000), 375U);
  EXPECT_EQ(points_per_curve(1), kMostCurvePoints);
  EXPECT_EQ(points_per_curve(10'000'000), kLeastCurvePoints);
  EXPECT_EQ(points_per_curve(0), kMostCurvePoints);
}

class ComparisonReport : public Report {
 protected:
  // The new side: another database, which a test fills through new_writer_.
  void SetUp() override {
    Report::SetUp();
    auto opened = store::Writer::open(new_path_);
    ASSERT_OK(opened);
    new_writer_ = std::move(*opened);
    ASSERT_OK(new_writer_->begin_run(store::some_run()));
  }
  store::ScoringId add_new(const store::ScoringRecord& record, const std::vector<Column>& columns) {
    const auto id = begin_clip(*new_writer_, record, columns);
    end_clip(*new_writer_, id, static_cast<std::int64_t>(columns.front().values.size()));
    return id;
  }
  std::map<std::string, json> compare(ShownPart shown = {}) {
    EXPECT_TRUE(new_writer_->end_run().ok());
    EXPECT_TRUE(new_writer_->close().ok());
    return write({.database = new_path_, .old_database = path_, .shown = std::move(shown)});
  }

  const std::string new_path_ = folder_.path("new.db");
  std::unique_ptr<store::Writer> new_writer_;
};

TEST_F(ComparisonReport, OfEqualDatabasesSaysSo) {
  add(some_record("a"), {{"vmaf", {1, 2}, "vmaf"}});
  add_new(some_record("a"), {{"vmaf", {1, 2}, "vmaf"}});
  const auto documents = compare();
  EXPECT_EQ(order_, (std::vector<std::string>{"summary", "comparison"}));
  EXPECT_EQ(documents.at("comparison")["outcome"], "equal");
  EXPECT_EQ(documents.at("comparison")["clips"], 1);
  EXPECT_EQ(documents.at("comparison")["values"], 2);
  EXPECT_EQ(documents.at("comparison")["changes"], json::array());
  EXPECT_EQ(documents.at("comparison")["old"], json({{"title", "scores.db"}, {"program", {"0.1.0"}}}));
}

TEST_F(ComparisonReport, SortsWhatChangedAndShowsBothCurves) {
  add(some_record("gone"), {{"vmaf", {1, 2}, "vmaf"}});
  const auto little_old = add(some_record("little"), {{"vmaf", {90, 91, 92}, "vmaf"}, {"psnr_y", {30, 31, 32}}});
  add(some_record("much"), {{"vmaf", {90, 91, 92}, "vmaf"}});
  add(some_record("same"), {{"vmaf", {90, 91, 92}, "vmaf"}});
  auto record = some_record("little");
  record.program_version = "0.2.0";
  const auto little_new = add_new(record, {{"psnr_y", {30, 31, 32}}, {"vmaf", {90, 90.5, 92}, "vmaf"}});
  add_new(some_record("much"), {{"vmaf", {90, 11, 92, 93}, "vmaf"}});
  add_new(some_record("same"), {{"vmaf", {90, 91, 92}, "vmaf"}});
  const auto documents = compare();
  const json comparison = documents.at("comparison");
  EXPECT_EQ(comparison["outcome"], "different");
  ASSERT_EQ(comparison["changes"].size(), 3U);
  EXPECT_EQ(comparison["changes"][0]["name"], "gone");
  EXPECT_EQ(comparison["changes"][0]["only_in"], "old");
  EXPECT_EQ(comparison["changes"][0]["new_id"], json());
  EXPECT_EQ(comparison["changes"][1]["name"], "much");
  EXPECT_EQ(comparison["changes"][1]["features"][0]["only_new"], 1);
  const json little = comparison["changes"][2];
  EXPECT_EQ(little["name"], "little");
  EXPECT_EQ(little["number"], 2);
  EXPECT_EQ(little["old_id"], little_old);
  EXPECT_EQ(little["new_id"], little_new);
  EXPECT_EQ(little["causes"][0], json({{"name", "program version"}, {"old", "0.1.0"}, {"new", "0.2.0"}}));
  ASSERT_EQ(little["features"].size(), 1U);
  const json vmaf = little["features"][0];
  EXPECT_EQ(comparison["features"][vmaf["feature"].get<size_t>()]["name"], "vmaf");
  EXPECT_EQ(vmaf["changed"], 1);
  EXPECT_EQ(vmaf["compared"], 3);
  EXPECT_EQ(vmaf["largest"], json({{"frame", 1}, {"old", 91.0}, {"new", 90.5}, {"change", -0.5}}));
  EXPECT_EQ(vmaf["old_mean"], 91.0);
  EXPECT_NEAR(vmaf["mean_change"].get<double>(), -0.5 / 3, 1e-12);

  EXPECT_FALSE(documents.contains("comparison-clip-0"));
  const json curves = documents.at("comparison-clip-1")["features"][0];
  EXPECT_EQ(numbers_of<double>(curves["new"]["values"]), (std::vector<double>{90, 11, 92, 93}));
  const auto old_values = numbers_of<double>(curves["old"]["values"]);
  const auto difference = numbers_of<double>(curves["difference"]["values"]);
  ASSERT_EQ(old_values.size(), 4U);
  EXPECT_TRUE(std::isnan(old_values[3]));
  EXPECT_EQ(difference[1], -80.0);
  EXPECT_EQ(difference[2], 0.0);
  EXPECT_TRUE(std::isnan(difference[3]));
}

TEST_F(ComparisonReport, AChangedFrameOfALongClipIsInTheDifferencesEnvelope) {
  std::vector<double> values = ramp(100'000, 0, 0.001);
  add(some_record("a"), {{"vmaf", values, "vmaf"}});
  values[77'777] += 5;
  add_new(some_record("a"), {{"vmaf", values, "vmaf"}});
  const json curves = compare().at("comparison-clip-0")["features"][0];
  EXPECT_EQ(curves["difference"]["encoding"], "f32");
  EXPECT_EQ(curves["difference"]["step"], curves["old"]["step"]);
  const auto greatest = numbers_of<float>(curves["difference"]["max"]);
  for (size_t i = 0; i < greatest.size(); ++i) {
    EXPECT_NEAR(greatest[i], i == 77'777 / curves["difference"]["step"].get<size_t>() ? 5 : 0, 1e-6) << i;
  }
}

TEST_F(ComparisonReport, LeavesOutWhatIsTooMuchForItsMemory) {
  constexpr int kClips = 40;
  for (int i = 0; i < kClips; ++i) {
    const auto record = some_record("clip " + std::to_string(i));
    ASSERT_OK(writer_->add_failed_clip(record, std::string(900'000, 'a')));
    ASSERT_OK(new_writer_->add_failed_clip(record, std::string(900'000, 'b')));
  }
  ASSERT_OK(new_writer_->end_run());
  ASSERT_OK(new_writer_->close());
  const auto before = reader();
  const auto after = ReportDatabase::open(new_path_);
  ASSERT_OK(after);
  const auto found = report::compare(*before, **after);
  ASSERT_OK(found);
  const json comparison = json::parse(found->document);
  EXPECT_GT(comparison["changes"].size(), 30U);
  EXPECT_GT(comparison["more_changes"], 0);
  EXPECT_EQ(comparison["changes"].size() + comparison["more_changes"].get<size_t>(), kClips);
}

TEST_F(ComparisonReport, ReadsAndNothingElse) {
  const auto database = reader();
  for (const char* sql : {"DELETE FROM clip", "ATTACH ':memory:' AS other", "PRAGMA query_only = OFF", "CREATE TEMP TABLE t (a)"}) {
    EXPECT_THROW(database->database().exec(sql), SQLite::Exception) << sql;
  }
}

TEST_F(ComparisonReport, EqualInfinitiesHaveNoDistance) {
  add(some_record("a"), {{"psnr_y", {INFINITY, INFINITY, 30}}});
  add_new(some_record("a"), {{"psnr_y", {INFINITY, 50, 30}}});
  const auto documents = compare();
  const json largest = documents.at("comparison")["changes"][0]["features"][0]["largest"];
  EXPECT_EQ(largest["old"], "inf");
  EXPECT_EQ(largest["change"], "-inf");
  const auto difference = numbers_of<double>(documents.at("comparison-clip-0")["features"][0]["difference"]["values"]);
  EXPECT_EQ(difference, (std::vector<double>{0, -INFINITY, 0}));
}

TEST_F(ComparisonReport, AFailedClipStandsBeforeChangedValues) {
  add(some_record("a"), {{"vmaf", {1, 2}, "vmaf"}});
  add(some_record("b"), {{"vmaf", {1, 2}, "vmaf"}});
  add_new(some_record("a"), {{"vmaf", {1, 99}, "vmaf"}});
  ASSERT_OK(new_writer_->add_failed_clip(some_record("b"), "no such file <b>"));
  const json changes = compare().at("comparison")["changes"];
  EXPECT_EQ(changes[0]["name"], "b");
  EXPECT_NE(changes[0]["texts"].dump().find("no such file <b>"), std::string::npos);
  EXPECT_EQ(changes[1]["name"], "a");
}

TEST_F(ComparisonReport, LabelsAndPatternsChoose) {
  add(some_record("a", "psnr", "x"), {{"vmaf", {1, 2}, "vmaf"}, {"psnr_y", {1, 2}}});
  add(some_record("b", "psnr", "y"), {{"vmaf", {1, 2}, "vmaf"}});
  add_new(some_record("a", "psnr", "x"), {{"vmaf", {3, 2}, "vmaf"}, {"psnr_y", {5, 2}}});
  add_new(some_record("b", "psnr", "y"), {{"vmaf", {3, 2}, "vmaf"}});
  const json comparison = compare({.label = "x", .features = {"psnr*"}}).at("comparison");
  ASSERT_EQ(comparison["changes"].size(), 1U);
  EXPECT_EQ(comparison["changes"][0]["label"], "x");
  ASSERT_EQ(comparison["features"].size(), 1U);
  EXPECT_EQ(comparison["changes"][0]["features"][0]["name"], "psnr_y");
}

}  // namespace
}  // namespace vmafbatch::report
