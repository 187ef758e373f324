// Pairs of two folders by a name pattern.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/utf8.h"
#include "io/catalogue.h"
#include "io/catalogue_row.h"

namespace vmafbatch::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStem = "{stem}";

// A pattern's byte, or one of its two wild cards.
struct Token {
  enum class Kind { kByte, kOne, kAny };
  Kind kind;
  char byte;
};

void append_pattern(std::string_view pattern, std::vector<Token>& tokens) {
  for (const char c : pattern) {
    tokens.push_back({c == '*' ? Token::Kind::kAny : c == '?' ? Token::Kind::kOne : Token::Kind::kByte, c});
  }
}

std::vector<Token> pattern_for(std::string_view pattern, std::string_view stem) {
  std::vector<Token> tokens;
  const size_t at = pattern.find(kStem);
  append_pattern(pattern.substr(0, at), tokens);
  for (const char c : stem) tokens.push_back({Token::Kind::kByte, c});  // a '*' in a file's name is that byte
  append_pattern(pattern.substr(at + kStem.size()), tokens);
  return tokens;
}

// Goes back to the last "any" alone: what an earlier one took can stay.
bool matches(const std::vector<Token>& pattern, std::string_view text) {
  size_t p = 0;
  size_t t = 0;
  std::optional<std::pair<size_t, size_t>> retry;  // after the last "any": pattern and text position
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p].kind == Token::Kind::kAny) {
      retry = {++p, t};
    } else if (p < pattern.size() && (pattern[p].kind == Token::Kind::kOne || pattern[p].byte == text[t])) {
      ++p;
      ++t;
    } else if (retry) {
      p = retry->first;
      t = ++retry->second;
    } else {
      return false;
    }
  }
  return std::all_of(pattern.begin() + static_cast<std::ptrdiff_t>(p), pattern.end(),
                     [](const Token& token) { return token.kind == Token::Kind::kAny; });
}

Result<std::vector<fs::path>> files_of(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code unreadable;
    if (entry->is_regular_file(unreadable) && entry->path().filename().native().front() != '.') files.push_back(entry->path());
  }
  if (error) return Error{folder + ": the folder cannot be read: " + error.message()};
  std::sort(files.begin(), files.end());
  return files;
}

struct Reference {
  fs::path path;
  std::vector<Token> pattern;
  bool used = false;
};

// By stem, longest first: "city_night" claims "city_night_1" before "city" does.
struct LongestFirst {
  bool operator()(const std::string& a, const std::string& b) const { return a.size() != b.size() ? a.size() > b.size() : a < b; }
};
using References = std::map<std::string, Reference, LongestFirst>;

Result<References> references_of(const std::string& folder, std::string_view pattern) {
  const auto files = files_of(folder);
  if (!files) return files.error();
  References references;
  for (const fs::path& file : *files) {
    const std::string stem = file.stem().native();
    const auto [earlier, is_new] = references.emplace(stem, Reference{file, pattern_for(pattern, stem), false});
    if (!is_new)
      return Error{file.native() + " and " + earlier->second.path.native() + " have the same stem; {stem} cannot tell them apart"};
  }
  return references;
}

}  // namespace

Result<FolderMatch> match_folders(const std::string& reference_dir, const std::string& distorted_dir, std::string_view pattern) {
  if (pattern.find(kStem) == std::string_view::npos) {
    return Error{"the pattern '" + std::string(pattern) + "' has no {stem}; '{stem}_*' takes city_1.mp4 and city_2.mp4 for city.y4m"};
  }
  auto references = references_of(reference_dir, pattern);
  if (!references) return references.error();
  const auto distorted = files_of(distorted_dir);
  if (!distorted) return distorted.error();

  FolderMatch match;
  for (const fs::path& file : *distorted) {
    const auto found = std::find_if(references->begin(), references->end(), [&](const auto& entry) {
      const Reference& reference = entry.second;
      return reference.path != file &&
             (matches(reference.pattern, file.stem().native()) || matches(reference.pattern, file.filename().native()));
    });
    if (found == references->end()) {
      match.unmatched.push_back(file.native() + ": no reference in " + reference_dir + " matches it by '" + std::string(pattern) + "'");
      continue;
    }
    found->second.used = true;
    CatalogueRow row;
    row.name = display_text(file.stem().native());
    row.reference = found->second.path.native();
    row.distorted = file.native();
    match.rows.push_back(std::move(row));
  }
  if (match.rows.empty())
    return Error{distorted_dir + ": no file matches a reference of " + reference_dir + " by '" + std::string(pattern) + "'"};
  for (const auto& [stem, reference] : *references) {
    if (!reference.used) match.unused.push_back(reference.path.native() + ": no file in " + distorted_dir + " matches it");
  }
  std::sort(match.rows.begin(), match.rows.end(), [](const CatalogueRow& a, const CatalogueRow& b) { return a.name < b.name; });
  for (size_t i = 1; i < match.rows.size(); ++i) {
    if (match.rows[i].name == match.rows[i - 1].name) {
      return Error{match.rows[i].distorted + " and " + match.rows[i - 1].distorted + " would both be named '" + match.rows[i].name +
                   "'; write a catalogue that names them"};
    }
  }
  return match;
}

}  // namespace vmafbatch::io
