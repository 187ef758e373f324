#include "report/worst_frames.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <memory>
#include <set>

#include "base/glob.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "io/rgb_frame.h"
#include "report/bitmap_font.h"
#include "report/column_scan.h"
#include "report/feature_direction.h"
#include "report/feature_facts.h"
#include "report/scored_reader.h"
#include "report/side_by_side.h"
#include "store/database.h"

namespace vmafbatch::report {
namespace {

constexpr size_t kLongestName = 200;     // of a clip in a caption, which has other things to say
constexpr size_t kMostColumns = 10'000;  // of a scoring; ours has tens
constexpr int kDigits = 6;               // of a score in a caption

struct Column {
  std::int64_t id = 0;
  std::string name;
  std::string source;
  std::int64_t feature = 0;
};

// The columns with values per frame, in the order of reports.
std::vector<Column> frame_columns(SQLite::Database& database, std::int64_t scoring) {
  SQLite::Statement find(database,
                         "SELECT sf.id, f.name, sf.source, f.id FROM scoring_feature sf JOIN feature f ON f.id = sf.feature "
                         "WHERE sf.scoring = ? AND sf.scope <> 'aggregate' ORDER BY sf.position, sf.id");
  find.bind(1, scoring);
  std::vector<Column> columns;
  while (find.executeStep()) {
    if (columns.size() == kMostColumns) store::throw_damage("a scoring has more features than one can have");
    columns.push_back(
        {find.getColumn(0).getInt64(), store::column_bytes(find, 1), store::column_bytes(find, 2), find.getColumn(3).getInt64()});
  }
  return columns;
}

// The first model score, else the first feature that tells quality, else the first one: as primary_feature() of a summary.
Column usual_column(SQLite::Database& database, std::int64_t scoring, std::vector<Column> columns) {
  SQLite::Statement find(database, "SELECT name FROM scoring_model WHERE scoring = ?");
  find.bind(1, scoring);
  std::set<std::string> models;
  while (find.executeStep()) models.insert(store::column_bytes(find, 0));
  std::ranges::sort(columns, {}, &Column::feature);
  const auto is_model = [&](const Column& column) {
    return models.contains(column.name) || feature_facts(column.name, column.source).of_model;
  };
  const auto tells_quality = [](const Column& column) { return feature_direction(column.name) != Direction::kNeither; };
  auto found = std::ranges::find_if(columns, is_model);
  if (found == columns.end()) found = std::ranges::find_if(columns, tells_quality);
  return found == columns.end() ? columns.front() : *found;
}

Result<Column> find_column(SQLite::Database& database, const ScoredPair& pair, const std::vector<Column>& columns, const FrameWish& wish) {
  const std::string& feature = wish.feature;
  if (columns.empty()) return Error{fmt::format("the clip \"{}\" has no values per frame", display_text(pair.clip))};
  if (feature.empty()) {
    std::vector<Column> among = columns;
    std::erase_if(among, [&](const Column& column) { return !is_chosen(column.name, wish.among); });
    if (!among.empty()) return usual_column(database, pair.scoring, std::move(among));
    return Error{fmt::format("the clip \"{}\" has no value per frame of the features that are shown", display_text(pair.clip))};
  }
  const auto found = std::ranges::find(columns, feature, &Column::name);
  if (found != columns.end()) return *found;
  std::string names;
  for (const Column& column : columns) names += (names.empty() ? "" : ", ") + display_text(column.name);
  return Error{fmt::format("the clip \"{}\" has no feature \"{}\" with a value per frame; it has {}", display_text(pair.clip),
                           display_text(feature), names)};
}

std::vector<std::pair<std::string, double>> scores_of(SQLite::Database& database, const std::vector<Column>& columns, std::int64_t frame) {
  SQLite::Statement find(database, "SELECT value FROM frame_score WHERE scoring_feature = ? AND frame = ?");
  std::vector<std::pair<std::string, double>> scores;
  for (const Column& column : columns) {
    find.reset();
    find.bind(1, column.id);
    find.bind(2, frame);
    if (find.executeStep()) scores.emplace_back(column.name, find.getColumn(0).getDouble());
  }
  return scores;
}

// In the wish's order, each frame once.
Result<std::vector<WantedFrame>> wanted_frames(SQLite::Database& database, const ScoredPair& pair, const std::vector<Column>& columns,
                                               const FrameWish& wish) {
  std::vector<WantedFrame> wanted;
  std::set<std::int64_t> seen;
  const auto add = [&](std::int64_t frame, const std::string& feature, size_t rank) {
    if (seen.insert(frame).second) wanted.push_back({frame, feature, rank, wanted.size(), scores_of(database, columns, frame)});
  };
  for (const std::int64_t frame : wish.frames) add(frame, "", 0);
  if (wish.worst <= 0 && wish.feature.empty()) return wanted;
  const Result<Column> column = find_column(database, pair, columns, wish);
  if (!column.ok()) return column.error();
  if (wish.worst <= 0) return wanted;
  size_t rank = 0;
  for (const std::int64_t frame : worst_frames(database, column->id, column->name, wish.worst)) {
    add(frame, column->name, ++rank);
  }
  return wanted;
}

std::string seconds_text(double seconds) { return fmt::format("{:.3f} s", seconds); }

// Where in its file each picture stands, where that is not what the frame number says (cuts, skips, variable rates).
std::string place_text(const FramePicture& picture, const io::FramePair& pair, const ScoredPair& scored) {
  const std::optional<double> r = pair.reference().time_s;
  const std::optional<double> d = pair.distorted().time_s;
  const double tolerance = 0.5 / scored.fps.value_or(25);
  std::string text;
  if (r && (!picture.time_s || std::abs(*r - *picture.time_s) > tolerance)) text = "   reference file at " + seconds_text(*r);
  if (d && (!text.empty() || !r || std::abs(*d - *r) > tolerance)) text += "   distorted file at " + seconds_text(*d);
  return text;
}

std::string title_line(const FramePicture& picture, const io::FramePair& pair, const ScoredPair& scored) {
  std::string name = drawable(picture.clip);
  if (name.size() > kLongestName) name = name.substr(0, kLongestName) + "...";
  if (!picture.label.empty()) name += " (" + drawable(picture.label).substr(0, kLongestName) + ")";
  std::string line = fmt::format("{}   frame {}", name, picture.frame);
  if (picture.time_s) line += "   time " + seconds_text(*picture.time_s);
  return line + place_text(picture, pair, scored);
}

std::string scores_line(const FramePicture& picture, const ScoredPair& scored) {
  std::string line;
  for (const auto& [name, value] : picture.scores) line += (line.empty() ? "" : "   ") + name + " " + format_general(value, kDigits);
  if (!line.empty()) return line;
  return scored.subsample > 1 ? fmt::format("no scores: every {}th frame was reported", scored.subsample) : "no scores";
}

std::string pictures_line(const io::FramePair& pair, const io::PairColours& colours, const ScoredPair& scored) {
  std::string line = pair.reference().format().text();
  if (colours.reference.text == colours.distorted.text) {
    line += "   " + colours.reference.text;
  } else {
    line += "   reference " + colours.reference.text + "   distorted " + colours.distorted.text;
  }
  return scored.treatment.empty() ? line : line + "   " + scored.treatment;
}

std::vector<std::string> caption_of(const FramePicture& picture, const WantedFrame& wanted, const io::FramePair& pair,
                                    const io::PairColours& colours, const ScoredPair& scored) {
  std::vector<std::string> lines = {title_line(picture, pair, scored)};
  if (wanted.rank > 0) {
    const bool lower = feature_direction(wanted.feature) == Direction::kLowerIsBetter;
    lines.push_back(fmt::format("number {} of the {} {}", wanted.rank, lower ? "highest" : "lowest", wanted.feature));
  }
  lines.push_back(scores_line(picture, scored));
  lines.push_back(pictures_line(pair, colours, scored));
  return lines;
}

// Makes the pictures of one scoring.
class Maker {
 public:
  Maker(const ScoredPair& scored, const PictureOptions& options, const TakePicture& take)
      : scored_(scored), options_(options), take_(take) {}

