// The built program in a folder of the test's own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "support/media_files.h"
#include "support/synthetic_clip.h"
#include "support/temporary_folder.h"

namespace vmafbatch::cli {

using vmafbatch::testing::file_bytes;
using vmafbatch::testing::TemporaryFolder;
using vmafbatch::testing::write_file;
using vmafbatch::testing::write_y4m;

class Program : public ::testing::Test {
 protected:
  Program() { write_clip("a.y4m"); }

  void write_clip(const std::string& name) { write_y4m({.width = 16, .height = 16, .frames = 4}, folder_.path(name)); }

  // The program in the test's folder, `arguments` as a shell reads them; out_ and error_ hold what it printed.
  int run(const std::string& arguments, const std::string& before = "") {
    const std::string command = "cd '" + folder_.path("") + "' && " + before + " '" VMAFBATCH_PROGRAM "' " + arguments;
    const int status = std::system(("(" + command + ") >'" + folder_.path("out") + "' 2>'" + folder_.path("err") + "'").c_str());
    out_ = file_bytes(folder_.path("out"));
    error_ = file_bytes(folder_.path("err"));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  // `what` is the end of the command.
  int score(const std::string& what) { return run("score --quiet --feature psnr --no-model " + what); }
  int score_pair(const std::string& what) { return score("--reference a.y4m --distorted a.y4m " + what); }

  bool told(const std::string& text) const { return error_.find(text) != std::string::npos; }
  bool is_one_line() const { return !error_.empty() && error_.find('\n') == error_.size() - 1; }

  TemporaryFolder folder_;
  std::string out_, error_;
};

}  // namespace vmafbatch::cli
