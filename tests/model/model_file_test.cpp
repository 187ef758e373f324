#include "model/model_file.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "model/known_models.h"
#include "model/model_search.h"
#include "model/sha256.h"
#include "sample_model.h"

namespace vmafbatch::model {
namespace {

using vmafbatch::testing::json_text;
using vmafbatch::testing::published_model;
using vmafbatch::testing::sample_collection;
using vmafbatch::testing::sample_svm;
using vmafbatch::testing::SampleModel;

RegressionModel parse_one(const SampleModel& sample) {
  Result<ModelFile> file = parse_model_file(sample.json());
  EXPECT_TRUE(file) << file.error().message;
  return file ? file->members.front() : RegressionModel();
}

std::string refusal_of(const std::string& json) {
  const Result<ModelFile> file = parse_model_file(json);
  return file ? "accepted" : file.error().message;
}

TEST(ModelFile, HoldsEveryMemberOfAModel) {
  SampleModel sample;
  sample.transform = R"({"enabled": true, "p0": 1.5, "p2": -0.25, "knots": [[0, 1], [2, 3.5]], "out_lte_in": "true", "out_gte_in": "yes"})";
  sample.chroma = "120";
  const RegressionModel model = parse_one(sample);
  EXPECT_EQ(model.type, ModelType::kNuSvr);
  ASSERT_EQ(model.features.size(), 2u);
  EXPECT_EQ(model.features[0].name, "VMAF_integer_feature_adm2_score");
  EXPECT_EQ(model.features[0].options, (OptionTexts{{"adm_enhn_gain_limit", "1"}}));
  EXPECT_TRUE(model.features[1].options.empty());
  EXPECT_EQ(model.norm, NormType::kLinearRescale);
  EXPECT_EQ(model.slopes, (std::vector<double>{0.012, 2.8, 0.0625}));
  EXPECT_EQ(model.intercepts, (std::vector<double>{-0.3, -1.8, -0.003}));
  ASSERT_TRUE(model.clip);
  EXPECT_EQ(model.clip->high, 100.0);
  ASSERT_TRUE(model.transform);
  EXPECT_TRUE(model.transform->enabled);
  EXPECT_EQ(model.transform->p0, 1.5);
  EXPECT_FALSE(model.transform->p1);
  EXPECT_EQ(model.transform->p2, -0.25);
  ASSERT_EQ(model.transform->knots.size(), 2u);
  EXPECT_EQ(model.transform->knots[1].y, 3.5);
  EXPECT_TRUE(model.transform->out_lte_in);
  EXPECT_FALSE(model.transform->out_gte_in);
  EXPECT_EQ(model.chroma_correction, 120.0);
  EXPECT_EQ(model.svm.coefficients.size(), 5u);
}

TEST(ModelFile, TransformIsOffUnlessEnabled) {
  SampleModel sample;
  sample.transform = R"({"p0": 1})";
  EXPECT_FALSE(parse_one(sample).transform->enabled);
}

TEST(ModelFile, NullMeansAbsentInATransform) {
  SampleModel sample;
  sample.transform = R"({"enabled": true, "p0": null, "p1": null, "p2": null, "knots": null})";
  const RegressionModel model = parse_one(sample);
  EXPECT_FALSE(model.transform->p0 || model.transform->p1 || model.transform->p2);
  EXPECT_TRUE(model.transform->knots.empty());
}

TEST(ModelFile, NormalisesNumbersOfOptionsAndNoStrings) {
  SampleModel sample;
  sample.options = R"([{"a": 1.23456789, "b": 1e2, "c": true, "d": "0.0600", "e": 1080, "f": false, "g": 0.060}, {}])";
  EXPECT_EQ(parse_one(sample).features[0].options,
            (OptionTexts{{"a", "1.23457"}, {"b", "100"}, {"c", "true"}, {"d", "0.0600"}, {"e", "1080"}, {"f", "false"}, {"g", "0.06"}}));
}

TEST(ModelFile, TakesTheSameOptionTwiceWithOneValue) {
  SampleModel sample;
  sample.options = R"([{"a": 1.0, "a": 1}])";
  EXPECT_EQ(parse_one(sample).features[0].options, (OptionTexts{{"a", "1"}}));
}

TEST(ModelFile, OptionsAndFurtherClipNumbersMayBeMissingOrTooMany) {
  SampleModel sample;
  sample.options = "[]";
  sample.clip = "[10, 90, 5]";
  sample.type = "";
  const RegressionModel model = parse_one(sample);
  EXPECT_EQ(model.type, ModelType::kUnstated);
  EXPECT_EQ(model.clip->low, 10.0);
  EXPECT_TRUE(model.features[0].options.empty());
}

TEST(ModelFile, WithoutRescalingNeedsNoSlopes) {
  SampleModel sample;
  sample.norm = R"("none")";
  sample.slopes = sample.intercepts = "";
  EXPECT_EQ(parse_one(sample).norm, NormType::kNone);
}

TEST(ModelFile, SkipsUnknownMembersOfAnyKind) {
  SampleModel sample;
  sample.extra = R"(, "x": null, "y": {"model": 3}, "z": [[[]], "s"], "x": 1)";
  EXPECT_EQ(parse_one(sample).features.size(), 2u);
}

TEST(ModelFile, CollectionHoldsItsModelsInOrder) {
  const Result<ModelFile> file = parse_model_file(sample_collection(3));
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->members.size(), 4u);
  EXPECT_EQ(file->members[0].type, ModelType::kNuSvr);
  EXPECT_EQ(file->members[3].type, ModelType::kBootstrap);
  EXPECT_NE(file->members[1].svm.coefficients, file->members[2].svm.coefficients);
}

TEST(ModelFile, CollectionSkipsMembersThatAreNotTheNext) {
  SampleModel bootstrap;
  bootstrap.type = R"("RESIDUEBOOTSTRAP_LIBSVMNUSVR")";
  const std::string one = bootstrap.json();
  const Result<ModelFile> file =
      parse_model_file(R"({"note": 1, "0": )" + one + R"(, "2": null, "1": )" + one + R"(, "1": 7, "04": 8, "3": 9})");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->members.size(), 2u);
}