  Status make(std::vector<WantedFrame> wanted) {
    if (Status status = check_files(scored_); !status.ok()) return status;
    std::ranges::sort(wanted, {}, &WantedFrame::frame);
    const auto is_outside = [this](const WantedFrame& w) { return w.frame < 0 || (scored_.frames && w.frame >= *scored_.frames); };
    for (const WantedFrame& outside : wanted) {
      if (!is_outside(outside)) continue;
      if (Status status = take_without_picture(outside, outside_text(outside)); !status.ok()) return status;
    }
    std::erase_if(wanted, is_outside);
    return wanted.empty() ? Status() : decode(wanted);
  }

 private:
  // REQUIRES: sorted by frame, not empty
  Status decode(const std::vector<WantedFrame>& wanted) {
    const auto reader = ScoredReader::open(scored_, {options_.decoder_threads, options_.should_stop});
    if (!reader.ok()) return reader.error();
    const io::GroupReader& group = (*reader)->group();
    const io::PairColours colours = io::display_colours(group.reference_info(), group.distorted_info(0));
    for (const WantedFrame& each : wanted) {
      const auto pair = (*reader)->read(each.frame);
      if (!pair.ok()) return pair.error();
      Status taken =
          *pair ? take_(picture_of(each, **pair, colours)) : take_without_picture(each, ending_text((*reader)->group().end(0), each));
      if (!taken.ok()) return taken;
    }
    return {};
  }

