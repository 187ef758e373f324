// <VMAF version=""><params qualityWidth="" qualityHeight=""/><frames><frame frameNum="0" psnr_y="31.5"/>...
#include <algorithm>
#include <utility>

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
    if (path == "VMAF/aggregate_metrics") return aggregates();
    if (path == "VMAF/params") {
      builder_.log().width = size("qualityWidth");
      builder_.log().height = size("qualityHeight");
    } else if (path == "VMAF") {
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

  // 0 where there is none that a picture can have.
  int size(std::string_view name) const {
    const auto value = parse_integer(attribute(name));
    return value && *value > 0 && *value <= 1'000'000 ? static_cast<int>(*value) : 0;
  }

  Result<double> score(const std::string& name, const std::string& text) const {
    const auto value = parse_score(text);
    if (!value) return log_error(scanner_.line(), quoted(name) + " is " + quoted(text) + ", which is no number");
    return *value;
  }

  Status frame() {
    const std::string number = attribute("frameNum");
    if (number.empty()) return log_error(scanner_.line(), "a frame has no \"frameNum\"");
    if (Status started = builder_.start_frame(number, scanner_.line()); !started.ok()) return started;
    bool has_number = false;
    for (const auto& [name, text] : scanner_.attributes()) {
      if (name == "frameNum" && !std::exchange(has_number, true)) continue;
      const auto value = score(name, text);
      if (!value.ok()) return value.error();
      if (Status added = builder_.add(name, *value, scanner_.line()); !added.ok()) return added;
    }
    return {};
  }

  Status aggregates() {
    for (const auto& [name, text] : scanner_.attributes()) {
      const auto value = score(name, text);
      if (!value.ok()) return value.error();
      if (Status added = builder_.add_aggregate(name, *value, scanner_.line()); !added.ok()) return added;
    }
    return {};
  }

  XmlScanner scanner_;
  LogBuilder builder_{"xml"};
};

}  // namespace

Result<ScoreLog> parse_xml_log(std::string_view text) { return XmlLog(text).parse(); }

}  // namespace vmafbatch::store
