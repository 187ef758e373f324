#include "io/catalogue.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/catalogue_row.h"
#include "io/file_identity.h"
#include "support/media_files.h"

namespace vmafbatch::io {
namespace {

using testing::TemporaryFolder;
using Strings = std::vector<std::string>;

class Catalogue : public ::testing::Test {
 protected:
  Result<std::vector<CatalogueRow>> read(std::string_view text, const std::string& name = "list.csv") {
    testing::write_file(folder_.path(name), text);
    return read_catalogue(folder_.path(name));
  }
  std::vector<CatalogueRow> rows(std::string_view text, const std::string& name = "list.csv") {
    auto result = read(text, name);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return result.ok() ? std::move(*result) : std::vector<CatalogueRow>();
  }
  // The message after the file's name.
  std::string error(std::string_view text, const std::string& name = "list.csv") {
    const auto result = read(text, name);
    EXPECT_FALSE(result.ok());
    const std::string start = folder_.path(name) + ": ";
    EXPECT_TRUE(!result.ok() && result.error().message.starts_with(start));
    return result.ok() ? "" : result.error().message.substr(start.size());
  }

  TemporaryFolder folder_;
};

TEST_F(Catalogue, ReadsPathsRelativeToItsFolderAndNamesRowsAfterTheDistortedFile) {
  const auto list = rows("reference,distorted\nsource/city.y4m,coded/city_1.mp4\n/data/a.mov,/data/b.x.mov\n");
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].reference, folder_.path("source/city.y4m"));
  EXPECT_EQ(list[0].distorted, folder_.path("coded/city_1.mp4"));
  EXPECT_EQ(list[0].name, "coded/city_1");
  EXPECT_EQ(list[0].line, 2);
  EXPECT_EQ(list[1].reference, "/data/a.mov");
  EXPECT_EQ(list[1].name, "/data/b.x");
  EXPECT_EQ(rows("reference,distorted\na.y4m," + folder_.path("sub/c.mp4") + "\n")[0].name, "sub/c");
}

TEST_F(Catalogue, ReadsEveryColumn) {
  const auto row = rows(
      "name,reference,distorted,width,height,pixel_format,bit_depth,fps,distorted_width,distorted_height,distorted_pixel_format,skip_"
      "reference,"
      "skip_distorted,start,duration,frames,subsample,scale,sync,features,models,label,tag.codec,tag.empty\n"
      "n,r.yuv,d.yuv,64,48,422,10,30000/1001,32,24,yuv422p10le,1,2,00:01:02.5,3.25,100,5,lanczos,none,psnr; vif=a=b ;,version=x,L,av1,\n")
      [0];
  EXPECT_EQ(row.name, "n");
  EXPECT_EQ(row.reference_raw, (RawGeometry{64, 48, "422", 10, 30000, 1001}));
  EXPECT_EQ(row.distorted_raw, (RawGeometry{32, 24, "yuv422p10le", 10, 30000, 1001}));
  EXPECT_EQ(row.skip_reference, 1);
  EXPECT_EQ(row.skip_distorted, 2);
  EXPECT_EQ(row.start_s, 62.5);
  EXPECT_EQ(row.duration_s, 3.25);
  EXPECT_EQ(row.frames, 100);
  EXPECT_EQ(row.subsample, 5);
  EXPECT_EQ(row.scale, "lanczos");
  EXPECT_EQ(row.sync, "none");
  EXPECT_EQ(row.features, (Strings{"psnr", "vif=a=b"}));
  EXPECT_EQ(row.models, Strings{"version=x"});
  EXPECT_EQ(row.label, "L");
  EXPECT_EQ(row.tags, (std::vector<std::pair<std::string, std::string>>{{"codec", "av1"}}));
}

TEST_F(Catalogue, GeometryOfOneSideLeavesTheOtherAlone) {
  const auto row = rows("reference,distorted,distorted_width,distorted_height,fps\nr.y4m,d.yuv,32,24,25\n")[0];
  EXPECT_EQ(row.reference_raw, std::nullopt);
  EXPECT_EQ(row.distorted_raw, (RawGeometry{32, 24, "420", std::nullopt, 25000, 1000}));
}

