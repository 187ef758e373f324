// The reports for programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "store/diff_fixture.h"

namespace vmafbatch::store {
namespace {

TEST_F(DiffTest, JsonNamesCausesWithBothSides) {
  run_sql(new_, set_frame(0, "1.0") + "UPDATE scoring SET c_library = 'glibc 2.41'");
  EXPECT_EQ(outcome(DiffFormat::kJson), DiffOutcome::kDifferent);
  const auto json = nlohmann::json::parse(text_);
  const auto& cause = json["clips"][0]["causes"][0];
  EXPECT_EQ(cause["name"], "C library");
  EXPECT_EQ(cause["old"], "glibc 2.36");
  EXPECT_EQ(cause["new"], "glibc 2.41");
  EXPECT_EQ(json["summary"]["shown"], 1);
  EXPECT_EQ(json["summary"]["tolerated_values"], 0);
}

TEST_F(DiffTest, CsvHasALineADifference) {
  run_sql(new_, set_frame(2, "9e999") + "UPDATE scoring SET c_library = 'glibc 2.41', decoder = 'x', status = 'partial' WHERE id = 2;" +
                    "UPDATE clip SET name = 'd' WHERE name = 'c'; UPDATE aggregate_score SET value = 34.0;" +
                    "DELETE FROM scoring_feature WHERE scoring = 1 AND position = 1");
  EXPECT_EQ(outcome(DiffFormat::kCsv), DiffOutcome::kDifferent);
  EXPECT_EQ(text_,
            "clip,label,kind,name,compared,changed,only_old,only_new,frame,old,new,causes\n"
            "a,,aggregate,apsnr_y,,,,,,33.25,34,\n"
            "a,,feature,integer_motion2,,,,,,present,,\n"
            "b,,status,,,,,,,done,partial,C library; decoder\n"
            "b,,aggregate,apsnr_y,,,,,,33.25,34,C library; decoder\n"
            "b,,frames,psnr_y,10,1,0,0,2,30.1,inf,C library; decoder\n"
            "c,,clip,,,,,,,present,,\n"
            "d,,clip,,,,,,,,present,\n");
}

TEST_F(DiffTest, CsvOfEqualDatabasesIsItsHeader) {
  EXPECT_EQ(outcome(DiffFormat::kCsv), DiffOutcome::kEqual);
  EXPECT_EQ(text_, "clip,label,kind,name,compared,changed,only_old,only_new,frame,old,new,causes\n");
}

// Names that would break a line, a field, an element.
constexpr const char* kHostileSql =
    "UPDATE clip SET name = 'x\",' || char(10) || '=1+1' WHERE name = 'b'; UPDATE scoring SET label = x'FF3C26' WHERE id = 2;"
    "UPDATE feature SET name = '<p a=\"' || char(27) || char(65535) || '\">&' || char(13) WHERE name = 'psnr_y'";

TEST_F(DiffTest, CsvQuotesHostileNames) {
  run_sql(old_, kHostileSql);
  run_sql(new_, set_frame(0, "1.0") + kHostileSql);
  EXPECT_EQ(outcome(DiffFormat::kCsv), DiffOutcome::kDifferent);
  EXPECT_TRUE(says("\n\"x\"\",\n=1+1\",\\xFF<&,frames,\"<p a=\"\"\x1B\xEF\xBF\xBF\"\">&\r\",10,1,0,0,0,30,1,\n")) << text_;
}

TEST_F(DiffTest, TextKeepsOneDifferenceOnOneLine) {
  run_sql(old_, kHostileSql);
  run_sql(new_, set_frame(0, "1.0") + kHostileSql);
  EXPECT_EQ(outcome(), DiffOutcome::kDifferent);
  EXPECT_TRUE(says("x\",\\x0A=1+1 [\\xFF<&]: feature <p a=\"\\x1B\xEF\xBF\xBF\">&\\x0D: 1 of 10 frames changed")) << text_;
  EXPECT_EQ(std::count(text_.begin(), text_.end(), '\n'), 2) << text_;
}

TEST_F(DiffTest, JunitEscapesHostileNames) {
  run_sql(old_, kHostileSql);
  run_sql(new_, set_frame(0, "1.0") + kHostileSql);
  EXPECT_EQ(outcome(DiffFormat::kJunit), DiffOutcome::kDifferent);
  EXPECT_TRUE(says("name=\"&lt;p a=&quot;\\x1B\xEF\xBF\xBD&quot;&gt;&amp;\\x0D\">\n      <failure type=\"difference\"")) << text_;
  EXPECT_TRUE(says("<testsuite name=\"x&quot;,\\x0A=1+1 [\\xFF&lt;&amp;]\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\">"))
      << text_;
}

constexpr const char* kJunit = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="vmafbatch diff">
  <testsuite name="a" tests="3" failures="0" errors="0" skipped="0">
    <testcase classname="a" name="apsnr_y" />
    <testcase classname="a" name="integer_motion2" />
    <testcase classname="a" name="psnr_y" />
  </testsuite>
  <testsuite name="b" tests="4" failures="2" errors="0" skipped="0">
    <testcase classname="b" name="(status)">
      <failure type="difference" message="status, old: done; new: partial">status, old: done; new: partial
also differs: decoder, old: nothing; new: x
</failure>
    </testcase>
    <testcase classname="b" name="apsnr_y" />
    <testcase classname="b" name="integer_motion2" />
    <testcase classname="b" name="psnr_y">
      <failure type="difference" message="feature psnr_y: 3 frames only in old, first 7">feature psnr_y: 3 frames only in old, first 7
also differs: decoder, old: nothing; new: x
</failure>
    </testcase>
  </testsuite>
  <testsuite name="c" tests="1" failures="1" errors="0" skipped="0">
    <testcase classname="c" name="(clip)">
      <failure type="difference" message="only in old">only in old
</failure>
    </testcase>
  </testsuite>
  <testsuite name="d" tests="1" failures="1" errors="0" skipped="0">
    <testcase classname="d" name="(clip)">
      <failure type="difference" message="only in new">only in new
</failure>
    </testcase>
  </testsuite>
</testsuites>
)xml";

TEST_F(DiffTest, JunitHasASuiteAClipAndACaseAFeature) {
  run_sql(new_, "DELETE FROM frame_score WHERE frame > 6 AND scoring_feature = " + std::string(kColumnOfB) +
                    "; UPDATE scoring SET decoder = 'x', status = 'partial' WHERE id = 2; UPDATE clip SET name = 'd' WHERE name = 'c'");
  EXPECT_EQ(outcome(DiffFormat::kJunit), DiffOutcome::kDifferent);
  EXPECT_EQ(text_, kJunit);
}

TEST_F(DiffTest, JunitSaysThatNothingWasCompared) {
  options_.clips = {"none"};
  EXPECT_EQ(outcome(DiffFormat::kJunit), DiffOutcome::kNothingCompared);
  EXPECT_TRUE(says("tests=\"1\" failures=\"0\" errors=\"1\"")) << text_;
  EXPECT_TRUE(says("<error message=\"nothing to compare")) << text_;
}

}  // namespace
}  // namespace vmafbatch::store
