#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vmafbatch::report {

/// A file of the pages as the program holds it: made by the build from src/report/web/ and from the installed package libjs-dygraphs.
struct WebAsset {
  std::string_view path;       // as index.html names it: "app.js"
  std::string_view mime_type;  // "text/javascript; charset=utf-8"
  std::string_view text;
};

/// What a server gives: index.html and what it loads. The page then fetches its documents from api/ beside it (docs/report-data.md).
std::span<const WebAsset> web_assets();

/// The policy that a server sends with every page: scripts, styles and pictures from itself only, nothing inline.
inline constexpr std::string_view kServedPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

/// The same page as one file: scripts and styles are inside, and its own policy lets it load nothing else. Write these parts with
/// embedded_document()s between them:
///
///   out << page.head << (the documents that the first view needs: summary, clips) << page.scripts << (all others) << page.tail;
///
/// The page shows its first view when it has come to `scripts`, while the rest is still being read.
struct ReportPage {
  std::string_view head, scripts, tail;
};
ReportPage report_page();

/// A document (docs/report-data.md) as an element that the page finds by its name, "summary" or "clip-17": <script type="application/json"
/// id="data-NAME">. No text inside the JSON can end the element, because every '<' is written \u003c, which JSON reads as the same.
/// REQUIRES: name is of letters, digits and "-"; json is one JSON value in UTF-8.
std::string embedded_document(std::string_view name, std::string_view json);

}  // namespace vmafbatch::report
