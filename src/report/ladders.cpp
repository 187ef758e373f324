#include "report/ladders.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "report/bd_rate.h"
#include "report/bitrate.h"
#include "report/clip_data.h"
#include "report/clip_documents.h"
#include "store/text.h"

namespace vmafbatch::report {
namespace {

constexpr std::size_t kMostBdRates = 200;
constexpr std::size_t kMostLeftOut = 1000;
// Fewer points of both values than this are no ladder of them: a tag with another value for each clip.
constexpr std::size_t kLeastOfPair = 2;
// Pairs of values that are held; each gives as many BD-rates as there are features with a direction.
constexpr std::size_t kMostPairs = 10'000;

struct Rendition {
  std::int64_t id = 0;
  std::string name;
  std::map<std::string, std::string> tags;
  double bitrate = 0;
  std::vector<std::optional<double>> scores;  // by number of the feature
};

struct Ladder {
  std::string reference, label;  // bytes
  std::vector<Rendition> renditions;
  std::map<std::string, std::map<std::string, std::vector<std::size_t>>> groups;  // by tag and value: places in `renditions`
};

// One BD-rate of one feature, over all ladders.
struct PairKey {
  std::string tag, from, to;
  auto operator<=>(const PairKey&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes the comparison's 0 for one
};

class Ladders {
 public:
  explicit Ladders(ReportDatabase& database) : database_(database), reader_(database) {
    for (const auto& feature : database.features()) directions_.push_back(feature_direction(feature.name));
    for (const RowKey& row : database.rows()) add(row);
    for (auto& [key, ladder] : found_) {
      if (ladder.renditions.size() < 2) continue;
      std::ranges::stable_sort(ladder.renditions, {}, &Rendition::bitrate);
      group(ladder);
      ladders_.push_back(std::move(ladder));
    }
  }

  Json json();

 private:
  void add(const RowKey& row);
  void leave_out(const ScoringData& scoring, const std::string& reason);
  void group(Ladder& ladder);
  std::set<PairKey> pairs();
  void add_bd_rate(const PairKey& pair, std::size_t feature);

