// Rules of `gate`, damaged: a rule that reads back the same, or one sentence with a column.
#include <stdexcept>
#include <string>

#include "base/utf8.h"
#include "fuzz/fuzz_main.h"
#include "report/rule.h"

namespace {

using vmafbatch::report::Rule;

constexpr const char* kRules[] = {"vmaf.p5 >= 85", "psnr_y.min >= 30 if tag.codec = av1 and height >= 1080 and tag.\"my crf\" < 3e1",
                                  "\"a b.c\".harmonic_mean != -inf if tag.'it''s' != \"x\"\"y\" # why",
                                  "apsnr_y.value<=40.5 if warnings=0 and identical_frames>0"};

void require(bool ok, const std::string& what) {
  if (!ok) throw std::logic_error(what);
}

void check_sentence(const std::string& message) {
  require(message.find("column ") != std::string::npos, "no column: " + message);
  require(message.find('\n') == std::string::npos && vmafbatch::is_utf8(message), "no sentence: " + message);
}

void require_equal(const vmafbatch::report::Check& a, const vmafbatch::report::Check& b) {
  require(a.quantity.name == b.quantity.name && a.quantity.statistic == b.quantity.statistic && a.comparison == b.comparison &&
              a.number == b.number && a.text == b.text,
          "another check is read back");
}

void try_rule(const std::string& text) {
  const auto rule = vmafbatch::report::parse_rule(text);
  if (!rule.ok()) return check_sentence(rule.error().message);
  require(rule->check.number == rule->check.number, "a bound that is no number");
  const auto again = vmafbatch::report::parse_rule(rule->text);
  require(again.ok() && again->text == rule->text && again->conditions.size() == rule->conditions.size(),
          "\"" + rule->text + "\" does not read back");
  require_equal(rule->check, again->check);
  for (size_t index = 0; index < rule->conditions.size(); ++index) require_equal(rule->conditions[index], again->conditions[index]);
}

void try_file(vmafbatch::fuzz::Random& random) {
  std::string text;
  for (size_t count = random.index(5); count > 0; --count) text += std::string(random.pick(kRules)) + "\n";
  const auto rules = vmafbatch::report::parse_rules(vmafbatch::fuzz::damaged(text, random), "r");
  if (!rules.ok()) check_sentence(rules.error().message);
}

}  // namespace

int main(int argc, char** argv) {
  return vmafbatch::fuzz::run(argc, argv, [](vmafbatch::fuzz::Random& random) {
    random.one_in(4) ? try_file(random) : try_rule(vmafbatch::fuzz::damaged(random.pick(kRules), random));
  });
}
