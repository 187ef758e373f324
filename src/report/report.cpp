#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/base64.h"
#include "report/clip_documents.h"
#include "report/comparison.h"
#include "report/documents.h"
#include "report/ladders.h"
#include "report/point_budget.h"
#include "report/summary.h"
#include "report/web_assets.h"
#include "report/whole_file.h"
#include "store/text.h"

namespace vmafbatch::report {
namespace {

constexpr std::size_t kMostNotes = 20;

// Pictures of the worst frames of one clip after another.
class WorstPictures {
 public:
  WorstPictures(ReportDatabase& database, const ReportWish& wish, WholeFile& file, ReportOutcome& outcome)
      : database_(database), wish_(wish), file_(file), outcome_(outcome) {}

  // Writes the pictures of a clip that has ended; what cannot be shown becomes a note.
  std::vector<PictureNote> write(const ClipData& clip) {
    std::vector<PictureNote> notes;
    if (wish_.worst == 0 || clip.scoring.is_running() || clip.columns.empty()) return notes;
    FrameWish frames;
    frames.scoring = clip.scoring.id;
    frames.worst = wish_.worst;
    frames.feature = wish_.worst_feature;
    database_.row_read();
    const Status status = each_frame_picture(database_.database(), frames, wish_.pictures, [&](const FramePicture& picture) -> Status {
      database_.row_read();
      if (!picture.problem.empty()) {
        lack(clip, picture.problem);
        return {};
      }
      write_picture(clip, picture);
      notes.push_back({picture.frame, features_of(clip, picture.frame)});
      return {};
    });
    if (!status.ok()) lack(clip, status.error().message);
    return notes;
  }

  // What was left out beyond the first notes.
  void finish() {
    if (more_ > 0) outcome_.notes.push_back(fmt::format("{} more clips or frames have no picture", more_));
  }

 private:
  void lack(const ClipData& clip, const std::string& why) {
    if (outcome_.notes.size() == kMostNotes) {
      ++more_;
      return;
    }
    outcome_.notes.push_back(fmt::format("{}: no picture: {}", store::line_text(clip.scoring.name), why));
  }

  void write_picture(const ClipData& clip, const FramePicture& picture) {
    ++outcome_.pictures;
    const Json json = {{"id", clip.scoring.id},  {"frame", picture.frame},   {"type", picture.media_type},
                       {"width", picture.width}, {"height", picture.height}, {"base64", base64(std::as_bytes(std::span(picture.bytes)))}};
    file_.write_later(embedded_document(fmt::format("picture-{}-{}", clip.scoring.id, picture.frame), json_document(json)));
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

  ReportDatabase& database_;
  const ReportWish& wish_;
  WholeFile& file_;
  ReportOutcome& outcome_;
  std::int64_t more_ = 0;
};

std::size_t count_curves(ClipReader& reader, const std::vector<RowKey>& rows) {
  std::size_t curves = 0;
  for (const RowKey& row : rows) curves += reader.list_columns(row.scoring).size();
  return curves;
}

// The clips' own documents wait until the head of the page is written: the catalogue, which is shown first, is known when all were read.
std::string write_clips(ReportDatabase& database, const ReportWish& wish, WholeFile& file, ReportOutcome& outcome) {
  ClipReader reader(database);
  WorstPictures pictures(database, wish, file, outcome);
  const std::size_t features = database.features().size();
  const std::vector<RowKey> rows = database.rows();
  const std::size_t points = points_per_curve(count_curves(reader, rows));
  std::string catalogue = fmt::format("{{\"first\":0,\"total\":{},\"clips\":[", rows.size());
  for (const RowKey& row : rows) {
    const ClipData clip = read_clip(reader, row, points);
    catalogue += (outcome.clips == 0 ? "" : ",") + clip_row(clip, scores_list(clip, features));
    const Json document = clip_document(reader, clip, pictures.write(clip));
    file.write_later(embedded_document(fmt::format("clip-{}", row.scoring), json_document(document)));
    ++outcome.clips;
  }
  pictures.finish();
  return catalogue + "]}";
}

Status write_one(const ReportWish& wish, WholeFile& file, ReportOutcome& outcome) {
  auto database = ReportDatabase::open(wish.database, wish.shown);
  if (!database.ok()) return database.error();
  const auto written = (*database)->read([&] {
    const std::string summary = json_document(summary_json(**database, {}));
    const std::string catalogue = write_clips(**database, wish, file, outcome);
    const ReportPage page = report_page();
    file.write(page.head);
    file.write(embedded_document("summary", summary));
    file.write(embedded_document("clips", catalogue));
    file.write(page.scripts);
    file.release();
    file.write(embedded_document("ladders", json_document(ladders_json(**database))));
    file.write(page.tail);
    return true;
  });
  return written.ok() ? Status() : Status(written.error());
}

Status write_comparison(const ReportWish& wish, WholeFile& file, ReportOutcome& outcome) {
  auto before = ReportDatabase::open(*wish.old_database, wish.shown);
  if (!before.ok()) return before.error();
  auto after = ReportDatabase::open(wish.database, wish.shown);
  if (!after.ok()) return after.error();
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
  auto file = WholeFile::create(wish.output);
  if (!file.ok()) return file.error();
  ReportOutcome outcome;
  Status status = wish.old_database ? write_comparison(wish, **file, outcome) : write_one(wish, **file, outcome);
  if (status.ok()) status = (*file)->commit();
  if (!status.ok()) return status.error();
  outcome.bytes = (*file)->bytes();
  return outcome;
}

}  // namespace vmafbatch::report
