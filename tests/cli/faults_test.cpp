// What goes wrong at the command line: one sentence, the right exit code, nothing lost. These run the built program.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

using vmafbatch::testing::SyntheticClip;
using vmafbatch::testing::write_raw;

class Faults : public Program {};

TEST_F(Faults, SubsampleOfARowIsBoundedAsTheOptionIs) {
  for (const char* number : {"4294967296", "4294967297", "2147483648"}) {
    write_file(folder_.path("c.csv"), std::string("reference,distorted,subsample\na.y4m,a.y4m,") + number + "\n");
    EXPECT_EQ(score("c.csv -o x.db"), 2);
    EXPECT_TRUE(told("c.csv: line 2: subsample '" + std::string(number) + "' is not a whole number from 1 to 1000000")) << error_;
  }
}

TEST_F(Faults, ADatabaseIsAFileWhateverItsName) {
  for (const char* name : {":memory:", "file:x.db", "a?b#c.db"}) {
    EXPECT_EQ(score_pair("-o '" + std::string(name) + "'"), 0) << error_;
    EXPECT_TRUE(std::filesystem::exists(folder_.path(name))) << name;
    EXPECT_EQ(run("query '" + std::string(name) + "' 'SELECT count(*) AS n FROM frame_features' --format csv"), 0) << error_;
    EXPECT_EQ(out_, "n\n12\n") << name;
  }
  EXPECT_EQ(score_pair("-o ''"), 2);
  EXPECT_TRUE(told("the name of the database is empty")) << error_;
}

TEST_F(Faults, ExportDoesNotReplaceADatabase) {
  ASSERT_EQ(score_pair("-o x.db"), 0);
  EXPECT_EQ(run("export x.db a -o x.db"), 2);
  EXPECT_TRUE(told("x.db: this is the database, which must stay as it is")) << error_;
  EXPECT_EQ(run("query x.db 'SELECT 1'"), 0);
}

TEST_F(Faults, KeptFailuresAreToldAgain) {
  write_file(folder_.path("c.csv"), "reference,distorted,name\na.y4m,a.y4m,good\na.y4m,none.y4m,bad\n");
  EXPECT_EQ(score("c.csv -o x.db"), 1);
  EXPECT_EQ(score("c.csv -o x.db"), 1) << "nothing was scored, and a clip of the catalogue is still failed";
  EXPECT_TRUE(told("2 kept from before (1 of them failed or partial")) << error_;
  EXPECT_TRUE(is_one_line()) << error_;
  write_clip("none.y4m");
  EXPECT_EQ(score("c.csv -o x.db"), 0) << error_;
}

TEST_F(Faults, APairThatCannotBeScoredIsAnErrorEachTime) {
  EXPECT_EQ(score("--reference a.y4m --distorted none.y4m -o x.db"), 2);
  EXPECT_EQ(score("--reference a.y4m --distorted none.y4m -o x.db"), 2) << error_;
  EXPECT_TRUE(told("1 kept from before (1 of them failed or partial")) << error_;
  EXPECT_EQ(score("--reference a.y4m --distorted a.y4m -o x.db"), 0) << error_;
  EXPECT_EQ(score("--reference a.y4m --distorted a.y4m -o x.db"), 0) << error_;
}

TEST_F(Faults, TheLogFileHoldsFailuresAndTotalsOfAQuietRun) {
  EXPECT_EQ(score("--reference a.y4m --distorted none.y4m -o x.db --log-file x.log"), 2);
  const std::string log = file_bytes(folder_.path("x.log"));
  const size_t failure = log.find("none: none.y4m: No such file");
  EXPECT_NE(failure, std::string::npos) << log;
  EXPECT_EQ(log.find("No such file", failure + 20), std::string::npos) << "each failure stands there once\n" << log;
  EXPECT_NE(log.find("1 failed"), std::string::npos) << log;
}

