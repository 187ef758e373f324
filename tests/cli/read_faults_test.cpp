// Files that cannot be read for a while, or at all, or too slowly, as a whole run meets them. The faults come from the switch of
// io/test_hooks.h.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "base/content_hash.h"
#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

// Pictures of 6150 bytes behind a header of less than a hundred: kByte lies in picture 24.
constexpr int kFrames = 60;
constexpr const char* kByte = "150000";

class ReadFaults : public Program {
 protected:
  ReadFaults() {
    for (const char* name : {"ref.y4m", "one.y4m", "two.y4m"}) {
      write_y4m({.width = 64, .height = 64, .frames = kFrames, .distortion = name[0] == 'r' ? "none" : "blur"}, folder_.path(name));
    }
    std::filesystem::copy_file(folder_.path("ref.y4m"), folder_.path("again.y4m"));
    // Two ladders, so that one file's fault leaves another group alone.
    write_file(folder_.path("c.csv"), "reference,distorted,name\nref.y4m,one.y4m,one\nagain.y4m,two.y4m,two\n");
    write_file(folder_.path("ladder.csv"), "reference,distorted,name\nref.y4m,one.y4m,one\nref.y4m,two.y4m,two\n");
  }

  int score_with(const std::string& fault, const std::string& what, const std::string& before = "") {
    const auto start = std::chrono::steady_clock::now();
    const int code = run("score --quiet --feature psnr --feature motion --no-model -o x.db --log-file x.log " + what,
                         "VMAFBATCH_TEST_READ_FAULT='" + fault + "' " + before);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return code;
  }
  static std::string at_byte(const std::string& file, const std::string& kind) { return file + ":" + kByte + ":" + kind; }

  std::string query(const std::string& sql) {
    EXPECT_EQ(run("query x.db \"" + sql + "\" --format csv"), 0) << error_;
    return out_;
  }
  std::string statuses() { return query("SELECT c.name, s.status, s.frames FROM scoring s JOIN clip c ON c.id = s.clip ORDER BY c.name"); }
  void expect_frames_as_in_a_good_run(const std::string& clip, int frames) {
    ASSERT_EQ(run("score --quiet --feature psnr --feature motion --no-model c.csv -o good.db"), 0) << error_;
    const std::string counted = query("SELECT count(*) AS n FROM frame_features WHERE clip = '" + clip + "' AND feature = 'psnr_y'");
    EXPECT_EQ(counted, "n\n" + std::to_string(frames) + "\n");
    const std::string values = "\"SELECT frame, value FROM frame_features WHERE clip = '" + clip + "' AND feature = 'psnr_y' AND frame < " +
                               std::to_string(frames) + " ORDER BY frame\" --format csv";
    EXPECT_EQ(run("query x.db " + values), 0);
    const std::string found = out_;
    EXPECT_EQ(run("query good.db " + values), 0);
    EXPECT_EQ(found, out_);
  }

  double seconds_ = 0;
};

TEST_F(ReadFaults, WhatPassesChangesNoBitOfAnyScore) {
  const std::string faults = at_byte("one.y4m", "EIO:2") + ";" + at_byte("again.y4m", "ESTALE:1") + ";two.y4m:open:ETIMEDOUT:1";
  EXPECT_EQ(score_with(faults, "c.csv"), 0) << error_;
  ASSERT_EQ(run("score --quiet --feature psnr --feature motion --no-model c.csv -o good.db"), 0) << error_;
  EXPECT_EQ(run("diff good.db x.db"), 0) << out_;
  const std::string log = file_bytes(folder_.path("x.log"));
  EXPECT_NE(log.find("one.y4m: Input/output error while byte 150000 was read; try 2 of 7 follows in 100 ms"), std::string::npos) << log;
  EXPECT_NE(log.find("one.y4m: Input/output error while byte 150000 was read; try 3 of 7 follows in 200 ms"), std::string::npos) << log;
  EXPECT_NE(log.find("again.y4m: Stale file handle while byte 150000 was read; try 2"), std::string::npos) << log;
  EXPECT_NE(log.find("two.y4m: Connection timed out while it was opened; try 2"), std::string::npos) << log;
}