  // All but the picture.
  FramePicture about(const WantedFrame& wanted) {
    FramePicture picture;
    picture.place = wanted.place;
    picture.frame = wanted.frame;
    picture.clip = scored_.clip;
    picture.label = scored_.label;
    if (scored_.fps && *scored_.fps > 0) picture.time_s = static_cast<double>(wanted.frame) / *scored_.fps;
    picture.feature = wanted.feature;
    picture.scores = wanted.scores;
    return picture;
  }

  FramePicture picture_of(const WantedFrame& wanted, const io::FramePair& pair, const io::PairColours& colours) {
    FramePicture picture = about(wanted);
    picture.caption = caption_of(picture, wanted, pair, colours, scored_);
    const Result<io::RgbPicture> drawn = side_by_side(pair, colours, picture.caption, {options_.amplify, options_.max_width});
    Result<std::string> bytes = drawn.ok() ? io::encode_picture(*drawn, options_.format) : drawn.error();
    if (!bytes.ok()) {
      picture.problem = fmt::format("frame {} cannot be shown: {}", wanted.frame, bytes.error().message);
      return picture;
    }
    picture.bytes = std::move(*bytes);
    picture.media_type = io::media_type(options_.format);
    picture.width = drawn->width;
    picture.height = drawn->height;
    return picture;
  }

  Status take_without_picture(const WantedFrame& wanted, std::string problem) {
    FramePicture picture = about(wanted);
    picture.problem = std::move(problem);
    return take_(std::move(picture));
  }

  std::string outside_text(const WantedFrame& wanted) const {
    if (scored_.frames.value_or(1) == 0) return fmt::format("frame {} is not in the clip, which has no frame", wanted.frame);
    return scored_.frames ? fmt::format("frame {} is not in the clip, which has frames 0 to {}", wanted.frame, *scored_.frames - 1)
                          : fmt::format("frame {} is not in the clip", wanted.frame);
  }

  static std::string ending_text(const io::MemberEnd& end, const WantedFrame& wanted) {
    return fmt::format("frame {} cannot be decoded: {}", wanted.frame,
                       end.text.empty() ? fmt::format("the clip ends after {} frames", end.frame) : display_text(end.text));
  }

  const ScoredPair& scored_;
  const PictureOptions& options_;
  const TakePicture& take_;
};

}  // namespace

std::vector<std::int64_t> worst_frames(SQLite::Database& database, std::int64_t scoring_feature, const std::string& feature, int count) {
  SQLite::Statement find(database, "SELECT frame, value FROM frame_score WHERE scoring_feature = ?");
  find.bind(1, scoring_feature);
  WorstList worst(feature_direction(feature), static_cast<size_t>(std::max(0, count)));
  while (find.executeStep()) worst.add({find.getColumn(0).getInt64(), find.getColumn(1).getDouble()});
  std::vector<std::int64_t> frames;
  for (const FrameValue& value : worst.frames()) frames.push_back(value.frame);
  return frames;
}

Result<PicturePlan> plan_pictures_inside_read(SQLite::Database& database, const FrameWish& wish) {
  Result<ScoredPair> scored = wish.scoring ? scored_pair(database, *wish.scoring) : scored_pair(database, wish.clip, wish.label);
  if (!scored.ok()) return scored.error();
  Result<std::vector<WantedFrame>> frames = wanted_frames(database, *scored, frame_columns(database, scored->scoring), wish);
  if (!frames.ok()) return frames.error();
  return PicturePlan{std::move(*scored), std::move(*frames)};
}

Result<PicturePlan> plan_pictures(SQLite::Database& database, const FrameWish& wish) {
  try {
    return plan_pictures_inside_read(database, wish);
  } catch (const SQLite::Exception& exception) {
    return store::database_error(sqlite3_db_filename(database.getHandle(), nullptr), exception);  // a path; SQLiteCpp has the URI
  }
}

Status each_frame_picture(const PicturePlan& plan, const PictureOptions& options, const TakePicture& take) {
  try {
    return Maker(plan.scored, options, take).make(plan.frames);
  } catch (const std::exception& exception) {
    return Error{fmt::format("the pictures cannot be made: {}", exception.what())};
  }
}

Result<std::vector<FramePicture>> frame_pictures(const PicturePlan& plan, const PictureOptions& options) {
  std::vector<FramePicture> pictures;
  const Status status = each_frame_picture(plan, options, [&](FramePicture picture) {
    pictures.push_back(std::move(picture));
    return Status();
  });
  if (!status.ok()) return status.error();
  std::ranges::sort(pictures, {}, &FramePicture::place);
  return pictures;
}

}  // namespace vmafbatch::report
