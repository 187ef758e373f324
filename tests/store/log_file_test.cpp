#include "store/log_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <sstream>
#include <string>

#include "store/scratch.h"

namespace vmafbatch::store {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// "psnr_y 0=31.5 1=inf; vmaf 0=90", or the error's sentence.
std::string parsed(std::string_view text) {
  const auto log = parse_log(text);
  if (!log.ok()) return log.error().message;
  std::ostringstream out;
  const char* separator = "";
  for (const LogColumn& column : log->columns) {
    out << separator << column.name;
    for (const auto& [frame, value] : column.values) out << ' ' << frame << '=' << value;
    separator = "; ";
  }
  return out.str();
}

std::string json(const std::string& frames) { return "{\"version\": \"3.2.0\", \"frames\": [" + frames + "]}"; }
std::string json_frame(const std::string& number, const std::string& metrics) {
  return "{\"frameNum\": " + number + ", \"metrics\": {" + metrics + "}}";
}
std::string xml(const std::string& frames) { return "<VMAF version=\"3.2.0\">\n<frames>\n" + frames + "</frames>\n</VMAF>\n"; }

// -- What libvmaf 3.2.0 writes, byte for byte --------------------------------------------------------------------------------------------

TEST(LogFile, ReadsLibvmafsJson) {
  const auto log = parse_log(R"({
  "version": "3.2.0",
  "fps": 123.45,
  "frames": [
    {
      "frameNum": 0,
      "metrics": {
        "psnr_y": 37.815404,
        "float_ssim": null,        "psnr_cb": 37.887251
      }
    },
    {
      "frameNum": 1,
      "metrics": {
        "psnr_y": 37.748867,
        "float_ssim": 12.500000,
        "psnr_cb": null      }
    }
  ],
  "pooled_metrics": {
    "psnr_y": {
      "min": 37.748867,
      "max": 37.815404,
      "mean": 37.782136,
      "harmonic_mean": 37.782107
    },
    "float_ssim": {
    }
  },
  "aggregate_metrics": {
    "apsnr_y": 37.782008
  }
}
)");
  ASSERT_OK(log);
  EXPECT_EQ(log->format, "json");
  EXPECT_EQ(log->version, "3.2.0");
  EXPECT_EQ(log->frames, 2);
  ASSERT_EQ(log->columns.size(), 3U);
  EXPECT_EQ(log->columns[1].name, "float_ssim");
  EXPECT_EQ(log->columns[1].values[0], std::pair(std::int64_t{0}, kInf));
  EXPECT_EQ(log->columns[1].nulls, 1);
  EXPECT_EQ(log->columns[2].nulls, 1);
  ASSERT_EQ(log->aggregates.size(), 1U);
  EXPECT_EQ(log->aggregates[0].name, "apsnr_y");
  EXPECT_EQ(log->aggregates[0].value, 37.782008);
}

TEST(LogFile, ReadsLibvmafsXml) {
  const auto log = parse_log(R"(<VMAF version="3.2.0">
  <params qualityWidth="64" qualityHeight="48" />
  <fyi fps="inf" />
  <frames>
    <frame frameNum="0" psnr_y="37.815404" float_ssim="inf" />
    <frame frameNum="1" psnr_y="-inf" float_ssim="-nan" />
  </frames>
  <pooled_metrics>
    <metric name="psnr_y" min="37.748867" max="37.815404" mean="37.782136" harmonic_mean="37.782107" />
    <metric name="float_ssim" />
  </pooled_metrics>
  <aggregate_metrics apsnr_y="37.782008" />
</VMAF>
)");
  ASSERT_OK(log);
  EXPECT_EQ(log->version, "3.2.0");
  EXPECT_EQ(log->width, 64);
  EXPECT_EQ(log->height, 48);
  EXPECT_EQ(log->columns[0].values[1].second, -kInf);
  EXPECT_EQ(log->columns[1].values.size(), 1U);
  EXPECT_EQ(log->columns[1].nans, 1);
  EXPECT_EQ(log->aggregates.size(), 1U);
}

TEST(LogFile, ReadsBothKindsOfCsv) {
  EXPECT_EQ(parsed("Frame,psnr_y,psnr_cb,\n0,37.815404,37.887251,\n1,37.5,inf,\n"), "psnr_y 0=37.8154 1=37.5; psnr_cb 0=37.8873 1=inf");
  EXPECT_EQ(parsed("Frame,psnr_y,psnr_cb\r\n0,37.5,37.25\r\n"), "psnr_y 0=37.5; psnr_cb 0=37.25");
  EXPECT_EQ(parsed("Frame,a,b,\n0,1,,\n1,,2,\n"), "a 0=1; b 1=2") << "an empty field is a missing value";
  EXPECT_EQ(parsed("\"Frame\",\"a,\"\"b\"\"\",\n0,1,\n"), "a,\"b\" 0=1");
}