TEST_F(Faults, WhatIsNoCatalogueIsToldInOneSentence) {
  EXPECT_EQ(score(". -o x.db"), 2);
  EXPECT_TRUE(told(".: is a folder, not a catalogue")) << error_;
  write_file(folder_.path("utf16.csv"), std::string("\xFF\xFEr\0e\0", 6));
  EXPECT_EQ(score("utf16.csv -o x.db"), 2);
  EXPECT_TRUE(told("utf16.csv: is no text in UTF-8 (byte 3 is zero)")) << error_;
  write_file(folder_.path("zero.jsonl"), "{\"reference\": \"a.y4m\\u0000b\", \"distorted\": \"a.y4m\"}\n");
  EXPECT_EQ(score("zero.jsonl -o x.db"), 2);
  EXPECT_TRUE(told("zero.jsonl: line 1: reference holds a zero byte")) << error_;
  write_file(folder_.path("noise.csv"), "\x1B[2J" + std::string(5000, '\xFE') + "\n");
  EXPECT_EQ(score("noise.csv -o x.db"), 2);
  EXPECT_TRUE(told("noise.csv: line 1: column '\\x1B[2J\\xFE")) << error_;
  EXPECT_LT(error_.size(), 1500U);
}

TEST_F(Faults, ARowsErrorNamesFileAndLine) {
  write_file(folder_.path("c.csv"), "reference,distorted,sync\na.y4m,a.y4m,magic\n");
  EXPECT_EQ(score("c.csv -o x.db"), 2);
  EXPECT_TRUE(told("c.csv: line 2: sync \"magic\"")) << error_;
}

TEST_F(Faults, GeometryIsForTheRawSideAlone) {
  const SyntheticClip clip{.width = 16, .height = 16, .frames = 4};
  write_raw(clip, folder_.path("a.yuv"));
  EXPECT_EQ(score("--reference a.yuv --distorted a.y4m --width 16 --height 16 -o x.db"), 0) << error_;
  EXPECT_EQ(run("query x.db 'SELECT identical_frames, frames FROM scoring' --format csv"), 0);
  EXPECT_EQ(out_, "identical_frames,frames\n4,4\n");
}

TEST_F(Faults, WrongWordsGiveOneSentence) {
  ASSERT_EQ(score_pair("-o x.db"), 0);
  EXPECT_EQ(run("query x.db --format xml"), 2);
  EXPECT_TRUE(told("--format: \"xml\" is unknown; use one of table, csv, json")) << error_;
  EXPECT_TRUE(is_one_line()) << error_;
  EXPECT_EQ(run("query x.db --format 1"), 2) << "the number behind a word is no word";
  EXPECT_EQ(run("nonsense"), 2);
  EXPECT_TRUE(told("there is no subcommand \"nonsense\"")) << error_;
  EXPECT_TRUE(is_one_line()) << error_;
  EXPECT_EQ(score_pair("-o x.db --frames 0"), 2);
  EXPECT_TRUE(told("--frames: \"0\" is no whole number from 1 to 1000000000000")) << error_;
  EXPECT_TRUE(is_one_line()) << error_;
}

TEST_F(Faults, OutputThatIsLostIsAnError) {
  for (const char* command : {"features", "completion bash", "doctor", "--help"}) {
    const std::string text = command;
    EXPECT_EQ(run(text + " >/dev/full"), 2) << text;
    EXPECT_TRUE(told("standard output cannot be written")) << text << ": " << error_;
  }
}

TEST_F(Faults, AFileSizeLimitIsAFailedWrite) {
  EXPECT_EQ(run("score --quiet --feature psnr --no-model --reference a.y4m --distorted a.y4m -o x.db", "ulimit -f 8 &&"), 2);
  EXPECT_TRUE(told("x.db: the limit on the size of a file is reached (ulimit -f, or the file system's); nothing of this run is stored"))
      << error_;
  EXPECT_TRUE(is_one_line()) << error_;
  EXPECT_FALSE(std::filesystem::exists(folder_.path("x.db")));
}

