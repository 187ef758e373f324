#include "io/pair_options.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/number_text.h"

namespace vmafbatch::io {
namespace {

constexpr std::string_view kAlignedBy = "aligned by ";

// In the order in which they are written.
constexpr std::array kKeys = {"skip_reference", "skip_distorted", "frames", "start",   "duration",     "sync",
                              "reference_raw",  "distorted_raw",  "scale",  "convert", "strict_length"};
// What other rooms write behind them.
constexpr std::array kLaterKeys = {"auto_align", "align_search"};

bool is_layout(std::string_view pixel_format) {
  return pixel_format == "420" || pixel_format == "422" || pixel_format == "444" || pixel_format == "400";
}

std::string geometry_text(const RawGeometry& raw) {
  return std::to_string(raw.width) + "x" + std::to_string(raw.height) + ":" + raw.pixel_format + ":" +
         std::to_string(raw.bit_depth.value_or(8)) + "@" + std::to_string(raw.fps_numerator) + "/" + std::to_string(raw.fps_denominator);
}

// Cuts `text` at the first `separator` and returns what was before it; nothing where there is none.
std::optional<std::string_view> take_until(std::string_view& text, char separator) {
  const size_t at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at + 1);
  return before;
}

std::optional<int> positive(std::optional<std::string_view> text) {
  const std::optional<std::int64_t> number = text ? parse_integer(*text) : std::nullopt;
  constexpr std::int64_t kMost = 1'000'000'000;
  if (!number || *number < 1 || *number > kMost) return std::nullopt;
  return static_cast<int>(*number);
}

std::optional<RawGeometry> parse_geometry(std::string_view text) {
  const std::optional<int> width = positive(take_until(text, 'x'));
  const std::optional<int> height = positive(take_until(text, ':'));
  const std::optional<std::string_view> pixel_format = take_until(text, ':');
  const std::optional<int> depth = positive(take_until(text, '@'));
  const std::optional<int> numerator = positive(take_until(text, '/'));
  const std::optional<int> denominator = positive(text);
  if (!width || !height || !pixel_format || !depth || !numerator || !denominator) return std::nullopt;
  RawGeometry raw;
  raw.width = *width;
  raw.height = *height;
  raw.pixel_format = std::string(*pixel_format);
  if (is_layout(*pixel_format)) raw.bit_depth = depth;  // a name of FFmpeg says it itself
  raw.fps_numerator = *numerator;
  raw.fps_denominator = *denominator;
  return raw;
}

// Sets `to`; false where there is no such value.
template <class Value, class To>
bool set(const std::optional<Value>& value, To& to) {
  if (value) to = *value;
  return value.has_value();
}

std::optional<std::int64_t> count(std::string_view text) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;  // of pictures; sums of such numbers do not overflow
  const std::optional<std::int64_t> number = parse_integer(text);
  return number && *number >= 0 && *number <= kMost ? number : std::nullopt;
}

std::optional<double> time(std::string_view text) {
  const std::optional<double> seconds = parse_decimal(text);
  return seconds && std::isfinite(*seconds) && *seconds >= 0 ? seconds : std::nullopt;
}

bool take(std::string_view key, std::string_view value, PairOptions& options) {
  if (key == "skip_reference") return set(count(value), options.skip_reference);
  if (key == "skip_distorted") return set(count(value), options.skip_distorted);
  if (key == "frames") return set(count(value), options.frames);
  if (key == "start") return set(time(value), options.start_s);
  if (key == "duration") return set(time(value), options.duration_s);
  if (key == "reference_raw") return set(parse_geometry(value), options.reference_raw);
  if (key == "distorted_raw") return set(parse_geometry(value), options.distorted_raw);
  if (key == "convert") return options.convert = value == "true";
  if (key == "strict_length") return options.strict_length = value == "true";
  if (key == "sync") {
    const Result<Sync> sync = parse_sync(std::string(value));
    if (sync.ok()) options.sync = *sync;
    return sync.ok();
  }
  const Result<Scaler> scaler = parse_scaler(value);
  if (scaler.ok()) options.scaler = *scaler;
  return scaler.ok();
}

void add(std::string& text, const std::string& name, const std::string& value) { text += (text.empty() ? "" : " ") + name + "=" + value; }

Error not_readable(std::string_view word) {
  return Error{"\"" + std::string(word) +
               "\" among the options of the scoring cannot be read; use the vmafbatch that scored it, or a newer one"};
}

