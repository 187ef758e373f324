// What a scoring computes: keys, columns, models and contradictions.
#include "graph/scoring_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "extractors/registry.h"

namespace vmafbatch::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<extractors::FeatureRequest> features(const std::vector<std::string>& texts) {
  std::vector<extractors::FeatureRequest> list;
  for (const std::string& text : texts) list.push_back(extractors::parse_feature(text).value());
  return list;
}

// A model with one support vector over the named features.
std::shared_ptr<const model::Model> small_model(const std::string& name, const std::string& feature, const std::string& options,
                                                std::vector<model::OptionOverload> overloads = {}) {
  const std::string json =
      R"({"model_dict": {"model_type": "LIBSVMNUSVR", "norm_type": "linear_rescale", "feature_names": [")" + feature +
      R"("], "feature_opts_dicts": [)" + options +
      R"(], "slopes": [1, 1], "intercepts": [0, 0], "model": "svm_type nu_svr\nkernel_type rbf\ngamma 0.5\nnr_class 2\n)" +
      R"(total_sv 1\nrho -1\nSV\n1 1:0.5 \n"}})";
  Result<model::ModelFile> file = model::parse_model_file(json);
  EXPECT_TRUE(file.ok()) << (file.ok() ? "" : file.error().message);
  model::ModelSpec spec;
  spec.name = name;
  spec.overloads = std::move(overloads);
  const auto provider = [](std::string_view wanted) -> std::optional<std::string> {
    const auto found = extractors::find_provider(wanted);
    return found ? std::optional<std::string>(found->extractor->name) : std::nullopt;
  };
  Result<model::Model> model = model::Model::make(std::move(*file), spec, name + ".json", std::string(64, '0'), provider);
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : model.error().message);
  return std::make_shared<const model::Model>(std::move(*model));
}

std::vector<std::string> keys(const ScoringPlan& plan) {
  std::vector<std::string> list;
  for (const Column& column : plan.columns) list.push_back(column.key);
  return list;
}

const extractors::ClipInfo kClip{{64, 48, io::Chroma::k420, 8}, "clip"};

TEST(ScoringPlan, ColumnsComeInTheOrderOfLibvmafsReports) {
  const auto request =
      make_request(features({"motion", "psnr=enable_apsnr=true"}), {small_model("vmaf", "VMAF_integer_feature_motion2_score", "{}")});
  ASSERT_TRUE(request.ok()) << request.error().message;
  EXPECT_THAT(keys(plan_scoring(*request, kClip)),
              ElementsAre("VMAF_integer_feature_motion_sad_score", "psnr_y", "psnr_cb", "psnr_cr", "integer_motion2", "integer_motion3",
                          "apsnr_y", "apsnr_cb", "apsnr_cr", "vmaf"));
}

TEST(ScoringPlan, AModelBringsItsExtractorsAndFindsTheirKeys) {
  const auto request = make_request({}, {small_model("vmaf", "VMAF_integer_feature_motion2_score", R"({"motion_force_zero": true})")});
  ASSERT_TRUE(request.ok()) << request.error().message;
  const ScoringPlan plan = plan_scoring(*request, kClip);
  ASSERT_EQ(plan.models.size(), 1u);
  ASSERT_TRUE(plan.models[0].inputs[0].has_value());
  EXPECT_EQ(plan.columns[*plan.models[0].inputs[0]].key, "integer_motion2_force_0");
}

TEST(ScoringPlan, ModelsShareTheirExtractors) {
  const auto request = make_request(features({"motion"}), {small_model("a", "VMAF_integer_feature_motion2_score", "{}"),
                                                           small_model("b", "VMAF_integer_feature_motion3_score", "{}")});
  ASSERT_TRUE(request.ok()) << request.error().message;
  EXPECT_EQ(plan_scoring(*request, kClip).jobs.size(), 1u);
}

TEST(ScoringPlan, TwoModelsOfOneNameAreAnErrorThatShowsTheFix) {
  const auto model = small_model("vmaf", "VMAF_integer_feature_motion2_score", "{}");
  const auto request = make_request({}, {model, model});
  ASSERT_FALSE(request.ok());
  EXPECT_THAT(request.error().message, HasSubstr("name="));
}

TEST(ScoringPlan, AModelMayNotTakeTheNameOfAFeature) {
  const auto request = make_request(features({"psnr"}), {small_model("psnr_y", "VMAF_integer_feature_motion2_score", "{}")});
  ASSERT_FALSE(request.ok());
  EXPECT_THAT(request.error().message, HasSubstr("psnr_y"));
}

TEST(ScoringPlan, AnExtractorThatCannotScoreTheClipIsARefusalAndTheOthersStay) {
  const auto request = make_request(features({"motion", "psnr"}), {});
  const ScoringPlan plan = plan_scoring(*request, {{2, 2, io::Chroma::k420, 8}, "small"});
  ASSERT_EQ(plan.refusals.size(), 1u);
  EXPECT_EQ(plan.refusals[0].extractor, "motion");
  EXPECT_THAT(plan.refusals[0].reason, HasSubstr("3x3"));
  EXPECT_EQ(plan.jobs.size(), 1u);
}

