#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/utf8.h"
#include "report/base64.h"
#include "report/clip_documents.h"
#include "report/comparison.h"
#include "report/documents.h"
#include "report/ladders.h"
#include "report/point_budget.h"
#include "report/report_file.h"
#include "report/summary.h"
#include "report/web_assets.h"
#include "store/text.h"

namespace vmafbatch::report {
namespace {

constexpr std::size_t kMostNotes = 20;

// Pictures of the worst frames of one clip after another: planned while the database is read, made when it is closed.
class WorstPictures {
 public:
  WorstPictures(const ReportWish& wish, ReportFile& file, ReportOutcome& outcome) : wish_(wish), file_(file), outcome_(outcome) {}

  // A clip that has not ended has no pictures.
  void plan(ReportDatabase& database, const ClipData& clip) {
    if (wish_.worst == 0 || clip.scoring.is_running() || clip.columns.empty()) return;
    FrameWish frames;
    frames.scoring = clip.scoring.id;
    frames.worst = wish_.worst;
    frames.feature = wish_.worst_feature;
    frames.among = database.shown().features;
    database.row_read();
    Planned planned{clip.scoring.id, clip.scoring.name, plan_pictures(database.database(), frames), {}};
    if (planned.plan.ok()) {
      for (const WantedFrame& wanted : planned.plan->frames) planned.features[wanted.frame] = features_of(clip, wanted.frame);
    }
    planned_.push_back(std::move(planned));
  }

  // Writes each clip's pictures and the document `pictures`; what cannot be shown becomes a note, there and in the outcome.
  void make() {
    for (const Planned& clip : planned_) make(clip);
    if (more_ > 0) outcome_.notes.push_back(fmt::format("{} more clips or frames have no picture", more_));
  }

 private:
  struct Planned {
    std::int64_t id;
    std::string name;
    Result<PicturePlan> plan;
    std::map<std::int64_t, std::vector<std::size_t>> features;  // by frame: whose worst it is
  };

  void make(const Planned& clip) {
    Json pictures = Json::array();
    Json missing = Json::array();
    const auto lack = [&](const Json& frame, const std::string& why) {
      missing.push_back({{"frame", frame}, {"text", json_text(why)}});
      note(clip, why);
    };
    const auto take = [&](const FramePicture& picture) -> Status {
      if (!picture.problem.empty()) {
        lack(picture.frame, picture.problem);
        return {};
      }
      write_picture(clip, picture);
      pictures.push_back({{"frame", picture.frame}, {"features", clip.features.at(picture.frame)}});
      return {};
    };
    const Status status = clip.plan.ok() ? each_frame_picture(*clip.plan, wish_.pictures, take) : Status(clip.plan.error());
    if (!status.ok()) lack(Json(), status.error().message);
    const Json json = {{"id", clip.id}, {"pictures", std::move(pictures)}, {"missing", std::move(missing)}};
    file_.write(embedded_document(fmt::format("pictures-{}", clip.id), json_document(json)));
  }

  void note(const Planned& clip, const std::string& why) {
    if (outcome_.notes.size() == kMostNotes) {
      ++more_;
      return;
    }
    outcome_.notes.push_back(fmt::format("{}: no picture: {}", store::line_text(clip.name), why));
  }

  void write_picture(const Planned& clip, const FramePicture& picture) {
    ++outcome_.pictures;
    const Json json = {{"id", clip.id},          {"frame", picture.frame},   {"type", picture.media_type},
                       {"width", picture.width}, {"height", picture.height}, {"base64", base64(std::as_bytes(std::span(picture.bytes)))}};
    file_.write(embedded_document(fmt::format("picture-{}-{}", clip.id, picture.frame), json_document(json)));
  }

  std::vector<std::size_t> features_of(const ClipData& clip, std::int64_t frame) const {
    std::vector<std::size_t> features;
    for (const ColumnData& column : clip.columns) {
      if (!column.scan) continue;
      const std::vector<FrameValue>& worst = column.scan->worst().frames();
      const auto end = worst.begin() + static_cast<std::ptrdiff_t>(std::min(worst.size(), static_cast<std::size_t>(wish_.worst)));
      if (std::any_of(worst.begin(), end, [&](const FrameValue& value) { return value.frame == frame; }))
        features.push_back(column.feature);
    }
    return features;
  }