  ReportDatabase& database_;
  ClipReader reader_;
  std::vector<Direction> directions_;
  std::map<std::pair<std::string, std::string>, Ladder> found_;  // by reference and label
  std::vector<Ladder> ladders_;                                  // those of two renditions or more
  Json left_out_ = Json::array();
  Json bd_rates_ = Json::array();
  std::int64_t more_bd_rates_ = 0;
  std::int64_t more_pairs_ = 0;  // that are not held
};

void Ladders::leave_out(const ScoringData& scoring, const std::string& reason) {
  if (left_out_.size() == kMostLeftOut) return;
  left_out_.push_back({{"id", scoring.id}, {"name", json_text(scoring.name)}, {"reason", reason}});
}

void Ladders::add(const RowKey& row) {
  const ScoringData scoring = reader_.scoring(row);
  if (scoring.reference.path.empty()) return leave_out(scoring, "its reference is not known");
  if (scoring.status != "done") return leave_out(scoring, "its status is " + store::line_text(scoring.status));
  Rendition rendition{scoring.id, scoring.name, reader_.tags(scoring), 0, std::vector<std::optional<double>>(directions_.size())};
  const Bitrate bitrate = bitrate_of(scoring, rendition.tags, reader_.warnings(scoring.id));
  if (!bitrate.bits_per_second) return leave_out(scoring, bitrate.reason);
  rendition.bitrate = *bitrate.bits_per_second;
  for (const ColumnData& column : reader_.columns(scoring, std::nullopt)) rendition.scores[column.feature] = column.score();
  Ladder& ladder = found_[{scoring.reference.path, scoring.label}];
  ladder.reference = scoring.reference.path;
  ladder.label = scoring.label;
  ladder.renditions.push_back(std::move(rendition));
}

void Ladders::group(Ladder& ladder) {
  for (std::size_t place = 0; place < ladder.renditions.size(); ++place) {
    database_.row_read();
    for (const auto& [tag, value] : ladder.renditions[place].tags) ladder.groups[tag][value].push_back(place);
  }
  ladder.groups.erase("bitrate");
}

// Every two values of a tag, in order of their bytes, that have renditions enough in one ladder. Where there are more than kMostPairs, the
// first.
std::set<PairKey> Ladders::pairs() {
  std::set<PairKey> pairs;
  for (const Ladder& ladder : ladders_) {
    for (const auto& [tag, values] : ladder.groups) {
      std::vector<const std::string*> large;
      for (const auto& [value, places] : values) {
        if (places.size() >= kLeastOfPair) large.push_back(&value);
      }
      for (auto from = large.begin(); from != large.end(); ++from) {
        for (auto to = std::next(from); to != large.end(); ++to) {
          database_.row_read();
          if (!pairs.insert({tag, **from, **to}).second || pairs.size() <= kMostPairs) continue;
          pairs.erase(std::prev(pairs.end()));
          ++more_pairs_;
        }
      }
    }
  }
  return pairs;
}

RateSide rate_side(const Ladder& ladder, const std::string& tag, const std::string& value, std::size_t feature) {
  RateSide side{store::line_text(value), {}};
  const auto values = ladder.groups.find(tag);
  if (values == ladder.groups.end()) return side;
  const auto places = values->second.find(value);
  if (places == values->second.end()) return side;
  for (const std::size_t place : places->second) {
    const Rendition& rendition = ladder.renditions[place];
    const std::optional<double>& score = rendition.scores[feature];
    if (score && std::isfinite(*score)) side.points.push_back({rendition.bitrate, *score});
  }
  return side;
}

void Ladders::add_bd_rate(const PairKey& pair, std::size_t feature) {
  if (bd_rates_.size() == kMostBdRates) {  // computed is only what is kept
    ++more_bd_rates_;
    return;
  }
  Json clips = Json::array();
  Json left_out = Json::array();
  double sum = 0;
  for (std::size_t number = 0; number < ladders_.size(); ++number) {
    database_.row_read();
    const RateSide from = rate_side(ladders_[number], pair.tag, pair.from, feature);
    const RateSide to = rate_side(ladders_[number], pair.tag, pair.to, feature);
    if (from.points.empty() && to.points.empty()) continue;
    const Result<BdRate> rate = bd_rate(from, to, directions_[feature] == Direction::kHigherIsBetter);
    if (!rate.ok()) {
      left_out.push_back({{"ladder", number}, {"reason", rate.error().message}});
      continue;
    }
    sum += rate->percent;
    clips.push_back({{"ladder", number}, {"percent", json_number(rate->percent)}, {"low", rate->low}, {"high", rate->high}});
  }
  if (clips.empty() && left_out.empty()) return;
  const Json mean = clips.empty() ? Json() : json_number(sum / static_cast<double>(clips.size()));
  bd_rates_.push_back({{"tag", json_text(pair.tag)},
                       {"from", json_text(pair.from)},
                       {"to", json_text(pair.to)},
                       {"feature", feature},
                       {"mean_percent", mean},
                       {"clips", std::move(clips)},
                       {"left_out", std::move(left_out)}});
}

Json ladder_json(const Ladder& ladder) {
  Json renditions = Json::array();
  for (const Rendition& rendition : ladder.renditions) {
    Json scores = Json::array();
    for (const auto& score : rendition.scores) scores.push_back(json_number(score));
    renditions.push_back({{"id", rendition.id},
                          {"name", json_text(rendition.name)},
                          {"tags", tags_json(rendition.tags)},
                          {"bitrate", rendition.bitrate},
                          {"scores", std::move(scores)}});
  }
  return {{"reference", json_text(ladder.reference)}, {"label", json_text(ladder.label)}, {"renditions", std::move(renditions)}};
}

Json Ladders::json() {
  for (const PairKey& pair : pairs()) {
    for (std::size_t feature = 0; feature < directions_.size(); ++feature) {
      if (directions_[feature] != Direction::kNeither) add_bd_rate(pair, feature);
    }
  }
  more_bd_rates_ += more_pairs_ * std::ranges::count_if(directions_, [](Direction way) { return way != Direction::kNeither; });
  Json ladders = Json::array();
  for (const Ladder& ladder : ladders_) ladders.push_back(ladder_json(ladder));
  return {{"ladders", std::move(ladders)},
          {"bd_rates", std::move(bd_rates_)},
          {"left_out", std::move(left_out_)},
          {"more_bd_rates", more_bd_rates_}};
}

}  // namespace

Json ladders_json(ReportDatabase& database) { return Ladders(database).json(); }

}  // namespace vmafbatch::report
