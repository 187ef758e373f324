// `vmafbatch diff` from the command line: options, formats, exit codes. These run the built program.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "store/scratch.h"
#include "support/media_files.h"

namespace vmafbatch::cli {
namespace {

class DiffCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    store::make_database(folder_.path("old.db"));
    store::make_database(folder_.path("new.db"));
  }

  // A shell's command line in the test's folder; out_ and error_ hold what it printed.
  int shell(const std::string& line) {
    const int status = std::system(
        ("cd '" + folder_.path("") + "' && (" + line + ") >'" + folder_.path("out") + "' 2>'" + folder_.path("err") + "'").c_str());
    out_ = testing::file_bytes(folder_.path("out"));
    error_ = testing::file_bytes(folder_.path("err"));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  int diff(const std::string& options) { return shell("'" VMAFBATCH_PROGRAM "' diff " + options + " old.db new.db"); }

  int python(const std::string& program) {
    testing::write_file(folder_.path("check.py"), program);
    return shell("python3 check.py");
  }

  void change(const std::string& sql) { store::run_sql(folder_.path("new.db"), sql); }
  void add_quarter() { change("UPDATE frame_score SET value = value + 0.25 WHERE frame = 0"); }

  // A bad value: exit code 2, one line that names the option and holds `words`.
  void expect_refused(const std::string& options, const std::string& words) {
    EXPECT_EQ(diff(options), 2) << options;
    EXPECT_EQ(out_, "") << options;
    EXPECT_EQ(error_.find('\n'), error_.size() - 1) << error_;
    EXPECT_NE(error_.find(words), std::string::npos) << error_;
  }

  testing::TemporaryFolder folder_;
  std::string out_, error_;
};

TEST_F(DiffCommand, EqualDifferentAndNothingHaveTheirExitCodes) {
  EXPECT_EQ(diff(""), 0) << out_;
  add_quarter();
  EXPECT_EQ(diff(""), 1) << out_;
  EXPECT_EQ(diff("--clips nothing"), 2) << out_;
  EXPECT_EQ(shell("'" VMAFBATCH_PROGRAM "' diff old.db none.db"), 2);
  EXPECT_EQ(error_, "vmafbatch diff: none.db: there is no such file; check the name of the database\n");
}

TEST_F(DiffCommand, OptionsThatRepeatTakeOneValueEach) {
  add_quarter();
  EXPECT_EQ(diff("--tolerance 'psnr*=0.3'"), 1) << out_;
  EXPECT_EQ(diff("--tolerance 'psnr*=0.3' --tolerance integer_motion2=0.3"), 0) << out_;
  EXPECT_EQ(diff("--tolerance '*=0.3' --tolerance 'psnr*=0.2'"), 1) << out_;
  EXPECT_EQ(diff("--features apsnr_y"), 0) << out_;
  EXPECT_EQ(diff("--features apsnr_y --features 'psnr*'"), 1) << out_;
  change("UPDATE clip SET name = '[' || name || ']'");
  store::run_sql(folder_.path("old.db"), "UPDATE clip SET name = '[' || name || ']'");
  EXPECT_EQ(diff("--clips '[a]' --clips '[b*' --tolerance '*=0.3'"), 0) << error_;
  EXPECT_NE(out_.find("equal: 2 clips"), std::string::npos) << out_;
}

TEST_F(DiffCommand, UlpsLabelBackendAndTop) {
  add_quarter();
  EXPECT_EQ(diff("--ulps 4503599627370496"), 0) << out_;
  EXPECT_EQ(diff("--ulps 1"), 1) << out_;
  EXPECT_EQ(diff("--label ''"), 1) << out_;
  EXPECT_EQ(diff("--label other"), 2) << out_;
  EXPECT_EQ(diff("--top 1"), 1);
  EXPECT_NE(out_.find("6 differences, 1 shown"), std::string::npos) << out_;
  change("UPDATE feature_backend SET backend = 'hip'");
  EXPECT_EQ(diff("--tolerance '*=0.25'"), 1) << out_;
  EXPECT_EQ(diff("--tolerance '*=0.25' --ignore-backend"), 0) << out_;
}

TEST_F(DiffCommand, BadValuesAreOneSentence) {
  expect_refused("--tolerance psnr", "--tolerance: \"psnr\" is no tolerance; write FEATURE=X");
  for (const char* number : {"0x10", "+0.5", "inf", "infinity", "nan", "1x", "' 1'", "1e999", "''"}) {
    expect_refused("--tolerance psnr=" + std::string(number), "has no tolerance behind the '='");
  }
  expect_refused("--tolerance psnr=-1", "--tolerance: \"psnr=-1\" has no tolerance behind the '='");
  expect_refused("--ulps -1", "--ulps: \"-1\" is no whole number from 0 to 4503599627370496");
  expect_refused("--ulps 1.5", "--ulps: \"1.5\" is no whole number");
  expect_refused("--ulps 99999999999999999999", "is no whole number");
  expect_refused("--top 0", "--top: \"0\" is no whole number from 1 to 1000000");
  expect_refused("--clips ''", "--clips: the pattern is empty");
  expect_refused("--features ''", "--features: the pattern is empty");
  expect_refused("--format xml", "--format: \"xml\" is unknown; use one of text, json, junit, csv");
}

TEST_F(DiffCommand, JsonIsReadByAParser) {
  add_quarter();
  EXPECT_EQ(diff("--format json --top 2"), 1);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["clips"].size(), 2U);
  EXPECT_EQ(json["summary"]["shown"], 2);
}