TEST_F(Catalogue, ReadsQuotedFieldsByteOrderMarkAndCarriageReturns) {
  const auto list = rows(
      "\xEF\xBB\xBFreference,distorted,name\r\n"
      "\"a, \"\"b\"\".y4m\",\" lead.mp4\",\"two\nlines\"\r\n"
      "\r\n"
      "c.y4m,\xFF.mp4,\r\n"
      "e.y4m,f.mp4,last");
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].reference, folder_.path("a, \"b\".y4m"));
  EXPECT_EQ(list[0].distorted, folder_.path(" lead.mp4"));
  EXPECT_EQ(list[0].name, "two\nlines");
  EXPECT_EQ(list[0].line, 2);
  EXPECT_EQ(list[1].line, 5);
  EXPECT_EQ(list[1].distorted, folder_.path("\xFF.mp4"));
  EXPECT_EQ(list[1].name, "\\xFF");
  EXPECT_EQ(list[2].line, 6);
}

TEST_F(Catalogue, ReadsJsonLines) {
  const std::string text =
      "{\"reference\": \"r.y4m\", \"distorted\": \"d.mp4\", \"frames\": 10, \"start\": 1.5, \"features\": [\"psnr\", \"vif\"], \"label\": "
      "null}\r\n\n"
      "{\"reference\": \"r.y4m\", \"distorted\": \"e \\u00e9.mp4\", \"tag.codec\": \"av1\"}\n";
  for (const char* name : {"list.jsonl", "list.ndjson", "list"}) {
    const auto list = rows(text, name);
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0].frames, 10);
    EXPECT_EQ(list[0].start_s, 1.5);
    EXPECT_EQ(list[0].features, (Strings{"psnr", "vif"}));
    EXPECT_EQ(list[0].label, std::nullopt);
    EXPECT_EQ(list[1].name, "e \xC3\xA9");
    EXPECT_EQ(list[1].line, 3);
    EXPECT_EQ(list[1].tags.size(), 1U);
  }
}

TEST_F(Catalogue, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error("reference,distorted\n"), "holds no pair");
  EXPECT_EQ(error(""), "line 1: there is no header line");
  EXPECT_EQ(error("reference,name\na,b\n"), "line 1: the column 'distorted' is missing");
  EXPECT_TRUE(error("reference,distorted,codec\na,b,c\n")
                  .starts_with("line 1: column 'codec' is unknown; the columns are reference, distorted, name, width"));
  EXPECT_TRUE(error("reference,distorted,codec\na,b,c\n").ends_with("models, label, tag.*"));
  EXPECT_EQ(error("reference,distorted,reference\na,b,c\n"), "line 1: column 'reference' is there twice");
  EXPECT_EQ(error("reference,distorted\na,b\nc\n"), "line 3: has 1 fields, the header has 2");
  EXPECT_EQ(error("reference,distorted\na,\n"), "line 2: distorted is empty");
  EXPECT_EQ(error("reference,distorted,frames\na,b,-1\n"), "line 2: frames '-1' is not a whole number from 1 to 9223372036854775807");
  EXPECT_EQ(error("reference,distorted,subsample\na,b,0\n"), "line 2: subsample '0' is not a whole number from 1 to 1000000");
  EXPECT_EQ(error("reference,distorted,start\na,b,soon\n"), "line 2: start 'soon' is not a time such as 12.5, 90s, 1.5m or HH:MM:SS.mmm");
  EXPECT_EQ(error("reference,distorted,width\na,b,64\n"), "line 2: height '' is not given; raw video needs width and height");
  EXPECT_EQ(error("reference,distorted,width,height,fps\na,b,64,48,fast\n"),
            "line 2: fps 'fast' is not a frame rate such as 25 or 30000/1001");
  for (const char* rate : {"0x19", "+25", "nan", "inf", "25x", "25/0x1", "1e999", "25/"}) {
    EXPECT_EQ(error("reference,distorted,width,height,fps\na,b,64,48," + std::string(rate) + "\n"),
              "line 2: fps '" + std::string(rate) + "' is not a frame rate such as 25 or 30000/1001");
  }
  EXPECT_EQ(error("reference,distorted\na,x/b.mp4\nc,d\na,x/b.mkv\n"),
            "line 4: the name 'x/b' is taken by line 2; give one of them another name");
  EXPECT_TRUE(error("reference,distorted\na,\"b\n").starts_with("line 2: a quoted field is not closed"));
  EXPECT_TRUE(error("reference,distorted\na,b\"c\"\n").starts_with("line 2: a quoted field is not closed, or a quote stands inside"));
  EXPECT_TRUE(error("{\"reference\": \"a\"\n", "a.jsonl").starts_with("line 1: is no JSON object"));
  EXPECT_TRUE(error("{\"ref\": \"a\"}\n", "a.jsonl").starts_with("line 1: column 'ref' is unknown"));
  EXPECT_EQ(error("{\"reference\": {}, \"distorted\": \"b\"}\n", "a.jsonl"),
            "line 1: the value of 'reference' is no text, number or list of them");
  EXPECT_EQ(read_catalogue(folder_.path("missing.csv")).error().message,
            folder_.path("missing.csv") + ": cannot be read: No such file or directory");
}

