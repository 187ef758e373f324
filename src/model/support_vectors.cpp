#include "model/support_vectors.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "base/number_text.h"
#include "base/simd.h"
#include "model/exponential_math.h"

namespace vmafbatch::model {
namespace {

constexpr std::string_view kSpaces = " \t\r\v\f";
constexpr std::string_view kSpacesAndLines = " \t\r\v\f\n";

// The next word of `text`, which it shortens; empty at the end.
std::string_view take_word(std::string_view& text, std::string_view separators) {
  text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(separators));
  text.remove_prefix(word.size());
  return word;
}

// As an error message shows a word of the file: short and printable.
std::string shown(std::string_view word) {
  std::string text = "\"";
  for (const char c : word.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (word.size() > 40 ? "...\"" : "\"");
}

std::optional<double> finite_number(std::string_view word) {
  if (word.size() > 1000) return std::nullopt;
  const std::optional<double> value = parse_double(word);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::size_t> whole_number(std::string_view word) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// What the header says, and how much of it has been said.
struct Header {
  std::optional<double> gamma, rho;
  std::optional<std::size_t> total;
  bool type = false, kernel = false;
};

Status expect_word(std::string_view name, std::string_view value, std::string_view expected) {
  if (value == expected) return {};
  return Error{"the support vectors have " + std::string(name) + " " + shown(value) + "; only " + std::string(expected) + " is supported"};
}

Status read_header_item(Header& header, std::string_view name, std::string_view value) {
  const auto broken = [&] {
    return Error{"the support vectors have " + std::string(name) + " " + shown(value) + ", which is no valid number"};
  };
  if (name == "svm_type") {
    header.type = true;
    return expect_word(name, value, "nu_svr");
  }
  if (name == "kernel_type") {
    header.kernel = true;
    return expect_word(name, value, "rbf");
  }
  if (name == "nr_class") return expect_word(name, value, "2");
  if (name == "gamma") {
    header.gamma = finite_number(value);
    if (!header.gamma || *header.gamma < 0.0) return broken();
    return {};
  }
  if (name == "rho") {
    header.rho = finite_number(value);
    if (!header.rho) return broken();
    return {};
  }
  if (name == "total_sv") {
    header.total = whole_number(value);
    if (!header.total) return broken();
    return {};
  }
  return Error{"the support vectors have an unknown header word " + shown(name)};
}

// Reads up to and including "SV"; `text` is left behind it.
Result<Header> read_header(std::string_view& text) {
  Header header;
  while (true) {
    const std::string_view name = take_word(text, kSpacesAndLines);
    if (name.empty()) return Error{"the support vectors end before the line \"SV\""};
    if (name == "SV") break;
    const Status read = read_header_item(header, name, take_word(text, kSpacesAndLines));
    if (!read) return read.error();
  }
  const char* missing = nullptr;
  if (!header.total) missing = "total_sv";
  if (!header.rho) missing = "rho";
  if (!header.gamma) missing = "gamma";
  if (!header.kernel) missing = "kernel_type";
  if (!header.type) missing = "svm_type";
  if (missing != nullptr) return Error{"the support vectors have no " + std::string(missing)};
  return header;
}

// Reads "<coef> <index>:<value> ..." into the vector's components, which are 0 before.
Status read_vector(std::string_view line, double& coefficient, std::span<double> components) {
  const std::string_view first = take_word(line, kSpaces);
  const std::optional<double> number = finite_number(first);
  if (!number) return Error{"starts with " + shown(first) + " instead of a coefficient"};
  coefficient = *number;
  std::size_t previous = 0;
  for (std::string_view word = take_word(line, kSpaces); !word.empty(); word = take_word(line, kSpaces)) {
    const std::size_t colon = word.find(':');
    const std::optional<std::size_t> index = whole_number(word.substr(0, colon));
    const std::optional<double> value = colon == std::string_view::npos ? std::nullopt : finite_number(word.substr(colon + 1));
    if (!index || !value) return Error{"has " + shown(word) + " where INDEX:VALUE is expected"};
    if (*index <= previous || *index > components.size()) {
      return Error{"has index " + std::to_string(*index) + "; indices ascend from 1 to " + std::to_string(components.size())};
    }
    components[*index - 1] = *value;
    previous = *index;
  }
  return {};
}

[[gnu::always_inline]] inline double decision_value_inline(const SupportVectors& svm, const double* x) {
  const std::size_t dimensions = svm.dimensions;
  const double* vector = svm.components.data();
  const double negative_gamma = -svm.gamma;
  double sum = 0.0;
  for (const double coefficient : svm.coefficients) {
    double squares = 0.0;
    for (std::size_t i = 0; i < dimensions; ++i) {
      const double difference = x[i] - vector[i];
      squares = squares + difference * difference;
    }
    sum = sum + coefficient * exponential_inline(negative_gamma * squares);
    vector += dimensions;
  }
  return sum - svm.rho;
}

#if defined(__x86_64__)
// Only std::fma becomes an instruction: -ffp-contract=off holds here too.
[[gnu::target("avx,fma")]] double fused_decision_value(const SupportVectors& svm, const double* x) { return decision_value_inline(svm, x); }

bool has_fused_instructions() {
  static const bool has = __builtin_cpu_supports("avx") && __builtin_cpu_supports("fma");
  return has;
}
#endif

}  // namespace

Result<SupportVectors> parse_support_vectors(std::string_view text, std::size_t dimensions, std::size_t max_components) {
  const Result<Header> header = read_header(text);
  if (!header) return header.error();
  const std::size_t total = *header->total;
  SupportVectors svm;
  svm.gamma = *header->gamma;
  svm.rho = *header->rho;
  svm.dimensions = dimensions;
  text.remove_prefix(std::min(text.find('\n'), text.size()));  // the rest of the line "SV"
  // Grown line by line: total_sv is not to be believed before the lines are there.
  for (std::size_t j = 0; j < total; ++j) {
    if (text.empty() || text.size() == 1) {
      return Error{"total_sv is " + std::to_string(total) + ", but there are only " + std::to_string(j) + " support vectors"};
    }
    text.remove_prefix(1);
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size());
    if (svm.components.size() + dimensions > max_components) return Error{"there are too many support vectors"};
    svm.components.resize(svm.components.size() + dimensions, 0.0);
    svm.coefficients.push_back(0.0);
    const Status read = read_vector(line, svm.coefficients.back(), std::span(svm.components).last(dimensions));
    if (!read) return Error{"support vector " + std::to_string(j + 1) + " " + read.error().message};
  }
  return svm;
}

double slow_decision_value(const SupportVectors& svm, std::span<const double> x) { return decision_value_inline(svm, x.data()); }

double decision_value(const SupportVectors& svm, std::span<const double> x) {
#if defined(__x86_64__)
  if (simd_mode() == SimdMode::kBest && has_fused_instructions()) return fused_decision_value(svm, x.data());
#endif
  return slow_decision_value(svm, x);
}

}  // namespace vmafbatch::model