// -- Values -----------------------------------------------------------------------------------------------------------------------------

TEST(LogFile, NumbersAreTheNearestDoubles) {
  const std::vector<std::pair<std::string, double>> numbers = {{"37.815404", 37.815404},
                                                               {"0.1", 0.1},
                                                               {"-0.000000", -0.0},
                                                               {"0.0000009990000000", 9.99e-7},
                                                               {"2.0000005000000001", 2.0000005000000001},
                                                               {"93.123456789012345", 93.123456789012345},
                                                               {"4.9406564584124654e-324", 4.9406564584124654e-324},
                                                               {"1.7976931348623157e+308", 1.7976931348623157e308},
                                                               {"0e999", 0.0},
                                                               {"0.000e-999", 0.0},
                                                               {"-inf", -kInf}};
  for (const auto& [text, value] : numbers) {
    for (const std::string& layout :
         {json(json_frame("0", "\"x\": " + text)), xml("<frame frameNum=\"0\" x=\"" + text + "\" />"), "Frame,x,\n0," + text + ",\n"}) {
      const auto log = parse_log(layout);
      ASSERT_OK(log);
      EXPECT_EQ(bits(log->columns[0].values[0].second), bits(value)) << layout;
    }
  }
}

TEST(LogFile, JsonSpellsInfinityInManyWays) {
  EXPECT_EQ(parsed(json(json_frame("0", "\"a\": \"inf\", \"b\": \"-inf\", \"c\": inf, \"d\": -inf, \"e\": null, \"f\": Infinity"))),
            "a 0=inf; b 0=-inf; c 0=inf; d 0=-inf; e 0=inf; f 0=inf");
  EXPECT_EQ(parsed(json(json_frame("0", "\"a\": nan, \"b\": -nan, \"c\": \"nan\", \"d\": 1"))), "a; b; c; d 0=1");
}

TEST(LogFile, WhatIsNoNumberIsNamed) {
  EXPECT_EQ(parsed(json(json_frame("0", "\"a\": \"high\""))), "line 1: \"a\" is \"high\", which is no number");
  EXPECT_EQ(parsed(json(json_frame("0", "\"a\": true"))), "line 1: \"a\" is \"true\", which is no number");
  EXPECT_EQ(parsed(json(json_frame("0", "\"a\": [1]"))), "line 1: \"a\" is no number but a list or an object");
  EXPECT_EQ(parsed(json(json_frame("0", "\"a\": 0x10"))), "line 1: \"a\" is \"0x10\", which is no number");
  EXPECT_EQ(parsed(json(json_frame("0", "\"a\": 1.2.3"))), "line 1: \"a\" is \"1.2.3\", which is no number");
  EXPECT_EQ(parsed(xml("<frame frameNum=\"0\" a=\"\" />")), "line 3: \"a\" is \"\", which is no number");
  EXPECT_EQ(parsed("Frame,a,\n0,1,\n1,x,\n"), "line 3: \"a\" is \"x\", which is no number");
  EXPECT_EQ(parsed("Frame,a,\n0," + std::string(1000, '9') + ",\n").substr(0, 20), "line 2: \"a\" is \"9999");
}

TEST(LogFile, ANumberThatNoDoubleHoldsIsNamed) {
  for (const char* text : {"1e999", "-1e999", "1e309", "1e-999", "-0.1e-400"}) {
    const std::string told = std::string("\"x\" is \"") + text + "\", which is too " +
                             (std::string_view(text).find("e-") == std::string::npos ? "large" : "small");
    for (const std::string& layout :
         {json(json_frame("0", std::string("\"x\": ") + text)), json(json_frame("0", std::string("\"x\": \"") + text + '"')),
          "{\"frames\": [], \"aggregate_metrics\": {\"x\": " + std::string(text) + "}}",
          xml(std::string("<frame frameNum=\"0\" x=\"") + text + "\" />"), std::string("Frame,x,\n0,") + text + ",\n"}) {
      EXPECT_NE(parsed(layout).find(told), std::string::npos) << layout << ": " << parsed(layout);
    }
  }
}

