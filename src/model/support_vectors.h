// The decision function of a nu-SVR with an RBF kernel (Chang and Lin, "LIBSVM: a library for support vector machines", 2011) and
// libsvm's text format for it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vmafbatch::model {

// The vectors are dense: a component that the text leaves out is 0.
struct SupportVectors {
  double gamma = 0.0;  // >= 0
  double rho = 0.0;
  std::size_t dimensions = 0;        // components per vector = features of the model
  std::vector<double> coefficients;  // one per vector, in the file's order
  std::vector<double> components;    // vector j: [j * dimensions, (j + 1) * dimensions)
};

// Parses libsvm's text; only nu_svr with rbf. At most `max_components` components in all. The error is a sentence without a file's name.
Result<SupportVectors> parse_support_vectors(std::string_view text, std::size_t dimensions, std::size_t max_components);

// sum over j of coefficient_j * exp(-gamma * |x - vector_j|^2), minus rho; one running sum in the file's order.
// REQUIRES: x.size() == svm.dimensions
double decision_value(const SupportVectors& svm, std::span<const double> x);

// The same bits from baseline instructions: the plain twin of the path that uses fused multiply-add instructions.
double slow_decision_value(const SupportVectors& svm, std::span<const double> x);

}  // namespace vmafbatch::model
