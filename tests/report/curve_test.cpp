#include "report/curve.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "report/base64.h"
#include "report_fixture.h"

namespace vmafbatch::report {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Json curve_of(const std::vector<double>& values, size_t points, std::int64_t step = 1) {
  Curve curve({0, (static_cast<std::int64_t>(values.size()) - 1) * step}, points);
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) curve.add(static_cast<std::int64_t>(i) * step, values[i]);
  }
  return curve.json();
}

TEST(Base64, EqualsTheExamplesOfRfc4648) {
  const auto text = [](std::string_view bytes) { return base64(std::as_bytes(std::span(bytes))); };
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("f"), "Zg==");
  EXPECT_EQ(text("fo"), "Zm8=");
  EXPECT_EQ(text("foobar"), "Zm9vYmFy");
}

TEST(Curve, IsExactWhereTheValuesAreFew) {
  const std::vector<double> values = {0.1 + 0.2, -0.0, kInfinity, -kInfinity, 5e-324};
  const Json curve = curve_of(values, 5);
  EXPECT_EQ(curve["encoding"], "f64");
  EXPECT_EQ(curve["count"], 5);
  const auto read = numbers_of<double>(curve["values"]);
  ASSERT_EQ(read.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(store::bits(read[i]), store::bits(values[i])) << i;
}

TEST(Curve, KeepsTheStepOfSubsampledFrames) {
  const Json curve = curve_of(ramp(10), 10, 5);
  EXPECT_EQ(curve["encoding"], "f64");
  EXPECT_EQ(curve["step"], 5);
  EXPECT_EQ(numbers_of<double>(curve["values"]), ramp(10));
}

TEST(Curve, GapsAreNaN) {
  std::vector<double> values = ramp(6);
  values[2] = std::numeric_limits<double>::quiet_NaN();
  const auto read = numbers_of<double>(curve_of(values, 10)["values"]);
  ASSERT_EQ(read.size(), 6U);
  EXPECT_TRUE(std::isnan(read[2]));
  EXPECT_EQ(read[3], 3.0);
}

TEST(Curve, OneBadFrameOfManyIsInTheEnvelope) {
  std::vector<double> values(200'000, 95.5);
  values[123'456] = 0.0;
  const Json curve = curve_of(values, 300);
  EXPECT_EQ(curve["encoding"], "f32");
  EXPECT_EQ(curve["step"], 667);
  EXPECT_EQ(curve["count"], 300);
  const auto least = numbers_of<float>(curve["min"]);
  ASSERT_EQ(least.size(), 300U);
  for (size_t i = 0; i < least.size(); ++i) EXPECT_EQ(least[i], i == 123'456 / 667 ? 0.0F : 95.5F) << i;
  for (const float greatest : numbers_of<float>(curve["max"])) EXPECT_EQ(greatest, 95.5F);
}

TEST(Curve, NoValueLiesOutsideItsEnvelope) {
  std::mt19937_64 random(5);
  std::uniform_int_distribution<std::uint64_t> any;
  std::vector<double> values;
  while (values.size() < 20'000) {
    const double value = std::bit_cast<double>(any(random));
    if (!std::isnan(value)) values.push_back(value);
  }
  for (const double edge : {3.4028234663852886e38, 3.4028234663852890e38, 1e39, -1e39, 1e-50, -1e-50, 0.1}) values.push_back(edge);
  const Json curve = curve_of(values, 7'000);
  const auto least = numbers_of<float>(curve["min"]);
  const auto greatest = numbers_of<float>(curve["max"]);
  const size_t step = curve["step"].get<size_t>();
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_LE(static_cast<double>(least[i / step]), values[i]);
    EXPECT_GE(static_cast<double>(greatest[i / step]), values[i]);
  }
}

TEST(Curve, BinaryRoundingIsTheNearestOnTheRightSide) {
  const std::vector<double> values = {0.1, -0.1, 1.0, kInfinity, -kInfinity, 1e39};
  const auto decode = [](const std::string& text) { return numbers_of<float>(nlohmann::json(text)); };
  const auto down = decode(base64_rounded_down(values));
  const auto up = decode(base64_rounded_up(values));
  EXPECT_EQ(down[0], std::nextafter(0.1F, -1.0F));  // 0.1F is above 0.1
  EXPECT_EQ(up[0], 0.1F);
  EXPECT_EQ(up[1], std::nextafter(-0.1F, 1.0F));
  EXPECT_EQ(down[2], 1.0F);
  EXPECT_EQ(up[2], 1.0F);
  EXPECT_EQ(down[3], std::numeric_limits<float>::infinity());
  EXPECT_EQ(up[4], -std::numeric_limits<float>::infinity());
  EXPECT_EQ(down[5], std::numeric_limits<float>::max());
  EXPECT_EQ(up[5], std::numeric_limits<float>::infinity());
}

TEST(Curve, FarFramesTakeNoMemory) {
  Curve curve({0, kLastFrame}, 300);
  curve.add(0, 1.0);
  curve.add(kLastFrame, 2.0);
  const Json json = curve.json();  // two values: their grid has two points
  EXPECT_EQ(json["encoding"], "f64");
  EXPECT_EQ(json["step"], kLastFrame);
  Curve odd({0, kLastFrame}, 300);
  for (const std::int64_t frame : {std::int64_t{0}, std::int64_t{7}, kLastFrame}) odd.add(frame, 1.0);
  EXPECT_EQ(odd.json()["encoding"], "f32");
  EXPECT_LE(odd.json()["count"], 300);
}

TEST(Curve, SeveralShareOneGrid) {
  Curve a({0, 8}, 9);
  Curve b({0, 8}, 9);
  for (std::int64_t frame = 0; frame <= 8; frame += 4) a.add(frame, 1);
  for (std::int64_t frame = 0; frame <= 8; frame += 2) b.add(frame, 2);
  const Curve none({0, 8}, 9);
  const std::vector<const Curve*> curves = {&a, &b, &none};
  const std::vector<Json> json = Curve::on_one_grid(curves);
  for (const Json& curve : json) {
    EXPECT_EQ(curve["encoding"], "f64");
    EXPECT_EQ(curve["step"], 2);
    EXPECT_EQ(curve["count"], 5);
  }
  EXPECT_TRUE(std::isnan(numbers_of<double>(json[0]["values"])[1]));
  Curve many({0, 8}, 3);
  for (std::int64_t frame = 0; frame <= 8; ++frame) many.add(frame, 3);
  const Curve few({0, 8}, 3);
  const std::vector<const Curve*> mixed = {&many, &few};
  for (const Json& curve : Curve::on_one_grid(mixed)) {
    EXPECT_EQ(curve["encoding"], "f32");
    EXPECT_EQ(curve["count"], 3);
  }
}

}  // namespace
}  // namespace vmafbatch::report