TEST_F(Faults, AFileSizeLimitInTheMiddleSaysHowMuchIsMissing) {
  std::string rows = "name,reference,distorted\n";
  for (int row = 0; row < 200; ++row) {
    const std::string name = std::to_string(row);
    rows += name + ",a.y4m,a.y4m\n";
  }
  write_file(folder_.path("c.csv"), rows);
  EXPECT_EQ(run("score --quiet --feature psnr --no-model --threads 1 --checkpoint 0 c.csv -o x.db", "ulimit -f 800 &&"), 2);
  EXPECT_TRUE(told("x.db: the limit on the size of a file is reached")) << error_;
  EXPECT_TRUE(told("what was stored up to the last checkpoint is kept, raise it and run again")) << error_;
  EXPECT_EQ(score("c.csv -o x.db"), 0) << error_;
  EXPECT_EQ(run("verify x.db"), 0) << out_ << error_;
}

// To open a pipe waits for its other end: a command that did would be ended by `timeout` with 124.
TEST_F(Faults, PipesAndDevicesAreRefusedInOneSentence) {
  ASSERT_EQ(score_pair("-o x.db"), 0) << error_;
  write_file(folder_.path("l.csv"), "Frame,psnr_y,\n0,31.5,\n");
  ASSERT_EQ(::mkfifo(folder_.path("f").c_str(), 0600), 0);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  folder_.path("s").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const std::string pair = "--reference a.y4m --distorted a.y4m --feature psnr --quiet";
  for (const std::string name : {"f", "s", "/dev/zero"}) {
    for (const std::string& command : {"query " + name,
                                       "diff " + name + " x.db",
                                       "diff x.db " + name,
                                       "verify " + name,
                                       "merge x.db " + name + " -o o.db",
                                       "export " + name + " a",
                                       "report " + name + " -o r.html",
                                       "report x.db " + name + " -o r.html",
                                       "serve " + name + " --port 0",
                                       "serve x.db " + name + " --port 0",
                                       "frames " + name + " --clip a -o pictures",
                                       "gate " + name + " --rule 'psnr_y.min > 1'",
                                       "gate x.db --rules " + name,
                                       "score " + pair + " --no-model -o " + name,
                                       "import l.csv -o " + name,
                                       "import " + name + " -o i.db",
                                       "score " + name + " -o o.db",
                                       "parity " + name + " --backends cpu,hip-host",
                                       "score " + pair + " -o o.db --model path=" + name,
                                       "models add " + name}) {
      EXPECT_EQ(run(command, "timeout 20"), 2) << command << ": " << error_;
      EXPECT_TRUE(told("not a file; name a regular file") || told("is no regular file")) << command << ": " << error_;
      EXPECT_TRUE(is_one_line()) << command << ": " << error_;
    }
  }
  ::close(socket);
  EXPECT_EQ(run("query f"), 2);
  EXPECT_EQ(error_, "vmafbatch query: f: is a pipe, not a file; name a regular file\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("o.db")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("i.db")));
}

// A reader opens the write-ahead log where there is one.
TEST_F(Faults, APipeInTheJournalsPlaceIsRefused) {
  ASSERT_EQ(score_pair("-o x.db"), 0) << error_;
  for (const char* journal : {"x.db-wal", "x.db-shm", "x.db-journal"}) {
    ASSERT_EQ(::mkfifo(folder_.path(journal).c_str(), 0600), 0);
    EXPECT_EQ(run("query x.db", "timeout 20"), 2) << journal;
    EXPECT_TRUE(told(std::string(journal) + ": is a pipe, not a file")) << error_;
    EXPECT_EQ(run("score --quiet --feature psnr --no-model --reference a.y4m --distorted a.y4m -o x.db", "timeout 20"), 2) << journal;
    std::filesystem::remove(folder_.path(journal));
  }
}

TEST_F(Faults, ADamagedPageIsToldWithTheFilesName) {
  ASSERT_EQ(score_pair("-o x.db"), 0);
  std::string bytes = file_bytes(folder_.path("x.db"));
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 3), bytes.end(), 'x');
  write_file(folder_.path("x.db"), bytes);
  EXPECT_EQ(run("query x.db 'SELECT * FROM frame_score'"), 2);
  EXPECT_TRUE(told("x.db: the database is damaged")) << error_;
}

}  // namespace
}  // namespace vmafbatch::cli