TEST_F(ReadFaults, WhatDoesNotPassEndsItsClipAndKeepsTheFramesBefore) {
  write_clip("never.y4m");
  write_file(folder_.path("c.csv"), "reference,distorted,name\nref.y4m,one.y4m,one\nagain.y4m,two.y4m,two\na.y4m,never.y4m,never\n");
  EXPECT_EQ(score_with(at_byte("one.y4m", "EIO:1000000") + ";never.y4m:open:EIO:1000000", "c.csv --threads 2"), 1);
  EXPECT_TRUE(told("partial: one: decode: one.y4m: damaged at frame 24: reading failed at byte 150000: Input/output error (7 tries)"))
      << error_;
  EXPECT_TRUE(told("failed: never: never.y4m: cannot be opened: Input/output error (7 tries)")) << error_;
  EXPECT_EQ(statuses(), "name,status,frames\nnever,failed,0\none,partial,24\ntwo,done,60\n");
  write_file(folder_.path("c.csv"), "reference,distorted,name\nref.y4m,one.y4m,one\n");
  expect_frames_as_in_a_good_run("one", 24);
}

TEST_F(ReadFaults, AReadThatHangsEndsItsClipAfterTheTimeout) {
  EXPECT_EQ(score_with(at_byte("one.y4m", "stall:100"), "c.csv --threads 1 --clip-timeout 1"), 1);
  EXPECT_LT(seconds_, 50) << "the call takes 100 s";
  EXPECT_TRUE(told("partial: one: decode: one.y4m: took longer than --clip-timeout 1 s while byte 150000 was read (frame 24)")) << error_;
  EXPECT_EQ(statuses(), "name,status,frames\none,partial,24\ntwo,done,60\n");
  expect_frames_as_in_a_good_run("one", 24);
}

TEST_F(ReadFaults, AnOpenThatHangsEndsItsClipAfterTheTimeout) {
  EXPECT_EQ(score_with("one.y4m:open:stall:100", "c.csv --threads 1 --clip-timeout 1"), 1);
  EXPECT_LT(seconds_, 50);
  EXPECT_TRUE(told("failed: one: one.y4m: took longer than --clip-timeout 1 s while it was opened")) << error_;
  EXPECT_EQ(statuses(), "name,status,frames\none,failed,0\ntwo,done,60\n");
}

TEST_F(ReadFaults, InALadderAFileThatHangsEndsItsOwnClipOnly) {
  EXPECT_EQ(score_with(at_byte("one.y4m", "stall:100"), "ladder.csv --threads 1 --clip-timeout 2"), 1);
  EXPECT_EQ(statuses(), "name,status,frames\none,partial,24\ntwo,done,60\n");
}

TEST_F(ReadFaults, InALadderAReferenceThatHangsEndsAll) {
  EXPECT_EQ(score_with(at_byte("ref.y4m", "stall:100"), "ladder.csv --threads 1 --clip-timeout 1"), 1);
  EXPECT_LT(seconds_, 50);
  EXPECT_EQ(statuses(), "name,status,frames\none,partial,24\ntwo,partial,24\n");
}

TEST_F(ReadFaults, AClipThatIsScoredTooSlowlyEndsWhereItIs) {
  // One picture in flight at a time, a fifth of a second for each feature.
  EXPECT_EQ(score_with("", "--reference ref.y4m --distorted one.y4m --threads 1 --memory 1K --clip-timeout 1",
                       "VMAFBATCH_TEST_MEASURE_DELAY_MS=200"),
            1);
  EXPECT_TRUE(told("partial: one: decode: took longer than --clip-timeout 1 s (frame ")) << error_;
  EXPECT_EQ(query("SELECT frames > 0 AND frames < 60 AS some, seconds >= 1 AS timed FROM scoring"), "some,timed\n1,1\n");
}

TEST_F(ReadFaults, ATimeoutThatIsNotReachedChangesNothing) {
  EXPECT_EQ(score_with("", "c.csv --clip-timeout 600"), 0) << error_;
  ASSERT_EQ(run("score --quiet --feature psnr --feature motion --no-model c.csv -o good.db"), 0) << error_;
  EXPECT_EQ(run("diff good.db x.db"), 0) << out_;
  EXPECT_EQ(score_with("", "c.csv --clip-timeout -1"), 2);
  EXPECT_TRUE(is_one_line()) << error_;
}

TEST_F(ReadFaults, CtrlCEndsAHangingReadAndAPauseAtOnce) {
  for (const char* kind : {"stall:100", "EIO:1000000"}) {
    std::filesystem::remove(folder_.path("x.db"));
    EXPECT_EQ(score_with(at_byte("one.y4m", kind), "c.csv --threads 1", "timeout --preserve-status -s INT 4"), 130) << error_;
    EXPECT_LT(seconds_, 50);
    EXPECT_EQ(query("SELECT count(*) AS n FROM scoring WHERE status = 'running'"), "n\n1\n");
    EXPECT_EQ(query("SELECT count(*) AS n FROM failure"), "n\n0\n");
    EXPECT_EQ(score_with("", "c.csv"), 0) << error_;
    EXPECT_EQ(statuses(), "name,status,frames\none,done,60\ntwo,done,60\n");
  }
}

