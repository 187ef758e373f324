#include "store/pooling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "store/scratch.h"

namespace vmafbatch::store {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Pool, FollowsTheSpecificationBitForBit) {
  const std::vector<double> values = {37.815404, 37.748867, 0.1, 99.9, 1e-9, 0.3};
  // libvmaf's sums, written out.
  double sum = 0;
  double inverse_sum = 0;
  for (const double value : values) {
    sum += value;
    inverse_sum += 1.0 / (value + 1.0);
  }
  const PooledValues pooled = pool(values);
  EXPECT_EQ(pooled.frames, 6);
  EXPECT_EQ(bits(pooled.mean), bits(sum / 6.0));
  EXPECT_EQ(bits(pooled.harmonic_mean), bits(6.0 / inverse_sum - 1.0));
  EXPECT_EQ(pooled.min, 1e-9);
  EXPECT_EQ(pooled.max, 99.9);
}

TEST(Pool, SumsInFrameOrder) {
  // Another order of these three gives other bits.
  EXPECT_EQ(bits(pool(std::vector<double>{1e16, 1.0, -1e16}).mean), bits(0.0));
  EXPECT_EQ(bits(pool(std::vector<double>{1e16, -1e16, 1.0}).mean), bits(1.0 / 3.0));
}

TEST(Pool, EqualsTheReportOfTheReference) {
  // A report of libvmaf: two frames of psnr_y, pooled to six digits.
  const PooledValues pooled = pool(std::vector<double>{37.815404, 37.748867});
  EXPECT_NEAR(pooled.mean, 37.782136, 1e-6);
  EXPECT_NEAR(pooled.harmonic_mean, 37.782107, 1e-6);
}

TEST(Pool, DeviationIsThePopulations) {
  EXPECT_EQ(pool(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9}).stddev, 2.0);
  EXPECT_EQ(pool(std::vector<double>{3}).stddev, 0.0);
}

TEST(Pool, HarmonicMeanOfMinusOneIsMinusOne) { EXPECT_EQ(pool(std::vector<double>{-1.0, 5.0}).harmonic_mean, -1.0); }

TEST(Pool, InfiniteValuesFollowIeee) {
  const PooledValues pooled = pool(std::vector<double>{60.0, kInfinity, 40.0});
  EXPECT_EQ(pooled.mean, kInfinity);
  EXPECT_TRUE(std::isnan(pooled.stddev));
  EXPECT_EQ(bits(pooled.harmonic_mean), bits(3.0 / (1.0 / 61.0 + 0.0 + 1.0 / 41.0) - 1.0));
  EXPECT_EQ(pooled.infinite, 1);
  EXPECT_EQ(pooled.finite_mean, 50.0);
  EXPECT_EQ(pooled.p50, 60.0);
  EXPECT_EQ(pooled.p99, kInfinity);
}

TEST(Pool, BothInfinitiesHaveNoMean) {
  const PooledValues pooled = pool(std::vector<double>{-kInfinity, kInfinity});
  EXPECT_TRUE(std::isnan(pooled.mean));
  EXPECT_TRUE(std::isnan(pooled.finite_mean));
  EXPECT_TRUE(std::isnan(pooled.p50));
  EXPECT_EQ(pooled.infinite, 2);
  EXPECT_EQ(pool(std::vector<double>{-kInfinity, 1.0}).p50, -kInfinity);
}

TEST(Pool, NegativeZeroComesBeforeZero) {
  EXPECT_EQ(bits(pool(std::vector<double>{0.0, -0.0, 0.0, -0.0, -0.0}).p1), bits(-0.0));
  EXPECT_EQ(bits(pool(std::vector<double>{0.0, -0.0, 0.0, -0.0, 0.0}).p99), bits(0.0));
  EXPECT_EQ(bits(pool(std::vector<double>{-0.0, 0.0}).min), bits(-0.0)) << "min is the first of equal values";
}

TEST(Percentile, InterpolatesBetweenOrderStatistics) {
  std::vector<double> values;
  for (int i = 0; i <= 100; ++i) values.push_back(i);
  for (const int percent : {0, 1, 5, 50, 99, 100}) EXPECT_EQ(percentile(values, percent), percent);
  EXPECT_EQ(percentile(std::vector<double>{10, 20}, 50), 15.0);
  EXPECT_EQ(percentile(std::vector<double>{10, 20}, 1), 10.0 + 10.0 * 0.01);
  EXPECT_EQ(percentile(std::vector<double>{10, 20, 40}, 75), 30.0);
  EXPECT_EQ(percentile(std::vector<double>{7}, 99), 7.0);
}

}  // namespace
}  // namespace vmafbatch::store
