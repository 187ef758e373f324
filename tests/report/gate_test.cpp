// Rules over databases: every way to pass and to fail.
#include "report/gate.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "store/scratch.h"

namespace vmafbatch::report {
namespace {

using store::add_clip;
using store::run_sql;
using store::some_record;

// The clips a, b and c of store/scratch.h: psnr_y from 30 to 31.2, integer_motion2 one more, apsnr_y 33.25, 10 frames of 64x48.
class Gate : public ::testing::Test {
 protected:
  void SetUp() override { store::make_database(path_); }

  Result<GateResult> gate(const std::vector<std::string>& rules) {
    rules_.clear();
    for (const std::string& text : rules) {
      auto rule = parse_rule(text);
      EXPECT_TRUE(rule.ok()) << rule.error().message;
      if (rule.ok()) rules_.push_back(std::move(*rule));
    }
    options_.rules = rules_;
    return run_gate(path_, options_);
  }

  // "clip: verdict[: reason]" of one rule for each clip.
  std::string verdicts(const std::string& rule) {
    const auto result = gate({rule});
    if (!result.ok()) return result.error().message;
    std::string text;
    for (const ClipResult& clip : result->clips) {
      constexpr const char* kNames[] = {"pass", "fail", "-"};
      EXPECT_EQ(clip.verdict, clip.rules[0].verdict);
      text += (text.empty() ? "" : "; ") + clip.clip + ": " + kNames[static_cast<int>(clip.verdict)];
      if (!clip.rules[0].reason.empty()) text += ": " + clip.rules[0].reason;
    }
    return text;
  }
  std::string verdict_of_a(const std::string& rule) {
    options_.clips = {"a"};
    return verdicts(rule);
  }

  std::string printed(GateFormat format, const std::vector<std::string>& rules) {
    const auto result = gate(rules);
    if (!result.ok()) return result.error().message;
    std::ostringstream out;
    EXPECT_TRUE(print_gate(*result, rules_, format, out).ok());
    return out.str();
  }

