// What a command writes never goes into what it reads, whatever name it is given.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <string>

#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

namespace fs = std::filesystem;

class Outputs : public Program {
 protected:
  Outputs() {
    write_clip("b.y4m");
    write_file(folder_.path("c.csv"), "reference,distorted\na.y4m,b.y4m\n");
  }

  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path(""))) {
      const std::string name = entry.path().filename();
      if (entry.is_regular_file() && name != "out" && name != "err") all[name] = file_bytes(entry.path());
    }
    return all;
  }

  // The command is refused in one sentence, and every file is as it was.
  void expect_refused(const std::string& command, const std::string& sentence) {
    const auto before = contents();
    EXPECT_EQ(run(command), 2) << command;
    EXPECT_TRUE(told(sentence)) << command << ": " << error_;
    EXPECT_TRUE(is_one_line()) << command << ": " << error_;
    EXPECT_EQ(contents() == before, true) << command;
  }
  static std::string score_with(const std::string& what) { return "score --quiet --feature psnr --no-model " + what; }
};

TEST_F(Outputs, ALogIsNoneOfTheRunsFiles) {
  fs::create_hard_link(folder_.path("b.y4m"), folder_.path("hard"));
  fs::create_symlink("c.csv", folder_.path("link"));
  fs::create_symlink("x.db", folder_.path("new link"));
  const std::string catalogue = score_with("c.csv -o x.db --log-file ");
  expect_refused(catalogue + "x.db", "x.db: this is the database, which must stay as it is; name another file");
  expect_refused(catalogue + "'new link'", "new link: this is the database (x.db)");
  expect_refused(catalogue + "./x.db-wal", "./x.db-wal: this is a part of the database (x.db-wal)");
  expect_refused(catalogue + "x.db.lock", "x.db.lock: this is a part of the database");
  expect_refused(catalogue + "c.csv", "c.csv: this is the catalogue");
  expect_refused(catalogue + "link", "link: this is the catalogue (c.csv)");
  expect_refused(catalogue + "a.y4m", "a.y4m: this is a video of this run");
  expect_refused(catalogue + "hard", "hard: this is a video of this run (b.y4m)");
  expect_refused(score_with("--reference a.y4m --distorted b.y4m -o x.db --log-file b.y4m"), "b.y4m: this is a video of this run");
  ASSERT_EQ(score("c.csv -o x.db"), 0) << error_;
  expect_refused(catalogue + "x.db", "x.db: this is the database");
  EXPECT_EQ(score("c.csv -o x.db --log-file x.log"), 0) << error_;
  EXPECT_EQ(score("c.csv -o x.db --log-file x.log"), 0) << error_;
}

TEST_F(Outputs, ALogOfARunThatCannotBeginTouchesNoForeignFile) {
  write_file(folder_.path("c.csv"), "reference,distorted\na.y4m,b.y4m,b.y4m\n");
  expect_refused(score_with("c.csv -o x.db --log-file b.y4m"), "c.csv: line 2: has 3 fields");
  expect_refused(score_with("c.csv -o x.db --log-file c.csv"), "c.csv: line 2: has 3 fields");
  for (const int runs : {1, 2}) {
    EXPECT_EQ(score("c.csv -o x.db --log-file x.log"), 2) << runs;
    EXPECT_NE(file_bytes(folder_.path("x.log")).find("c.csv: line 2: has 3 fields"), std::string::npos) << runs;
  }
}

TEST_F(Outputs, ALogIsAFileOrADeviceOfCharacters) {
  ASSERT_EQ(::mkfifo(folder_.path("fifo").c_str(), 0600), 0);
  fs::create_directory(folder_.path("d"));
  expect_refused(score_with("c.csv -o x.db --log-file fifo"), "fifo: is a pipe, and a log needs a file");
  expect_refused(score_with("c.csv -o x.db --log-file d"), "d: is a folder, and a log needs a file");
  EXPECT_EQ(score("c.csv -o x.db --log-file /dev/null"), 0) << error_;
}

TEST_F(Outputs, ADatabaseIsNoneOfTheRunsFiles) {
  write_file(folder_.path("b.y4m"), "");
  expect_refused(score_with("c.csv -o b.y4m"), "b.y4m: this is a video of this run");
  expect_refused(score_with("c.csv -o c.csv"), "c.csv: this is the catalogue");
}

