#include "report/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <utility>

#include "base/named_file.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "store/text.h"

namespace vmafbatch::report {
namespace {

constexpr size_t kLongestRule = 10'000;
constexpr size_t kLongestFile = 1 << 20;

constexpr std::pair<std::string_view, Comparison> kComparisons[] = {
    // The longer ones first: ">=" begins with ">".
    {">=", Comparison::kAtLeast}, {"<=", Comparison::kAtMost}, {"!=", Comparison::kDifferent},
    {">", Comparison::kAbove},    {"<", Comparison::kBelow},   {"=", Comparison::kEqual},
};

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > ' ' && byte != 0x7F && std::string_view("\"'<>=!()[]{},;&|#").find(c) == std::string_view::npos;
}

// A piece of the text. A word may hold quoted parts: tag."my codec".
struct Token {
  enum class Kind { kWord, kComparison, kEnd };
  Kind kind = Kind::kEnd;
  size_t at = 0;             // byte of the text
  std::string text;          // of a word: without quotes
  std::vector<size_t> dots;  // of a word: the places of the dots in `text` that are not quoted
  bool quoted = false;       // of a word: some of it is
  Comparison comparison = Comparison::kAtLeast;
};

// What is wrong, and where.
struct Problem {
  size_t at;
  std::string what;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { advance(); }

  // Throws Problem.
  Rule parse() {
    Rule rule;
    rule.check = parse_check(true);
    if (is_keyword("if")) {
      do {
        advance();
        rule.conditions.push_back(parse_check(false));
      } while (is_keyword("and"));
    }
    if (token_.kind != Token::Kind::kEnd) {
      fail(rule.conditions.empty() ? "\"if\" or the end of the rule" : "\"and\" or the end of the rule");
    }
    rule.text = text_.substr(0, token_.at);
    rule.text.erase(std::find_if_not(rule.text.rbegin(), rule.text.rend(), is_space).base(), rule.text.end());
    rule.text.erase(rule.text.begin(), std::find_if_not(rule.text.begin(), rule.text.end(), is_space));
    return rule;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    std::string found = "the end";
    if (token_.kind != Token::Kind::kEnd) found = fmt::format("\"{}\"", store::line_text(text_.substr(token_.at, at_ - token_.at)));
    throw Problem{token_.at, fmt::format("{} is expected, not {}", expected, found)};
  }

  bool is_keyword(std::string_view word) const { return token_.kind == Token::Kind::kWord && !token_.quoted && token_.text == word; }

  // -- Check ------------------------------------------------------------------------------------------------------------------------

  Check parse_check(bool is_rule) {
    Check check;
    if (token_.kind != Token::Kind::kWord) fail("a quantity such as vmaf.p5");
    if (is_keyword("if") || is_keyword("and")) fail("a quantity such as vmaf.p5");
    check.quantity = quantity(is_rule);
    advance();
    if (token_.kind != Token::Kind::kComparison) fail("one of >= > <= < = !=");
    check.comparison = token_.comparison;
    advance();
    const bool as_text = check.quantity.kind == Quantity::Kind::kTag &&
                         (check.comparison == Comparison::kEqual || check.comparison == Comparison::kDifferent);
    if (token_.kind != Token::Kind::kWord) fail(as_text ? "a value" : "a number");
    if (!as_text) check.number = number();
    check.text = token_.text;
    advance();
    return check;
  }

  double number() const {
    const auto number = token_.quoted ? std::nullopt : rule_number(token_.text);
    if (!number) fail("a number");
    return *number;
  }

  Quantity quantity(bool is_rule) const {
    if (token_.dots.empty()) return clip_quantity();
    const bool is_tag = text_.substr(token_.at).starts_with("tag.");
    if (is_tag && is_rule) throw Problem{token_.at, "a tag can only stand behind \"if\""};
    if (is_tag) return named(Quantity::Kind::kTag, token_.text.substr(4), "");
    const size_t dot = token_.dots.back();
    const std::string name = token_.text.substr(0, dot);
    const std::string statistic = token_.text.substr(dot + 1);
    if (statistic == "value") return named(Quantity::Kind::kAggregate, name, statistic);
    if (std::ranges::find(pooled_statistics(), statistic) == pooled_statistics().end()) {
      throw Problem{token_.at, fmt::format("\"{}\" is no statistic; use one of {}, value", store::line_text(statistic),
                                           fmt::join(pooled_statistics(), ", "))};
    }
    return named(Quantity::Kind::kPooled, name, statistic);
  }

  Quantity named(Quantity::Kind kind, const std::string& name, const std::string& statistic) const {
    if (name.empty()) throw Problem{token_.at, "a name is missing beside the dot"};
    return {kind, name, statistic};
  }

  Quantity clip_quantity() const {
    if (!token_.quoted && std::ranges::find(clip_quantities(), token_.text) != clip_quantities().end()) {
      return {Quantity::Kind::kClip, token_.text, ""};
    }
    throw Problem{token_.at,
                  fmt::format("\"{}\" names no quantity; write FEATURE.STATISTIC (vmaf.mean), tag.NAME behind \"if\", or one of {}",
                              store::line_text(token_.text), fmt::join(clip_quantities(), ", "))};
  }