TEST(LogFile, WhatOnlyLooksLikeANumberIsNamed) {
  for (const char* text : {"0x1p3", "0X10", "nan(1)", "nan(0x8000)", "inf1", "1.5abc", "1e", "1e+", "--1", "+-1", ".", "1..2", " 1", "1 ",
                           "1_000", "infinite"}) {
    const std::string told = std::string("\"x\" is \"") + text + "\", which is no number";
    EXPECT_EQ(parsed(json(json_frame("0", std::string("\"x\": \"") + text + '"'))), "line 1: " + told);
    EXPECT_EQ(parsed(xml(std::string("<frame frameNum=\"0\" x=\"") + text + "\" />")), "line 3: " + told);
    EXPECT_EQ(parsed(std::string("Frame,x,\n0,") + text + ",\n"), "line 2: " + told);
  }
  EXPECT_EQ(parsed("<VMAF>\n<params qualityWidth='12abc'/></VMAF>"),
            "line 2: \"qualityWidth\" is \"12abc\", which is no size of a picture");
}

// -- Shapes ------------------------------------------------------------------------------------------------------------------------------

TEST(LogFile, MembersComeInAnyOrder) {
  EXPECT_EQ(parsed("{\"frames\":[{\"metrics\":{\"a\":1},\"x\":[{}],\"frameNum\":4},{\"frameNum\":0,\"metrics\":{\"b\":2}}],\"version\":3}"),
            "a 4=1; b 0=2");
}

TEST(LogFile, RowsComeInAnyOrder) { EXPECT_EQ(parsed("Frame,a,\n2,20,\n0,0,\n1,10,\n"), "a 0=0 1=10 2=20"); }

TEST(LogFile, ACommaBeforeTheFirstFrameIsLibvmafs) { EXPECT_EQ(parsed("{\"frames\": [,\n" + json_frame("5", "\"a\": 1") + "]}"), "a 5=1"); }

TEST(LogFile, SubsamplingShowsInTheFrameNumbers) {
  const auto log = parse_log("Frame,a,\n0,1,\n6,1,\n9,1,\n");
  ASSERT_OK(log);
  EXPECT_EQ(log->subsample, 3);
  EXPECT_EQ(log->frames, 10);
  EXPECT_EQ(parse_log("Frame,a,\n0,1,\n999999999999,1,\n")->subsample, 1) << "no step that a run can have";
}

TEST(LogFile, ColumnsMayLackFrames) {
  EXPECT_EQ(parsed(json(json_frame("0", "\"a\": 1") + "," + json_frame("1", "\"a\": 2, \"b\": 3"))), "a 0=1 1=2; b 1=3");
}

TEST(LogFile, XmlKnowsEntitiesCommentsAndDeclarations) {
  EXPECT_EQ(parsed("<?xml version='1.0'?>\n<!-- a > b -->\n" + xml("<frame frameNum='0' a&b='&#49;' />")), "a&b 0=1");
  EXPECT_EQ(parsed(xml("<frame frameNum='0' a='&lt;'/>")), "line 3: \"a\" is \"<\", which is no number");
  EXPECT_EQ(parsed(xml("<frame frameNum='0' a='&x;'/>")), "line 3: the entity \"x\" is unknown");
  EXPECT_EQ(parsed(xml("<frame frameNum='0' a='1'></frame>")), "a 0=1");
}

// -- Faults ------------------------------------------------------------------------------------------------------------------------------

TEST(LogFile, DuplicateFramesAreNamed) {
  EXPECT_EQ(parsed("Frame,a,\n0,1,\n1,2,\n0,3,\n"), "line 4: frame 0 was on line 2 already");
  EXPECT_EQ(parsed(json(json_frame("7", "\"a\": 1") + ",\n" + json_frame("7", ""))), "line 2: frame 7 was on line 1 already");
}