TEST(ModelFile, CollectionRefusals) {
  SampleModel plain, bootstrap, residue, other;
  bootstrap.type = R"("BOOTSTRAP_LIBSVMNUSVR")";
  residue.type = R"("RESIDUEBOOTSTRAP_LIBSVMNUSVR")";
  other.type = bootstrap.type;
  other.options = "[{}, {}]";
  const auto collection = [](const std::string& a, const std::string& b, const std::string& c = "") {
    return R"({"0": )" + a + R"(, "1": )" + b + (c.empty() ? "" : R"(, "2": )" + c) + "}";
  };
  EXPECT_NE(refusal_of(R"({"0": )" + plain.json() + "}").find("no bootstrap model"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"1": )" + bootstrap.json() + R"(, "0": )" + plain.json() + "}").find("no bootstrap model"), std::string::npos);
  EXPECT_NE(refusal_of(collection(plain.json(), plain.json())).find("model \"1\": model_type"), std::string::npos);
  EXPECT_NE(refusal_of(collection(plain.json(), bootstrap.json(), residue.json())).find("differs"), std::string::npos);
  EXPECT_NE(refusal_of(collection(plain.json(), other.json())).find("features or options differ"), std::string::npos);
  EXPECT_NE(refusal_of(collection(plain.json(), "[]")).find("model \"1\": the member is an array"), std::string::npos);
  EXPECT_NE(refusal_of(collection("{}", bootstrap.json())).find("model \"0\": there is no member \"model_dict\""), std::string::npos);
  EXPECT_NE(refusal_of("{}").find("neither"), std::string::npos);
}

struct Change {
  const char* name;
  std::string SampleModel::*part;
  std::string value;
  const char* expected;
};

class ModelRefusals : public ::testing::TestWithParam<Change> {};

TEST_P(ModelRefusals, SayWhatIsWrong) {
  SampleModel sample;
  sample.*GetParam().part = GetParam().value;
  EXPECT_NE(refusal_of(sample.json()).find(GetParam().expected), std::string::npos) << refusal_of(sample.json());
}