TEST_F(ReadFaults, AFileThatCannotBeLookedAtForAMomentCostsNothing) {
  ASSERT_EQ(score_with("", "c.csv"), 0) << error_;
  const std::string before = query("SELECT id, finished FROM scoring ORDER BY id");
  EXPECT_EQ(score_with("one.y4m:look:EIO:2", "c.csv"), 0) << error_;
  EXPECT_EQ(query("SELECT id, finished FROM scoring ORDER BY id"), before) << "nothing was scored";
  const std::string log = file_bytes(folder_.path("x.log"));
  EXPECT_NE(log.find("one.y4m: Input/output error while its size and time were looked at; try 2 of 7 follows in 100 ms"), std::string::npos)
      << log;
}

TEST_F(ReadFaults, AMountThatIsAwayAtTheStartTakesNoScoresAway) {
  ASSERT_EQ(score_with("", "c.csv"), 0) << error_;
  ASSERT_EQ(run("score --quiet --feature psnr --feature motion --no-model c.csv -o good.db"), 0) << error_;
  // It comes back before the clip's turn.
  EXPECT_EQ(score_with("one.y4m:look:EIO:1000000", "c.csv"), 1);
  EXPECT_TRUE(told("failed: one: one.y4m: Input/output error when the run began, so it is not known what is stored of the clip; run again"))
      << error_;
  EXPECT_EQ(score_with("", "c.csv"), 0) << error_;
  EXPECT_EQ(run("diff good.db x.db"), 0) << out_;
}

TEST_F(ReadFaults, AMountThatHangsAtTheStartEndsItsOwnClipAfterTheTimeout) {
  ASSERT_EQ(score_with("", "c.csv"), 0) << error_;
  EXPECT_EQ(score_with("one.y4m:look:stall:100", "c.csv --clip-timeout 1"), 1);
  EXPECT_LT(seconds_, 50);
  EXPECT_TRUE(told("failed: one: one.y4m: took longer than --clip-timeout 1 s while its size and time were looked at when the run began"))
      << error_;
  EXPECT_EQ(query("SELECT count(*) AS n FROM scoring WHERE status = 'done'"), "n\n2\n") << "nothing was taken away";
}

TEST_F(ReadFaults, CtrlCEndsALookThatHangs) {
  ASSERT_EQ(score_with("", "c.csv"), 0) << error_;
  EXPECT_EQ(score_with("one.y4m:look:stall:100", "c.csv", "timeout --preserve-status -s INT 2"), 130) << error_;
  EXPECT_LT(seconds_, 50);
  EXPECT_EQ(statuses(), "name,status,frames\none,done,60\ntwo,done,60\n");
}

class ContentHashes : public ReadFaults {};

TEST_F(ContentHashes, OfBothFilesAreStoredAndVerified) {
  ASSERT_EQ(score_with("", "ladder.csv"), 0) << error_;
  const auto hash = [&](const char* name) { return hash_file(folder_.path(name))->text; };
  EXPECT_EQ(query("SELECT c.name, reference_hash, distorted_hash FROM scoring s JOIN clip c ON c.id = s.clip ORDER BY c.name"),
            "name,reference_hash,distorted_hash\none," + hash("ref.y4m") + "," + hash("one.y4m") + "\ntwo," + hash("ref.y4m") + "," +
                hash("two.y4m") + "\n");
  EXPECT_EQ(run("verify x.db --hash"), 0) << out_;
  // Another byte, the same size and time.
  const auto time = std::filesystem::last_write_time(folder_.path("two.y4m"));
  std::string bytes = file_bytes(folder_.path("two.y4m"));
  bytes[bytes.size() / 2] ^= 1;
  write_file(folder_.path("two.y4m"), bytes);
  std::filesystem::last_write_time(folder_.path("two.y4m"), time);
  EXPECT_EQ(run("verify x.db --hash"), 1);
  EXPECT_NE(out_.find("two.y4m has other content than when it was scored"), std::string::npos) << out_;
}

TEST_F(ContentHashes, OfFilesThatWereNotReadToTheirEndAreNotKnown) {
  ASSERT_EQ(score_with("", "c.csv --frames 5"), 0) << error_;
  EXPECT_EQ(query("SELECT count(*) AS n FROM scoring WHERE reference_hash IS NOT NULL OR distorted_hash IS NOT NULL"), "n\n0\n");
}

}  // namespace
}  // namespace vmafbatch::cli
