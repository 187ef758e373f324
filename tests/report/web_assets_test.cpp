#include "report/web_assets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace vmafbatch::report {
namespace {

TEST(WebAssets, EveryFileThatThePageNamesIsThere) {
  const auto assets = web_assets();
  const auto index = std::ranges::find(assets, "index.html", &WebAsset::path);
  ASSERT_NE(index, assets.end());
  for (const WebAsset& asset : assets) {
    if (asset.path != "index.html") {
      EXPECT_NE(index->text.find('"' + std::string(asset.path) + '"'), std::string::npos) << asset.path;
    }
    EXPECT_FALSE(asset.text.empty()) << asset.path;
  }
}

TEST(WebAssets, TheScriptHasNoModuleSyntaxLeft) {
  const auto assets = web_assets();
  const auto script = std::ranges::find(assets, "app.js", &WebAsset::path);
  ASSERT_NE(script, assets.end());
  EXPECT_EQ(script->text.find("\nimport "), std::string::npos);
  EXPECT_EQ(script->text.find("\nexport "), std::string::npos);
}

TEST(ReportPage, ThePartsHoldEverythingAndLoadNothing) {
  const ReportPage page = report_page();
  EXPECT_TRUE(page.head.starts_with("<!doctype html>"));
  EXPECT_TRUE(page.tail.ends_with("</html>\n"));
  const std::string whole = std::string(page.head) + std::string(page.scripts) + std::string(page.tail);
  EXPECT_EQ(whole.find(" src="), std::string::npos);
  EXPECT_EQ(whole.find("<link"), std::string::npos);
  EXPECT_EQ(whole.find("<!-- documents -->"), std::string::npos);
  EXPECT_NE(page.head.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
  for (const WebAsset& asset : web_assets()) {
    if (asset.path.ends_with(".js") || asset.path.ends_with(".css")) {
      EXPECT_NE(whole.find(asset.text), std::string::npos) << asset.path;
    }
  }
}

TEST(EmbeddedDocument, NoTextInsideEndsTheElement) {
  const std::string text = embedded_document("clip-17", R"({"name":"</script><!-- <img src=x onerror=alert(1)>"})");
  EXPECT_EQ(text,
            "<script type=\"application/json\" id=\"data-clip-17\">"
            R"({"name":"\u003c/script>\u003c!-- \u003cimg src=x onerror=alert(1)>"})"
            "</script>\n");
}

TEST(EmbeddedDocument, TextWithoutSignsToEscapeStaysAsItIs) {
  EXPECT_EQ(embedded_document("summary", "[1,2]"), "<script type=\"application/json\" id=\"data-summary\">[1,2]</script>\n");
}

}  // namespace
}  // namespace vmafbatch::report
