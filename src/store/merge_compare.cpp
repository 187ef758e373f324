#include "store/merge_compare.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/utf8.h"
#include "store/database.h"
#include "store/diff_equality.h"
#include "store/raw_statement.h"
#include "store/row_copy.h"

namespace vmafbatch::store {
namespace {

using Columns = std::map<std::string, std::int64_t>;  // feature -> scoring_feature.id

Columns columns_of_scoring(const MergeSide& side) {
  SQLite::Statement find(side.database,
                         "SELECT f.name, sf.id FROM scoring_feature sf JOIN feature f ON f.id = sf.feature WHERE sf.scoring = ?");
  find.bind(1, side.scoring);
  Columns columns;
  while (find.executeStep()) columns.emplace(column_bytes(find, 0), find.getColumn(1).getInt64());
  return columns;
}

class Comparer {
 public:
  Comparer(const MergeSide& kept, const MergeSide& other, bool whole) : kept_(kept), other_(other), whole_(whole) {}

  std::optional<std::string> run() {
    if (auto difference = compare_files()) return difference;
    if (whole_) {
      if (auto difference = compare_counts()) return difference;
      if (auto difference = compare_failures()) return difference;
    }
    const Columns kept = columns_of_scoring(kept_);
    const Columns other = columns_of_scoring(other_);
    if (whole_) {
      if (auto difference = one_sided(kept, other, kept_.name)) return difference;
      if (auto difference = one_sided(other, kept, other_.name)) return difference;
    }
    for (const auto& [feature, id] : kept) {
      const auto place = other.find(feature);
      if (place == other.end()) continue;
      if (auto difference = compare_frames(feature, id, place->second)) return difference;
      if (auto difference = compare_aggregates(feature, id, place->second)) return difference;
      if (!whole_) continue;
      if (auto difference = compare_pooled(feature, id, place->second)) return difference;
    }
    return std::nullopt;
  }

 private:
  // Size and time of the files are equal; where both know the content, that must be, too.
  std::optional<std::string> compare_files() {
    for (const char* file : {"reference", "distorted"}) {
      const auto hash = [&](const MergeSide& side) {
        RawStatement find(side.database, fmt::format("SELECT coalesce({}_hash, '') FROM scoring WHERE id = ?", file));
        find.bind(1, side.scoring);
        return find.step() ? find.bytes(0) : std::string();
      };
      const std::string kept = hash(kept_);
      const std::string other = hash(other_);
      if (!kept.empty() && !other.empty() && kept != other)
        return fmt::format("the {} file has one content in {} and another in {}", file, kept_.name, other_.name);
    }
    return std::nullopt;
  }

  std::optional<std::string> compare_counts() {
    for (const auto& [column, name] : {std::pair("frames", "frames"), std::pair("identical_frames", "identical frames")}) {
      const auto count = [column = column](const MergeSide& side) {
        RawStatement find(side.database, fmt::format("SELECT coalesce({}, 0) FROM scoring WHERE id = ?", column));
        find.bind(1, side.scoring);
        return find.step() ? find.integer(0) : 0;
      };
      const std::int64_t kept = count(kept_);
      const std::int64_t other = count(other_);
      if (kept != other) return fmt::format("there are {} {} in {} and {} in {}", kept, name, kept_.name, other, other_.name);
    }
    return std::nullopt;
  }

  // What failed, and where. Reasons name places of the machine that scored. Of a failed scoring nothing is left that could differ.
  std::optional<std::string> compare_failures() {
    const auto failures = [](const MergeSide& side) {
      RawStatement find(
          side.database,
          "SELECT DISTINCT coalesce(e.name, 'the clip'), coalesce(x.frame, -1) FROM scoring s JOIN failure x ON x.scoring = s.id "
          "LEFT JOIN scoring_extractor e ON e.scoring = s.id AND e.extractor = x.extractor "
          "WHERE s.id = ? AND s.status <> 'failed'");
      find.bind(1, side.scoring);
      std::set<std::pair<std::string, std::int64_t>> found;
      while (find.step()) found.emplace(find.bytes(0), find.integer(1));
      return found;
    };
    const auto kept = failures(kept_);
    const auto other = failures(other_);
    for (const auto* side : {&kept, &other}) {
      for (const auto& failure : *side) {
        if (kept.contains(failure) && other.contains(failure)) continue;
        return fmt::format("{} failed{} only in {}", display_text(failure.first),
                           failure.second < 0 ? "" : fmt::format(" at frame {}", failure.second), side == &kept ? kept_.name : other_.name);
      }
    }
    return std::nullopt;
  }