  const ReportWish& wish_;
  ReportFile& file_;
  ReportOutcome& outcome_;
  std::vector<Planned> planned_;
  std::int64_t more_ = 0;
};

// Stands in every report, also of other versions.
constexpr std::string_view kMark = "<title>vmafbatch report</title>";

// Nothing is wrong with an empty database; with a pattern that leaves nothing over there is.
Status check_shown(const ShownPart& shown, bool has_clips, bool has_features) {
  if (!has_clips && (!shown.clips.empty() || shown.label)) return Error{"there is no clip to show; check --clips and --label"};
  if (!has_features && !shown.features.empty()) return Error{"there is no feature to show; check --features"};
  return {};
}

std::size_t count_curves(ClipReader& reader, const std::vector<RowKey>& rows) {
  std::size_t curves = 0;
  for (const RowKey& row : rows) curves += reader.list_columns(row.scoring).size();
  return curves;
}

// --feature names what the report shows of a clip, with a value per frame. Clips without any, as after a night in which all failed, are
// no reason to write no report.
Status check_worst_feature(ReportDatabase& database, const std::string& feature) {
  if (feature.empty()) return {};
  ClipReader reader(database);
  std::set<std::string> names;
  for (const RowKey& row : database.rows()) {
    for (const ColumnData& column : reader.list_columns(row.scoring)) {
      if (column.per_clip) continue;
      if (column.name == feature) return {};
      names.insert(column.name);
    }
  }
  if (names.empty()) return {};
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + display_text(name);
  return Error{fmt::format("no clip that is shown has a feature \"{}\" with a value per frame; they have {}", display_text(feature), list)};
}

// The clips' own documents wait until the head of the page is written: the catalogue, which is shown first, is known when all were read.
std::string write_clips(ReportDatabase& database, ReportFile& file, WorstPictures& pictures, ReportOutcome& outcome) {
  ClipReader reader(database);
  const std::size_t features = database.features().size();
  const std::vector<RowKey> rows = database.rows();
  const std::size_t points = points_per_curve(count_curves(reader, rows));
  std::string catalogue = fmt::format("{{\"first\":0,\"total\":{},\"clips\":[", rows.size());
  for (const RowKey& row : rows) {
    const ClipData clip = read_clip(reader, row, points);
    catalogue += (outcome.clips == 0 ? "" : ",") + clip_row(clip, scores_list(clip, features));
    file.write_later(embedded_document(fmt::format("clip-{}", row.scoring), json_document(clip_document(reader, clip))));
    pictures.plan(database, clip);
    ++outcome.clips;
  }
  return catalogue + "]}";
}

Status write_one(const ReportWish& wish, ReportFile& file, ReportOutcome& outcome) {
  auto database = ReportDatabase::open(wish.database, wish.shown);
  if (!database.ok()) return database.error();
  const auto shown = (*database)->read([&] {
    Status status = check_shown(wish.shown, !(*database)->rows().empty(), !(*database)->features().empty());
    return status.ok() ? check_worst_feature(**database, wish.worst_feature) : status;
  });
  if (!shown.ok()) return shown.error();
  if (!shown->ok()) return shown->error();
  WorstPictures pictures(wish, file, outcome);
  const auto written = (*database)->read([&] {
    const std::string summary = json_document(summary_json(**database, {}));
    const std::string catalogue = write_clips(**database, file, pictures, outcome);
    const ReportPage page = report_page();
    file.write(page.head);
    file.write(embedded_document("summary", summary));
    file.write(embedded_document("clips", catalogue));
    file.write(page.scripts);
    file.release();
    file.write(embedded_document("ladders", json_document(ladders_json(**database))));
    return true;
  });
  if (!written.ok()) return written.error();
  database->reset();
  pictures.make();
  file.write(report_page().tail);
  return {};
}

Status write_comparison(const ReportWish& wish, ReportFile& file, ReportOutcome& outcome) {
  auto before = ReportDatabase::open(*wish.old_database, wish.shown);
  if (!before.ok()) return before.error();
  auto after = ReportDatabase::open(wish.database, wish.shown);
  if (!after.ok()) return after.error();
  const auto shown = (*before)->read([&] {
    return (*after)->read([&] {
      return check_shown(wish.shown, !(*before)->rows().empty() || !(*after)->rows().empty(),
                         !(*before)->features().empty() || !(*after)->features().empty());
    });
  });
  if (!shown.ok()) return shown.error();
  if (!shown->ok()) return shown->error();
  if (!(*shown)->ok()) return (*shown)->error();
  const auto summary = summary_document(**after, {.compared_with = (*before)->title()});
  if (!summary.ok()) return summary.error();
  const auto comparison = compare(**before, **after);
  if (!comparison.ok()) return comparison.error();
  const ReportPage page = report_page();
  file.write(page.head);
  file.write(embedded_document("summary", *summary));
  file.write(embedded_document("comparison", comparison->document));
  file.write(page.scripts);
  const auto take = [&](const ChangedClip& clip, const std::string& document) {
    ++outcome.clips;
    file.write(embedded_document(fmt::format("comparison-clip-{}", clip.number), document));
    return Status();
  };
  const std::size_t points = points_per_curve(comparison->curves());
  if (Status status = each_changed_clip(**before, **after, *comparison, comparison->clips, points, take); !status.ok()) return status;
  file.write(page.tail);
  return {};
}

}  // namespace

Result<ReportOutcome> write_report(const ReportWish& wish) {
  auto file = ReportFile::create(wish.output, kMark);
  if (!file.ok()) return file.error();
  ReportOutcome outcome;
  Status status = wish.old_database ? write_comparison(wish, **file, outcome) : write_one(wish, **file, outcome);
  if (status.ok()) status = (*file)->commit();
  if (!status.ok()) return status.error();
  outcome.bytes = (*file)->bytes();
  return outcome;
}

}  // namespace vmafbatch::report
