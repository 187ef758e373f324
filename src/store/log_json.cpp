// {"version": ..., "frames": [{"frameNum": 0, "metrics": {"psnr_y": 31.5}}, ...], "aggregate_metrics": {...}}; members in any order.
#include <fmt/format.h>

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "store/json_scanner.h"
#include "store/log_builder.h"
#include "store/log_formats.h"

namespace vmafbatch::store {
namespace {

struct Null {};
using Score = std::variant<Null, double>;

class JsonLog {
 public:
  explicit JsonLog(std::string_view text) : scanner_(text) {}

  Result<ScoreLog> parse() {
    Status status = scanner_.object([this](const std::string& name) { return member(name); });
    if (status.ok()) status = scanner_.end();
    if (!status.ok()) return status.error();
    if (!has_frames_) return Error{"the JSON has no member \"frames\"; it is no log of libvmaf 2 or later"};
    return builder_.finish();
  }

 private:
  Status member(const std::string& name) {
    if (name == "frames") {
      has_frames_ = true;
      return scanner_.array([this] { return frame(); });
    }
    if (name == "version") return version();
    if (name == "aggregate_metrics") {
      return scores([this](const std::string& feature, Score score) {
        const double* const value = std::get_if<double>(&score);
        return value != nullptr ? builder_.add_aggregate(feature, *value, scanner_.line())
                                : builder_.add_null_aggregate(feature, scanner_.line());
      });
    }
    return scanner_.skip();
  }

  Status version() {
    const auto kind = scanner_.peek();
    if (!kind.ok()) return kind.error();
    if (*kind != JsonScanner::Kind::kString) return scanner_.skip();
    auto text = scanner_.string();
    if (!text.ok()) return text.error();
    builder_.log().version = std::move(*text);
    return {};
  }

  // The metrics may come before the number.
  Status frame() {
    const auto kind = scanner_.peek();
    if (!kind.ok()) return kind.error();
    const std::size_t line = scanner_.line();
    std::string number;
    metrics_.clear();
    Status status = scanner_.object([&](const std::string& name) -> Status {
      if (name == "metrics") return metrics();
      if (name != "frameNum") return scanner_.skip();
      const auto text = scanner_.scalar();
      if (!text.ok()) return text.error();
      number = *text;
      return {};
    });
    if (!status.ok()) return status;
    if (number.empty()) return log_error(line, "a frame has no \"frameNum\"");
    if (Status started = builder_.start_frame(number, line); !started.ok()) return started;
    for (const Metric& metric : metrics_) {
      const double* const value = std::get_if<double>(&metric.score);
      Status added = value != nullptr ? builder_.add(metric.name, *value, metric.line) : builder_.add_null(metric.name, metric.line);
      if (!added.ok()) return added;
    }
    return {};
  }

  Status metrics() {
    return scores([this](const std::string& name, Score score) -> Status {
      metrics_.push_back({name, score, scanner_.line()});
      return {};
    });
  }

  Status scores(const std::function<Status(const std::string&, Score)>& take) {
    return scanner_.object([&](const std::string& name) -> Status {
      const auto value = score(name);
      if (!value.ok()) return value.error();
      return take(name, *value);
    });
  }

  Result<Score> score(const std::string& name) {
    const auto kind = scanner_.peek();
    if (!kind.ok()) return kind.error();
    std::string text;
    if (*kind == JsonScanner::Kind::kString) {  // "inf" as this program writes it
      auto string = scanner_.string();
      if (!string.ok()) return string.error();
      text = std::move(*string);
    } else if (*kind == JsonScanner::Kind::kNumber || *kind == JsonScanner::Kind::kWord) {
      const auto scalar = scanner_.scalar();
      if (!scalar.ok()) return scalar.error();
      if (*scalar == "null") return Score(Null{});
      text = *scalar;
    } else {
      return log_error(scanner_.line(), quoted(name) + " is no number but a list or an object");
    }
    const auto value = parse_score(name, text, scanner_.line());
    if (!value.ok()) return value.error();
    return Score(*value);
  }

  struct Metric {
    std::string name;
    Score score;
    std::size_t line;
  };
  JsonScanner scanner_;
  LogBuilder builder_{"json"};
  std::vector<Metric> metrics_;  // of the frame that is being read
  bool has_frames_ = false;
};

}  // namespace

Result<ScoreLog> parse_json_log(std::string_view text) { return JsonLog(text).parse(); }

}  // namespace vmafbatch::store