INSTANTIATE_TEST_SUITE_P(
    Members, ModelRefusals,
    ::testing::Values(Change{"TypeUnknown", &SampleModel::type, R"("LINEAR")", "model_type \"LINEAR\" is unknown"},
                      Change{"TypeNoString", &SampleModel::type, "3", "model_type is a number"},
                      Change{"NormUnknown", &SampleModel::norm, R"("custom")", "norm_type \"custom\" is unknown"},
                      Change{"NormAbsent", &SampleModel::norm, "", "norm_type is absent"},
                      Change{"NamesAbsent", &SampleModel::names, "", "no inputs"},
                      Change{"NamesEmpty", &SampleModel::names, "[]", "no inputs"},
                      Change{"NameNoString", &SampleModel::names, "[1, 2]", "an element of feature_names is a number"},
                      Change{"OptionNull", &SampleModel::options, R"([{"a": null}])", "option \"a\" is null"},
                      Change{"OptionArray", &SampleModel::options, R"([{"a": []}])", "option \"a\" is an array"},
                      Change{"OptionObject", &SampleModel::options, R"([{"a": {}}])", "option \"a\" is an object"},
                      Change{"OptionTwice", &SampleModel::options, R"([{"a": 1, "a": 2}])", "two values, \"1\" and \"2\""},
                      Change{"OptionsNull", &SampleModel::options, "[null]", "an element of feature_opts_dicts is null"},
                      Change{"OptionsTooMany", &SampleModel::options, "[{}, {}, {}]", "more elements than feature_names"},
                      Change{"SlopesShort", &SampleModel::slopes, "[1, 2]", "slopes has 2 numbers"},
                      Change{"SlopesAbsent", &SampleModel::slopes, "", "slopes has 0 numbers"},
                      Change{"SlopeNoNumber", &SampleModel::slopes, R"([1, 2, "3"])", "an element of slopes is a string"},
                      Change{"SlopeZero", &SampleModel::slopes, "[0, 2, 3]", "slope is 0"},
                      Change{"InterceptsLong", &SampleModel::intercepts, "[1, 2, 3, 4]", "intercepts has 4 numbers"},
                      Change{"ClipNull", &SampleModel::clip, "null", "score_clip is null"},
                      Change{"ClipShort", &SampleModel::clip, "[1]", "fewer than two"},
                      Change{"TransformNull", &SampleModel::transform, "null", "score_transform is null"},
                      Change{"TransformEnabledText", &SampleModel::transform, R"({"enabled": "true"})", "enabled is a string"},
                      Change{"TransformLimitBoolean", &SampleModel::transform, R"({"out_gte_in": true})", "out_gte_in is true or false"},
                      Change{"TransformCoefficientText", &SampleModel::transform, R"({"p1": "1"})", "p1 is a string"},
                      Change{"KnotTriple", &SampleModel::transform, R"({"knots": [[1, 2, 3]]})", "a knot has 3 numbers"},
                      Change{"KnotNumber", &SampleModel::transform, R"({"knots": [1]})", "an element of knots is a number"},
                      Change{"ChromaNull", &SampleModel::chroma, "null", "chroma_correction_parameter is null"},
                      Change{"SvmAbsent", &SampleModel::svm, "", "support vectors is absent"},
                      Change{"SvmBroken", &SampleModel::svm, R"("SV")", "no svm_type"},
                      Change{"SvmOfMoreFeatures", &SampleModel::svm, json_text(sample_svm(3)), "has index 3"},
                      Change{"MemberTwice", &SampleModel::extra, R"(, "norm_type": "none")", "two members \"norm_type\""}),
    [](const auto& test) { return test.param.name; });

TEST(ModelFile, RefusesTwoFeaturesForOneCorrection) {
  SampleModel sample;
  sample.chroma = "120";
  sample.names = R"(["VMAF_integer_feature_adm3_score", "VMAF_feature_adm3_score"])";
  EXPECT_NE(refusal_of(sample.json()).find("one adm3 feature"), std::string::npos);
}

TEST(ModelFile, RefusesWhatIsNoModel) {
  for (const char* text : {"", "x", "{", "[]", "3", "null", "\"text\"", R"({"model_dict": 3})", R"({"model_dict": null})", "\xff\xfe",
                           R"({"model_dict": NaN})", R"({"model_dict": 1e999})", "{} {}", R"({"a": "\xc3"})"}) {
    EXPECT_NE(refusal_of(text), "accepted") << text;
  }
}

TEST(ModelFile, RefusesDeepNestingWithoutRecursing) {
  for (const std::string unit : {"[", "{\"a\":"}) {
    std::string text = "{\"model_dict\": ";
    for (int i = 0; i < 1000000; ++i) text += unit;
    EXPECT_NE(refusal_of(text).find("nested deeper than 64"), std::string::npos);
  }
}

TEST(ModelFile, RefusesTooManyValues) {
  std::string text = "[0";
  for (int i = 0; i < 300000; ++i) text += ",0";
  EXPECT_NE(refusal_of(text + "]").find("more than 262144 values"), std::string::npos);
}

TEST(ModelFile, RefusesTooManyFeatures) {
  SampleModel sample;
  sample.names = "[\"f\"";
  for (int i = 0; i < 300; ++i) sample.names += ",\"f\"";
  sample.names += "]";
  EXPECT_NE(refusal_of(sample.json()).find("301 entries; at most 256"), std::string::npos);
}

