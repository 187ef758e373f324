#include "store/log_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/number_text.h"
#include "base/utf8.h"
#include "store/text.h"

namespace vmafbatch::store {
namespace {

// "%.17f" of the largest double has 327 characters.
constexpr std::size_t kMaxNumberBytes = 400;

// As of `score --subsample`.
constexpr std::int64_t kMaxSubsample = 1'000'000;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

std::optional<double> number_of(std::string_view text) {
  if (text.empty() || text.size() > kMaxNumberBytes) return std::nullopt;
  std::string_view word = text;
  if (word.front() == '-' || word.front() == '+') word.remove_prefix(1);
  if (is_one_of(word, {"nan", "NaN", "NAN", "nan(ind)"})) return std::numeric_limits<double>::quiet_NaN();
  if (is_one_of(word, {"inf", "Inf", "INF", "infinity", "Infinity"})) {
    return text.front() == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  // strtod would take hexadecimal numbers and words, too.
  if (word.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;
  return parse_double(text);
}

// Digits became inf, or something became 0.
bool is_out_of_range(std::string_view text, double value) {
  const std::string_view digits = text.substr(0, text.find_first_of("eE"));
  return (std::isinf(value) && text.find_first_of("0123456789") != std::string_view::npos) ||
         (value == 0 && digits.find_first_of("123456789") != std::string_view::npos);
}

}  // namespace

Error log_error(std::size_t line, const std::string& text) { return Error{fmt::format("line {}: {}", line, text)}; }

std::string quoted(std::string_view bytes) {
  constexpr std::size_t kShown = 60;
  const bool is_long = bytes.size() > kShown;
  return "\"" + line_text(bytes.substr(0, kShown)) + (is_long ? "...\"" : "\"");
}

Result<double> parse_score(std::string_view name, std::string_view text, std::size_t line) {
  const auto value = number_of(text);
  if (!value) return log_error(line, fmt::format("{} is {}, which is no number", quoted(name), quoted(text)));
  if (is_out_of_range(text, *value))
    return log_error(line,
                     fmt::format("{} is {}, which is too {} for a double", quoted(name), quoted(text), *value == 0 ? "small" : "large"));
  return *value;
}

Status LogBuilder::start_frame(std::string_view number, std::size_t line) {
  const auto frame = parse_integer(number);
  if (!frame || *frame < 0 || *frame > kMaxLogFrame) {
    return log_error(line, fmt::format("{} is no frame number from 0 to {}", quoted(number), kMaxLogFrame));
  }
  rows_.push_back({*frame, line});
  next_ = 0;
  return {};
}

Status LogBuilder::check_name(std::string_view name, std::size_t line) const {
  if (name.empty()) return log_error(line, "a score has no name");
  if (name.size() > kMaxLogNameBytes) {
    return log_error(line, fmt::format("the name {} has {} bytes; a key has at most {}", quoted(name), name.size(), kMaxLogNameBytes));
  }
  const bool has_control = std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (has_control || !is_utf8(name)) return log_error(line, fmt::format("the name {} holds bytes that are no text", quoted(name)));
  return {};
}

Result<LogColumn*> LogBuilder::column(std::string_view name, std::size_t line) {
  if (next_ < log_.columns.size() && log_.columns[next_].name == name) return &log_.columns[next_++];
  const auto place = places_.find(std::string(name));
  if (place != places_.end()) {
    next_ = place->second + 1;
    return &log_.columns[place->second];
  }
  if (Status status = check_name(name, line); !status.ok()) return status.error();
  if (log_.columns.size() == kMaxLogColumns) return log_error(line, fmt::format("there are more than {} features", kMaxLogColumns));
  places_.emplace(name, log_.columns.size());
  LogColumn& added = log_.columns.emplace_back();
  added.name = name;
  next_ = log_.columns.size();
  return &added;
}

Status LogBuilder::declare(std::string_view name, std::size_t line) {
  const std::size_t before = log_.columns.size();
  const auto added = column(name, line);
  if (!added.ok()) return added.error();
  if (log_.columns.size() == before) return log_error(line, fmt::format("there are two columns {}", quoted(name)));
  return {};
}

Status LogBuilder::add(std::string_view name, double value, std::size_t line) {
  const auto place = column(name, line);
  if (!place.ok()) return place.error();
  LogColumn& target = **place;
  const std::int64_t frame = rows_.back().frame;
  if (std::isnan(value)) {
    ++target.nans;
    return {};
  }
  if (!target.values.empty() && target.values.back().first == frame) {
    return log_error(line, fmt::format("{} has two values at frame {}", quoted(name), frame));
  }
  target.values.emplace_back(frame, value);
  return {};
}

Status LogBuilder::add_null(std::string_view name, std::size_t line) {
  if (Status added = add(name, std::numeric_limits<double>::infinity(), line); !added.ok()) return added;
  ++log_.columns[next_ - 1].nulls;
  return {};
}

Status LogBuilder::add_aggregate(std::string_view name, double value, std::size_t line) {
  if (Status status = check_name(name, line); !status.ok()) return status;
  if (log_.aggregates.size() == kMaxLogColumns) return log_error(line, fmt::format("there are more than {} features", kMaxLogColumns));
  const auto same = [&](const LogAggregate& aggregate) { return aggregate.name == name; };
  if (std::ranges::any_of(log_.aggregates, same)) return log_error(line, fmt::format("there are two aggregates {}", quoted(name)));
  LogAggregate& added = log_.aggregates.emplace_back();
  added.name = name;
  if (!std::isnan(value)) added.value = value;
  return {};
}

Status LogBuilder::add_null_aggregate(std::string_view name, std::size_t line) {
  if (Status added = add_aggregate(name, std::numeric_limits<double>::infinity(), line); !added.ok()) return added;
  log_.aggregates.back().was_null = true;
  return {};
}

Result<ScoreLog> LogBuilder::finish() {
  const auto by_frame = [](const Row& a, const Row& b) { return a.frame < b.frame; };
  std::ranges::stable_sort(rows_, by_frame);
  const auto same_frame = [](const Row& a, const Row& b) { return a.frame == b.frame; };
  if (const auto twice = std::ranges::adjacent_find(rows_, same_frame); twice != rows_.end()) {
    return log_error((twice + 1)->line, fmt::format("frame {} was on line {} already", twice->frame, twice->line));
  }
  for (const LogAggregate& aggregate : log_.aggregates) {
    if (places_.contains(aggregate.name))
      return Error{fmt::format("{} is a feature of frames and of the whole clip", quoted(aggregate.name))};
  }
  for (LogColumn& column : log_.columns) {
    const auto first = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::ranges::is_sorted(column.values, first)) std::ranges::sort(column.values, first);
  }
  if (rows_.empty() && log_.aggregates.empty()) return Error{"the log holds no frame and no score"};
  if (!rows_.empty()) {
    std::int64_t step = 0;
    for (const Row& row : rows_) step = std::gcd(step, row.frame);
    log_.frames = rows_.back().frame + 1;
    log_.subsample = step > 1 && step <= kMaxSubsample ? step : 1;
  }
  return std::move(log_);
}

}  // namespace vmafbatch::store
