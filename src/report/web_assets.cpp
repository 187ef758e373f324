#include "report/web_assets.h"

#include <array>

#include "report/web_assets_data.h"

namespace vmafbatch::report {
namespace {

constexpr std::string_view kHtml = "text/html; charset=utf-8";
constexpr std::string_view kCss = "text/css; charset=utf-8";
constexpr std::string_view kJavaScript = "text/javascript; charset=utf-8";

constexpr std::array kAssets = {
    WebAsset{"index.html", kHtml, web::kIndexHtml},  WebAsset{"app.css", kCss, web::kAppCss},
    WebAsset{"app.js", kJavaScript, web::kAppJs},    WebAsset{"icon.svg", "image/svg+xml", web::kIconSvg},
    WebAsset{"dygraph.css", kCss, web::kDygraphCss}, WebAsset{"dygraph.js", kJavaScript, web::kDygraphJs},
};

}  // namespace

std::span<const WebAsset> web_assets() { return kAssets; }

ReportPage report_page() { return {web::kPageHead, web::kPageScripts, web::kPageTail}; }

std::string embedded_document(std::string_view name, std::string_view json) {
  std::string text = "<script type=\"application/json\" id=\"data-";
  text.reserve(text.size() + name.size() + json.size() + json.size() / 64 + 16);
  text.append(name).append("\">");
  for (size_t start = 0; start < json.size();) {
    const size_t end = json.find('<', start);
    text.append(json.substr(start, end - start));
    if (end == std::string_view::npos) break;
    text.append("\\u003c");
    start = end + 1;
  }
  return text.append("</script>\n");
}

}  // namespace vmafbatch::report