TEST_F(Outputs, OfADatabaseTouchNeitherItNorItsVideos) {
  ASSERT_EQ(score("c.csv -o x.db"), 0) << error_;
  ASSERT_EQ(score("c.csv -o y.db"), 0) << error_;
  fs::create_symlink("a.y4m", folder_.path("link"));
  for (const std::string command : {"export x.db b -o ", "report x.db -o ", "report x.db y.db -o ", "report y.db x.db -o "}) {
    expect_refused(command + "x.db", "x.db: this is the database, which must stay as it is");
    expect_refused(command + "x.db-wal", "x.db-wal: this is a part of the database");
    expect_refused(command + "b.y4m", "b.y4m: this is a video that ");
    expect_refused(command + "link", "link: this is a video that ");
  }
}

TEST_F(Outputs, NoPictureTakesThePlaceOfAVideo) {
  write_file(folder_.path("c.csv"), "name,reference,distorted\nb,a.y4m,b_frame000001.png\n");
  fs::rename(folder_.path("b.y4m"), folder_.path("b_frame000001.png"));
  ASSERT_EQ(score("c.csv -o x.db"), 0) << error_;
  expect_refused("frames x.db --clip b --frame 0,1 -o .", "./b_frame000001.png: this is a video that x.db was scored from");
  EXPECT_EQ(run("frames x.db --clip b --frame 0,1 -o pictures"), 0) << error_;
}

TEST_F(Outputs, NoHeatMapTakesThePlaceOfAFileOfTheRun) {
  write_y4m({.width = 320, .height = 240, .frames = 2}, folder_.path("large.y4m"));
  write_file(folder_.path("c.csv"), "reference,distorted\nlarge.y4m,large.y4m\n");
  const std::string features = " --quiet --no-model --feature cambi=heatmaps_path=maps c.csv ";
  const std::string place = "maps/large/cambi_heatmap_scale_0_320x240_16b_000000.gray";
  fs::create_directories(folder_.path("maps/large"));
  fs::create_hard_link(folder_.path("large.y4m"), folder_.path(place));
  expect_refused("score" + features + "-o x.db", place + ": this is a video of this run (large.y4m), which must stay as it is");
  expect_refused("parity --backends cpu,hip-host" + features, place + ": this is a video of this run (large.y4m)");
  fs::remove(folder_.path(place));
  for (const std::string kept : {"x.db", "x.db-journal", "x.log", "c.csv"}) {
    fs::create_symlink(folder_.path(kept), folder_.path(place));
    if (!fs::exists(folder_.path(kept))) write_file(folder_.path(kept), "");
    EXPECT_EQ(run("score" + features + "-o x.db --log-file x.log"), 2) << kept;
    EXPECT_TRUE(told(place + ": this is ") && is_one_line()) << kept << ": " << error_;
    fs::remove(folder_.path(place));
  }
  expect_refused("score" + features + "-o " + place, place + ": a heat map of cambi would take this place");
  EXPECT_EQ(run("score" + features + "-o y.db --log-file " + place), 2);
  EXPECT_TRUE(told(place + ": a heat map of cambi would take this place")) << error_;
  fs::remove(folder_.path(place));
  EXPECT_EQ(run("score" + features + "-o y.db"), 0) << error_;
  EXPECT_TRUE(fs::exists(folder_.path(place)));
  EXPECT_EQ(run("score" + features + "-o y.db --fresh"), 0) << "those of an earlier run are replaced: " << error_;
}

TEST_F(Outputs, AMergeIsNotIntoWhatItReads) {
  ASSERT_EQ(score("c.csv -o x.db"), 0) << error_;
  fs::copy_file(folder_.path("x.db"), folder_.path("y.db"));
  for (const std::string end : {"-wal", "-shm", "-journal", ".lock"}) {
    expect_refused("merge x.db y.db -o y.db" + end, "y.db" + end + ": this is a part of the database");
  }
  expect_refused("merge x.db y.db -o x.db", "x.db: is there already");
  expect_refused("merge x.db y.db -o b.y4m", "b.y4m: is there already");
  fs::rename(folder_.path("b.y4m"), folder_.path("away"));
  expect_refused("merge x.db y.db -o b.y4m", "b.y4m: this is a video that ");
  EXPECT_EQ(run("merge x.db y.db -o z.db"), 0) << error_;
}

TEST_F(Outputs, ImportIsNotIntoALog) {
  write_file(folder_.path("good.csv"), "Frame,psnr_y,\n0,31.5,\n");
  write_file(folder_.path("empty.csv"), "");
  expect_refused("import good.csv empty.csv -o empty.csv", "empty.csv: this is a log to import");
}

}  // namespace
}  // namespace vmafbatch::cli
