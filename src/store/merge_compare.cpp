#include "store/merge_compare.h"

#include <fmt/format.h>

#include <map>

#include "base/number_text.h"
#include "base/utf8.h"
#include "store/database.h"
#include "store/diff_equality.h"
#include "store/raw_statement.h"

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
    if (whole_) {
      if (auto difference = compare_counts()) return difference;
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
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> compare_counts() {
    const auto count = [](const MergeSide& side) {
      SQLite::Statement find(side.database, "SELECT coalesce(frames, 0) FROM scoring WHERE id = ?");
      find.bind(1, side.scoring);
      return find.executeStep() ? find.getColumn(0).getInt64() : 0;
    };
    const std::int64_t kept = count(kept_);
    const std::int64_t other = count(other_);
    if (kept == other) return std::nullopt;
    return fmt::format("there are {} frames in {} and {} in {}", kept, kept_.name, other, other_.name);
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
