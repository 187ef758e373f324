#include "model/model_spec.h"

#include <gtest/gtest.h>

#include "sample_model.h"
#include "support/temporary_folder.h"

namespace vmafbatch::model {
namespace {

using vmafbatch::testing::TemporaryFolder;

ModelSpec parsed(const std::string& text) {
  Result<ModelSpec> spec = parse_model_spec(text);
  EXPECT_TRUE(spec) << spec.error().message;
  return spec ? *spec : ModelSpec();
}

TEST(ModelSpec, PlainTextIsANameWhereNoFileIs) {
  const ModelSpec spec = parsed("vmaf_v0.6.1");
  EXPECT_EQ(spec.model, "vmaf_v0.6.1");
  EXPECT_FALSE(spec.is_path);
  EXPECT_EQ(spec.name, "vmaf");
}

TEST(ModelSpec, PlainTextIsAPathWhereAFileIs) {
  const TemporaryFolder folder;
  const auto file = folder.write("a:b.json", "{}");
  EXPECT_TRUE(parsed(file.string()).is_path);
  EXPECT_EQ(parsed(file.string()).model, file.string());
  const auto plain = folder.write("c.json", "{}");
  const ModelSpec spec = parsed(plain.string() + ":name=x:disable_clip");
  EXPECT_TRUE(spec.is_path);
  EXPECT_EQ(spec.model, plain.string());
  EXPECT_EQ(spec.name, "x");
  EXPECT_TRUE(spec.disable_clip);
}

// "Not found, no such file" would be wrong of a folder or a device; reading it says what it is.
TEST(ModelSpec, PlainTextIsAPathWhereSomethingElseThanAFileIs) {
  EXPECT_TRUE(parsed("/dev/null").is_path);
  EXPECT_TRUE(parsed("/tmp").is_path);
  EXPECT_FALSE(parsed("/nowhere/model").is_path);
}

TEST(ModelSpec, RelativePathsStartAtTheBase) {
  const TemporaryFolder folder;
  folder.write("m.json", "{}");
  const Result<ModelSpec> plain = parse_model_spec("m.json", folder.path());
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->model, (folder.path() / "m.json").string());
  const Result<ModelSpec> path = parse_model_spec("path=none.json", folder.path());
  ASSERT_TRUE(path);
  EXPECT_EQ(path->model, (folder.path() / "none.json").string());
  EXPECT_EQ(parse_model_spec("path=/x/none.json", folder.path())->model, "/x/none.json");
}

TEST(ModelSpec, TakesEveryItem) {
  const ModelSpec spec =
      parsed("path=/m/x.json:name=vmaf_hd:disable_clip:enable_transform=true:adm.adm_enhn_gain_limit=1.20:cambi.enc_width=1280");
  EXPECT_TRUE(spec.is_path);
  EXPECT_EQ(spec.model, "/m/x.json");
  EXPECT_EQ(spec.name, "vmaf_hd");
  EXPECT_TRUE(spec.disable_clip);
  EXPECT_TRUE(spec.enable_transform);
  ASSERT_EQ(spec.overloads.size(), 2u);
  EXPECT_EQ(spec.overloads[0].text(), "adm.adm_enhn_gain_limit=1.2");
  EXPECT_EQ(spec.overloads[1].text(), "cambi.enc_width=1280");
}

TEST(ModelSpec, TheOrderOfOptionsHasNoMeaningButThatTheLaterOneWins) {
  const ModelSpec spec = parsed("version=v:vif.a=2:adm.b=1:vif.a=3.0:vif.ab=4");
  ASSERT_EQ(spec.overloads.size(), 3u);
  EXPECT_EQ(spec.overloads[0].text(), "adm.b=1");
  EXPECT_EQ(spec.overloads[1].text(), "vif.a=3");
  EXPECT_EQ(spec.overloads[2].text(), "vif.ab=4");
}

TEST(ModelSpec, NoItemHoldsWhatSeparatesOptions) {
  for (const std::string item : {"name=a;b", "name=a scale=none", "cambi.heatmaps_path=a;b", "psnr.x=1 frames=3"}) {
    const Result<ModelSpec> spec = parse_model_spec("version=v:" + item);
    ASSERT_FALSE(spec) << item;
    EXPECT_EQ(spec.error().message,
              "--model version=v:" + item + ": \"" + item + "\" holds \";\" or \" NAME=\", which begin another option; leave that out");
  }
  EXPECT_EQ(parsed("path=/m/a;b.json:name=my model").name, "my model");
}

TEST(ModelSpec, VersionWinsOverPath) {
  const ModelSpec spec = parsed("version=vmaf_v0.6.1:path=/m/x.json");
  EXPECT_FALSE(spec.is_path);
  EXPECT_EQ(spec.model, "vmaf_v0.6.1");
}

TEST(ModelSpec, FlagsCanBeFalse) {
  const ModelSpec spec = parsed("version=v:disable_clip=false:enable_transform=false");
  EXPECT_FALSE(spec.disable_clip);
  EXPECT_FALSE(spec.enable_transform);
}

TEST(ModelSpec, BackslashKeepsAColon) {
  EXPECT_EQ(parsed("path=/a\\:b/m.json:name=x").model, "/a:b/m.json");
  EXPECT_EQ(parsed("path=/a\\\\:name=x").model, "/a\\");
  EXPECT_EQ(parsed("path=/a\\b:name=x").model, "/a\\b");
}

TEST(ModelSpec, LaterEqualsSignsBelongToTheValue) { EXPECT_EQ(parsed("path=/a=b/m.json").model, "/a=b/m.json"); }

TEST(ModelSpec, RefusesWithASentence) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"", "an item is empty"},
      {"name=x", "no model is named"},
      {"adm.adm_csf_mode=1", "no model is named"},
      {"version=v:", "an item is empty"},
      {"version=v::name=x", "an item is empty"},
      {"version=v:fast", "\"fast\" has no value"},
      {"version=v:clip=1", "unknown item \"clip\""},
      {"version=v:disable_clip=yes", "disable_clip is true or false, not \"yes\""},
      {"version=", "\"version=\" has no value"},
      {"version=v:name=", "name= has 0 bytes"},
      {"version=v:.x=1", "no EXTRACTOR.OPTION"},
      {"version=v:adm.=1", "no EXTRACTOR.OPTION"},
      {"vmaf:version=v", "named twice"},
  };
  for (const auto& c : cases) {
    const Result<ModelSpec> spec = parse_model_spec(c.text);
    ASSERT_FALSE(spec) << c.text;
    EXPECT_NE(spec.error().message.find(c.expected), std::string::npos) << c.text << ": " << spec.error().message;
  }
  EXPECT_FALSE(parse_model_spec("version=v:name=" + std::string(241, 'n')));
}

}  // namespace
}  // namespace vmafbatch::model