TEST(LogFile, DuplicateNamesAreNamed) {
  EXPECT_EQ(parsed("Frame,a,a,\n0,1,2,\n"), "line 1: there are two columns \"a\"");
  EXPECT_EQ(parsed("Frame,a,Frame,\n0,1,2,\n"), "line 1: there are two columns \"Frame\"");
  for (const char* values : {"1", "nan"}) {  // also where a value would be left out
    EXPECT_EQ(parsed(json(json_frame("3", std::string("\"a\": ") + values + ",\n\"b\": 2,\n\"a\": 2"))),
              "line 3: \"a\" is there twice, the first time on line 1");
    EXPECT_EQ(parsed(xml(std::string("<frame frameNum='0' a='") + values + "' a='1'/>")), "line 3: the attribute \"a\" is there twice");
  }
  EXPECT_EQ(parsed(json("{\"frameNum\": 0, \"metrics\": {\"a\": 1}, \"frameNum\": 1}")),
            "line 1: \"frameNum\" is there twice, the first time on line 1");
  EXPECT_EQ(parsed("{\"frames\": [],\n\"\\u0066rames\": []}"), "line 2: \"frames\" is there twice, the first time on line 1");
  EXPECT_EQ(parsed("{\"x\": {\"y\": 1, \"y\": 1}, \"frames\": []}"), "line 1: \"y\" is there twice, the first time on line 1");
  EXPECT_EQ(parsed(xml("<frame frameNum='0' frameNum='1' a='1'/>")), "line 3: the attribute \"frameNum\" is there twice");
  EXPECT_EQ(parsed("<VMAF version='1' version='2'/>"), "line 1: the attribute \"version\" is there twice");
  EXPECT_EQ(parsed("<VMAF><frames/>\n<frames/></VMAF>"), "line 2: the element \"VMAF/frames\" is there twice");
  EXPECT_EQ(parsed("{\"frames\": [], \"aggregate_metrics\": {\"a\": 1, \"a\": 1}}"), "line 1: there are two aggregates \"a\"");
  EXPECT_EQ(parsed("{\"frames\": [" + json_frame("0", "\"a\": 1") + "], \"aggregate_metrics\": {\"a\": 1}}"),
            "\"a\" is a feature of frames and of the whole clip");
}

TEST(LogFile, FrameNumbersHaveARange) {
  for (const char* number : {"-1", "1.5", "1e3", "\"1\"", "9999999999999999999999", "1000000000001", "null"}) {
    const std::string error = parsed(json(json_frame(number, "\"a\": 1")));
    EXPECT_TRUE(error.starts_with("line 1: ")) << error;
  }
  EXPECT_EQ(parsed(json("{\"metrics\": {\"a\": 1}}")), "line 1: a frame has no \"frameNum\"");
  EXPECT_EQ(parsed(xml("<frame a=\"1\" />")), "line 3: a frame has no \"frameNum\"");
}

TEST(LogFile, EveryCutIsAnError) {
  const std::string logs[] = {json("\n" + json_frame("0", "\"a\": 31.5") + ",\n" + json_frame("1", "\"a\": null")),
                              xml("<frame frameNum=\"0\" a=\"31.5\" />\n<frame frameNum=\"1\" a=\"32.5\" />\n")};
  for (const std::string& log : logs) {
    const auto end = log.find_last_not_of('\n');
    ASSERT_OK(parse_log(log));
    for (size_t size = 0; size <= end; ++size) EXPECT_FALSE(parse_log(log.substr(0, size)).ok()) << log.substr(0, size);
  }
  const std::string csv = "Frame,a,b,\n0,31.5,1,\n1,32.25,2,\n";
  for (size_t size = csv.rfind("1,32") + 1; size < csv.size() - 1; ++size) {
    EXPECT_FALSE(parse_log(csv.substr(0, size)).ok()) << csv.substr(0, size);
  }
  EXPECT_EQ(parsed("Frame,a\n0,1\n1,3"), "line 3: the last line has no end, so its last number may be cut off");
}

TEST(LogFile, ACsvRowThatLacksAValueIsNotGuessed) {
  EXPECT_EQ(parsed("Frame,a,b,\n0,1,\n"),
            "line 2: there are 1 values for 2 features, so it is not known which belongs to which; import the JSON or XML log instead");
  EXPECT_EQ(parsed("Frame,a,\n0,1\n"), "line 2: the comma at the end of the line is missing; the log was cut off");
  EXPECT_EQ(parsed("Frame,a,\n0,\"1,\n"), "line 2: a quote has no end");
}