TEST_F(Catalogue, ReadsTenThousandRows) {
  std::string text = "reference,distorted,tag.n\n";
  for (int i = 0; i < 10000; ++i) text += "r.y4m,d/" + std::to_string(i) + ".mp4," + std::to_string(i) + "\n";
  const auto list = rows(text);
  ASSERT_EQ(list.size(), 10000U);
  EXPECT_EQ(list[9999].name, "d/9999");
  EXPECT_EQ(list[9999].line, 10001);
}

TEST(ParseTime, ReadsSecondsAndClockTimes) {
  EXPECT_EQ(parse_time("12.5"), 12.5);
  EXPECT_EQ(parse_time("0"), 0.0);
  EXPECT_EQ(parse_time("1.5m"), 90.0);
  EXPECT_EQ(parse_time("01:02.5"), 62.5);
  EXPECT_EQ(parse_time("01:02:03.250"), 3723.25);
  for (const char* wrong : {"", "-1", "1e3", "inf", "1:", ":1", "1:60", "1:2:3:4", "1.5:02", "1:10s", " 1", "0x10", "1.2.3"}) {
    EXPECT_EQ(parse_time(wrong), std::nullopt) << wrong;
  }
}

TEST(GroupKey, DiffersWhereTheReferenceIsReadInAnotherWay) {
  CatalogueRow row;
  row.reference = "r";
  row.distorted = "d";
  CatalogueRow other = row;
  other.distorted = "e";
  other.skip_distorted = 3;
  other.distorted_raw = RawGeometry{};
  EXPECT_EQ(group_key(row), group_key(other));
  const auto differs = [&](auto change) {
    CatalogueRow changed = row;
    change(changed);
    return group_key(changed) != group_key(row);
  };
  EXPECT_TRUE(differs([](CatalogueRow& r) { r.reference = "s"; }));
  EXPECT_TRUE(differs([](CatalogueRow& r) { r.reference_raw = RawGeometry{}; }));
  EXPECT_TRUE(differs([](CatalogueRow& r) { r.skip_reference = 1; }));
  EXPECT_TRUE(differs([](CatalogueRow& r) { r.start_s = 1; }));
  EXPECT_TRUE(differs([](CatalogueRow& r) { r.duration_s = 1; }));
  EXPECT_TRUE(differs([](CatalogueRow& r) { r.frames = 1; }));
  EXPECT_TRUE(differs([](CatalogueRow& r) { r.subsample = 2; }));
  EXPECT_TRUE(differs([](CatalogueRow& r) { r.scale = "none"; }));
  EXPECT_TRUE(differs([](CatalogueRow& r) { r.sync = "x"; }));
}

