#include "store/import.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <sstream>

#include "store/diff.h"
#include "store/export.h"
#include "store/scratch.h"
#include "store/verify.h"

namespace vmafbatch::store {
namespace {

class Import : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }

  // "new", "there", or the error's sentence.
  std::string import(const std::string& log, const ImportOptions& options = {}) {
    const auto prepared = prepare_log(path(log), options);
    if (!prepared.ok()) return prepared.error().message;
    auto writer = Writer::open(path("i.db"));
    EXPECT_TRUE(writer.ok());
    EXPECT_TRUE((*writer)->begin_run(some_run()).ok());
    const auto stored = store_prepared_log(*prepared, **writer);
    EXPECT_TRUE((*writer)->close().ok());
    return !stored.ok() ? stored.error().message : *stored ? "new" : "there";
  }
  std::string csv(const std::string& sql) const { return csv_of(path("i.db"), sql); }
  void write(const std::string& name, const std::string& text) const { write_file(path(name), text); }

  const TemporaryFolder folder_;
};

TEST_F(Import, ALogBecomesAScoring) {
  write("film.csv", "Frame,psnr_y,vmaf,\n0,37.815404,90.5,\n1,37.748867,91.5,\n");
  EXPECT_EQ(import("film.csv"), "new");
  EXPECT_EQ(csv("SELECT clip, frame, feature, value FROM frame_features ORDER BY 3, 2"),
            "film,0,psnr_y,37.815404\nfilm,1,psnr_y,37.748867\nfilm,0,vmaf,90.5\nfilm,1,vmaf,91.5\n");
  EXPECT_EQ(csv("SELECT mean, min, max FROM clip_scores WHERE feature = 'vmaf'"), "91,90.5,91.5\n");
  EXPECT_EQ(csv("SELECT status, frames, subsample, program_version, reference_path, reference_size, processor FROM scoring"),
            "done,2,1,unknown,,0,\n");
}

TEST_F(Import, NothingClaimsThatItWasScoredHere) {
  write(
      "a.xml",
      "<VMAF version=\"2.3.1\"><params qualityWidth=\"64\" qualityHeight=\"48\"/><frames><frame frameNum=\"0\" x=\"1\"/></frames></VMAF>");
  ASSERT_EQ(import("a.xml"), "new");
  EXPECT_EQ(csv("SELECT extractor, implementation, backend, reason FROM backends"),
            "imported,2.3.1,imported,read from " + path("a.xml") + "\n");
  EXPECT_EQ(csv("SELECT program_version, width, height FROM scoring"), "2.3.1,64,48\n");
  EXPECT_EQ(csv("SELECT substr(options, 1, 35) FROM scoring"),
            "imported format=xml log=xxh3:" + csv("SELECT substr(options, 30, 6) FROM scoring"));
  EXPECT_EQ(csv("SELECT source FROM scoring_feature"), "imported\n");
}

// Everything that a libvmaf log can hold comes back with the same bits.
TEST_F(Import, WhatIsExportedComesBack) {
  auto writer = Writer::open(path("s.db"));
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->begin_run(some_run()));
  const auto begun = (*writer)->begin_scoring(some_record("a"), some_columns(), some_extractors());
  ASSERT_OK(begun);
  const double values[] = {-0.0, 0.1, 1e-300, 93.123456789012345, 5e-324, std::numeric_limits<double>::infinity()};
  for (int frame = 0; frame < 6; ++frame) {
    ASSERT_OK((*writer)->add_value(begun->id, 0, frame, values[frame]));
    ASSERT_OK((*writer)->add_value(begun->id, 1, frame, -values[frame]));
  }
  ASSERT_OK((*writer)->add_aggregate(begun->id, 2, 1.0 / 3.0));
  ScoringEnd end;
  end.frames = 6;
  ASSERT_OK((*writer)->finish_scoring(begun->id, end));
  ASSERT_OK((*writer)->close());
  const std::string query =
      "SELECT frame, feature, value FROM frame_features WHERE NOT (frame = 5 AND feature = 'integer_motion2') ORDER BY 2, 1";
  for (const auto& [format, name] : {std::pair(ReportFormat::kJson, "a.json"), std::pair(ReportFormat::kXml, "a.xml")}) {
    ASSERT_OK(export_clip_to_file(path("s.db"), "a", {format, Precision{}, std::nullopt}, path(name)));
    EXPECT_EQ(import(name, {.label = name}), "new");
    EXPECT_EQ(csv(query), csv_of(path("s.db"), query)) << name;
    EXPECT_EQ(csv("SELECT * FROM clip_aggregates"), csv_of(path("s.db"), "SELECT * FROM clip_aggregates"));
  }
  EXPECT_EQ(csv("SELECT value FROM all_frame_features WHERE frame = 5 AND feature = 'integer_motion2' ORDER BY label"), "inf\n-inf\n")
      << "JSON has null for both infinities";
  EXPECT_EQ(csv("SELECT text FROM all_warnings WHERE label = 'a.json' ORDER BY 1"),
            "integer_motion2: 1 values are null in the log and stored as inf\npsnr_y: 1 values are null in the log and stored as inf\n");
}

