#include "report/ladders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>

#include "io/pair_options.h"
#include "report/bd_rate.h"
#include "report_fixture.h"

namespace vmafbatch::report {
namespace {

using nlohmann::json;

constexpr const char* kOptions = "features=psnr scale=bicubic";

class Ladders : public ReportTest {
 protected:
  // A clip of 100 frames at 25/s: 4 seconds.
  store::ScoringId rendition(const std::string& name, const std::string& reference, const std::string& codec, std::uint64_t bytes,
                             double vmaf) {
    auto record = some_record(name, kOptions);
    record.reference.path = reference;
    record.distorted.size = bytes;
    record.tags = {{"codec", codec}};
    return add(record, {{"vmaf", std::vector<double>(100, vmaf), "vmaf"}});
  }
  json ladders() { return parse(ladders_document(*reader())); }
};

TEST_F(Ladders, BdRateOfACatalogueEqualsThatOfItsPoints) {
  const std::vector<std::pair<std::uint64_t, double>> h264 = {{250'000, 62.5}, {500'000, 75.25}, {1'000'000, 86}, {2'000'000, 93}};
  const std::vector<std::pair<std::uint64_t, double>> av1 = {{150'000, 60.25}, {350'000, 77.5}, {750'000, 88.5}, {1'550'000, 95}};
  RateSide from{"h264", {}};
  RateSide to{"av1", {}};
  for (const auto& [bytes, vmaf] : h264) {
    rendition("h" + std::to_string(bytes), "film.y4m", "h264", bytes, vmaf);
    from.points.push_back({static_cast<double>(bytes) * 8 / 4, vmaf});
  }
  for (const auto& [bytes, vmaf] : av1) {
    rendition("a" + std::to_string(bytes), "film.y4m", "av1", bytes, vmaf);
    to.points.push_back({static_cast<double>(bytes) * 8 / 4, vmaf});
  }
  for (int i = 0; i < 3; ++i) rendition("s" + std::to_string(i), "short.y4m", "h264", 1000u * (1u + static_cast<unsigned>(i)), 50 + i);
  rendition("s_av1", "short.y4m", "av1", 1000, 55);
  rendition("alone", "alone.y4m", "av1", 1000, 55);

  const json document = ladders();
  ASSERT_EQ(document["ladders"].size(), 2U);
  EXPECT_EQ(document["ladders"][0]["reference"], "film.y4m");
  EXPECT_EQ(document["ladders"][0]["renditions"][0]["bitrate"], 300'000.0);
  EXPECT_EQ(document["ladders"][0]["renditions"][0]["scores"], json::parse("[60.25]"));
  EXPECT_EQ(document["ladders"][0]["renditions"].back()["bitrate"], 4'000'000.0);
  ASSERT_EQ(document["bd_rates"].size(), 1U);
  const json rate = document["bd_rates"][0];
  EXPECT_EQ(rate["tag"], "codec");
  EXPECT_EQ(rate["from"], "av1");  // in order of the values
  EXPECT_EQ(rate["to"], "h264");
  const auto expected = bd_rate(to, from, true);
  ASSERT_OK(expected);
  ASSERT_EQ(rate["clips"].size(), 1U);
  EXPECT_EQ(rate["clips"][0]["ladder"], 0);
  EXPECT_NEAR(rate["clips"][0]["percent"].get<double>(), expected->percent, 1e-9);
  EXPECT_EQ(rate["mean_percent"], rate["clips"][0]["percent"]);
  EXPECT_EQ(rate["left_out"], json::parse(R"([{"ladder": 1, "reason": "av1 has 1 point and 4 are needed"}])"));
}

TEST_F(Ladders, ATagGivesTheBitrate) {
  for (const char* text : {"800000", "800k", "0.8M"}) {
    auto record = some_record(text);
    record.reference.path = "film.y4m";
    record.tags = {{"bitrate", text}};
    add(record, {{"vmaf", {1, 2}, "vmaf"}});
  }
  const json document = ladders();
  ASSERT_EQ(document["ladders"][0]["renditions"].size(), 3U);
  for (const json& rendition : document["ladders"][0]["renditions"]) EXPECT_EQ(rendition["bitrate"], 800'000.0);
  EXPECT_EQ(document["bd_rates"], json::array());  // a bit rate is no group
}

TEST_F(Ladders, SkippedPicturesAreInTheFile) {
  auto record = some_record("a", "features=psnr skip_distorted=50 scale=bicubic");
  record.distorted.size = 1000;
  add(record, {{"vmaf", std::vector<double>(100, 90), "vmaf"}});
  EXPECT_EQ(clips()["clips"][0]["bitrate"], 8 * 1000 / 6.0);
}

TEST_F(Ladders, PicturesThatAnAlignmentSkippedAreInTheFile) {
  auto record = some_record("a", "features=psnr scale=bicubic auto_align=true");
  record.pictures = "distorted scaled 32x24 -> 64x48 (bicubic); " + io::alignment_note(std::nullopt, 50);
  record.distorted.size = 1000;
  add(record, {{"vmaf", std::vector<double>(100, 90), "vmaf"}});
  EXPECT_EQ(clips()["clips"][0]["bitrate"], 8 * 1000 / 6.0);
}

TEST_F(Ladders, WhatLooksLikeACutInAFeaturesOwnTextIsNone) {
  auto record = some_record("a", "features=cambi:heatmaps_path=x frames=3 y skip_distorted=9 z scale=bicubic");
  record.distorted.size = 1000;
  add(record, {{"vmaf", std::vector<double>(100, 90), "vmaf"}});
  EXPECT_EQ(clips()["clips"][0]["bitrate"], 8 * 1000 / 4.0);
}

// The size is that of a file of which nobody knows how long it is.
TEST_F(Ladders, AFileThatGoesOnBehindTheReferenceHasNoKnownBitrate) {
  const auto add_of = [&](const std::string& name, const std::string& options, std::int64_t decoded) {
    const store::ScoringId id = begin_clip(*writer_, some_record(name, options), {{"vmaf", std::vector<double>(100, 90), "vmaf"}});
    store::ScoringEnd end;
    end.frames = 100;
    end.decoded_distorted = decoded;
    if (name == "timed longer") {
      EXPECT_TRUE(
          writer_->add_warning(id, "r.y4m ends after 100 frames, d/timed longer.mp4 goes on; the common 100 frames are scored").ok());
    }
    if (name == "timed shorter") {
      EXPECT_TRUE(
          writer_->add_warning(id, "d/timed shorter.mp4 ends after 100 frames, r.y4m goes on; the common 100 frames are scored").ok());
    }
    EXPECT_TRUE(writer_->finish_scoring(id, end).ok());
  };
  add_of("longer", "features=psnr scale=bicubic", 101);
  add_of("equal", "features=psnr scale=bicubic", 100);
  add_of("skipped", "features=psnr skip_distorted=5 scale=bicubic", 105);
  add_of("skipped longer", "features=psnr skip_distorted=5 scale=bicubic", 106);
  add_of("timed longer", "features=psnr sync=timestamp scale=bicubic", 50);
  add_of("timed shorter", "features=psnr sync=timestamp scale=bicubic", 200);
  std::map<std::string, bool> known;
  const json rows = clips();
  for (const json& row : rows["clips"]) known[row["name"]] = !row["bitrate"].is_null();
  EXPECT_EQ(known, (std::map<std::string, bool>{{"longer", false},
                                                {"equal", true},
                                                {"skipped", true},
                                                {"skipped longer", false},
                                                {"timed longer", false},
                                                {"timed shorter", true}}));
  const json document = ladders();
  for (const json& left : document["left_out"]) {
    EXPECT_EQ(left["reason"], "its file goes on behind the reference's end and it has no tag bitrate") << left["name"];
  }
}

TEST_F(Ladders, AClipThatIsNotDoneHasNoKnownBitrate) {
  const store::ScoringId id = begin_clip(*writer_, some_record("a", kOptions), {{"vmaf", std::vector<double>(100, 90), "vmaf"}});
  end_clip(*writer_, id, 100, store::ScoringStatus::kPartial);
  EXPECT_EQ(clips()["clips"][0]["bitrate"], nullptr);
}

TEST_F(Ladders, ATagBitrateIsADecimalNumber) {
  const std::map<std::string, json> rates = {{"800000", 800000.0},   {"800k", 800000.0}, {"0.8M", 800000.0}, {"8e5", 800000.0},
                                             {"0x10", nullptr},      {"0x10k", nullptr}, {"+800", nullptr},  {"inf", nullptr},
                                             {"infinityk", nullptr}, {"nan", nullptr},   {" 800", nullptr},  {"800 ", nullptr},
                                             {"-800", nullptr},      {"1e999", nullptr}, {"800K", nullptr},  {"k", nullptr}};
  for (const auto& [tag, rate] : rates) {
    auto record = some_record("tag '" + tag + "'", kOptions);
    record.tags = {{"bitrate", tag}};
    add(record, {{"vmaf", {1}, "vmaf"}});
  }
  const json rows = clips();
  for (const auto& [tag, rate] : rates) {
    const auto row = std::ranges::find(rows["clips"], "tag '" + tag + "'", [](const json& one) { return one["name"].get<std::string>(); });
    ASSERT_NE(row, rows["clips"].end()) << tag;
    EXPECT_EQ((*row)["bitrate"], rate) << tag;
  }
}

TEST_F(Ladders, WhatIsLeftOutIsNamed) {
  auto record = some_record("part", "features=psnr frames=10 scale=bicubic");
  add(record, {{"vmaf", {1}, "vmaf"}});
  record = some_record("no_rate", kOptions);
  record.fps.reset();
  add(record, {{"vmaf", {1}, "vmaf"}});
  record = some_record("odd_tag");
  record.tags = {{"bitrate", "fast<b>"}};
  add(record, {{"vmaf", {1}, "vmaf"}});
  record = some_record("log");
  record.reference = record.distorted = {};
  add(record, {{"vmaf", {1}, "imported"}});
  ASSERT_OK(writer_->add_failed_clip(some_record("failed"), "no such file"));
  std::map<std::string, std::string> reasons;
  const json document = ladders();
  for (const json& left : document["left_out"]) reasons[left["name"]] = left["reason"];
  EXPECT_EQ(reasons["part"], "only a part of it was scored and it has no tag bitrate");
  EXPECT_EQ(reasons["no_rate"], "its frames per second are not known and it has no tag bitrate");
  EXPECT_EQ(reasons["odd_tag"], "its tag bitrate, \"fast<b>\", is no bit rate");
  EXPECT_EQ(reasons["log"], "its reference is not known");
  EXPECT_EQ(reasons["failed"], "its status is failed");
}

TEST_F(Ladders, ManyBdRatesAreCountedAndNotMade) {
  for (int i = 0; i < 60; ++i)
    rendition("c" + std::to_string(i), "film.y4m", "codec" + std::to_string(i / 2), 1000u + static_cast<unsigned>(i), i);
  const json document = ladders();
  EXPECT_EQ(document["bd_rates"].size(), 200U);
  EXPECT_EQ(document["more_bd_rates"], 30 * 29 / 2 - 200);
}

TEST_F(Ladders, ATimeLimitAndTheEndOfTheServerEndThem) {
  for (int i = 0; i < 3; ++i) rendition("c" + std::to_string(i), "film.y4m", "av1", 1000u + static_cast<unsigned>(i), i);
  const auto database = reader();
  database->set_time_limit(std::chrono::milliseconds(0));
  EXPECT_NE(ladders_document(*database).error().message.find("takes longer than 0 s"), std::string::npos);
  const std::atomic<bool> stopping = true;
  database->set_time_limit(std::nullopt, &stopping);
  EXPECT_EQ(ladders_document(*database).error().message, "the server ends");
  database->set_time_limit(std::nullopt);
  EXPECT_TRUE(ladders_document(*database).ok());
}

TEST_F(Ladders, InfiniteScoresAreNoPoints) {
  for (int i = 0; i < 4; ++i) {
    for (const char* codec : {"a", "b"}) {
      auto record = some_record(codec + std::to_string(i), kOptions);
      record.reference.path = "film.y4m";
      record.distorted.size = 1000u + 1000u * static_cast<unsigned>(i);
      record.tags = {{"codec", codec}};
      add(record, {{"psnr_y", {i == 3 ? INFINITY : 30.0 + i}}});
    }
  }
  EXPECT_EQ(ladders()["bd_rates"][0]["left_out"][0]["reason"], "a has 3 points and 4 are needed");
}

}  // namespace
}  // namespace vmafbatch::report
