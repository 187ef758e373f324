// `vmafbatch import` as a user meets it: what it prints and its exit code.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

class ImportCommand : public Program {
 protected:
  void write(const std::string& name, const std::string& text) const { write_file(folder_.path(name), text); }
};

TEST_F(ImportCommand, FillsADatabase) {
  write("film.csv", "Frame,psnr_y,\n0,31.5,\n1,32.5,\n");
  write("show.csv", "Frame,psnr_y,\n0,31.5,\n");
  EXPECT_EQ(run("import film.csv show.csv -o old.db"), 0) << error_;
  EXPECT_EQ(out_, "film: 1 features, last frame 1, version unknown\nshow: 1 features, last frame 0, version unknown\n");
  EXPECT_EQ(run("query old.db 'SELECT clip, mean FROM clip_scores ORDER BY 1' --format csv"), 0);
  EXPECT_EQ(out_, "clip,mean\nfilm,32\nshow,31.5\n");
  EXPECT_EQ(run("import film.csv -o old.db"), 0) << error_;
  EXPECT_EQ(out_, "film: is there already\n");
}

TEST_F(ImportCommand, AnUnfitLogIsLeftOutAndTold) {
  write("good.csv", "Frame,psnr_y,\n0,31.5,\n");
  write("bad.json", "{\"frames\": [{\"frameNum\": 0,\n");
  EXPECT_EQ(run("import bad.json good.csv -o old.db --quiet"), 1);
  EXPECT_EQ(error_, "vmafbatch import: bad.json: line 2: the log ends in the middle; it was cut off\n");
  EXPECT_EQ(out_, "");
  EXPECT_EQ(run("query old.db 'SELECT clip FROM clip_scores' --format csv"), 0);
  EXPECT_EQ(out_, "clip\ngood\n");
  EXPECT_EQ(run("import good.csv bad.json good.csv -o old.db"), 1) << "what is there already counts as good";
  EXPECT_EQ(run("import bad.json -o none.db"), 2);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("none.db"))) << "no log was fit, so no database is made";
}

// The command line is stored; readers take texts of up to a million bytes.
TEST_F(ImportCommand, ACommandLineOfMoreThanAMegabyteIsCutAndMerges) {
  write("l.csv", "Frame,psnr_y,\n0,31.5,\n");
  const std::string three_hundred_long_names =
      "p=$(printf '%03900d' 0 | sed 's/00/.\\//g'); set --; while [ $# -lt 300 ]; do set -- \"$@\" \"${p}l.csv\"; done;";
  EXPECT_EQ(run("import \"$@\" -o old.db --quiet", three_hundred_long_names), 0) << error_;
  EXPECT_EQ(run("query old.db \"SELECT length(command_line) < 65600, command_line LIKE '%... (11% more bytes)' FROM run\" --format csv"),
            0);
  EXPECT_EQ(out_.substr(out_.find('\n')), "\n1,1\n");
  EXPECT_EQ(run("merge old.db -o all.db"), 0) << error_;
  EXPECT_EQ(run("verify all.db"), 0) << out_ << error_;
}

TEST_F(ImportCommand, MessagesThatAreLostLoseNoLog) {
  write("good.csv", "Frame,psnr_y,\n0,31.5,\n");
  write("bad.json", "{\"frames\": [{\"frameNum\": 0,\n");
  EXPECT_EQ(run("import bad.json good.csv -o old.db --quiet 2>/dev/full"), 1);
  EXPECT_EQ(run("query old.db 'SELECT clip FROM clip_scores' --format csv"), 0);
  EXPECT_EQ(out_, "clip\ngood\n");
}

TEST_F(ImportCommand, NoRoomIsToldOnceAndLeavesNoFile) {
  for (const char* name : {"a.csv", "b.csv", "c.csv"}) write(name, "Frame,psnr_y,\n0,31.5,\n");
  EXPECT_EQ(run("import a.csv b.csv c.csv -o m.db", "ulimit -f 8 &&"), 2);
  EXPECT_EQ(error_,
            "vmafbatch import: m.db: the limit on the size of a file is reached (ulimit -f, or the file system's); nothing of this run is "
            "stored, raise it and run again\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("m.db")));
}

TEST_F(ImportCommand, WrongWordsGiveOneSentence) {
  write("a.csv", "Frame,psnr_y,\n0,31.5,\n");
  EXPECT_EQ(run("import a.csv a.csv --clip x -o old.db"), 2);
  EXPECT_TRUE(told("--clip names one clip") && is_one_line()) << error_;
  EXPECT_EQ(run("import a.csv --rename psnr_y -o old.db"), 2);
  EXPECT_TRUE(told("\"psnr_y\" is not OLD=NEW") && is_one_line()) << error_;
  EXPECT_EQ(run("import a.csv -o a.csv"), 2);
  EXPECT_TRUE(told("a.csv: this is a log to import, which must stay as it is") && is_one_line()) << error_;
}

}  // namespace
}  // namespace vmafbatch::cli