TEST(MatchFolders, PairsByStemAndReportsTheRest) {
  const TemporaryFolder folder;
  for (const char* dir : {"r", "d", "d/sub"}) std::filesystem::create_directory(folder.path(dir));
  for (const char* name : {"r/city.y4m", "r/city_night.mov", "r/lake*.mkv", "r/alone.y4m", "d/city_1.mp4", "d/city_2.mkv",
                           "d/city_night_1.mp4", "d/lake*_x.mp4", "d/lakes_x.mp4", "d/city.mp4", "d/.hidden_1", "d/sub/city_9.mp4"}) {
    testing::write_file(folder.path(name), "x");
  }
  const auto match = match_folders(folder.path("r"), folder.path("d"), "{stem}_*");
  ASSERT_TRUE(match.ok()) << match.error().message;
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const CatalogueRow& row : match->rows) {
    pairs.emplace_back(row.name, std::filesystem::path(row.reference).filename().native());
  }
  EXPECT_EQ(pairs, (std::vector<std::pair<std::string, std::string>>{
                       {"city_1", "city.y4m"}, {"city_2", "city.y4m"}, {"city_night_1", "city_night.mov"}, {"lake*_x", "lake*.mkv"}}));
  EXPECT_EQ(match->unmatched.size(), 2U);
  EXPECT_EQ(match->unmatched[0], folder.path("d/city.mp4") + ": no reference in " + folder.path("r") + " matches it by '{stem}_*'");
  EXPECT_EQ(match->unused, Strings{folder.path("r/alone.y4m") + ": no file in " + folder.path("d") + " matches it"});
  EXPECT_EQ(match_folders(folder.path("r"), folder.path("d"), "{stem}")->rows.size(), 1U);
  EXPECT_EQ(match_folders(folder.path("r"), folder.path("d"), "{stem}_?.mkv")->rows.size(), 1U);
}

TEST(MatchFolders, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  for (const char* dir : {"r", "d"}) std::filesystem::create_directory(folder.path(dir));
  testing::write_file(folder.path("r/a.y4m"), "x");
  testing::write_file(folder.path("d/b.mp4"), "x");
  const auto error = [&](const char* reference, const char* pattern) {
    return match_folders(folder.path(reference), folder.path("d"), pattern).error().message;
  };
  EXPECT_NE(error("r", "*").find("has no {stem}"), std::string::npos);
  EXPECT_NE(error("missing", "{stem}").find("the folder cannot be read: No such file"), std::string::npos);
  EXPECT_NE(error("r", "{stem}").find("no file matches a reference"), std::string::npos);
  testing::write_file(folder.path("r/a.mov"), "x");
  EXPECT_NE(error("r", "{stem}").find("have the same stem"), std::string::npos);
  std::filesystem::remove(folder.path("r/a.mov"));
  testing::write_file(folder.path("d/a.mp4"), "x");
  testing::write_file(folder.path("d/a.mkv"), "x");
  EXPECT_NE(error("r", "{stem}").find("would both be named 'a'"), std::string::npos);
}

TEST(FileIdentity, ChangesWithSizeAndTime) {
  const TemporaryFolder folder;
  testing::write_file(folder.path("a"), "12345");
  const auto first = file_identity(folder.path("a"));
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->size_bytes, 5U);
  std::filesystem::last_write_time(folder.path("a"), std::filesystem::last_write_time(folder.path("a")) + std::chrono::nanoseconds(1));
  const auto second = file_identity(folder.path("a"));
  EXPECT_EQ(second->modified_ns, first->modified_ns + 1);
  EXPECT_FALSE(*first == *second);
  EXPECT_EQ(file_identity(folder.path("b")).error().message, folder.path("b") + ": No such file or directory");
}

}  // namespace
}  // namespace vmafbatch::io
