// The published models' scores of given feature values, as libvmaf 3.2.0 computes them through its score-import interface.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <string>
#include <vector>

#include "model/predictor.h"
#include "sample_model.h"
#include "support/run_extractor.h"

namespace vmafbatch::model {
namespace {

using vmafbatch::testing::bits_text;
using vmafbatch::testing::published_model;
using vmafbatch::testing::same_bits;
using vmafbatch::testing::sample_provider;

// adm2, motion2, vif_scale0..3
const std::map<char, std::vector<double>> kSixFeatures = {
    {'A', {0.95, 3.5, 0.45, 0.8, 0.88, 0.93}},
    {'B', {1, 0, 1, 1, 1, 1}},
    {'C', {0, 0, 0, 0, 0, 0}},
    {'D', {0.7, 12.25, 0.2, 0.5, 0.6, 0.7}},
};

// cambi, speed_chroma_uv, adm3, motion3
const std::map<char, std::vector<double>> kFourFeatures = {
    {'A', {0.5, 0, 0.96, 4.5}},  {'B', {0.5, 3.25, 0.96, 4.5}}, {'C', {0, 0, 1, 0}},
    {'D', {12, 40, 0.55, 17.5}}, {'E', {0, 1e-19, 0.9, 2}},     {'F', {0, 1e-12, 0.9, 2}},
};

// Scores of the frames `frames`, one letter each. A collection: its main score and its four statistics, five numbers a frame.
struct Expected {
  std::string file;
  std::string flags;
  std::string frames;
  std::vector<double> scores;