  testing::TemporaryFolder folder_;
  std::string path_ = folder_.path("x.db");
  GateOptions options_;
  std::vector<Rule> rules_;
};

TEST_F(Gate, EveryComparisonPassesAndFails) {
  EXPECT_EQ(verdict_of_a("apsnr_y.value >= 33.25"), "a: pass");
  EXPECT_EQ(verdict_of_a("apsnr_y.value >= 33.5"), "a: fail");
  EXPECT_EQ(verdict_of_a("apsnr_y.value > 33"), "a: pass");
  EXPECT_EQ(verdict_of_a("apsnr_y.value > 33.25"), "a: fail");
  EXPECT_EQ(verdict_of_a("apsnr_y.value <= 33.25"), "a: pass");
  EXPECT_EQ(verdict_of_a("apsnr_y.value <= 33"), "a: fail");
  EXPECT_EQ(verdict_of_a("apsnr_y.value < 33.5"), "a: pass");
  EXPECT_EQ(verdict_of_a("apsnr_y.value < 33.25"), "a: fail");
  EXPECT_EQ(verdict_of_a("apsnr_y.value = 33.25"), "a: pass");
  EXPECT_EQ(verdict_of_a("apsnr_y.value = 33"), "a: fail");
  EXPECT_EQ(verdict_of_a("apsnr_y.value != 33"), "a: pass");
  EXPECT_EQ(verdict_of_a("apsnr_y.value != 33.25"), "a: fail");
}

// Each statistic is that of its column: a distinct value in each.
TEST_F(Gate, EveryStatisticIsTheOneOfTheDatabase) {
  std::string sets;
  for (size_t index = 2; index < pooled_statistics().size(); ++index) {
    if (pooled_statistics()[index] != "infinite")
      sets += (sets.empty() ? "" : ", ") + pooled_statistics()[index] + " = " + std::to_string(index) + ".5";
  }
  run_sql(path_, "UPDATE pooled_score SET frames = 7, infinite = 3, mean = 1.5, " + sets);
  options_.clips = {"a"};
  for (size_t index = 0; index < pooled_statistics().size(); ++index) {
    const std::string& name = pooled_statistics()[index];
    const auto result = gate({"psnr_y." + name + " > 0"});
    ASSERT_OK(result);
    const double expected = name == "frames" ? 7 : name == "infinite" ? 3 : static_cast<double>(index) + 0.5;
    EXPECT_EQ(result->clips[0].rules[0].value, expected) << name;
  }
}

TEST_F(Gate, NumbersOfTheClipAreThoseOfItsScoring) {
  run_sql(path_, "UPDATE scoring SET identical_frames = 4; INSERT INTO warning (scoring, text) VALUES (1, 'x'), (1, 'y')");
  options_.clips = {"a"};
  const std::map<std::string, double> expected = {{"frames", 10}, {"identical_frames", 4}, {"warnings", 2},
                                                  {"width", 64},  {"height", 48},          {"fps", 25}};
  for (const std::string& name : clip_quantities()) {
    const auto result = gate({name + " > 0"});
    ASSERT_OK(result);
    EXPECT_EQ(result->clips[0].rules[0].value, expected.at(name)) << name;
  }
  run_sql(path_, "UPDATE scoring SET fps = NULL");
  EXPECT_EQ(verdict_of_a("fps > 0"), "a: fail: the database does not know the clip's fps");
}

TEST_F(Gate, AMissingFeatureFails) {
  EXPECT_EQ(verdict_of_a("vmaf.mean >= 0"), "a: fail: the clip has no feature vmaf");
  EXPECT_EQ(verdict_of_a("vmaf.value != 1"), "a: fail: the clip has no feature vmaf");
  EXPECT_EQ(verdict_of_a("apsnr_y.mean >= 0"), "a: fail: apsnr_y is one value for the whole clip: write apsnr_y.value");
  EXPECT_EQ(verdict_of_a("psnr_y.value >= 0"), "a: fail: psnr_y has a value for every frame: write psnr_y.mean or another statistic");
}

TEST_F(Gate, AValueThatIsNoNumberFailsEveryComparison) {
  run_sql(path_, "UPDATE pooled_score SET mean = NULL; DELETE FROM aggregate_score");
  for (const char* comparison : {">=", ">", "<=", "<", "=", "!="}) {
    EXPECT_EQ(verdict_of_a(std::string("psnr_y.mean ") + comparison + " 1"),
              "a: fail: psnr_y.mean has no value (not a number, or no frame was scored)");
  }
  EXPECT_EQ(verdict_of_a("apsnr_y.value > 0"), "a: fail: apsnr_y.value has no value (not a number, or no frame was scored)");
}

TEST_F(Gate, InfinityIsANumber) {
  run_sql(path_, "UPDATE pooled_score SET mean = 9e999, min = -9e999");
  EXPECT_EQ(verdict_of_a("psnr_y.mean >= 1e300"), "a: pass");
  EXPECT_EQ(verdict_of_a("psnr_y.mean = inf"), "a: pass");
  EXPECT_EQ(verdict_of_a("psnr_y.mean < inf"), "a: fail");
  EXPECT_EQ(verdict_of_a("psnr_y.min < -1e300"), "a: pass");
}

TEST_F(Gate, AClipThatIsNotDoneFails) {
  run_sql(path_, "UPDATE scoring SET status = 'partial' WHERE id = 1; UPDATE scoring SET status = 'failed' WHERE id = 2");
  EXPECT_EQ(verdicts("psnr_y.mean >= 0"),
            "a: fail: the clip is not done: its scoring is partial; b: fail: the clip is not done: its scoring is failed; c: pass");
  EXPECT_EQ(verdicts("frames >= 0"),
            "a: fail: the clip is not done: its scoring is partial; b: fail: the clip is not done: its scoring is failed; c: pass");
}

TEST_F(Gate, AClipWhoseNewestScoringHasNotEndedFails) {
  run_sql(path_, "UPDATE scoring SET status = 'running', finished = NULL WHERE id = 1");
  EXPECT_EQ(verdict_of_a("psnr_y.mean >= 0"), "a: fail: the clip's newest scoring has not ended");
  // A scoring that was begun before the newest finished one and never ended is history.
  run_sql(path_, "UPDATE scoring SET clip = 1 WHERE id = 2");
  EXPECT_EQ(verdict_of_a("psnr_y.mean >= 0"), "a: pass");
}

TEST_F(Gate, AClipWithoutAScoringFails) {
  run_sql(path_, "INSERT INTO clip (name) VALUES ('never')");
  options_.clips = {"never"};
  EXPECT_EQ(verdicts("psnr_y.mean >= 0"), "never: fail: the clip has not been scored");
}

TEST_F(Gate, TheNewestScoringIsJudged) {
  run_sql(path_,
          "UPDATE scoring SET clip = 1, label = 'second' WHERE id = 2; UPDATE pooled_score SET mean = 50.0 WHERE scoring_feature IN "
          "(SELECT id FROM scoring_feature WHERE scoring = 2)");
  EXPECT_EQ(verdict_of_a("psnr_y.mean >= 40"), "a: pass");
  options_.label = "";
  EXPECT_EQ(verdict_of_a("psnr_y.mean >= 40"), "a: fail");
  options_.label = "second";
  EXPECT_EQ(verdict_of_a("psnr_y.mean >= 40"), "a: pass");
}

TEST_F(Gate, OnlyClipsWithTheLabelAreJudged) {
  run_sql(path_, "UPDATE scoring SET label = 'x265' WHERE id = 2");
  options_.label = "x265";
  EXPECT_EQ(verdicts("psnr_y.mean >= 0"), "b: pass");
  options_.label = "none";
  EXPECT_NE(verdicts("psnr_y.mean >= 0").find("there is no clip to judge; check --clips and --label"), std::string::npos);
}

TEST_F(Gate, PatternsChooseClips) {
  options_.clips = {"b", "c*"};
  EXPECT_EQ(verdicts("psnr_y.mean >= 0"), "b: pass; c: pass");
  options_.clips = {"d*"};
  EXPECT_NE(verdicts("psnr_y.mean >= 0").find("there is no clip to judge"), std::string::npos);
}

// Tags: a has codec av1 and crf 30, b codec h264, c none.
class GateConditions : public Gate {
 protected:
  void SetUp() override {
    Gate::SetUp();
    run_sql(path_, "INSERT INTO tag VALUES (1, 'codec', 'av1'), (1, 'crf', '30'), (2, 'codec', 'h264'), (2, 'crf', 'high')");
  }
};

TEST_F(GateConditions, ATagIsComparedAsText) {
  EXPECT_EQ(verdicts("psnr_y.mean >= 90 if tag.codec = av1"), "a: fail; b: -; c: -");
  EXPECT_EQ(verdicts("psnr_y.mean >= 0 if tag.codec = 'av1'"), "a: pass; b: -; c: -");
  EXPECT_EQ(verdicts("psnr_y.mean >= 0 if tag.codec != av1"), "a: -; b: pass; c: pass") << "a clip without the tag is different";
  EXPECT_EQ(verdicts("psnr_y.mean >= 0 if tag.crf = 30"), "a: pass; b: -; c: -");
  EXPECT_NE(verdicts("psnr_y.mean >= 0 if tag.crf = 30.0").find("no rule applies to any clip"), std::string::npos);
}

TEST_F(GateConditions, ATagIsComparedAsANumber) {
  options_.clips = {"a", "c"};
  EXPECT_EQ(verdicts("psnr_y.mean >= 0 if tag.crf >= 30"), "a: pass; c: -");
  EXPECT_EQ(verdicts("psnr_y.mean >= 0 if tag.crf <= 3e1"), "a: pass; c: -");
  EXPECT_EQ(verdicts("psnr_y.mean >= 0 if tag.crf > 29.5"), "a: pass; c: -");
  EXPECT_EQ(verdicts("psnr_y.mean >= 0 if tag.crf < 31"), "a: pass; c: -");
  EXPECT_NE(verdicts("psnr_y.mean >= 0 if tag.crf > 30").find("no rule applies"), std::string::npos);
  options_.clips = {"b"};
  EXPECT_EQ(verdicts("psnr_y.mean >= 0 if tag.crf > 1"), "b: fail: the condition cannot be judged: tag.crf is \"high\", no number");
}

TEST_F(GateConditions, NumbersOfTheClipAndFeaturesCanBeConditions) {
  EXPECT_EQ(verdict_of_a("psnr_y.mean >= 0 if height >= 48"), "a: pass");
  EXPECT_NE(verdict_of_a("psnr_y.mean >= 0 if height > 48").find("no rule applies"), std::string::npos);
  EXPECT_EQ(verdict_of_a("psnr_y.mean >= 0 if integer_motion2.max < 100"), "a: pass");
  EXPECT_EQ(verdict_of_a("psnr_y.mean >= 0 if apsnr_y.value = 33.25"), "a: pass");
  EXPECT_EQ(verdict_of_a("psnr_y.mean >= 0 if vmaf.mean > 1"), "a: fail: the condition cannot be judged: the clip has no feature vmaf");
}

TEST_F(GateConditions, AllConditionsMustHold) {
  EXPECT_EQ(verdict_of_a("psnr_y.mean >= 0 if tag.codec = av1 and width = 64"), "a: pass");
  EXPECT_NE(verdict_of_a("psnr_y.mean >= 0 if tag.codec = av1 and width = 65").find("no rule applies"), std::string::npos);
  EXPECT_NE(verdict_of_a("psnr_y.mean >= 0 if tag.codec = h264 and vmaf.mean > 1").find("no rule applies"), std::string::npos)
      << "what stands behind a condition that does not hold is not looked at";
}

TEST_F(GateConditions, OfAClipThatIsNotDoneOnlyTagsCanBeJudged) {
  run_sql(path_, "UPDATE scoring SET status = 'failed'");
  options_.clips = {"a", "b"};
  EXPECT_EQ(verdicts("psnr_y.mean >= 0 if tag.codec = av1"), "a: fail: the clip is not done: its scoring is failed; b: -");
  EXPECT_EQ(verdict_of_a("psnr_y.mean >= 0 if width = 1"),
            "a: fail: the condition cannot be judged: the clip is not done: its scoring is failed");
}

TEST_F(Gate, AClipPassesWhereEveryRuleThatAppliesPasses) {
  const auto result = gate({"psnr_y.mean >= 0", "frames = 10", "apsnr_y.value > 40 if tag.codec = av1"});
  ASSERT_OK(result);
  EXPECT_TRUE(result->pass());
  EXPECT_EQ(result->passed, 3U);
  run_sql(path_, "INSERT INTO tag VALUES (1, 'codec', 'av1')");
  const auto again = gate({"psnr_y.mean >= 0", "frames = 10", "apsnr_y.value > 40 if tag.codec = av1"});
  ASSERT_OK(again);
  EXPECT_FALSE(again->pass());
  EXPECT_EQ(again->failed, 1U);
  EXPECT_EQ(again->passed, 2U);
}

TEST_F(Gate, TextTellsEveryClipAndWhyItFails) {
  EXPECT_EQ(printed(GateFormat::kText, {"apsnr_y.value >= 34 if tag.x != y", "frames = 10"}),
            "FAIL  a\n      apsnr_y.value >= 34 if tag.x != y: it is 33.25\n"
            "FAIL  b\n      apsnr_y.value >= 34 if tag.x != y: it is 33.25\n"
            "FAIL  c\n      apsnr_y.value >= 34 if tag.x != y: it is 33.25\n"
            "FAIL: 0 of 3 clips pass, 3 fail\n");
  run_sql(path_, "INSERT INTO tag VALUES (1, 'x', 'y')");
  EXPECT_EQ(printed(GateFormat::kText, {"frames = 10 if tag.x = y", "frames = 11 if tag.x = z"}),
            "pass  a\n-     b: no rule applies\n-     c: no rule applies\n"
            "note: the rule \"frames = 11 if tag.x = z\" applies to no clip\n"
            "pass: 1 of 3 clips pass, 0 fail, no rule applies to 2\n");
}

TEST_F(Gate, JsonReadsBack) {
  run_sql(path_, "INSERT INTO tag VALUES (1, 'x', 'y'); UPDATE pooled_score SET mean = 9e999");
  const auto json = nlohmann::json::parse(printed(GateFormat::kJson, {"psnr_y.mean < 1 if tag.x = y", "vmaf.mean > 1"}));
  EXPECT_EQ(json["result"], "fail");
  EXPECT_EQ(json["failed"], 3);
  EXPECT_EQ(json["rules"][0],
            nlohmann::json::parse(R"({"rule": "psnr_y.mean < 1 if tag.x = y", "passed": 0, "failed": 1, "not_applied": 2})"));
  EXPECT_EQ(json["clips"][0]["rules"][0], nlohmann::json::parse(R"({"result": "fail", "value": "inf", "reason": null})"));
  EXPECT_EQ(json["clips"][1]["rules"][0]["result"], "not applied");
  EXPECT_EQ(json["clips"][1]["rules"][1]["reason"], "the clip has no feature vmaf");
  EXPECT_EQ(json["clips"][1]["status"], "done");
}

TEST_F(Gate, JunitCountsEveryRuleOfEveryClip) {
  run_sql(path_, "INSERT INTO tag VALUES (1, 'x', 'y')");
  options_.clips = {"a", "b"};
  EXPECT_EQ(printed(GateFormat::kJunit, {"frames = 10 if tag.x = y", "apsnr_y.value > 40"}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"vmafbatch gate\" tests=\"4\" failures=\"2\" skipped=\"1\">\n"
            "  <testcase classname=\"a\" name=\"frames = 10 if tag.x = y\"/>\n"
            "  <testcase classname=\"a\" name=\"apsnr_y.value &gt; 40\"><failure message=\"it is 33.25\"/></testcase>\n"
            "  <testcase classname=\"b\" name=\"frames = 10 if tag.x = y\"><skipped message=\"a condition of the rule does not "
            "hold\"/></testcase>\n"
            "  <testcase classname=\"b\" name=\"apsnr_y.value &gt; 40\"><failure message=\"it is 33.25\"/></testcase>\n"
            "</testsuite>\n");
}

TEST_F(Gate, HostileNamesAreEscapedEverywhere) {
  run_sql(path_,
          "UPDATE clip SET name = '<img src=x onerror=\"alert(1)\">&' || char(10) || char(27) || '[31m' WHERE id = 1; "
          "UPDATE clip SET name = x'61FF0062' WHERE id = 2; UPDATE scoring SET label = ']]>' || char(1)");
  const std::string text = printed(GateFormat::kText, {"frames = 1"});
  EXPECT_EQ(std::ranges::count(text, '\n'), 7) << text;
  EXPECT_EQ(text.find('\x1B'), std::string::npos);
  EXPECT_NE(text.find("a\\xFF\\x00b"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(printed(GateFormat::kJson, {"frames = 1"}));
  EXPECT_EQ(json["clips"][0]["clip"], "<img src=x onerror=\"alert(1)\">&\n\x1B[31m");
  const std::string junit = printed(GateFormat::kJunit, {"frames = 1"});
  EXPECT_NE(junit.find("classname=\"&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;  [31m (]]&gt; )\""), std::string::npos) << junit;
  EXPECT_EQ(junit.find('\x1B'), std::string::npos);
}

TEST_F(Gate, ADatabaseThatIsNoneIsAnError) {
  path_ = folder_.path("none.db");
  EXPECT_NE(verdicts("frames = 1").find("there is no such file"), std::string::npos);
  store::write_file(path_, "no database at all");
  EXPECT_NE(verdicts("frames = 1").find("this file is no vmafbatch database"), std::string::npos);
}

TEST_F(Gate, ANumberOfFramesThatNoClipHasIsDamage) {
  for (const char* frames : {"9000000000000000000", "9223372036854775807", "-5"}) {
    run_sql(path_, "UPDATE scoring SET frames = " + std::string(frames));
    const std::string said = verdicts("psnr_y.mean >= 4");
    EXPECT_NE(said.find("x.db: the database is damaged (a scoring has \"" + std::string(frames) + "\" frames"), std::string::npos) << said;
  }
}

TEST_F(Gate, ADatabaseInWhichSomebodyElseWroteIsAnAnswerOrOneSentence) {
  run_sql(path_,
          "PRAGMA ignore_check_constraints = ON; UPDATE pooled_score SET mean = 'text'; UPDATE scoring SET finished = 'x', frames = x'00'");
  EXPECT_EQ(verdict_of_a("psnr_y.mean >= 40"), "a: fail") << "a text is zero, as SQLite reads it";
  std::string bytes = store::read_file(path_);
  store::write_file(path_, bytes.substr(0, bytes.size() / 2));
  const std::string error = verdicts("psnr_y.mean >= 40");
  EXPECT_NE(error.find("x.db: "), std::string::npos) << error;
}

}  // namespace
}  // namespace vmafbatch::report
