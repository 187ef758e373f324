#include "store/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "store/scratch.h"

namespace vmafbatch::store {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A clip whose reports by libvmaf are known, and odd ones.
class ExportTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto writer = Writer::open(path_);
    ASSERT_OK(writer);
    writer_ = std::move(*writer);
    ASSERT_OK(writer_->begin_run(some_run()));
  }

  // Columns are frame features but for those whose name starts with "apsnr"; values[column] are (frame, value).
  void add(const std::string& clip, const std::vector<std::string>& names, const std::vector<std::vector<std::pair<int, double>>>& values,
           std::int64_t frames, int subsample = 1) {
    std::vector<ColumnSpec> columns;
    for (const std::string& name : names) {
      const auto scope = name.starts_with("apsnr") ? ColumnScope::kAggregate : ColumnScope::kFrame;
      columns.push_back({name, scope, "psnr", static_cast<int>(columns.size())});
    }
    const auto begun = writer_->begin_scoring(some_record(clip), columns, some_extractors());
    ASSERT_OK(begun);
    for (size_t column = 0; column < columns.size(); ++column) {
      for (const auto& [frame, value] : values[column]) {
        const bool aggregate = columns[column].scope == ColumnScope::kAggregate;
        ASSERT_OK(aggregate ? writer_->add_aggregate(begun->id, static_cast<int>(column), value)
                            : writer_->add_value(begun->id, static_cast<int>(column), frame, value));
      }
    }
    ASSERT_OK(writer_->add_backend(begun->id, 1, {"integer_motion_hip", "hip", "gfx90a", "", 0, frames}));
    ASSERT_OK(writer_->add_backend(begun->id, 0, {"psnr", "cpu", "", "no twin", 0, frames}));
    ScoringEnd end;
    end.frames = frames;
    end.subsample = subsample;
    end.seconds = 0.5;
    ASSERT_OK(writer_->finish_scoring(begun->id, end));
  }

  std::string report(const std::string& clip, ReportFormat format, const std::string& precision = "legacy") {
    std::ostringstream out;
    const Status status = export_clip(path_, clip, ExportOptions{format, *parse_precision(precision), std::nullopt}, out);
    return status.ok() ? out.str() : status.error().message;
  }

  void add_example() { add("x", {"psnr_y", "apsnr_y"}, {{{0, 37.8154041}, {1, 37.7488672}}, {{0, 37.782008}}}, 2); }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("scores.db");
  std::unique_ptr<Writer> writer_;
};

TEST_F(ExportTest, JsonHasTheLayoutByteForByte) {
  add_example();
  EXPECT_EQ(report("x", ReportFormat::kJson), R"({
  "version": "0.1.0",
  "fps": 4.00,
  "frames": [
    {
      "frameNum": 0,
      "metrics": {
        "psnr_y": 37.815404
      }
    },
    {
      "frameNum": 1,
      "metrics": {
        "psnr_y": 37.748867
      }
    }
  ],
  "pooled_metrics": {
    "psnr_y": {
      "min": 37.748867,
      "max": 37.815404,
      "mean": 37.782136,
      "harmonic_mean": 37.782107
    }
  },
  "aggregate_metrics": {
    "apsnr_y": 37.782008
  },
  "feature_backends": [{"extractor": "psnr", "backend": "cpu"}, {"extractor": "integer_motion_hip", "backend": "hip"}],
  "backend_used": "hip"
}
)");
}

TEST_F(ExportTest, XmlHasTheLayoutByteForByte) {
  add_example();
  EXPECT_EQ(report("x", ReportFormat::kXml), R"(<VMAF version="0.1.0">
  <params qualityWidth="64" qualityHeight="48" />
  <fyi fps="4.00" />
  <frames>
    <frame frameNum="0" psnr_y="37.815404" />
    <frame frameNum="1" psnr_y="37.748867" />
  </frames>
  <pooled_metrics>
    <metric name="psnr_y" min="37.748867" max="37.815404" mean="37.782136" harmonic_mean="37.782107" />
  </pooled_metrics>
  <aggregate_metrics apsnr_y="37.782008" />
</VMAF>
)");
}

TEST_F(ExportTest, AFailedClipHasNothingToExport) {
  ASSERT_OK(writer_->add_failed_clip(some_record("broken"), "cannot be opened"));
  EXPECT_THAT(report("broken", ReportFormat::kJson), ::testing::HasSubstr("\"broken\" failed, so there is nothing to export"));
}

TEST_F(ExportTest, CsvAndSubtitleHaveTheLayout) {
  add_example();
  EXPECT_EQ(report("x", ReportFormat::kCsv), "Frame,psnr_y,\n0,37.815404,\n1,37.748867,\n");
  EXPECT_EQ(report("x", ReportFormat::kSub), "{0}{1}frame: 0|psnr_y: 37.815404|\n{1}{2}frame: 1|psnr_y: 37.748867|\n");
}

TEST_F(ExportTest, InfinitiesAreNullInJsonAndInfElsewhere) {
  add("x", {"a", "b"}, {{{0, kInfinity}}, {{0, -kInfinity}}}, 1);
  const std::string json = report("x", ReportFormat::kJson);
  EXPECT_NE(json.find("      \"metrics\": {\n        \"a\": null,        \"b\": null      }\n"), std::string::npos) << json;
  EXPECT_NE(json.find("      \"min\": null,\n"), std::string::npos) << json;
  EXPECT_TRUE(nlohmann::json::parse(json)["frames"][0]["metrics"]["a"].is_null());
  EXPECT_EQ(report("x", ReportFormat::kCsv), "Frame,a,b,\n0,inf,-inf,\n");
  EXPECT_NE(report("x", ReportFormat::kXml).find("a=\"inf\" b=\"-inf\""), std::string::npos);
}

