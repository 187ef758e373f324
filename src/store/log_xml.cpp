// <VMAF version=""><params qualityWidth="" qualityHeight=""/><frames><frame frameNum="0" psnr_y="31.5"/>...
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/number_text.h"
#include "store/log_builder.h"
#include "store/log_formats.h"
#include "store/xml_scanner.h"

namespace vmafbatch::store {
namespace {

class XmlLog {
 public:
  explicit XmlLog(std::string_view text) : scanner_(text) {}

  Result<ScoreLog> parse() {
    while (true) {
      const auto more = scanner_.next();
      if (!more.ok()) return more.error();
      if (!*more) break;
      if (Status status = element(); !status.ok()) return status.error();
    }
    return builder_.finish();
  }

 private:
  Status element() {
    const std::string& path = scanner_.path();
    if (path == "VMAF/frames/frame") return frame();
    if (path == "VMAF/frames" || path == "VMAF/params" || path == "VMAF/aggregate_metrics") {
      if (!seen_.insert(path).second) return log_error(scanner_.line(), "the element " + quoted(path) + " is there twice");
    }
    if (path == "VMAF/aggregate_metrics") return aggregates();
    if (path == "VMAF/params") {
      Status width = read_size("qualityWidth", builder_.log().width);
      return width.ok() ? read_size("qualityHeight", builder_.log().height) : width;
    }
    if (path == "VMAF") {
      builder_.log().version = attribute("version");
    } else if (path.find('/') == std::string::npos) {
      return log_error(scanner_.line(), "the root element is " + quoted(path) + ", not \"VMAF\"");
    }
    return {};
  }

  std::string attribute(std::string_view name) const {
    const auto place =
        std::ranges::find(scanner_.attributes(), name, [](const auto& attribute) { return std::string_view(attribute.first); });
    return place == scanner_.attributes().end() ? std::string() : place->second;
  }

  // Leaves `size` where there is none.
  Status read_size(std::string_view name, int& size) const {
    constexpr std::int64_t kLargest = 1'000'000;
    const std::string text = attribute(name);
    if (text.empty()) return {};
    const auto value = parse_integer(text);
    if (!value || *value < 0 || *value > kLargest)
      return log_error(scanner_.line(), fmt::format("{} is {}, which is no size of a picture", quoted(name), quoted(text)));
    size = static_cast<int>(*value);
    return {};
  }

  Status frame() {
    const std::string number = attribute("frameNum");
    if (number.empty()) return log_error(scanner_.line(), "a frame has no \"frameNum\"");
    if (Status started = builder_.start_frame(number, scanner_.line()); !started.ok()) return started;
    for (const auto& [name, text] : scanner_.attributes()) {
      if (name == "frameNum") continue;
      const auto value = parse_score(name, text, scanner_.line());
      if (!value.ok()) return value.error();
      if (Status added = builder_.add(name, *value, scanner_.line()); !added.ok()) return added;
    }
    return {};
  }

  Status aggregates() {
    for (const auto& [name, text] : scanner_.attributes()) {
      const auto value = parse_score(name, text, scanner_.line());
      if (!value.ok()) return value.error();
      if (Status added = builder_.add_aggregate(name, *value, scanner_.line()); !added.ok()) return added;
    }
    return {};
  }

  XmlScanner scanner_;
  LogBuilder builder_{"xml"};
  std::set<std::string> seen_;  // of the elements that a log has once
};

}  // namespace

Result<ScoreLog> parse_xml_log(std::string_view text) { return XmlLog(text).parse(); }

}  // namespace vmafbatch::store