TEST(ScoringPlan, TwoInstancesThatGiveOnePlainKeyAreRefused) {
  const auto request = make_request(features({"cambi=full_ref=true", "cambi=full_ref=true:window_size=33"}), {});
  ASSERT_TRUE(request.ok()) << request.error().message;
  const ScoringPlan plan = plan_scoring(*request, {{640, 480, io::Chroma::k420, 8}, "clip"});
  ASSERT_EQ(plan.refusals.size(), 1u);
  EXPECT_THAT(plan.refusals[0].reason, HasSubstr("cambi_source"));
}

TEST(ScoringPlan, SeveralInstancesOfAnExtractorNameTheirOptionsAsTheirColumnsProducer) {
  const auto request = make_request(features({"psnr", "motion", "motion=motion_force_zero=true"}), {});
  ASSERT_TRUE(request.ok()) << request.error().message;
  const ScoringPlan plan = plan_scoring(*request, kClip);
  const auto producer = [&](const char* key) { return std::ranges::find(plan.columns, key, &Column::key)->producer; };
  EXPECT_EQ(producer("psnr_y"), "psnr");
  EXPECT_EQ(producer("integer_motion2"), "motion");
  EXPECT_EQ(producer("integer_motion2_force_0"), "motion=motion_force_zero=true");
}

TEST(ScoringPlan, TheTextOfARequestTellsOptionsAndModelsApart) {
  const auto one = make_request(features({"psnr"}), {});
  const auto two = make_request(features({"psnr=enable_mse=true"}), {});
  const auto three = make_request(features({"psnr"}), {small_model("vmaf", "VMAF_integer_feature_motion2_score", "{}")});
  EXPECT_NE(one->text(), two->text());
  EXPECT_NE(one->text(), three->text());
}

TEST(ScoringPlan, TheTextOfARequestDoesNotDependOnTheOrderOfItsParts) {
  const auto a = small_model("a", "VMAF_integer_feature_motion2_score", "{}");
  const auto b = small_model("b", "VMAF_integer_feature_motion2_score", R"({"motion_force_zero": true})");
  const auto one = make_request(features({"psnr=enable_mse=true:enable_apsnr=true", "ciede", "vif"}), {a, b});
  const auto two = make_request(features({"vif", "psnr=enable_apsnr=true", "ciede", "psnr=enable_mse=true:enable_chroma=true"}), {b, a});
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_EQ(one->text(), two->text());
  EXPECT_THAT(keys(plan_scoring(*one, kClip)), ::testing::Not(::testing::ElementsAreArray(keys(plan_scoring(*two, kClip)))))
      << "reports keep the order that was asked for";
}

TEST(ScoringPlan, TheTextOfARequestDoesNotDependOnTheOrderOfAModelsOptions) {
  const model::OptionOverload first{"motion", "motion_force_zero", "true"};
  const model::OptionOverload second{"motion", "motion_five_frame_window", "true"};
  const auto request = [&](std::vector<model::OptionOverload> overloads) {
    return make_request({}, {small_model("a", "VMAF_integer_feature_motion2_score", "{}", std::move(overloads))});
  };
  const auto one = request({first, second});
  const auto two = request({second, first});
  const auto three = request({first});
  ASSERT_TRUE(one.ok() && two.ok() && three.ok());
  EXPECT_EQ(one->text(), two->text());
  EXPECT_NE(one->text(), three->text());
}

TEST(ScoringPlan, WhichOfTwoInstancesIsRefusedDoesNotDependOnTheirOrder) {
  const std::vector<std::string> texts = {"cambi=full_ref=true", "cambi=full_ref=true:window_size=33"};
  const extractors::ClipInfo clip{{640, 480, io::Chroma::k420, 8}, "clip"};
  const ScoringPlan one = plan_scoring(*make_request(features({texts[0], texts[1]}), {}), clip);
  const ScoringPlan two = plan_scoring(*make_request(features({texts[1], texts[0]}), {}), clip);
  ASSERT_EQ(one.refusals.size(), 1u);
  ASSERT_EQ(two.refusals.size(), 1u);
  EXPECT_EQ(one.refusals[0].options, two.refusals[0].options);
}

TEST(ScoringPlan, TakesTheOrderOfAStoredScoring) {
  const auto a = small_model("a", "VMAF_integer_feature_motion2_score", "{}");
  const auto b = small_model("b", "VMAF_integer_feature_motion2_score", R"({"motion_force_zero": true})");
  const auto asked = make_request(features({"ciede", "psnr=enable_mse=true"}), {b, a});
  ASSERT_TRUE(asked.ok());
  const std::vector<store::ExtractorSpec> stored = {{"psnr", "enable_mse=true"},          {"motion", ""},        {"ciede", ""},
                                                    {"motion", "motion_force_zero=true"}, {"a", "model a.json"}, {"b", "model b.json"}};
  const ScoringRequest ordered = in_stored_order(*asked, stored);
  std::vector<std::string> texts;
  for (const auto& feature : ordered.features) texts.push_back(feature.text());
  for (const auto& model : ordered.models) texts.push_back(model->name());
  EXPECT_THAT(texts, ElementsAre("psnr=enable_mse=true", "motion", "ciede", "motion=motion_force_zero=true", "a", "b"));
}

}  // namespace
}  // namespace vmafbatch::graph