TEST_F(ExportTest, AMissingValueIsAnEmptyFieldAndHasNoPooledMembers) {
  add("x", {"a", "b", "c"}, {{{0, 1}, {1, 2}}, {{1, 3}}, {{0, 4}, {1, 5}}}, 2);
  EXPECT_EQ(report("x", ReportFormat::kCsv, "6"), "Frame,a,b,c,\n0,1,,4,\n1,2,3,5,\n");
  const std::string json = report("x", ReportFormat::kJson);
  EXPECT_NE(json.find("\"b\": {\n    },\n"), std::string::npos) << json;
  EXPECT_NO_THROW({ const auto parsed = nlohmann::json::parse(json); });
  EXPECT_NE(report("x", ReportFormat::kXml).find("<metric name=\"b\" />"), std::string::npos);
}

TEST_F(ExportTest, SubsampledClipsHavePooledValues) {
  add("x", {"a"}, {{{0, 1}, {3, 2}}}, 5, 3);
  EXPECT_NE(report("x", ReportFormat::kJson).find("\"mean\": 1.500000"), std::string::npos);
}

TEST_F(ExportTest, JsonIsValidWithoutFrameZeroAndWithoutColumns) {
  add("late", {"a"}, {{{1, 1}}}, 2);
  add("none", {}, {}, 0);
  EXPECT_EQ(nlohmann::json::parse(report("late", ReportFormat::kJson))["frames"][0]["frameNum"], 1);
  const std::string json = report("none", ReportFormat::kJson);
  EXPECT_NE(json.find("\"frames\": [\n  ],\n  \"pooled_metrics\": {\n  },\n  \"aggregate_metrics\": {\n  }"), std::string::npos) << json;
  EXPECT_NO_THROW({ const auto parsed = nlohmann::json::parse(json); });
  EXPECT_NE(report("none", ReportFormat::kXml).find("<aggregate_metrics />"), std::string::npos);
}

TEST_F(ExportTest, NamesAreEscaped) {
  add("x", {"a\"<&,1", "a b", "a_b", "\xE9"}, {{{0, 1}}, {{0, 2}}, {{0, 3}}, {{0, 4}}}, 1);
  const auto json = nlohmann::json::parse(report("x", ReportFormat::kJson));
  EXPECT_EQ(json["frames"][0]["metrics"]["a\"<&,1"], 1.0);
  EXPECT_EQ(json["frames"][0]["metrics"]["\\xE9"], 4.0);
  const std::string xml = report("x", ReportFormat::kXml, "6");
  EXPECT_NE(xml.find("a____1=\"1\" a_b=\"2\" a_b_2=\"3\" _=\"4\" />"), std::string::npos) << xml;
  EXPECT_NE(xml.find("name=\"a&quot;&lt;&amp;,1\""), std::string::npos) << xml;
  EXPECT_EQ(report("x", ReportFormat::kCsv, "6"), "Frame,\"a\"\"<&,1\",a b,a_b,\\xE9,\n0,1,2,3,4,\n");
}

TEST_F(ExportTest, PrecisionIsWhatPrintfWrites) {
  EXPECT_EQ(format_score(0.1, *parse_precision("max")), "0.10000000000000001");
  EXPECT_EQ(format_score(0.1, *parse_precision("full")), "0.10000000000000001");
  EXPECT_EQ(format_score(99.9999999, *parse_precision("legacy")), "100.000000");
  EXPECT_EQ(format_score(9.99e-7, *parse_precision("legacy")), "0.000001");
  EXPECT_EQ(format_score(1e300, *parse_precision("legacy")).size(), 308U);
  EXPECT_EQ(format_score(37.815404, *parse_precision("1")), "4e+01");
  EXPECT_EQ(format_score(37.815404, *parse_precision("9")), "37.815404");
  for (const char* wrong : {"", "0", "18", "-1", "maximum", "1.5", "9 "}) EXPECT_FALSE(parse_precision(wrong)) << wrong;
}

TEST_F(ExportTest, FilesAreWholeOrNotThere) {
  add_example();
  const std::string file = folder_.path("out.json");
  ASSERT_OK(export_clip_to_file(path_, "x", {}, file));
  EXPECT_NO_THROW({ const auto parsed = nlohmann::json::parse(read_file(file)); });
  const std::string before = read_file(file);
  EXPECT_FALSE(export_clip_to_file(path_, "absent", {}, file).ok());
  EXPECT_EQ(read_file(file), before);
  EXPECT_FALSE(export_clip_to_file(path_, "x", {}, folder_.path("no/such/folder.json")).ok());
  const Status full = export_clip_to_file(path_, "x", {}, "/dev/full");
  ASSERT_FALSE(full.ok());
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) EXPECT_NE(entry.path().extension(), ".part");
}

TEST_F(ExportTest, ANumberOfFramesThatNoClipHasIsDamage) {
  add_example();
  for (const char* frames : {"9000000000000000000", "9223372036854775807", "-1", "'many'"}) {
    run_sql(path_, "UPDATE scoring SET frames = " + std::string(frames));
    EXPECT_NE(report("x", ReportFormat::kJson).find(": the database is damaged (a scoring has \""), std::string::npos) << frames;
  }
}

TEST_F(ExportTest, SaysWhichClipIsNotThere) {
  add_example();
  EXPECT_NE(report("y", ReportFormat::kJson).find("there is no finished scoring of a clip \"y\""), std::string::npos);
  std::ostringstream out;
  const Status status = export_clip(path_, "x", ExportOptions{ReportFormat::kJson, {}, "other"}, out);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("under the label \"other\""), std::string::npos);
}

}  // namespace
}  // namespace vmafbatch::store
