// vmafbatch models, called in this process.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "model/sample_model.h"
#include "support/temporary_folder.h"

namespace vmafbatch::cli {
namespace {

namespace fs = std::filesystem;
using vmafbatch::testing::SampleModel;
using vmafbatch::testing::TemporaryFolder;

class Models : public ::testing::Test {
 protected:
  Models() {
    setenv("VMAFBATCH_MODEL_PATH", (folder_.path() / "found").c_str(), 1);
    setenv("XDG_DATA_HOME", (folder_.path() / "data").c_str(), 1);
  }
  ~Models() override {
    unsetenv("VMAFBATCH_MODEL_PATH");
    unsetenv("XDG_DATA_HOME");
  }

  // Runs `vmafbatch models ...`; out_ and error_ hold what it printed.
  int run(std::vector<std::string> arguments) {
    CLI::App app;
    int exit_code = -1;
    add_models(app, exit_code);
    arguments.insert(arguments.begin(), "models");
    std::ranges::reverse(arguments);  // as CLI11 wants them
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    app.parse(arguments);
    out_ = ::testing::internal::GetCapturedStdout();
    error_ = ::testing::internal::GetCapturedStderr();
    return exit_code;
  }

  fs::path installed(const std::string& name) const { return folder_.path() / "data/vmafbatch/models" / name; }

  TemporaryFolder folder_;
  std::string out_, error_;
};

TEST_F(Models, ListsWhatIsFoundWhere) {
  const fs::path good = folder_.write("found/good.json", SampleModel().json());
  folder_.write("found/set.json", vmafbatch::testing::sample_collection(3));
  folder_.write("found/bad.json", "{}");
  folder_.write("data/vmafbatch/models/good.json", SampleModel().json());
  EXPECT_EQ(run({}), kExitOk);
  EXPECT_NE(out_.find(good.string() + "  (2 features)"), std::string::npos) << out_;
  EXPECT_NE(out_.find("2 features, 3 bootstrap models"), std::string::npos) << out_;
  EXPECT_NE(out_.find("not usable"), std::string::npos) << out_;
  EXPECT_NE(out_.find("hidden by"), std::string::npos) << out_;
  EXPECT_NE(out_.find("models fetch NAME"), std::string::npos) << out_;
}

TEST_F(Models, AddInstallsAModelForTheUser) {
  const fs::path file = folder_.write("mine.json", SampleModel().json());
  EXPECT_EQ(run({"add", file.string()}), kExitOk) << error_;
  EXPECT_TRUE(fs::exists(installed("mine.json")));
  EXPECT_NE(out_.find("--model mine"), std::string::npos) << out_;
  EXPECT_EQ(run({"add", file.string()}), kExitOk);
  EXPECT_NE(out_.find("installed already"), std::string::npos) << out_;
}

// Such a file is a model, but not one that `score` can use here.
TEST_F(Models, AModelThatTheExtractorsCannotFeedIsNotUsable) {
  SampleModel unknown;
  unknown.names = R"(["nosuch", "VMAF_integer_feature_motion2_score"])";
  const fs::path feature = folder_.write("found/feature.json", unknown.json());
  SampleModel range;
  range.options = R"([{"adm_enhn_gain_limit": 0.5}, {}])";
  const fs::path option = folder_.write("found/option.json", range.json());
  EXPECT_EQ(run({}), kExitOk);
  EXPECT_NE(out_.find(feature.string() + "  (not usable"), std::string::npos) << out_;
  EXPECT_NE(out_.find(option.string() + "  (not usable"), std::string::npos) << out_;
  EXPECT_EQ(run({"add", feature.string(), option.string()}), kExitError);
  EXPECT_NE(error_.find("\"nosuch\""), std::string::npos) << error_;
  EXPECT_NE(error_.find("1 to 100"), std::string::npos) << error_;
  EXPECT_FALSE(fs::exists(installed("feature.json")));
  EXPECT_FALSE(fs::exists(installed("option.json")));
}

TEST_F(Models, AddReplacesOnlyWhenToldTo) {
  SampleModel other;
  other.clip = "";
  const fs::path file = folder_.write("mine.json", other.json());
  folder_.write("data/vmafbatch/models/mine.json", SampleModel().json());
  EXPECT_EQ(run({"add", file.string()}), kExitError);
  EXPECT_NE(error_.find("--replace"), std::string::npos) << error_;
  EXPECT_EQ(run({"add", "--replace", file.string()}), kExitOk) << error_;
  EXPECT_EQ(fs::file_size(installed("mine.json")), other.json().size());
}

TEST_F(Models, NothingButAModelIsReplaced) {
  const fs::path file = folder_.write("mine.json", SampleModel().json());
  const fs::path video = folder_.write("to/mine.json", "YUV4MPEG2 W16 H16\n");
  EXPECT_EQ(run({"add", "--replace", "--to", video.parent_path().string(), file.string()}), kExitError);
  EXPECT_EQ(error_, "vmafbatch: " + video.string() + ": this is no model, and is not replaced; remove it, or rename the new file\n");
  EXPECT_EQ(fs::file_size(video), 18u);
  const fs::path known = folder_.write("to/vmaf_v0.6.1.json", "SQLite format 3");
  EXPECT_EQ(run({"fetch", "--from", "http://127.0.0.1:1/", "--to", video.parent_path().string()}), kExitError);
  EXPECT_EQ(error_, "vmafbatch: " + known.string() + ": this is no model, and is not replaced; remove it, or rename the new file\n");
  folder_.write("to/mine.json", "");
  EXPECT_EQ(run({"add", "--replace", "--to", video.parent_path().string(), file.string()}), kExitOk) << error_;
}

TEST_F(Models, AddRefusesWhatIsNoModelAndGoesOn) {
  const fs::path bad = folder_.write("bad.json", "[]");
  const fs::path good = folder_.write("good.json", SampleModel().json());
  EXPECT_EQ(run({"add", bad.string(), (folder_.path() / "none.json").string(), good.string()}), kExitError);
  EXPECT_NE(error_.find("bad.json is no VMAF model"), std::string::npos) << error_;
  EXPECT_NE(error_.find("none.json"), std::string::npos) << error_;
  EXPECT_TRUE(fs::exists(installed("good.json")));
  EXPECT_FALSE(fs::exists(installed("bad.json")));
}

TEST_F(Models, FetchRefusesNamesThatItDoesNotKnow) {
  EXPECT_EQ(run({"fetch", "my_model"}), kExitError);
  EXPECT_NE(error_.find("vmaf_b_v0.6.3"), std::string::npos) << error_;
  EXPECT_NE(error_.find("models add FILE"), std::string::npos) << error_;
}

TEST_F(Models, FetchSaysThatTheServerCannotBeReached) {
  setenv("no_proxy", "127.0.0.1", 1);  // a proxy of the machine does not lead here
  EXPECT_EQ(run({"fetch", "--from", "http://127.0.0.1:1/"}), kExitError);
  EXPECT_NE(error_.find("http://127.0.0.1:1/vmaf_v0.6.1.json"), std::string::npos) << error_;
  EXPECT_NE(error_.find("cannot be reached"), std::string::npos) << error_;
}

}  // namespace
}  // namespace vmafbatch::cli