  // They follow from the frames, which are equal: where they are not, one of the databases was changed.
  std::optional<std::string> compare_pooled(const std::string& feature, std::int64_t kept, std::int64_t other) {
    const std::vector<std::string> columns = columns_of(kept_.database, "pooled_score");
    const auto row = [&](const MergeSide& side, std::int64_t column) {
      RawStatement find(side.database, fmt::format("SELECT {} FROM pooled_score WHERE scoring_feature = ?", fmt::join(columns, ", ")));
      find.bind(1, column);
      std::vector<std::string> images(columns.size());
      if (!find.step()) return images;
      for (size_t index = 0; index < columns.size(); ++index)
        if (columns[index] != "scoring_feature") images[index] = find.image(static_cast<int>(index));
      return images;
    };
    const std::vector<std::string> left = row(kept_, kept);
    const std::vector<std::string> right = row(other_, other);
    for (size_t index = 0; index < columns.size(); ++index) {
      if (left[index] == right[index]) continue;
      return fmt::format("the pooled value \"{}\" of feature {} is not the same in {} and in {}", columns[index], display_text(feature),
                         kept_.name, other_.name);
    }
    return std::nullopt;
  }

  static std::optional<std::string> one_sided(const Columns& columns, const Columns& others, const std::string& where) {
    for (const auto& [feature, id] : columns) {
      if (!others.contains(feature)) return fmt::format("feature {} is only in {}", display_text(feature), where);
    }
    return std::nullopt;
  }

  std::optional<std::string> compare_frames(const std::string& feature, std::int64_t kept, std::int64_t other) {
    constexpr const char* kSql = "SELECT frame, value FROM frame_score WHERE scoring_feature = ? ORDER BY frame";
    RawStatement left(kept_.database, kSql);
    RawStatement right(other_.database, kSql);
    left.bind(1, kept);
    right.bind(1, other);
    bool has_left = left.step();
    bool has_right = right.step();
    while (has_left || has_right) {
      const bool only_left = !has_right || (has_left && left.integer(0) < right.integer(0));
      const bool only_right = !has_left || (has_right && right.integer(0) < left.integer(0));
      if (whole_ && (only_left || only_right)) {
        return fmt::format("feature {} at frame {} is only in {}", display_text(feature), only_left ? left.integer(0) : right.integer(0),
                           only_left ? kept_.name : other_.name);
      }
      if (!only_left && !only_right && !same_bits(left.real(1), right.real(1))) {
        return differ(fmt::format("{} at frame {}", display_text(feature), left.integer(0)), left.real(1), right.real(1));
      }
      if (!only_right) has_left = left.step();
      if (!only_left) has_right = right.step();
    }
    return std::nullopt;
  }

  std::optional<std::string> compare_aggregates(const std::string& feature, std::int64_t kept, std::int64_t other) {
    const auto aggregate = [](const MergeSide& side, std::int64_t column) -> std::optional<double> {
      SQLite::Statement find(side.database, "SELECT value FROM aggregate_score WHERE scoring_feature = ?");
      find.bind(1, column);
      if (!find.executeStep()) return std::nullopt;
      return find.getColumn(0).getDouble();
    };
    const auto left = aggregate(kept_, kept);
    const auto right = aggregate(other_, other);
    if (left && right) {
      if (same_bits(*left, *right)) return std::nullopt;
      return differ(fmt::format("{} of the whole clip", display_text(feature)), *left, *right);
    }
    if (!whole_ || left.has_value() == right.has_value()) return std::nullopt;
    return fmt::format("feature {} of the whole clip is only in {}", display_text(feature), left ? kept_.name : other_.name);
  }

  std::string differ(const std::string& what, double kept, double other) const {
    return fmt::format("feature {} is {} in {} and {} in {}", what, format_double(kept), kept_.name, format_double(other), other_.name);
  }

  const MergeSide& kept_;
  const MergeSide& other_;
  const bool whole_;
};

}  // namespace

std::optional<std::string> first_difference(const MergeSide& kept, const MergeSide& other, bool whole) {
  return Comparer(kept, other, whole).run();
}

}  // namespace vmafbatch::store