  // -- Tokens -----------------------------------------------------------------------------------------------------------------------

  void advance() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    token_ = Token();
    token_.at = at_;
    if (at_ == text_.size() || text_[at_] == '#') return;
    for (const auto& [name, comparison] : kComparisons) {
      if (!text_.substr(at_).starts_with(name)) continue;
      token_.kind = Token::Kind::kComparison;
      token_.comparison = comparison;
      at_ += name.size();
      return;
    }
    take_word();
  }

  void take_word() {
    token_.kind = Token::Kind::kWord;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        take_quoted(c);
      } else if (is_word(c)) {
        if (c == '.') token_.dots.push_back(token_.text.size());
        token_.text += c;
        ++at_;
      } else {
        break;
      }
    }
    if (at_ == token_.at)
      throw Problem{at_,
                    fmt::format("\"{}\" has no meaning here; put names that hold it in quotes", store::line_text(text_.substr(at_, 1)))};
  }

  // A quote in a quoted text is written twice, as in SQL.
  void take_quoted(char quote) {
    const size_t begin = at_++;
    token_.quoted = true;
    while (true) {
      const size_t end = text_.find(quote, at_);
      if (end == std::string_view::npos) throw Problem{begin, "the quote has no end"};
      token_.text += text_.substr(at_, end - at_);
      at_ = end + 1;
      if (at_ == text_.size() || text_[at_] != quote) return;
      token_.text += quote;
      ++at_;
    }
  }

  std::string_view text_;
  size_t at_ = 0;  // behind token_
  Token token_;
};

// Characters before the byte `at`, plus one. Every byte that continues none begins one.
size_t column_of(std::string_view text, size_t at) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  return at + 1 - static_cast<size_t>(std::ranges::count_if(text.substr(0, at), continues));
}

// parse_rule without the rule in the error's beginning: "column 3: ...".
Result<Rule> parse(std::string_view text) {
  if (text.size() > kLongestRule) return Error{fmt::format("column 1: the rule is longer than {} bytes", kLongestRule)};
  try {
    return Parser(text).parse();
  } catch (const Problem& problem) {
    return Error{fmt::format("column {}: {}", column_of(text, problem.at), problem.what)};
  }
}

bool is_blank(std::string_view line) {
  const auto* const first = std::ranges::find_if_not(line, is_space);
  return first == line.end() || *first == '#';
}

}  // namespace

const std::vector<std::string>& pooled_statistics() {
  static const std::vector<std::string> kNames = {"frames", "mean", "min", "max", "harmonic_mean", "stddev",   "p1",         "p5",
                                                  "p10",    "p50",  "p90", "p95", "p99",           "infinite", "finite_mean"};
  return kNames;
}

const std::vector<std::string>& clip_quantities() {
  static const std::vector<std::string> kNames = {"frames", "identical_frames", "warnings", "width", "height", "fps"};
  return kNames;
}

Result<Rule> parse_rule(std::string_view text) {
  auto rule = parse(text);
  if (!rule.ok()) return Error{fmt::format("rule \"{}\", {}", store::line_text(text.substr(0, 200)), rule.error().message)};
  return rule;
}

Result<std::vector<Rule>> parse_rules(std::string_view text, const std::string& name) {
  std::vector<Rule> rules;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // the mark that some editors put before UTF-8
  for (std::int64_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (is_blank(line)) continue;
    auto rule = parse(line);
    if (!rule.ok()) return Error{fmt::format("{}: line {}, {}", display_text(name), number, rule.error().message)};
    rules.push_back(std::move(*rule));
  }
  return rules;
}

Result<std::vector<Rule>> read_rules(const std::string& path) {
  if (Status status = refuse_special(path); !status.ok()) return status.error();
  std::ifstream file(path, std::ios::binary);
  std::string text(kLongestFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad() || (file.fail() && !file.eof())) {
    return Error{fmt::format("{}: the file with the rules cannot be read; check its name and its permissions", display_text(path))};
  }
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kLongestFile) return Error{fmt::format("{}: a file of rules has at most 1 MiB; name another one", display_text(path))};
  auto rules = parse_rules(text, path);
  if (rules.ok() && rules->empty()) return Error{fmt::format("{}: the file holds no rule; write one a line", display_text(path))};
  return rules;
}

std::optional<double> rule_number(std::string_view text) {
  return text == "inf" || text == "-inf" ? parse_double(text) : parse_decimal(text);
}

bool holds(Comparison comparison, double left, double right) {
  switch (comparison) {
    case Comparison::kAtLeast: return left >= right;
    case Comparison::kAbove: return left > right;
    case Comparison::kAtMost: return left <= right;
    case Comparison::kBelow: return left < right;
    case Comparison::kEqual: return left == right;
    case Comparison::kDifferent: return left < right || left > right;  // NaN is not different: it is no number
  }
  return false;
}

}  // namespace vmafbatch::report