  std::string label() const {
    std::string text = file.substr(0, file.size() - 5) + flags + "_" + frames;
    for (char& c : text) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    return text;
  }
};

std::vector<Expected> all_expected() {
  std::vector<Expected> all;
  const std::vector<double> default_061 = {80.737129646342268, 97.428042642610308, 4.3366705109194772, 25.264366289455456};
  for (const char* file : {"vmaf_v0.6.1.json", "vmaf_v0.6.1neg.json", "vmaf_float_v0.6.1.json", "vmaf_float_v0.6.1neg.json"}) {
    all.push_back({file, "", "ABCD", default_061});
    all.push_back({file, ":disable_clip", "ABCD", default_061});
    all.push_back({file, ":enable_transform", "ABCD", {95.119236770304667, 100, 9.0610969177989436, 40.822241427079042}});
    all.push_back(
        {file, ":disable_clip:enable_transform", "ABCD", {95.119236770304667, 102.96113796365687, 9.0610969177989436, 40.822241427079042}});
  }
  const std::vector<double> clipped_4k = {87.554241237003723, 100, 6.6757998038431206, 49.628053150790542};
  const std::vector<double> raw_4k = {87.554241237003723, 100.8937736628905, 6.6757998038431206, 49.628053150790542};
  for (const char* file : {"vmaf_4k_v0.6.1.json", "vmaf_4k_v0.6.1neg.json", "vmaf_float_4k_v0.6.1.json"}) {
    for (const char* flags : {"", ":enable_transform"}) {
      all.push_back({file, flags, "ABCD", clipped_4k});
      all.push_back({file, ":disable_clip" + std::string(flags), "ABCD", raw_4k});
    }
  }
  all.push_back({"vmaf_v0.6.0.json", "", "ABCD", {84.885912821827461, 99.62649011904773, 12.505183474985767, 31.998078733256069}});
  for (const char* file : {"vmaf_b_v0.6.3.json", "vmaf_float_b_v0.6.3.json"}) {
    all.push_back({file, "", "ABCD", {79.722019693080298, 79.18176118525686,
                                      1.356865393986022,  77.176514052042819,
                                      81.894191786995464, 97.986393147932304,
                                      97.076021463042323, 4.7665892471769933,
                                      85.118627473141004, 100,
                                      8.4565357118351141, 4.8752635471628452,
                                      21.571587270095943, 0,
                                      42.047364216515184, 24.188068965328704,
                                      25.515238832710896, 3.7374513089727226,
                                      19.726780083039017, 31.86388994815113}});
    all.push_back({file,
                   ":disable_clip",
                   "C",
                   {8.4565357118351141, 4.8752635471628452, 21.571587270095943, -24.941304373891491, 42.047364216515184}});
    all.push_back({file,
                   ":enable_transform",
                   "AB",
                   {94.515538662473432, 94.188313739635689, 0.82699941485604211, 92.93777002632973, 95.789628853384869, 100, 100, 0,
                    97.558195310879768, 100}});
  }
  all.push_back({"vmaf_rb_v0.6.3.json",
                 "",
                 "AC",
                 {79.722019693080298, 77.345852938453049, 1.1948333856511921, 74.895467583833465, 79.210261427933162, 8.4565357118351141, 0,
                  0, 0, 3.3427836199288863}});
  all.push_back({"vmaf_4k_rb_v0.6.2.json",
                 "",
                 "A",
                 {87.554241237003723, 86.583578933281672, 0.93633561108884278, 85.164945274960473, 88.37901208404196}});
  const std::vector<double> default_3d0h = {87.490605075179019, 88.945938627977185, 100, 0, 63.039008002618132, 73.971290451831592};
  const std::vector<double> raw_3d0h = {87.490605075179019,  88.945938627977185, 100.54849808402878,
                                        -17.786008518260122, 63.039008002618132, 73.971290451831592};
  for (const std::string variant : {"", "hfr_"}) {
    all.push_back({"vmaf_v1.0.16_" + variant + "3d0h.json", "", "ABCDEF", default_3d0h});
    all.push_back({"vmaf_v1.0.16_" + variant + "5d0h.json", "", "ABCDEF", default_3d0h});
    all.push_back({"vmaf_v1.0.16_" + variant + "3d0h.json", ":disable_clip", "ABCDEF", raw_3d0h});
    all.push_back({"vmaf_v1.0.16_" + variant + "1d5h_2160.json",
                   "",
                   "ABCDEF",
                   {87.636887248421957, 89.264822070284296, 100, 0, 60.707520573546795, 72.650872701790874}});
    all.push_back(
        {"vmaf_v1.0.16_" + variant + "1d5h_2160.json",
         ":disable_clip",
         "ABCDEF",
         {87.636887248421957, 89.264822070284296, 102.34910935976281, -23.273481936549317, 60.707520573546795, 72.650872701790874}});
    all.push_back({"vmaf_v1.0.16_" + variant + "3d0h_2160.json",
                   "",
                   "ABCDEF",
                   {92.636887248421957, 94.264822070284296, 107.34910935976281, 0, 65.707520573546788, 77.650872701790874}});
  }
  return all;
}

class PublishedScores : public ::testing::TestWithParam<Expected> {};

TEST_P(PublishedScores, AreLibvmafs) {
  const Expected& expected = GetParam();
  const auto path = published_model(expected.file);
  if (!path) GTEST_SKIP() << expected.file << " is not there; set VMAFBATCH_TEST_MODELS to the folder of the published models";
  const auto model = Model::load(*parse_model_spec("path=" + path->string() + expected.flags), {}, sample_provider);
  ASSERT_TRUE(model) << model.error().message;
  std::vector<double> got;
  for (const char frame : expected.frames) {
    const std::vector<double>& values = (model->features().size() == 6 ? kSixFeatures : kFourFeatures).at(frame);
    std::vector<double> scores(model->columns().size());
    const Status status = model->predict(values, scores);
    ASSERT_TRUE(status) << status.error().message;
    got.push_back(scores[0]);
    if (model->is_collection()) got.insert(got.end(), scores.end() - 4, scores.end());
  }
  ASSERT_EQ(got.size(), expected.scores.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(same_bits(got[i], expected.scores[i])) << i << ": " << bits_text(got[i]) << ", libvmaf " << bits_text(expected.scores[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PublishedScores, ::testing::ValuesIn(all_expected()), [](const auto& test) { return test.param.label(); });

}  // namespace
}  // namespace vmafbatch::model
