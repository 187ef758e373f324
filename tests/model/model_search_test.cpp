#include "model/model_search.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "sample_model.h"
#include "support/temporary_folder.h"

namespace vmafbatch::model {
namespace {

namespace fs = std::filesystem;
using vmafbatch::testing::SampleModel;
using vmafbatch::testing::TemporaryFolder;

// Sets an environment variable for one test.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() {
    if (old_) {
      setenv(name_, old_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

ModelSearch search_in(std::vector<fs::path> folders) { return {std::move(folders), {}}; }

TEST(ModelSearch, LooksInTheDocumentedOrder) {
  const ScopedVariable path("VMAFBATCH_MODEL_PATH", "/first::/second");
  const ScopedVariable data("XDG_DATA_HOME", "/data");
  const ModelSearch search = ModelSearch::from_environment();
  ASSERT_EQ(search.folders.size(), 7u);
  EXPECT_EQ(search.folders[0], "/first");
  EXPECT_EQ(search.folders[1], "/second");
  EXPECT_TRUE(search.folders[2].string().ends_with("/share/vmafbatch/models"));
  EXPECT_EQ(search.folders[3], "/data/vmafbatch/models");
  EXPECT_EQ(search.folders[4], "/usr/share/vmaf/model");
  EXPECT_EQ(search.folders[5], "/usr/local/share/vmaf/model");
  EXPECT_EQ(search.folders[6], "/usr/local/share/model");
  EXPECT_EQ(search.install_folder, search.folders[3]);  // the test program is not installed
}

TEST(ModelSearch, UsesTheHomeFolderWithoutADataFolder) {
  const ScopedVariable data("XDG_DATA_HOME", "");
  const ScopedVariable home("HOME", "/somebody");
  EXPECT_EQ(ModelSearch::from_environment().install_folder, "/somebody/.local/share/vmafbatch/models");
}

TEST(FindModel, FindsWithAndWithoutExtensionAndInInnerFolders) {
  const TemporaryFolder folder;
  const auto file = folder.write("b/vmaf_x/vmaf_x.json", "{}");
  const auto other = folder.write("b/plain.json", "{}");
  const ModelSearch search = search_in({folder.path() / "missing", folder.path() / "b"});
  EXPECT_EQ(*find_model("vmaf_x", search), file);
  EXPECT_EQ(*find_model("vmaf_x.json", search), file);
  EXPECT_EQ(*find_model("vmaf_x/vmaf_x.json", search), file);
  EXPECT_EQ(*find_model("plain", search), other);
}

TEST(FindModel, PrefersTheEarlierFolder) {
  const TemporaryFolder folder;
  const auto first = folder.write("a/inner/m.json", "{}");
  folder.write("b/m.json", "{}");
  EXPECT_EQ(*find_model("m", search_in({folder.path() / "a", folder.path() / "b"})), first);
}

TEST(FindModel, SaysWhereItLookedAndHowToGetTheModel) {
  const ModelSearch search = search_in({"/nowhere/a", "/nowhere/b"});
  const auto known = find_model("vmaf_v0.6.1neg.json", search);
  ASSERT_FALSE(known);
  EXPECT_NE(known.error().message.find("/nowhere/a, /nowhere/b"), std::string::npos) << known.error().message;
  EXPECT_NE(known.error().message.find("vmafbatch models fetch vmaf_v0.6.1neg"), std::string::npos) << known.error().message;
  const auto unknown = find_model("my_model", search);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("vmafbatch models"), std::string::npos);
}

TEST(FindModel, StaysInsideTheFolders) {
  const TemporaryFolder folder;
  const auto outside = folder.write("secret.json", "{}");
  const ModelSearch search = search_in({folder.path() / "in"});
  fs::create_directories(folder.path() / "in");
  EXPECT_FALSE(find_model("../secret", search));
  EXPECT_FALSE(find_model(outside.string(), search));
  EXPECT_FALSE(find_model("", search));
}

TEST(ListModels, ShowsAllInSearchOrder) {
  const TemporaryFolder folder;
  folder.write("a/z.json", "{}");
  folder.write("a/in/m.json", "{}");
  folder.write("a/in/deeper/x.json", "{}");
  folder.write("a/readme.txt", "");
  folder.write("b/m.json", "{}");
  const auto found = list_models(search_in({folder.path() / "a", folder.path() / "none", folder.path() / "b"}));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].path, folder.path() / "a/in/m.json");
  EXPECT_EQ(found[1].name, "z");
  EXPECT_EQ(found[2].path, folder.path() / "b/m.json");
}

TEST(ReadModelText, RefusesWhatIsNoOrdinaryFile) {
  const TemporaryFolder folder;
  const auto missing = read_model_text(folder.path() / "none.json");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("none.json"), std::string::npos);
  EXPECT_FALSE(read_model_text(folder.path()));
  const fs::path pipe = folder.path() / "pipe.json";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(read_model_text(pipe));
  const fs::path large = folder.write("large.json", "");
  fs::resize_file(large, (std::uintmax_t{1} << 30));
  const auto refused = read_model_text(large);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("no VMAF model"), std::string::npos);
}

TEST(InstallModel, WritesTheFileAndNothingElse) {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "x/y";
  const std::string json = SampleModel().json();
  const auto installed = install_model(json, "m.json", target);
  ASSERT_TRUE(installed) << installed.error().message;
  EXPECT_EQ(*installed, target / "m.json");
  EXPECT_EQ(*read_model_text(*installed), json);
  EXPECT_EQ(std::distance(fs::directory_iterator(target), fs::directory_iterator()), 1);
}

TEST(InstallModel, RefusesWhatIsNoModelAndKeepsTheOldFile) {
  const TemporaryFolder folder;
  const auto old = folder.write("m.json", "old");
  const auto refused = install_model("{}", "m.json", folder.path());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("m.json is no VMAF model"), std::string::npos) << refused.error().message;
  EXPECT_EQ(*read_model_text(old), "old");
}

TEST(InstallModel, RefusesNamesThatLeadElsewhere) {
  const TemporaryFolder folder;
  for (const char* name : {"../m.json", "a/b.json", ".json", ".hidden.json", "m.txt", ""}) {
    EXPECT_FALSE(install_model(SampleModel().json(), name, folder.path())) << name;
  }
}

TEST(InstallModel, SaysWhenTheFolderCannotBeMade) {
  const TemporaryFolder folder;
  folder.write("file", "");
  const auto refused = install_model(SampleModel().json(), "m.json", folder.path() / "file" / "models");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("cannot make the folder"), std::string::npos) << refused.error().message;
}

}  // namespace
}  // namespace vmafbatch::model
