// Model files, damaged: a model that predicts, or one sentence. The seeds are models made of a formula.
#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz/fuzz_main.h"
#include "model/model_file.h"
#include "model/predictor.h"
#include "model/sample_model.h"

namespace {

using namespace vmafbatch;  // NOLINT(google-build-using-namespace): a program of one page

std::vector<std::string> seeds() {
  testing::SampleModel with_transform;
  with_transform.transform = R"({"p0": 1.5, "p1": 0.5, "p2": 0.01, "out_gte_in": "true"})";
  with_transform.chroma = "0.5";
  return {testing::SampleModel().json(), with_transform.json(), testing::sample_collection(3)};
}

void check_sentence(const Error& error) {
  if (error.message.empty()) throw std::logic_error("an error without a sentence");
}

void predict(const model::Model& loaded) {
  const std::vector<double> values(loaded.features().size(), 0.5);
  std::vector<double> scores(loaded.columns().size());
  if (const Status predicted = loaded.predict(values, scores); !predicted.ok()) check_sentence(predicted.error());
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> models = seeds();
  return fuzz::run(argc, argv, [&](fuzz::Random& random) {
    auto file = model::parse_model_file(fuzz::damaged(random.pick(models), random));
    if (!file.ok()) return check_sentence(file.error());
    model::ModelSpec spec;
    spec.enable_transform = random.one_in(2);
    const auto loaded = model::Model::make(std::move(*file), spec, "made.json", "hash", testing::sample_provider);
    if (!loaded.ok()) return check_sentence(loaded.error());
    predict(*loaded);
  });
}