// Names that would break a line, a field, an element.
constexpr const char* kHostileSql =
    "UPDATE clip SET name = 'x\",' || char(10) || '=1<+1]]>&amp;' || char(65534) || char(0) WHERE name = 'b';"
    "UPDATE scoring SET label = x'FF3C26' WHERE id = 2; UPDATE feature SET name = '<p a=\"' || char(27) || '\">&' WHERE name = 'psnr_y'";

TEST_F(DiffCommand, JunitIsReadByAParserWhateverTheNames) {
  add_quarter();
  change(kHostileSql);
  store::run_sql(folder_.path("old.db"), kHostileSql);
  EXPECT_EQ(diff("--format junit"), 1) << error_;
  testing::write_file(folder_.path("report"), out_);
  EXPECT_EQ(python("import sys, xml.etree.ElementTree as tree\n"
                   "for suite in tree.parse('report').getroot():\n"
                   "  failures = suite.findall('testcase/failure')\n"
                   "  assert len(failures) == int(suite.get('failures')), suite.attrib\n"
                   "  print(len(suite), len(failures))"),
            0)
      << error_;
  EXPECT_EQ(out_, "3 2\n3 2\n3 2\n");
}

TEST_F(DiffCommand, ThatComparedNothingSaysSoInEveryFormat) {
  for (const std::string format : {"text", "json", "junit", "csv"}) {
    EXPECT_EQ(diff("--clips none --format " + format), 2);
    EXPECT_NE((out_ + error_).find(format == "json" ? "nothing compared" : "nothing to compare"), std::string::npos) << format;
  }
}

TEST_F(DiffCommand, CsvIsReadByAParserWhateverTheNames) {
  add_quarter();
  change(kHostileSql);
  store::run_sql(folder_.path("old.db"), kHostileSql);
  EXPECT_EQ(diff("--format csv"), 1) << error_;
  testing::write_file(folder_.path("report"), out_);
  EXPECT_EQ(python("import csv\n"
                   "for row in csv.reader(open('report', newline='')):\n"
                   "  print(len(row))"),
            0)
      << error_;
  EXPECT_EQ(out_, "12\n12\n12\n12\n12\n12\n12\n") << "a header and six differences";
}

}  // namespace
}  // namespace vmafbatch::cli
