// vmafbatch score: what its command line refuses.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace vmafbatch::cli {
namespace {

// A model that was asked for must not be left out without a word.
TEST(Score, NoModelAndAModelContradictEachOther) {
  CLI::App app;
  int exit_code = -1;
  add_score(app, exit_code);
  std::vector<std::string> arguments = {"score", "catalogue.csv", "--no-model", "--model", "mine"};
  std::ranges::reverse(arguments);  // as CLI11 wants them
  EXPECT_THROW(app.parse(arguments), CLI::ExcludesError);
  EXPECT_EQ(exit_code, -1);
}

}  // namespace
}  // namespace vmafbatch::cli
