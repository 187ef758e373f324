#include "model/predictor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/exponential.h"
#include "model/sha256.h"
#include "sample_model.h"
#include "support/run_extractor.h"
#include "support/temporary_folder.h"

namespace vmafbatch::model {
namespace {

using vmafbatch::testing::json_text;
using vmafbatch::testing::sample_collection;
using vmafbatch::testing::sample_provider;
using vmafbatch::testing::SampleModel;
using vmafbatch::testing::TemporaryFolder;

Result<Model> make_model(const std::string& json, const std::string& flags = "") {
  Result<ModelFile> file = parse_model_file(json);
  if (!file) return file.error();
  const Result<ModelSpec> spec = parse_model_spec("path=sample.json" + flags);
  if (!spec) return spec.error();
  return Model::make(std::move(*file), *spec, "sample.json", "", sample_provider);
}

std::vector<double> predict(const Result<Model>& model, const std::vector<double>& values) {
  EXPECT_TRUE(model) << model.error().message;
  std::vector<double> scores(model->columns().size());
  const Status status = model->predict(values, scores);
  EXPECT_TRUE(status) << status.error().message;
  return scores;
}

// A model of one support vector, so that the expected score can be written down.
SampleModel one_vector() {
  SampleModel sample;
  sample.svm = json_text("svm_type nu_svr\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 1\nrho -0.25\nSV\n2 1:0.5 2:0.25\n");
  sample.clip = "";
  return sample;
}

double kernel(double x0, double x1) { return exponential(-0.5 * ((x0 - 0.5) * (x0 - 0.5) + (x1 - 0.25) * (x1 - 0.25))); }

TEST(Predictor, RescalesInputsAndOutput) {
  const double x0 = 2.8 * 0.9 + -1.8;
  const double x1 = 0.0625 * 3.0 + -0.003;
  const double expected = (2.0 * kernel(x0, x1) - -0.25 - -0.3) / 0.012;
  EXPECT_EQ(predict(make_model(one_vector().json()), {0.9, 3.0}), std::vector<double>{expected});
}

TEST(Predictor, WithoutRescalingTakesTheValuesAsTheyAre) {
  SampleModel sample = one_vector();
  sample.norm = R"("none")";
  EXPECT_EQ(predict(make_model(sample.json()), {0.9, 0.1}), std::vector<double>{2.0 * kernel(0.9, 0.1) - -0.25});
}

TEST(Predictor, TransformsOnlyWhereEnabledAndClipsUnlessDisabled) {
  SampleModel sample = one_vector();
  sample.transform = R"({"p0": 1000, "p1": 1})";
  sample.clip = "[0, 500]";
  const std::vector<double> values = {0.9, 3.0};
  const double plain = predict(make_model(sample.json()), values)[0];
  EXPECT_LT(plain, 500.0);
  EXPECT_EQ(predict(make_model(sample.json(), ":enable_transform"), values)[0], 500.0);
  EXPECT_EQ(predict(make_model(sample.json(), ":enable_transform:disable_clip"), values)[0], 1000.0 + plain);
  EXPECT_EQ(predict(make_model(one_vector().json(), ":enable_transform"), values)[0], plain);  // nothing to enable
}

SampleModel chroma_model(const std::string& norm, const std::string& parameter) {
  SampleModel sample = one_vector();
  sample.names = R"(["Speed_chroma_feature_speed_chroma_uv_score", "VMAF_integer_feature_adm3_score"])";
  sample.options = "[{}, {}]";
  sample.norm = norm;
  sample.chroma = parameter;
  return sample;
}

TEST(Predictor, GuessesChromaFromDetailWhereItIsZero) {
  const auto model = make_model(chroma_model(R"("none")", "120").json());
  const double guess = (-120.0 * 0.99) + 120.0;
  EXPECT_EQ(predict(model, {0.0, 0.99})[0], 2.0 * kernel(guess, 0.99) - -0.25);
  EXPECT_EQ(predict(model, {1e-300, 0.99})[0], 2.0 * kernel(1e-300, 0.99) - -0.25);
}

TEST(Predictor, CountsAsZeroWhatTheRescalingLoses) {
  const auto model = make_model(chroma_model(R"("linear_rescale")", "120").json());
  EXPECT_EQ(predict(model, {1e-30, 0.99}), predict(model, {0.0, 0.99}));
  EXPECT_NE(predict(model, {1e-9, 0.99}), predict(model, {0.0, 0.99}));
}

TEST(Predictor, SkipsACorrectionThatHasNoParameterOrNoFeatures) {
  const std::vector<double> values = {0.0, 0.9};
  EXPECT_EQ(predict(make_model(chroma_model(R"("none")", "0").json()), values),
            predict(make_model(chroma_model(R"("none")", "").json()), values));
  SampleModel sample = one_vector();
  sample.chroma = "120";
  EXPECT_EQ(predict(make_model(sample.json()), values), predict(make_model(one_vector().json()), values));
}

TEST(Predictor, RefusesAScoreThatIsNotANumber) {
  const auto model = make_model(one_vector().json());
  ASSERT_TRUE(model);
  double score = 0.0;
  const double values[] = {std::numeric_limits<double>::quiet_NaN(), 1.0};
  const Status status = model->predict(values, {&score, 1});
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("model \"vmaf\""), std::string::npos);
}

TEST(Bootstrap, NamesItsColumnsInReportOrder) {
  const auto model = make_model(sample_collection(2), ":name=b");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->columns(), (std::vector<std::string>{"b", "b_0001", "b_0002", "b_bagging", "b_stddev", "b_ci_p95_lo", "b_ci_p95_hi"}));
  EXPECT_TRUE(model->is_collection());
}

