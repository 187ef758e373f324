// Is a database whole, and is everything in it that it says is in it?
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "base/result.h"

namespace vmafbatch::store {

enum class VerifyFormat { kText, kJson };

struct VerifyOptions {
  bool hash = false;  // read the scored files and compare their content with the stored hashes
  VerifyFormat format = VerifyFormat::kText;
};

struct VerifySummary {
  std::int64_t scorings = 0;
  std::int64_t values = 0;    // of frames
  std::int64_t problems = 0;  // 0: clean
  std::int64_t clips_to_redo = 0;
  std::int64_t explained = 0;      // scorings that failed or are partial, and say why
  std::int64_t files = 0;          // whose hash is stored
  std::int64_t files_changed = 0;  // of these, with another size or content
  std::int64_t files_unread = 0;   // of these, that are not there or cannot be read
  std::int64_t files_unknown = 0;  // of which no hash is stored
};

// Checks and prints, to `out`, what docs/schema.md lists under "What must hold":
// - the file: SQLite's own integrity check, types, views, rows that belong to rows that are not there;
// - the rows that describe scorings (verify_rules.h);
// - the values of each scoring (verify_scoring.h);
// - with `hash`: the files of each (clip, label)'s newest scoring that has their hashes. A relative path is taken from the current folder;
//   files that cannot be read are one problem of the database, and no reason to score again.
// Scorings that were imported need not have every frame. text: a line a problem, the clips to redo, a summary. json: {"problems": [{"clip",
// "label", "problem"}, ...], "redo": [{"clip", "label"}, ...], "summary": {...}}; problems of the database itself have no clip.
// Memory grows with the longest clip, not with the database. Error: not a database of ours, or too damaged to be read at all.
Result<VerifySummary> verify_database(const std::string& path, const VerifyOptions& options, std::ostream& out);

}  // namespace vmafbatch::store