// The last word of `text`, cut off.
std::string_view take_last_word(std::string_view& text) {
  const size_t at = text.rfind(' ');
  const std::string_view word = at == std::string_view::npos ? text : text.substr(at + 1);
  text = at == std::string_view::npos ? std::string_view() : text.substr(0, at);
  return word;
}

}  // namespace

std::string pair_options_text(const PairOptions& options) {
  std::string text;
  if (options.skip_reference != 0) add(text, "skip_reference", std::to_string(options.skip_reference));
  if (options.skip_distorted != 0) add(text, "skip_distorted", std::to_string(options.skip_distorted));
  if (options.frames) add(text, "frames", std::to_string(*options.frames));
  if (options.start_s) add(text, "start", format_double(*options.start_s));
  if (options.duration_s) add(text, "duration", format_double(*options.duration_s));
  if (options.sync == Sync::kTimestamp) add(text, "sync", "timestamp");
  if (options.reference_raw) add(text, "reference_raw", geometry_text(*options.reference_raw));
  if (options.distorted_raw) add(text, "distorted_raw", geometry_text(*options.distorted_raw));
  add(text, "scale", scaler_name(options.scaler));
  if (options.convert) add(text, "convert", "true");
  if (options.strict_length) add(text, "strict_length", "true");
  return text;
}

// From the end: what stands before is the features' own text, which may hold anything. `scale` is always there, and keys come in one order.
Result<PairOptions> parse_pair_options(std::string_view scoring_options) {
  PairOptions options;
  bool scale_seen = false;
  for (auto before = kKeys.end(); !scoring_options.empty() || !scale_seen;) {
    std::string_view rest = scoring_options;
    const std::string_view word = take_last_word(rest);
    std::string_view value = word;
    const std::string_view key = take_until(value, '=').value_or(std::string_view());
    const auto found = std::find(kKeys.begin(), before, key);
    if (found != before) {
      if (!take(key, value, options)) return not_readable(word);
      before = found;
      scale_seen = scale_seen || key == "scale";
    } else if (scale_seen) {
      break;
    } else if (std::ranges::find(kLaterKeys, key) == kLaterKeys.end()) {
      return not_readable(word);
    }
    scoring_options = rest;
  }
  return options;
}

std::string alignment_note(std::optional<std::int64_t> skip_reference, std::optional<std::int64_t> skip_distorted) {
  std::string text(kAlignedBy);
  if (skip_reference) text += "skip_reference " + std::to_string(*skip_reference);
  if (skip_reference && skip_distorted) text += " and ";
  if (skip_distorted) text += "skip_distorted " + std::to_string(*skip_distorted);
  return text;
}

Status apply_alignment_note(std::string_view pictures, PairOptions& options) {
  const size_t at = pictures.rfind(kAlignedBy);
  if (at == std::string_view::npos) return {};
  std::string_view rest = pictures.substr(at + kAlignedBy.size());
  const Error unreadable{"\"" + std::string(pictures.substr(at)) + "\", what was done to the pictures, cannot be read; use the version " +
                         "of vmafbatch that scored them, or a newer one"};
  while (!rest.empty()) {
    std::string_view word = take_until(rest, ' ').value_or(std::string_view());
    if (word == "and") continue;
    std::string_view number = rest;
    if (const std::optional<std::string_view> first = take_until(rest, ' ')) {
      number = *first;
    } else {
      rest = {};
    }
    std::int64_t* skip = word == "skip_reference" ? &options.skip_reference : word == "skip_distorted" ? &options.skip_distorted : nullptr;
    if (skip == nullptr || !set(count(number), *skip)) return unreadable;
  }
  return {};
}

GroupSpec pair_spec(const std::string& reference, const std::string& distorted, const PairOptions& options) {
  GroupSpec spec;
  spec.reference = reference;
  spec.reference_raw = options.reference_raw;
  spec.skip_reference = options.skip_reference;
  spec.start_s = options.start_s;
  spec.duration_s = options.duration_s;
  spec.frames = options.frames;
  spec.scaler = options.scaler;
  spec.sync = options.sync;
  spec.strict_length = options.strict_length;
  spec.convert = options.convert;
  spec.members.push_back({distorted, options.distorted_raw, options.skip_distorted});
  return spec;
}

}  // namespace vmafbatch::io