// What a log does not say (files, backends, identical frames) is no difference, and no cause.
TEST_F(Import, DiffComparesWhatALogSays) {
  auto writer = Writer::open(path("s.db"));
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->begin_run(some_run()));
  add_clip(**writer, some_record("a"));
  ASSERT_OK((*writer)->close());
  ASSERT_OK(export_clip_to_file(path("s.db"), "a", {ReportFormat::kJson, Precision{}, std::nullopt}, path("a.json")));
  ASSERT_EQ(import("a.json"), "new");
  std::ostringstream out;
  auto summary = print_diff(path("s.db"), path("i.db"), DiffFormat::kText, out);
  ASSERT_OK(summary);
  EXPECT_EQ(summary->outcome, DiffOutcome::kEqual) << out.str();
  EXPECT_EQ(summary->values, 21);

  run_sql(path("i.db"),
          "UPDATE frame_score SET value = 1.5 WHERE frame = 3 AND scoring_feature = 1; UPDATE scoring SET program_version = '3.2.0'");
  summary = print_diff(path("s.db"), path("i.db"), DiffFormat::kText, out);
  ASSERT_OK(summary);
  EXPECT_EQ(summary->differences, 1) << out.str();
  EXPECT_NE(out.str().find("imported, version 3.2.0"), std::string::npos) << out.str();
  EXPECT_EQ(out.str().find("reference file"), std::string::npos) << out.str();
}

TEST_F(Import, InternalNamesGetTheirAliases) {
  EXPECT_EQ(key_of_log_name("VMAF_integer_feature_adm2_score"), "integer_adm2");
  EXPECT_EQ(key_of_log_name("VMAF_feature_adm_scale3_score"), "adm_scale3");
  EXPECT_EQ(key_of_log_name("Cambi_feature_cambi_score"), "cambi");
  EXPECT_EQ(key_of_log_name("Speed_chroma_feature_speed_chroma_uv_score"), "speed_chroma_uv");
  EXPECT_EQ(key_of_log_name("Speed_temporal_feature_speed_temporal_score"), "speed_temporal");
  for (const char* key : {"VMAF_integer_feature_motion_sad_score", "VMAF_integer_feature_adm_scale0_score", "VMAF_feature__score",
                          "VMAF_integer_feature_score", "integer_adm2_egl_1", "vmaf", ""}) {
    EXPECT_EQ(key_of_log_name(key), key);
  }
}

TEST_F(Import, FeaturesCanBeRenamed) {
  write("a.csv", "Frame,vmaf_hd,x,\n0,1,2,\n");
  EXPECT_EQ(import("a.csv", {.clip = "film", .renames = {{"vmaf_hd", "vmaf"}}}), "new");
  EXPECT_EQ(csv("SELECT clip, feature FROM clip_scores ORDER BY 2"), "film,vmaf\nfilm,x\n");
  EXPECT_EQ(import("a.csv", {.renames = {{"y", "z"}}}), path("a.csv") + ": there is no feature \"y\" to rename");
  EXPECT_EQ(import("a.csv", {.renames = {{"x", "vmaf_hd"}}}),
            path("a.csv") + ": two features get the key \"vmaf_hd\"; rename one (--rename OLD=NEW)");
}

TEST_F(Import, TheSameLogIsStoredOnce) {
  write("a.csv", "Frame,x,\n0,1,\n");
  EXPECT_EQ(import("a.csv"), "new");
  EXPECT_EQ(import("a.csv"), "there");
  write("a.csv", "Frame,x,\n0,2,\n");
  EXPECT_NE(import("a.csv").find("give this scoring another --label"), std::string::npos);
  EXPECT_EQ(import("a.csv", {.label = "second"}), "new");
  EXPECT_EQ(csv("SELECT label, value FROM all_frame_features ORDER BY 1"), ",1\nsecond,2\n");
}

TEST_F(Import, NansAreLeftOutAndTold) {
  write("a.csv", "Frame,x,\n0,nan,\n1,2,\n");
  EXPECT_EQ(import("a.csv"), "new");
  EXPECT_EQ(csv("SELECT frame FROM frame_features"), "1\n");
  EXPECT_EQ(csv("SELECT text FROM warnings"), "x: 1 values are nan in the log and left out\n");
}

TEST_F(Import, ValuesOfTheWholeClipThatAreNoNumbersAreTold) {
  write("a.json", R"({"frames": [], "aggregate_metrics": {"x": null, "y": nan, "z": 1.5}})");
  EXPECT_EQ(import("a.json"), "new");
  EXPECT_EQ(csv("SELECT feature, value FROM clip_aggregates ORDER BY 1"), "x,inf\nz,1.5\n");
  EXPECT_EQ(csv("SELECT text FROM warnings ORDER BY 1"),
            "x: the value of the whole clip is null in the log and stored as inf\n"
            "y: the value of the whole clip is nan in the log and left out\n");
  std::ostringstream out;
  const auto verified = verify_database(path("i.db"), {}, out);
  ASSERT_OK(verified);
  EXPECT_EQ(verified->problems, 0) << out.str();
}

TEST_F(Import, AnUnfitLogLeavesNothing) {
  write("a.csv", "Frame,x,\n0,1,\n1,5,\n0,2,\n");
  EXPECT_EQ(import("a.csv"), path("a.csv") + ": line 4: frame 0 was on line 2 already");
  EXPECT_FALSE(std::filesystem::exists(path("i.db")));
}

}  // namespace
}  // namespace vmafbatch::store
