#include "model/support_vectors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "model/exponential.h"
#include "sample_model.h"
#include "support/run_extractor.h"

namespace vmafbatch::model {
namespace {

using vmafbatch::testing::same_bits;
using vmafbatch::testing::sample_svm;

constexpr std::size_t kManyComponents = 100000;
const std::string kHeader = "svm_type nu_svr\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho -0.25\nSV\n";

TEST(SupportVectors, MissingComponentsAreZero) {
  const auto svm = parse_support_vectors(kHeader + "4 1:0.5 3:-1e-3 \n-4 2:0.25\n", 3, kManyComponents);
  ASSERT_TRUE(svm) << svm.error().message;
  EXPECT_EQ(svm->gamma, 0.5);
  EXPECT_EQ(svm->rho, -0.25);
  EXPECT_EQ(svm->coefficients, (std::vector<double>{4.0, -4.0}));
  EXPECT_EQ(svm->components, (std::vector<double>{0.5, 0.0, -1e-3, 0.0, 0.25, 0.0}));
}

TEST(SupportVectors, LinesBeyondTheTotalAreIgnored) {
  const auto svm = parse_support_vectors(kHeader + "1 1:1\n2 1:2\n3 this is no vector\n", 1, kManyComponents);
  ASSERT_TRUE(svm) << svm.error().message;
  EXPECT_EQ(svm->coefficients.size(), 2u);
}

TEST(SupportVectors, AcceptTheLastLineWithoutAnEnd) { EXPECT_TRUE(parse_support_vectors(kHeader + "1 1:1\n2 1:2", 1, kManyComponents)); }

struct Refusal {
  const char* name;
  std::string text;
  const char* expected;
};

class SupportVectorRefusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(SupportVectorRefusals, SayWhatIsWrong) {
  const auto svm = parse_support_vectors(GetParam().text, 2, 4);
  ASSERT_FALSE(svm);
  EXPECT_NE(svm.error().message.find(GetParam().expected), std::string::npos) << svm.error().message;
}

const std::string kStart = "svm_type nu_svr\nkernel_type rbf\ngamma 0.5\nnr_class 2\n";

INSTANTIATE_TEST_SUITE_P(
    Texts, SupportVectorRefusals,
    ::testing::Values(Refusal{"Empty", "", "end before"}, Refusal{"OtherMachine", "svm_type c_svc\nSV\n", "only nu_svr"},
                      Refusal{"OtherKernel", "svm_type nu_svr\nkernel_type linear\nSV\n", "only rbf"},
                      Refusal{"OtherClasses", "nr_class 3\nSV\n", "only 2"}, Refusal{"UnknownWord", "colour red\nSV\n", "\"colour\""},
                      Refusal{"GammaNotANumber", "gamma nan\nSV\n", "gamma"}, Refusal{"GammaNegative", "gamma -1\nSV\n", "gamma"},
                      Refusal{"RhoInfinite", "rho inf\nSV\n", "rho"}, Refusal{"TotalNegative", "total_sv -1\nSV\n", "total_sv"},
                      Refusal{"NoRho", kStart + "total_sv 0\nSV\n", "no rho"}, Refusal{"NoTotal", kStart + "rho 1\nSV\n", "no total_sv"},
                      Refusal{"NoGamma", "svm_type nu_svr\nkernel_type rbf\nSV\n", "no gamma"}, Refusal{"NoType", "SV\n", "no svm_type"},
                      Refusal{"FewerLines", kHeader + "1 1:1\n", "only 1 support vectors"},
                      Refusal{"HugeTotal", kStart + "rho 1\ntotal_sv 18446744073709551615\nSV\n1 1:1\n", "only 1 support vectors"},
                      Refusal{"TotalTooLarge", kStart + "rho 1\ntotal_sv 99999999999999999999\nSV\n1 1:1\n", "total_sv"},
                      Refusal{"TooManyComponents", kStart + "rho 1\ntotal_sv 3\nSV\n1\n1\n1\n", "too many"},
                      Refusal{"NoCoefficient", kHeader + "x 1:1\n1 1:1\n", "vector 1 starts with \"x\""},
                      Refusal{"CoefficientInfinite", kHeader + "1e999 1:1\n1 1:1\n", "vector 1"},
                      Refusal{"ValueNotANumber", kHeader + "1 1:nan\n1 1:1\n", "INDEX:VALUE"},
                      Refusal{"NoColon", kHeader + "1 1\n1 1:1\n", "INDEX:VALUE"},
                      Refusal{"IndexZero", kHeader + "1 0:1\n1 1:1\n", "has index 0"},
                      Refusal{"IndexTooLarge", kHeader + "1 1:1\n1 3:1\n", "vector 2 has index 3"},
                      Refusal{"IndexTwice", kHeader + "1 2:1 2:1\n1 1:1\n", "has index 2"},
                      Refusal{"Unprintable", "\x01\x02 1\nSV\n", "\"??\""}),
    [](const auto& test) { return test.param.name; });

TEST(DecisionValue, IsTheSumOfKernelsMinusRho) {
  const auto svm = parse_support_vectors(kHeader + "4 1:0.5\n-3 2:0.25\n", 2, kManyComponents);
  ASSERT_TRUE(svm);
  const double x[] = {0.3, 0.7};
  const double first = 4.0 * exponential(-0.5 * ((0.3 - 0.5) * (0.3 - 0.5) + 0.7 * 0.7));
  const double second = -3.0 * exponential(-0.5 * (0.3 * 0.3 + (0.7 - 0.25) * (0.7 - 0.25)));
  EXPECT_TRUE(same_bits(decision_value(*svm, x), first + second - -0.25));
}

TEST(DecisionValue, HasTheSameBitsOnBothPaths) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const int dimensions = 1 + trial % 9;
    const auto svm = parse_support_vectors(sample_svm(dimensions, 40, 0.37), static_cast<std::size_t>(dimensions), kManyComponents);
    ASSERT_TRUE(svm);
    std::normal_distribution<double> inputs(0.0, trial % 3 == 0 ? 100.0 : 1.0);
    std::vector<double> x(static_cast<std::size_t>(dimensions));
    for (double& value : x) value = inputs(random);
    ASSERT_TRUE(same_bits(decision_value(*svm, x), slow_decision_value(*svm, x))) << trial;
  }
}

}  // namespace
}  // namespace vmafbatch::model
