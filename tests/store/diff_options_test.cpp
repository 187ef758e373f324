// What is compared, when values are equal, and what is shown.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/number_text.h"
#include "store/diff_equality.h"
#include "store/diff_fixture.h"

namespace vmafbatch::store {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// -- Equality -----------------------------------------------------------------------------------------------------------------------

DiffOptions within(std::vector<Tolerance> tolerances) {
  DiffOptions options;
  options.tolerances = std::move(tolerances);
  return options;
}

DiffOptions one_ulp() {
  DiffOptions options;
  options.ulps = 1;
  return options;
}

bool tolerates(const DiffOptions& options, double a, double b) {
  const Equality equality(options, "psnr_y");
  EXPECT_EQ(equality.tolerates(a, b), equality.tolerates(b, a));
  return equality.tolerates(a, b);
}

TEST(DiffEquality, NothingIsToleratedUnasked) {
  EXPECT_FALSE(tolerates({}, 1.0, std::nextafter(1.0, 2.0)));
  EXPECT_FALSE(tolerates({}, 0.0, -0.0));
}

TEST(DiffEquality, AToleranceHoldsAtItsEdgeAndNotBeyond) {
  const DiffOptions options = within({{"psnr*", 0.25}});
  EXPECT_TRUE(tolerates(options, 30.0, 30.25));
  EXPECT_FALSE(tolerates(options, 30.0, std::nextafter(30.25, 31.0)));
  EXPECT_FALSE(tolerates(options, -kInfinity, kInfinity));
  EXPECT_FALSE(tolerates(options, 30.0, kInfinity));
  EXPECT_FALSE(tolerates(within({{"psnr*", 1.7e308}}), -1.7e308, 1.7e308)) << "a distance beyond the largest double";
  EXPECT_TRUE(tolerates(within({{"psnr*", 0}}), 0.0, -0.0));
}

TEST(DiffEquality, TheLastToleranceThatMatchesCounts) {
  EXPECT_FALSE(tolerates(within({{"*", 1}, {"psnr_?", 0.1}}), 30.0, 30.5));
  EXPECT_TRUE(tolerates(within({{"psnr_?", 0.1}, {"*", 1}}), 30.0, 30.5));
  EXPECT_FALSE(tolerates(within({{"vmaf", 1}}), 30.0, 30.5));
}

TEST(DiffEquality, UlpsCountDoubles) {
  const double next = std::nextafter(1.0, 2.0);
  EXPECT_EQ(ulps_between(1.0, 1.0), 0U);
  EXPECT_EQ(ulps_between(next, 1.0), 1U);
  EXPECT_EQ(ulps_between(0.0, -0.0), 0U);
  const double smallest = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(ulps_between(-smallest, smallest), 2U);
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(ulps_between(-largest, largest), 2 * 0x7FEFFFFFFFFFFFFFULL);
  EXPECT_TRUE(tolerates(one_ulp(), 1.0, next));
  EXPECT_FALSE(tolerates(one_ulp(), 1.0, std::nextafter(next, 2.0)));
  EXPECT_TRUE(tolerates(one_ulp(), 0.0, -0.0));
  EXPECT_FALSE(tolerates(one_ulp(), largest, kInfinity)) << "infinity equals itself alone";
}

TEST(DiffEquality, ATolerancesTextIsChecked) {
  const auto good = parse_tolerance("a=b*=1e-3");
  ASSERT_OK(good);
  EXPECT_EQ(good->features, "a=b*");
  EXPECT_EQ(good->largest, 1e-3);
  for (const char* bad : {"", "psnr", "=1", "psnr=", "psnr=-1", "psnr=nan", "psnr=inf", "psnr=1e999", "psnr=1x", "psnr= 1"}) {
    const auto tolerance = parse_tolerance(bad);
    ASSERT_FALSE(tolerance.ok()) << bad;
    EXPECT_NE(tolerance.error().message.find("'vmaf*=0.001'"), std::string::npos) << tolerance.error().message;
  }
}

// -- Tolerance in databases ---------------------------------------------------------------------------------------------------------

TEST_F(DiffTest, ToleratedValuesAreEqualAndCounted) {
  run_sql(new_, "UPDATE frame_score SET value = value + 0.25; UPDATE aggregate_score SET value = value + 0.25;");
  options_.tolerances = {{"*", 0.5}};
  EXPECT_TRUE(equal()) << text_;
  EXPECT_EQ(text_, "equal: 3 clips, 63 values compared, 63 of them other bits but near enough\n");
  options_.tolerances = {{"*", 0.5}, {"apsnr_y", 0}};
  EXPECT_EQ(outcome(), DiffOutcome::kDifferent);
  EXPECT_TRUE(says("a: clip value apsnr_y: 33.25 -> 33.5")) << text_;
  EXPECT_EQ(summary_.changed_values, 3);
  EXPECT_EQ(summary_.tolerated_values, 60);
}

TEST_F(DiffTest, TheLargestDifferenceIsOneThatIsNotTolerated) {
  options_.tolerances = {{"psnr_y", 0.5}};
  report_after(set_frame(1, "value + 0.5") + set_frame(2, "value + 0.75") + set_frame(3, "value + 0.625"));
  EXPECT_TRUE(says("2 of 10 frames changed")) << text_;
  EXPECT_TRUE(says("at frame 2")) << text_;
}

TEST_F(DiffTest, UlpsMakeNeighboursEqual) {
  run_sql(new_, set_frame(4, format_double(std::nextafter(some_value(0, 4), 1e9))));
  EXPECT_FALSE(equal());
  options_.ulps = 1;
  EXPECT_TRUE(equal()) << text_;
}

TEST_F(DiffTest, NoToleranceMakesAMissingRowEqual) {
  options_.tolerances = {{"*", 1e300}};
  options_.ulps = std::int64_t{1} << 52;
  report_after("DELETE FROM frame_score WHERE frame = 9 AND scoring_feature = " + std::string(kColumnOfB));
  EXPECT_TRUE(says("b: feature psnr_y: 1 frames only in old, first 9")) << text_;
  report_after(
      "DELETE FROM aggregate_score WHERE scoring_feature = (SELECT id FROM scoring_feature WHERE scoring = 1 AND scope = 'aggregate')");
  EXPECT_TRUE(says("a: clip value apsnr_y: 33.25 -> nothing")) << text_;
}

TEST_F(DiffTest, InfiniteValuesEqualThemselves) {
  run_sql(old_, set_frame(0, "9e999") + set_frame(1, "-9e999"));
  run_sql(new_, set_frame(0, "9e999") + set_frame(1, "-9e999"));
  EXPECT_TRUE(equal()) << text_;
  options_.tolerances = {{"*", 1e300}};
  report_after(set_frame(1, "9e999"));
  EXPECT_TRUE(says("largest difference inf at frame 1 (-inf -> inf)")) << text_;
}

TEST_F(DiffTest, PooledValuesAreComparedWhereTheFramesHaveTheSameBits) {
  const std::string change = "UPDATE pooled_score SET mean = mean + 0.25 WHERE scoring_feature = " + std::string(kColumnOfB) + ";";
  report_after(change);
  EXPECT_TRUE(says("b: feature psnr_y: pooled values changed, no frame did")) << text_;
  options_.tolerances = {{"psnr_y", 0.25}};
  EXPECT_TRUE(equal()) << text_;
  options_.tolerances = {{"psnr_y", 0.125}};
  EXPECT_FALSE(equal());
  run_sql(new_, set_frame(0, "value + 0.125"));
  EXPECT_TRUE(equal()) << "they follow from frames that are near enough: " << text_;
}

// -- What is compared ---------------------------------------------------------------------------------------------------------------

TEST_F(DiffTest, ClipsAreChosenByPattern) {
  run_sql(new_, set_frame(0, "1.0") + "UPDATE clip SET name = 'cc' WHERE name = 'c'");
  options_.clips = {"a"};
  EXPECT_TRUE(equal()) << text_;
  EXPECT_EQ(summary_.clips, 1);
  options_.clips = {"a", "c*"};
  EXPECT_EQ(outcome(), DiffOutcome::kDifferent);
  EXPECT_TRUE(says("cc: only in new") && !says("b: ")) << text_;
  options_.clips = {"x*"};
  EXPECT_EQ(outcome(), DiffOutcome::kNothingCompared);
}

TEST_F(DiffTest, FeaturesAreChosenByPattern) {
  run_sql(new_, set_frame(0, "1.0"));
  options_.features = {"integer_*", "apsnr_y"};
  EXPECT_TRUE(equal()) << text_;
  EXPECT_EQ(summary_.values, 33);
  options_.features = {"*psnr_?"};
  EXPECT_FALSE(equal());
  options_.features = {"nothing"};
  EXPECT_EQ(outcome(), DiffOutcome::kNothingCompared);
}

TEST_F(DiffTest, ChosenFeaturesBringTheirBackendsAndFailures) {
  const std::string hip = "UPDATE feature_backend SET backend = 'hip' WHERE extractor = 0;";
  const std::string motion = "INSERT INTO feature_backend SELECT id, 1, 0, 9, 'motion', 'cpu', '', '' FROM scoring;";
  run_sql(old_, motion);
  run_sql(new_, motion + hip + "INSERT INTO failure (scoring, extractor, frame, reason) VALUES (1, 0, 7, 'no memory')");
  options_.features = {"integer_motion2"};
  EXPECT_TRUE(equal()) << text_;
  options_.features = {"psnr_y"};
  EXPECT_EQ(outcome(), DiffOutcome::kDifferent);
  EXPECT_TRUE(says("a: backend of psnr") && says("a: failures of psnr")) << text_;
  run_sql(new_, "UPDATE scoring_feature SET source = 'vmaf' WHERE source = 'motion'");
  options_.features = {"integer_motion2"};
  EXPECT_FALSE(equal()) << "a model stands on extractors that are not named: all count";
}

TEST_F(DiffTest, ALabelChoosesScorings) {
  for (const std::string& path : {old_, new_}) {
    auto writer = Writer::open(path);
    ASSERT_OK(writer);
    ASSERT_OK((*writer)->begin_run(some_run()));
    add_clip(**writer, some_record("a", "psnr", "fast"));
    ASSERT_OK((*writer)->close());
  }
  run_sql(new_, set_frame(0, "1.0"));
  options_.label = "fast";
  EXPECT_TRUE(equal()) << text_;
  EXPECT_EQ(summary_.clips, 1);
  options_.label = "";
  EXPECT_FALSE(equal());
  EXPECT_EQ(summary_.clips, 3);
  options_.label = "none";
  EXPECT_EQ(outcome(), DiffOutcome::kNothingCompared);
}

TEST_F(DiffTest, BackendsCanBeIgnored) {
  options_.ignore_backend = true;
  run_sql(new_, "UPDATE feature_backend SET backend = 'hip', device = 'gfx90a'");
  EXPECT_TRUE(equal()) << text_;
  report_after(set_frame(0, "1.0"));
  EXPECT_EQ(summary_.differences, 1);
  EXPECT_TRUE(says("b: also differs: backend of psnr=enable_apsnr=true, old: psnr on cpu; new: psnr on hip (gfx90a)")) << text_;
}

// -- The largest --------------------------------------------------------------------------------------------------------------------

TEST_F(DiffTest, TopShowsTheLargestFirst) {
  run_sql(
      new_,
      "UPDATE frame_score SET value = value + 0.5 WHERE frame = 3 AND scoring_feature = (SELECT id FROM scoring_feature WHERE scoring = 1 "
      "AND position = 0);" +
          set_frame(0, "value + 2") + "UPDATE aggregate_score SET value = 34.25; UPDATE clip SET name = 'd' WHERE name = 'c';" +
          "UPDATE feature_backend SET backend = 'hip'");
  options_.top = 4;
  EXPECT_EQ(outcome(), DiffOutcome::kDifferent);
  const auto missing = text_.find("c: only in old\nd: only in new\n");
  const auto largest = text_.find("b: feature psnr_y: 1 of 10 frames");
  const auto next = text_.find("a: clip value apsnr_y");
  EXPECT_EQ(missing, 0U) << text_;
  EXPECT_TRUE(largest < next && next != std::string::npos) << text_;
  EXPECT_FALSE(says("a: feature psnr_y")) << text_;
  EXPECT_TRUE(says("8 differences, 4 shown")) << text_;
  options_.top = 100;
  EXPECT_EQ(outcome(), DiffOutcome::kDifferent);
  EXPECT_TRUE(says("a: feature psnr_y: 1 of 10") && says("8 differences\n")) << text_;
}

// -- Causes -------------------------------------------------------------------------------------------------------------------------

class DiffCauses : public DiffTest {
 protected:
  // The causes of clip b's difference after `sql` changed the new side.
  std::string causes_after(const std::string& sql) {
    report_after(set_frame(0, "1.0") + sql);
    std::string causes;
    for (size_t at = 0; (at = text_.find("b: also differs: ", at)) != std::string::npos;) {
      const size_t end = text_.find('\n', at);
      causes += text_.substr(at + 17, end - at - 17) + "\n";
      at = end;
    }
    return causes;
  }
};

TEST_F(DiffCauses, NoneIsNamedWhereNoneIsKnown) { EXPECT_EQ(causes_after(""), ""); }

TEST_F(DiffCauses, AFilesSize) {
  EXPECT_EQ(causes_after("UPDATE scoring SET reference_size = 7, reference_mtime_ns = 5"),
            "reference file, old: 1000 bytes; new: 7 bytes\n");
}

TEST_F(DiffCauses, AFilesContent) {
  run_sql(old_, "UPDATE scoring SET distorted_hash = 'xxh3:1'");
  EXPECT_EQ(causes_after("UPDATE scoring SET distorted_hash = 'xxh3:2'"), "distorted file, old: content xxh3:1; new: content xxh3:2\n");
}

TEST_F(DiffCauses, AFilesTimeOnlyWhereAContentIsNotKnown) {
  run_sql(new_, "UPDATE scoring SET distorted_hash = 'xxh3:1', distorted_mtime_ns = -1");
  EXPECT_EQ(causes_after(""),
            "distorted file, old: modified 1970-01-01T00:00:00.000000222Z; new: modified 1969-12-31T23:59:59.999999999Z\n");
  run_sql(old_, "UPDATE scoring SET distorted_hash = 'xxh3:1'");
  EXPECT_EQ(causes_after(""), "") << "a copy of the same file";
}

TEST_F(DiffCauses, OptionsVersionsAndTheRest) {
  EXPECT_EQ(causes_after("UPDATE scoring SET options = 'psnr=x', pictures = 'scaled', program_version = '0.2.0', c_library = 'glibc 2.41', "
                         "processor = 'another', decoder = 'libavcodec 61'"),
            "options, old: psnr; new: psnr=x\n"
            "treatment of the pictures, old: nothing; new: scaled\n"
            "program version, old: 0.1.0; new: 0.2.0\n"
            "C library, old: glibc 2.36; new: glibc 2.41\n"
            "processor, old: a processor; new: another\n"
            "decoder, old: nothing; new: libavcodec 61\n");
}

TEST_F(DiffCauses, AModelByItsHash) {
  run_sql(old_, "INSERT INTO scoring_model VALUES (2, 'vmaf', 'a.json', 'h1'), (2, 'gone', 'b.json', 'h2')");
  EXPECT_EQ(causes_after("INSERT INTO scoring_model VALUES (2, 'vmaf', 'x/a.json', 'h3')"),
            "model gone, old: h2; new: nothing\nmodel vmaf, old: h1; new: h3\n");
}

TEST_F(DiffCauses, ADeviceOrABackend) {
  run_sql(old_, "UPDATE feature_backend SET backend = 'hip', device = 'gfx90a'");
  EXPECT_EQ(causes_after("UPDATE feature_backend SET backend = 'hip', device = 'gfx1030'"),
            "device of psnr=enable_apsnr=true, old: psnr on hip (gfx90a); new: psnr on hip (gfx1030)\n");
  EXPECT_EQ(causes_after("UPDATE feature_backend SET backend = 'cpu', device = ''"),
            "backend of psnr=enable_apsnr=true, old: psnr on hip (gfx90a); new: psnr on cpu\n");
}

}  // namespace
}  // namespace vmafbatch::store
