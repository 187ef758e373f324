// Rules as text: what is read, what is refused, and where the mistake is.
#include "report/rule.h"

#include <gtest/gtest.h>

#include <limits>

#include "store/scratch.h"

namespace vmafbatch::report {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Rule rule_of(const std::string& text) {
  auto rule = parse_rule(text);
  EXPECT_TRUE(rule.ok()) << text << ": " << rule.error().message;
  return rule.ok() ? *rule : Rule{};
}

std::string error_of(const std::string& text) {
  const auto rule = parse_rule(text);
  EXPECT_FALSE(rule.ok()) << text;
  return rule.ok() ? "" : rule.error().message;
}

TEST(Rule, HasAFeatureAStatisticAComparisonAndANumber) {
  const Rule rule = rule_of("vmaf.p5 >= 85");
  EXPECT_EQ(rule.check.quantity.kind, Quantity::Kind::kPooled);
  EXPECT_EQ(rule.check.quantity.name, "vmaf");
  EXPECT_EQ(rule.check.quantity.statistic, "p5");
  EXPECT_EQ(rule.check.comparison, Comparison::kAtLeast);
  EXPECT_EQ(rule.check.number, 85);
  EXPECT_TRUE(rule.conditions.empty());
}

TEST(Rule, EveryComparisonIsRead) {
  EXPECT_EQ(rule_of("a.mean >= 1").check.comparison, Comparison::kAtLeast);
  EXPECT_EQ(rule_of("a.mean > 1").check.comparison, Comparison::kAbove);
  EXPECT_EQ(rule_of("a.mean <= 1").check.comparison, Comparison::kAtMost);
  EXPECT_EQ(rule_of("a.mean < 1").check.comparison, Comparison::kBelow);
  EXPECT_EQ(rule_of("a.mean = 1").check.comparison, Comparison::kEqual);
  EXPECT_EQ(rule_of("a.mean != 1").check.comparison, Comparison::kDifferent);
  EXPECT_EQ(rule_of("a.mean>=1").check.comparison, Comparison::kAtLeast) << "spaces are not needed";
}

TEST(Rule, EveryComparisonHoldsWhereItShould) {
  const auto three = [](Comparison comparison) {
    return std::string{holds(comparison, 1, 2) ? 'y' : 'n', holds(comparison, 2, 2) ? 'y' : 'n', holds(comparison, 3, 2) ? 'y' : 'n'};
  };
  EXPECT_EQ(three(Comparison::kAtLeast), "nyy");
  EXPECT_EQ(three(Comparison::kAbove), "nny");
  EXPECT_EQ(three(Comparison::kAtMost), "yyn");
  EXPECT_EQ(three(Comparison::kBelow), "ynn");
  EXPECT_EQ(three(Comparison::kEqual), "nyn");
  EXPECT_EQ(three(Comparison::kDifferent), "yny");
  EXPECT_TRUE(holds(Comparison::kEqual, kInfinity, kInfinity));
  EXPECT_TRUE(holds(Comparison::kAbove, kInfinity, 1e308));
  EXPECT_TRUE(holds(Comparison::kEqual, -0.0, 0.0));
}

TEST(Rule, EveryStatisticIsRead) {
  for (const std::string& statistic : pooled_statistics()) {
    const Rule rule = rule_of("vmaf." + statistic + " > 0");
    EXPECT_EQ(rule.check.quantity.kind, Quantity::Kind::kPooled);
    EXPECT_EQ(rule.check.quantity.statistic, statistic);
  }
  const Rule aggregate = rule_of("apsnr_y.value > 0");
  EXPECT_EQ(aggregate.check.quantity.kind, Quantity::Kind::kAggregate);
  EXPECT_EQ(aggregate.check.quantity.name, "apsnr_y");
  for (const std::string& name : clip_quantities()) EXPECT_EQ(rule_of(name + " > 0").check.quantity.kind, Quantity::Kind::kClip);
}

TEST(Rule, NumbersAreDecimalWithInfinitiesAndSigns) {
  EXPECT_EQ(rule_of("a.mean = -1.5e2").check.number, -150);
  EXPECT_EQ(rule_of("a.mean = inf").check.number, kInfinity);
  EXPECT_EQ(rule_of("a.mean = -inf").check.number, -kInfinity);
  EXPECT_EQ(rule_of("a.mean = .5E+1").check.number, 5);
  EXPECT_EQ(rule_of("a.mean = 1e999").check.number, kInfinity);
  for (const char* text : {"nan", "0x10", "+5", "infinity", "INF", "1e", "e5", ".", "-", "--1", "1.5.2", "1f", "0b1"}) {
    EXPECT_NE(error_of(std::string("a.mean = ") + text).find("a number is expected"), std::string::npos) << text;
  }
  EXPECT_NE(error_of("a.mean = '1'").find("a number is expected"), std::string::npos);
}

TEST(Rule, TheStatisticStandsBehindTheLastDot) {
  EXPECT_EQ(rule_of("vmaf_v0.6.1.mean > 1").check.quantity.name, "vmaf_v0.6.1");
  EXPECT_EQ(rule_of("\"a b.c\".mean > 1").check.quantity.name, "a b.c");
  EXPECT_EQ(rule_of("\"a.mean\".p1 > 1").check.quantity.name, "a.mean");
  EXPECT_EQ(rule_of("'it''s \"it\"'.mean > 1").check.quantity.name, "it's \"it\"");
  EXPECT_EQ(rule_of("\"tag\".mean > 1").check.quantity.name, "tag");
}

TEST(Rule, ConditionsFollowIf) {
  const Rule rule = rule_of("psnr_y.min >= 30 if tag.codec = av1 and tag.\"my crf\" > 20 and height != 1080 and vmaf.mean<99");
  ASSERT_EQ(rule.conditions.size(), 4U);
  EXPECT_EQ(rule.conditions[0].quantity.kind, Quantity::Kind::kTag);
  EXPECT_EQ(rule.conditions[0].quantity.name, "codec");
  EXPECT_EQ(rule.conditions[0].text, "av1");
  EXPECT_EQ(rule.conditions[1].quantity.name, "my crf");
  EXPECT_EQ(rule.conditions[1].number, 20);
  EXPECT_EQ(rule.conditions[2].quantity.name, "height");
  EXPECT_EQ(rule.conditions[3].quantity.statistic, "mean");
}

TEST(Rule, AValueOfATagCanBeQuoted) {
  EXPECT_EQ(rule_of("a.mean > 1 if tag.t = 'if and = #'").conditions[0].text, "if and = #");
  EXPECT_EQ(rule_of("a.mean > 1 if tag.t = \"\"").conditions[0].text, "");
  EXPECT_EQ(rule_of("a.mean > 1 if tag.t != if").conditions[0].text, "if");
  EXPECT_EQ(rule_of("a.mean > 1 if tag.t = 10").conditions[0].text, "10");
  EXPECT_EQ(rule_of("a.mean > 1 if tag.a.b = x").conditions[0].quantity.name, "a.b");
}

TEST(Rule, ItsTextHasNoCommentAndNoSpaceAround) { EXPECT_EQ(rule_of("  a.mean > 1\t # why").text, "a.mean > 1"); }

TEST(Rule, AMistakeIsToldWithItsColumn) {
  EXPECT_EQ(error_of("vmaf.p5 >> 85"), "rule \"vmaf.p5 >> 85\", column 10: a number is expected, not \">\"");
  EXPECT_EQ(error_of("vmaf.p5 >="), "rule \"vmaf.p5 >=\", column 11: a number is expected, not the end");
  EXPECT_EQ(error_of("vmaf.p5 85"), "rule \"vmaf.p5 85\", column 9: one of >= > <= < = != is expected, not \"85\"");
  EXPECT_EQ(error_of(""), "rule \"\", column 1: a quantity such as vmaf.p5 is expected, not the end");
  EXPECT_EQ(error_of("a.mean > 1 or b.mean > 1"),
            "rule \"a.mean > 1 or b.mean > 1\", column 12: \"if\" or the end of the rule is expected, not \"or\"");
  EXPECT_EQ(error_of("a.mean > 1 if frames > 1 or"),
            "rule \"a.mean > 1 if frames > 1 or\", column 26: \"and\" or the end of the rule is expected, not \"or\"");
  EXPECT_EQ(error_of("a.mean > 1 if"), "rule \"a.mean > 1 if\", column 14: a quantity such as vmaf.p5 is expected, not the end");
  EXPECT_EQ(error_of("a.mean > 1 if and"), "rule \"a.mean > 1 if and\", column 15: a quantity such as vmaf.p5 is expected, not \"and\"");
  EXPECT_EQ(error_of("tag.codec = av1"), "rule \"tag.codec = av1\", column 1: a tag can only stand behind \"if\"");
  EXPECT_EQ(error_of("a.mean > 1 if tag.crf > high"),
            "rule \"a.mean > 1 if tag.crf > high\", column 25: a number is expected, not \"high\"");
  EXPECT_EQ(error_of("a.mean > 'x"), "rule \"a.mean > 'x\", column 10: the quote has no end");
  EXPECT_EQ(error_of("(a.mean > 1)"), "rule \"(a.mean > 1)\", column 1: \"(\" has no meaning here; put names that hold it in quotes");
  EXPECT_EQ(error_of("a.mean ! 1"), "rule \"a.mean ! 1\", column 8: \"!\" has no meaning here; put names that hold it in quotes");
  EXPECT_EQ(error_of("\xC3\xA4\xC3\xB6.mean > x"), "rule \"\xC3\xA4\xC3\xB6.mean > x\", column 11: a number is expected, not \"x\"");
  EXPECT_NE(error_of("a.avg > 1").find("column 1: \"avg\" is no statistic; use one of frames, mean,"), std::string::npos);
  EXPECT_NE(error_of("vmaf > 1").find("\"vmaf\" names no quantity; write FEATURE.STATISTIC"), std::string::npos);
  EXPECT_NE(error_of(".mean > 1").find("a name is missing beside the dot"), std::string::npos);
  EXPECT_NE(error_of("a.mean > 1 if tag. = 1").find("a name is missing beside the dot"), std::string::npos);
  EXPECT_NE(error_of(std::string(10'001, 'a')).find("longer than 10000 bytes"), std::string::npos);
}

TEST(Rule, AMistakeIsOneLineWhateverTheRuleHolds) {
  const std::string error = error_of("a\x1B[31m.mean > \n\xFF");
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  EXPECT_EQ(error.find('\x1B'), std::string::npos) << error;
  EXPECT_NE(error.find("\\xFF"), std::string::npos) << error;
}

TEST(Rules, AFileHoldsOneALineAndComments) {
  const auto rules = parse_rules("\xEF\xBB\xBF# release\n\n a.mean > 1 # loud\r\n\tb.p5 <= 2 if tag.x = '#'\n   # end", "r");
  ASSERT_TRUE(rules.ok()) << rules.error().message;
  ASSERT_EQ(rules->size(), 2U);
  EXPECT_EQ((*rules)[0].text, "a.mean > 1");
  EXPECT_EQ((*rules)[1].text, "b.p5 <= 2 if tag.x = '#'");
}

TEST(Rules, AMistakeInAFileIsToldWithItsLine) {
  const auto rules = parse_rules("a.mean > 1\n\na.mean >\n", "my.rules");
  ASSERT_FALSE(rules.ok());
  EXPECT_EQ(rules.error().message, "my.rules: line 3, column 9: a number is expected, not the end");
}

TEST(Rules, AFileThatHoldsNoneOrCannotBeReadIsAnError) {
  const testing::TemporaryFolder folder;
  const auto error = [](const std::string& path) {
    const auto rules = read_rules(path);
    return rules.ok() ? "" : rules.error().message;
  };
  store::write_file(folder.path("empty"), "# nothing\n");
  store::write_file(folder.path("long"), std::string((1 << 20) + 1, '\n'));
  store::write_file(folder.path("good"), "a.mean > 1");
  EXPECT_NE(error(folder.path("empty")).find("holds no rule"), std::string::npos);
  EXPECT_NE(error(folder.path("long")).find("at most 1 MiB"), std::string::npos);
  EXPECT_NE(error(folder.path("none")).find("cannot be read"), std::string::npos);
  EXPECT_NE(error(folder.path("")).find("cannot be read"), std::string::npos) << "a folder";
  EXPECT_EQ(error(folder.path("good")), "");
}

}  // namespace
}  // namespace vmafbatch::report