TEST(ModelFile, RefusesMoreSupportVectorsThanItCanHold) {
  SampleModel sample;
  sample.names = "[\"f\"";
  for (int i = 1; i < 256; ++i) sample.names += ",\"f\"";
  sample.names += "]";
  sample.norm = R"("none")";
  std::string svm = "svm_type nu_svr\nkernel_type rbf\ngamma 1\nrho 0\ntotal_sv 100000\nSV\n";
  for (int i = 0; i < 100000; ++i) svm += "1\n";
  sample.svm = json_text(svm);
  EXPECT_NE(refusal_of(sample.json()).find("too many support vectors"), std::string::npos);
}

TEST(ModelFile, RefusesAFileThatIsTooLarge) {
  EXPECT_NE(refusal_of(std::string(kMaxModelFileBytes + 1, ' ')).find("larger than"), std::string::npos);
}

// Cut and changed texts give a model or a sentence, never a crash.
TEST(ModelFile, SurvivesDamage) {
  SampleModel sample;
  sample.transform = R"({"enabled": true, "p0": 1.5, "knots": [[0, 1], [2, 3.5]]})";
  std::mt19937 random(5);
  int refused = 0;
  for (const std::string& whole : {sample.json(), sample_collection(2)}) {
    for (std::size_t length = 0; length < whole.size(); length += 7) refused += parse_model_file(whole.substr(0, length)).ok() ? 0 : 1;
    for (int i = 0; i < 3000; ++i) {
      std::string damaged = whole;
      for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
      const Result<ModelFile> file = parse_model_file(damaged);
      if (!file) {
        EXPECT_FALSE(file.error().message.empty());
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(KnownModels, HaveUniqueNamesAndWholeHashes) {
  EXPECT_EQ(known_models().size(), 20u);
  for (const KnownModel& known : known_models()) {
    EXPECT_EQ(known.sha256.size(), 64u);
    EXPECT_TRUE(known.sub_path.ends_with(known.file_name));
    EXPECT_EQ(find_known_model(known.name()), &known);
    EXPECT_EQ(find_known_model(known.sub_path), &known);
  }
  EXPECT_NE(find_known_model(kDefaultModel), nullptr);
  EXPECT_EQ(find_known_model("vmaf_v0.6.2"), nullptr);
}

class PublishedModels : public ::testing::TestWithParam<KnownModel> {};

TEST_P(PublishedModels, ParseAndHaveTheKnownHash) {
  const auto path = published_model(std::string(GetParam().file_name));
  if (!path) GTEST_SKIP() << GetParam().file_name << " is not there; set VMAFBATCH_TEST_MODELS to the folder of the published models";
  const Result<std::string> text = read_model_text(*path);
  ASSERT_TRUE(text);
  EXPECT_EQ(sha256_hex(*text), GetParam().sha256);
  const Result<ModelFile> file = parse_model_file(*text);
  ASSERT_TRUE(file) << file.error().message;
  const std::string name(GetParam().name());
  const bool collection = name.find("b_v0.6") != std::string::npos;
  const std::size_t bootstrap = !collection ? 0 : name.ends_with("rb_v0.6.2") ? 19 : 20;
  EXPECT_EQ(file->members.size(), 1 + bootstrap);
  const std::size_t vectors = name.find("v1.0.16") != std::string::npos ? 215
                              : name.find("4k") != std::string::npos    ? 262
                              : collection                              ? 210
                                                                        : 211;
  EXPECT_EQ(file->members[0].svm.coefficients.size(), vectors);
}

INSTANTIATE_TEST_SUITE_P(All, PublishedModels, ::testing::ValuesIn(known_models().begin(), known_models().end()), [](const auto& test) {
  std::string name(test.param.name());
  for (char& c : name) {
    if (c == '.') c = '_';
  }
  return name;
});

TEST(PublishedConstants, OfTheRescalingAreRead) {
  const auto path = published_model("vmaf_v1.0.16_3d0h.json");
  if (!path) GTEST_SKIP() << "vmaf_v1.0.16_3d0h.json is not there; set VMAFBATCH_TEST_MODELS to the folder of the published models";
  const Result<ModelFile> file = parse_model_file(*read_model_text(*path));
  ASSERT_TRUE(file);
  const RegressionModel& model = file->members[0];
  EXPECT_EQ(model.slopes,
            (std::vector<double>{0.012020766332648467, 0.07265168094288038, 0.03147688934068315, 4.044462665497729, 0.06242930101138472}));
  EXPECT_EQ(model.intercepts, (std::vector<double>{-0.30712690585348135, -0.00016348141788834398, -0.014977474082856242,
                                                   -3.0226057825839794, -0.003051650363248205}));
  EXPECT_EQ(model.svm.gamma, 0.035000000000000003);
  EXPECT_EQ(model.chroma_correction, 120.0);
}

TEST(Sha256, OfAKnownTextIsThePublishedOne) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace vmafbatch::model