TEST(LogFile, DeepNestingIsRefused) {
  EXPECT_EQ(parsed("{\"x\": " + std::string(1'000'000, '[')), "line 1: the log is nested deeper than any libvmaf log");
  std::string deep = "{\"x\": ";
  for (int depth = 0; depth < 100'000; ++depth) deep += "{\"x\":";
  EXPECT_EQ(parsed(deep), "line 1: the log is nested deeper than any libvmaf log");
  std::string elements = "<VMAF>";
  for (int depth = 0; depth < 100'000; ++depth) elements += "<a>";
  EXPECT_EQ(parsed(elements), "line 1: the log is nested deeper than any libvmaf log");
}

TEST(LogFile, NamesHaveALength) {
  const std::string name(256, 'a');
  EXPECT_NE(parsed("Frame," + name + ",\n0,1,\n").find("has 256 bytes; a key has at most 255"), std::string::npos);
  EXPECT_EQ(parsed("Frame," + name.substr(1) + ",\n0,1,\n"), name.substr(1) + " 0=1");
  EXPECT_EQ(parsed("{\"frames\":\n 1}"), "line 2: a [ is missing, found \"1}\"");
  EXPECT_EQ(parsed("{\"x\"\n\n:1\ny\n}"), "line 4: a } is missing, found \"y\\x0A}\"") << "one line";
  EXPECT_EQ(parsed(json(json_frame("0", "\"\\u0007\": 1"))), "line 1: the name \"\\x07\" holds bytes that are no text");
  EXPECT_EQ(parsed(json(json_frame("0", "\"\xFF\": 1"))), "line 1: the name \"\\xFF\" holds bytes that are no text");
  EXPECT_EQ(parsed(json(json_frame("0", "\"\": 1"))), "line 1: a score has no name");
  EXPECT_EQ(parsed(json(json_frame("0", "\"\\u00e9\\ud83d\\ude00\": 1"))), "\u00e9\U0001F600 0=1");
  EXPECT_EQ(parsed(json(json_frame("0", "\"\\ud83d\": 1"))), "line 1: half a character (a lone surrogate) in a text");
}

TEST(LogFile, TooManyFeaturesAreRefused) {
  std::string header = "Frame,";
  for (int column = 0; column < 5000; ++column) header += "c" + std::to_string(column) + ",";
  EXPECT_EQ(parsed(header + "\n"), "line 1: there are more than 4096 columns");
  std::string frame = "<frame frameNum='0'";
  for (int column = 0; column < 5000; ++column) frame += " c" + std::to_string(column) + "='1'";
  EXPECT_EQ(parsed(xml(frame + "/>")), "line 3: there are more than 4096 attributes");
}

TEST(LogFile, OtherFilesAreNoLogs) {
  EXPECT_EQ(parsed(""), "the log is empty");
  EXPECT_EQ(parsed(" \n\n"), "the log is empty");
  EXPECT_EQ(parsed("{0}{1}frame: 0|a: 1|\n"), "this is a subtitle log; import the JSON, XML or CSV log instead");
  EXPECT_EQ(parsed("n:1 mse_avg:0.52"), "this is no log of libvmaf: it begins with \"n:1 mse_avg:0.52\", not with {, < or Frame,");
  EXPECT_EQ(parsed("<html></html>"), "line 1: the root element is \"html\", not \"VMAF\"");
  EXPECT_EQ(parsed("{\"a\": 1}"), "the JSON has no member \"frames\"; it is no log of libvmaf 2 or later");
  EXPECT_EQ(parsed("<!DOCTYPE a [<!ENTITY b 'c'>]><VMAF></VMAF>"), "line 1: a document type or a CDATA section is no part of a log");
  EXPECT_EQ(parsed("{\"frames\": []}"), "the log holds no frame and no score");
  EXPECT_EQ(parsed("{\"frames\": []} x"), "line 1: nothing may follow the log, found \"x\"");
  EXPECT_EQ(parsed("<VMAF></VMAF><VMAF></VMAF>"), "line 1: a second root element \"VMAF\" follows the first");
  EXPECT_EQ(parsed(xml("<frame frameNum='0' a='1'/>") + "\nx"), "line 6: the text \"x\" is no part of a log");
  EXPECT_EQ(parsed(xml("31.5\n")), "line 3: the text \"31.5\\x0A\" is no part of a log");
  EXPECT_EQ(parsed("<VMAF></b>"), "line 1: the end tag \"b\" ends no element that is open");
}

TEST(LogFile, ErrorsOfFilesNameThem) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_log(folder.path("none.json")).error().message, folder.path("none.json") + ": cannot be read (No such file or directory)");
  write_file(folder.path("x.json"), "{");
  EXPECT_EQ(read_log(folder.path("x.json")).error().message,
            folder.path("x.json") + ": line 1: the log ends in the middle; it was cut off");
}

TEST(LogFile, HugeFilesAreRefused) {
  const TemporaryFolder folder;
  std::filesystem::path path = folder.path("huge.json");
  write_file(path, "{");
  std::filesystem::resize_file(path, kMaxLogBytes + 1);  // a hole: no disk is needed
  EXPECT_EQ(read_log(path).error().message, path.string() + ": is larger than 512 MiB; split it, or import a CSV log");
}

}  // namespace
}  // namespace vmafbatch::store
