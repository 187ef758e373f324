#include "model/exponential.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace vmafbatch::model {
namespace {

TEST(ExponentialTable, HasThePublishedChecksums) {
  std::uint64_t powers = 0, rests = 0;
  for (const std::uint64_t bits : kPowerBits) powers ^= bits;
  for (const std::uint64_t bits : kPowerRestBits) rests ^= bits;
  EXPECT_EQ(powers, 0x000f409897daa0a2u);
  EXPECT_EQ(rests, 0xbce32cf79e4b3b37u);
}

TEST(ExponentialTable, HasThePublishedEntries) {
  EXPECT_EQ(std::bit_cast<double>(kPowerBits[0]), 1.0);
  EXPECT_EQ(std::bit_cast<double>(kPowerBits[1]), 0x1.0163da9fb3335p+0);
  EXPECT_EQ(std::bit_cast<double>(kPowerBits[64]), 0x1.6a09e667f3bcdp+0);
  EXPECT_EQ(std::bit_cast<double>(kPowerBits[127]), 0x1.fd3c22b8f71f1p+0);
  EXPECT_EQ(std::bit_cast<double>(kPowerRestBits[0]), 0.0);
  EXPECT_EQ(std::bit_cast<double>(kPowerRestBits[1]), 0x1.b3b4f1a88bf6ep-54);
  EXPECT_EQ(std::bit_cast<double>(kPowerRestBits[64]), -0x1.3b3efbf5e2228p-54);
  EXPECT_EQ(std::bit_cast<double>(kPowerRestBits[127]), 0x1.305c14160cc89p-58);
}

TEST(Exponential, IsOneAtZeroAndBesideIt) {
  EXPECT_EQ(exponential(0.0), 1.0);
  EXPECT_EQ(exponential(-0.0), 1.0);
  EXPECT_EQ(exponential(-0x1p-55), 1.0);
  EXPECT_EQ(exponential(-0x1p-53), 1.0 - 0x1p-53);
}

TEST(Exponential, IsZeroFarBelow) {
  EXPECT_EQ(exponential(-512.0), 0.0);
  EXPECT_EQ(exponential(-std::numeric_limits<double>::infinity()), 0.0);
  EXPECT_GT(exponential(std::nextafter(-512.0, 0.0)), 0.0);
}

TEST(Exponential, OfNotANumberIsNotANumber) { EXPECT_TRUE(std::isnan(exponential(std::numeric_limits<double>::quiet_NaN()))); }

// The method's error is below 0.512 units in the last place; long double is precise enough to see that.
TEST(Exponential, IsWithinItsErrorBoundOfTheTrueValue) {
  std::mt19937_64 random(1);
  for (const double lowest : {-1e-3, -2.0, -40.0, -500.0}) {
    std::uniform_real_distribution<double> arguments(lowest, 0.0);
    for (int i = 0; i < 50000; ++i) {
      const double x = arguments(random);
      const double got = exponential(x);
      const long double error = std::fabs(static_cast<long double>(got) - std::exp(static_cast<long double>(x)));
      const double unit = std::nextafter(got, 2.0) - got;
      ASSERT_LT(error / static_cast<long double>(unit), 0.52L) << x;
    }
  }
}

}  // namespace
}  // namespace vmafbatch::model
