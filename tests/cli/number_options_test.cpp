// Options that take a number: what is none is refused as that, and times take a unit.
#include <gtest/gtest.h>

#include <string>

#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

class NumberOptions : public Program {
 protected:
  // The arguments are refused in one sentence.
  void expect_refused(const std::string& arguments, const std::string& sentence) {
    EXPECT_EQ(run(arguments), 2) << arguments;
    EXPECT_TRUE(told(sentence)) << arguments << ": " << error_;
    EXPECT_TRUE(is_one_line()) << arguments << ": " << error_;
  }
};

TEST_F(NumberOptions, TimesTakeAUnit) {
  for (const char* option : {"--checkpoint 10s", "--checkpoint 0.5", "--checkpoint 500ms", "--clip-timeout 1.5m", "--clip-timeout 2h",
                             "--align-search 1s --label aligned", "--start 0s --duration 1m --label cut"}) {
    EXPECT_EQ(score_pair("--fresh -o x.db " + std::string(option)), 0) << option << ": " << error_;
  }
  const std::string times = "seconds; write seconds or a unit: 90, 10s, 1.5m, 2h";
  for (const char* text : {"nan", "inf", "-1", "10x", "1e999", "1,5"}) {
    expect_refused("score --checkpoint " + std::string(text),
                   "--checkpoint: \"" + std::string(text) + "\" is no time from 0 to 86400 " + times);
  }
  expect_refused("score --clip-timeout nan", "--clip-timeout: \"nan\" is no time from 0 to 31536000 " + times);
  expect_refused("score --align-search nan", "--align-search: \"nan\" is no time from 0.1 to 120 " + times);
  expect_refused("score --align-search 3m", "\"3m\" is no time from 0.1 to 120 seconds");
  expect_refused("score --reference a.y4m --distorted a.y4m --start nan", "--start is a time such as 12.5, 90s, 1.5m or HH:MM:SS.mmm");
}

TEST_F(NumberOptions, CountsAreDecimal) {
  const auto is_none = [](const std::string& text) { return ": \"" + text + "\" is no whole number from "; };
  for (const char* text : {"nan", "1.5", "0x2", "1e3", "-3", "99999999999999999999"}) {
    expect_refused("score --frames " + std::string(text), "--frames" + is_none(text));
  }
  for (const char* option : {"--subsample", "--skip-reference", "--threads", "--max-failures", "--width"}) {
    expect_refused("score " + std::string(option) + " 10x", option + is_none("10x"));
  }
  for (const char* option : {"--worst", "--max-width", "--threads"}) {
    expect_refused("frames x.db --clip a -o d " + std::string(option) + " 0x2", option + is_none("0x2"));
  }
  expect_refused("frames x.db --clip a -o d --frame 0x2", "--frame: \"0x2\" is no list of frames; write numbers from 0: 0,123");
  expect_refused("report x.db -o r.html --worst nan", "--worst" + is_none("nan") + "1 to 20");
  write_y4m({.width = 16, .height = 16, .frames = 12}, folder_.path("long.y4m"));
  EXPECT_EQ(score("--reference long.y4m --distorted long.y4m -o y.db --frames 010"), 0) << error_;
  EXPECT_EQ(run("query y.db 'SELECT frames FROM scoring' --format csv"), 0);
  EXPECT_EQ(out_, "frames\n10\n") << "not eight";
}

TEST_F(NumberOptions, AMissingArgumentIsTold) {
  expect_refused("diff a.db", "new is missing (The database to compare): vmafbatch diff old new; see `vmafbatch diff --help`");
  expect_refused("merge a.db", "--output is missing (The new database; must not be there yet): vmafbatch merge databases --output ...");
  expect_refused("models add", "FILE is missing (model files (JSON)): vmafbatch models add FILE; see `vmafbatch models add --help`");
}

}  // namespace
}  // namespace vmafbatch::cli
