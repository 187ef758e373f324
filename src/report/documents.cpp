#include "report/documents.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/clip_documents.h"
#include "report/ladders.h"
#include "store/newest_scoring.h"

namespace vmafbatch::report {
namespace {

std::string times_of(const ScoringData& scoring) {
  return fmt::format("{} {} {}", scoring.run, scoring.started_at, scoring.ended_at.value_or(""));
}

std::string row_text(ClipReader& reader, const RowKey& row, std::size_t features, ScoresCache* cache) {
  ClipData clip = read_clip_facts(reader, row);
  const bool may_keep = cache != nullptr && !clip.scoring.is_running();
  if (const std::string* kept = may_keep ? cache->find(clip.scoring, features) : nullptr) return clip_row(clip, *kept);
  read_clip_values(reader, clip, 0);
  std::string scores = scores_list(clip, features);
  std::string text = clip_row(clip, scores);
  if (may_keep) cache->add(clip.scoring, features, std::move(scores));
  return text;
}

std::optional<std::int64_t> newer_running(ReportDatabase& database, std::int64_t scoring) {
  SQLite::Statement statement(
      database.database(),
      "SELECT " + store::newest_open_sql("n.clip = s.clip AND n.label = s.label AND n.id > s.id") + " FROM scoring s WHERE s.id = ?");
  statement.bind(1, scoring);
  if (!statement.executeStep() || statement.isColumnNull(0)) return std::nullopt;
  return statement.getColumn(0).getInt64();
}

const ColumnData& column_of(const std::vector<ColumnData>& columns, std::size_t feature, std::int64_t scoring) {
  const auto column = std::ranges::find(columns, feature, &ColumnData::feature);
  if (column == columns.end() || column->per_clip) {
    throw Refused(Refused::Why::kNotThere, fmt::format("scoring {} has no frame values of feature {}", scoring, feature));
  }
  return *column;
}

}  // namespace

const std::string* ScoresCache::find(const ScoringData& scoring, std::size_t features) const {
  const auto list = lists_.find(scoring.id);
  return features != features_ || list == lists_.end() || list->second.of != times_of(scoring) ? nullptr : &list->second.scores;
}

void ScoresCache::add(const ScoringData& scoring, std::size_t features, std::string scores) {
  if (features != features_ || lists_.size() == kMostRows || bytes_ + scores.size() > kMostBytes) {
    lists_.clear();
    bytes_ = 0;
  }
  features_ = features;
  List& list = lists_[scoring.id];
  bytes_ += scores.size() - list.scores.size();
  list = {std::move(scores), times_of(scoring)};
}

Result<std::string> summary_document(ReportDatabase& database, const SummaryNotes& notes) {
  return database.read([&] { return json_document(summary_json(database, notes)); });
}

Result<std::string> clips_document(ReportDatabase& database, std::size_t first, std::size_t count, ScoresCache* cache,
                                   std::optional<std::chrono::milliseconds> time) {
  using Clock = std::chrono::steady_clock;
  return database.read([&] {
    const auto late = time ? Clock::now() + *time : Clock::time_point::max();
    ClipReader reader(database);
    const std::size_t features = database.features().size();
    const std::vector<RowKey> rows = database.rows();
    const std::size_t begin = std::min(first, rows.size());
    const std::size_t end = begin + std::min({count, kMostServedRows, rows.size() - begin});
    std::string text = fmt::format("{{\"first\":{},\"total\":{},\"clips\":[", begin, rows.size());
    for (std::size_t i = begin; i < end && (i == begin || Clock::now() < late); ++i) {
      text += (i == begin ? "" : ",") + row_text(reader, rows[i], features, cache);
    }
    return text + "]}";
  });
}

Result<std::string> clip_document(ReportDatabase& database, std::int64_t scoring) {
  return database.read([&] {
    ClipReader reader(database);
    const ClipData clip = read_clip(reader, {scoring, newer_running(database, scoring)}, kServedPoints);
    return json_document(clip_document(reader, clip));
  });
}

Result<std::string> frames_document(ReportDatabase& database, std::int64_t scoring, std::size_t feature, std::int64_t first,
                                    std::int64_t last) {
  return database.read([&] {
    if (first < 0 || last < first || last > kLastFrame) {
      throw Refused(Refused::Why::kWrong, fmt::format("frames {} to {} are no range of frames", first, last));
    }
    ClipReader reader(database);
    const ScoringData data = reader.scoring({scoring, std::nullopt});
    const std::vector<ColumnData> columns = reader.list_columns(scoring);
    const ColumnData& column = column_of(columns, feature, scoring);
    const FrameRange range = reader.value_range(column.id, first, last);
    Curve curve(range, kServedRangePoints);
    reader.values(column.id, range, [&](const FrameValue& value) { curve.add(value.frame, value.value); });
    return json_document(
        {{"id", scoring}, {"feature", feature}, {"first", first}, {"last", last}, {"fps", json_number(data.fps)}, {"curve", curve.json()}});
  });
}

Result<std::string> ladders_document(ReportDatabase& database) {
  return database.read([&] { return json_document(ladders_json(database)); });
}

}  // namespace vmafbatch::report