TEST(Bootstrap, StatisticsComeFromRawScores) {
  SampleModel base;
  base.clip = "[0, 1]";  // far below the scores: the statistics still come from what lies above it
  const std::vector<double> values = {0.9, 3.0};
  const std::vector<double> raw = predict(make_model(sample_collection(4, base), ":disable_clip"), values);
  const std::vector<double> clipped = predict(make_model(sample_collection(4, base)), values);
  double sum = 0.0, squares = 0.0;
  for (int i = 1; i <= 4; ++i) sum += raw[static_cast<std::size_t>(i)];
  const double mean = sum / 4;
  for (int i = 1; i <= 4; ++i) {
    const double d = raw[static_cast<std::size_t>(i)] - mean;
    squares += d * d;
  }
  std::vector<double> sorted(raw.begin() + 1, raw.begin() + 5);
  std::ranges::sort(sorted);
  const double low = 2.5 * 3 / 100.0, high = 97.5 * 3 / 100.0;
  EXPECT_EQ(raw[5], mean);
  EXPECT_EQ(raw[6], std::sqrt(squares / 4) * (((mean + 0.01) - (mean - 0.01)) / (2.0 * 0.01)));
  EXPECT_EQ(raw[7], sorted[0] * (1 - low) + sorted[1] * (low - 0));
  EXPECT_EQ(raw[8], sorted[2] * (3 - high) + sorted[3] * (high - 2));
  EXPECT_EQ(clipped, (std::vector<double>{1, 1, 1, 1, 1, 1, 0, 1, 1}));
}

TEST(Bootstrap, OfOneModelHasNoSpread) {
  const std::vector<double> scores = predict(make_model(sample_collection(1)), {0.9, 3.0});
  ASSERT_EQ(scores.size(), 6u);
  EXPECT_EQ(scores[2], scores[1]);
  EXPECT_EQ(scores[3], 0.0);
  EXPECT_EQ(scores[4], scores[1]);
  EXPECT_EQ(scores[5], scores[1]);
}

TEST(ModelFeatures, TakeOverloadsByExtractor) {
  const auto model =
      make_model(SampleModel().json(), ":adm.adm_enhn_gain_limit=1.20:motion.motion_force_zero=true:vif.x=1:adm.adm_csf_mode=2");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->features()[0].request_text(), "adm=adm_enhn_gain_limit=1.2:adm_csf_mode=2");
  EXPECT_EQ(model->features()[0].feature, "VMAF_integer_feature_adm2_score");
  EXPECT_EQ(model->features()[1].request_text(), "motion=motion_force_zero=true");
  ASSERT_EQ(model->unused_overloads().size(), 1u);
  EXPECT_EQ(model->unused_overloads()[0].text(), "vif.x=1");
}

TEST(ModelFeatures, ThatNobodyProvidesAreAnError) {
  SampleModel sample;
  sample.names = R"(["VMAF_feature_ansnr_score", "VMAF_integer_feature_motion2_score"])";
  const auto model = make_model(sample.json());
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().message.find("sample.json"), std::string::npos);
  EXPECT_NE(model.error().message.find("VMAF_feature_ansnr_score"), std::string::npos);
}

// Such a text would set a second option once it is written as OPTION=VALUE:OPTION=VALUE.
TEST(ModelFeatures, MustNotHideAnOptionInAnother) {
  for (const char* options : {R"([{"adm_enhn_gain_limit": "1:debug=true"}, {}])", R"([{"adm_enhn_gain_limit=1:debug": "true"}, {}])",
                              R"([{"": 1}, {}])", R"([{"adm_csf_mode=1": 1}, {}])"}) {
    SampleModel sample;
    sample.options = options;
    const auto model = make_model(sample.json());
    ASSERT_FALSE(model) << options;
    EXPECT_NE(model.error().message.find("must not hold"), std::string::npos) << model.error().message;
  }
  EXPECT_FALSE(make_model(SampleModel().json(), R"(:adm.adm_enhn_gain_limit=1\:debug)"));
}

TEST(ModelFeatures, MustNotChooseAFolderToWriteTo) {
  SampleModel sample;
  sample.options = R"([{}, {"heatmaps_path": "somewhere"}])";
  const auto model = make_model(sample.json());
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().message.find("heatmaps_path"), std::string::npos) << model.error().message;
  EXPECT_TRUE(make_model(SampleModel().json(), ":motion.heatmaps_path=somewhere"));  // the user may
}

TEST(ModelLoad, ByNameRecordsPathAndHash) {
  const TemporaryFolder folder;
  const std::string json = SampleModel().json();
  const auto file = folder.write("mine.json", json);
  const auto model = Model::load(*parse_model_spec("mine:name=m"), {{folder.path()}, {}}, sample_provider);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->path(), file);
  EXPECT_EQ(model->sha256(), sha256_hex(json));
  EXPECT_EQ(model->columns(), std::vector<std::string>{"m"});
}

TEST(ModelLoad, NamesTheFileThatIsBroken) {
  const TemporaryFolder folder;
  const auto file = folder.write("bad.json", "{\"model_dict\": {}}");
  const auto model = Model::load(*parse_model_spec(file.string()), {}, sample_provider);
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().message.find(file.string()), std::string::npos) << model.error().message;
  EXPECT_NE(model.error().message.find("no inputs"), std::string::npos) << model.error().message;
}

TEST(ModelLoad, SaysHowToGetAPublishedModelThatIsMissing) {
  const auto model = Model::load(*parse_model_spec("path=/nowhere/vmaf_v0.6.1.json"), {}, sample_provider);
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().message.find("/nowhere/vmaf_v0.6.1.json"), std::string::npos) << model.error().message;
  EXPECT_NE(model.error().message.find("vmafbatch models fetch vmaf_v0.6.1"), std::string::npos) << model.error().message;
}

}  // namespace
}  // namespace vmafbatch::model
