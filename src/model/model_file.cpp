#include "model/model_file.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "base/number_text.h"
#include "model/json_tree.h"

namespace vmafbatch::model {
namespace {

using Kind = JsonValue::Kind;

// Thrown inside this file only; parse_model_file turns it into an Error.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A text of the file as a message shows it: short and printable.
std::string shown(std::string_view text) {
  std::string result = "\"";
  for (const char c : text.substr(0, 60)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > 60 ? "...\"" : "\"");
}

std::string kind_text(Kind kind) {
  switch (kind) {
    case Kind::kNull: return "null";
    case Kind::kBool: return "true or false";
    case Kind::kNumber: return "a number";
    case Kind::kString: return "a string";
    case Kind::kArray: return "an array";
    case Kind::kObject: return "an object";
  }
  return "something else";
}

const JsonValue& expect(const JsonValue& value, Kind kind, const std::string& name) {
  if (value.kind != kind) throw Refused(name + " is " + kind_text(value.kind) + " instead of " + kind_text(kind));
  return value;
}

// Null where the object has no such member. Twice is refused: which one counts would be a guess.
const JsonValue* member(const JsonValue& object, std::string_view name, Kind kind) {
  if (std::ranges::count(object.names, name) > 1) throw Refused("there are two members " + shown(name));
  const JsonValue* const found = object.find(name);
  if (found != nullptr) expect(*found, kind, std::string(name));
  return found;
}

// As `member`, but null counts as absent (in libvmaf's intention too, whose reader then fails on it).
const JsonValue* member_or_null(const JsonValue& object, std::string_view name, Kind kind) {
  const JsonValue* const found = object.find(name);
  return found != nullptr && found->kind == Kind::kNull ? nullptr : member(object, name, kind);
}

std::vector<double> numbers(const JsonValue& array, const std::string& name) {
  std::vector<double> result;
  for (const JsonValue& element : array.elements) result.push_back(expect(element, Kind::kNumber, "an element of " + name).number);
  return result;
}

ModelType parse_type(const JsonValue& dict) {
  const JsonValue* const type = member(dict, "model_type", Kind::kString);
  if (type == nullptr) return ModelType::kUnstated;
  if (type->text == "LIBSVMNUSVR") return ModelType::kNuSvr;
  if (type->text == "BOOTSTRAP_LIBSVMNUSVR") return ModelType::kBootstrap;
  if (type->text == "RESIDUEBOOTSTRAP_LIBSVMNUSVR") return ModelType::kResidueBootstrap;
  throw Refused("model_type " + shown(type->text) + " is unknown; valid: LIBSVMNUSVR, BOOTSTRAP_LIBSVMNUSVR, RESIDUEBOOTSTRAP_LIBSVMNUSVR");
}

std::string option_text(const JsonValue& value, const std::string& name) {
  switch (value.kind) {
    case Kind::kNumber: return normalise_option_number(value.text);
    case Kind::kBool: return value.boolean ? "true" : "false";
    case Kind::kString: return value.text;
    default: throw Refused("option " + shown(name) + " is " + kind_text(value.kind) + "; a number, true, false or a string is expected");
  }
}

OptionTexts parse_options(const JsonValue& object) {
  OptionTexts options;
  for (std::size_t i = 0; i < object.names.size(); ++i) {
    const std::string& name = object.names[i];
    std::string text = option_text(object.elements[i], name);
    const auto same = std::ranges::find(options, name, [](const auto& option) { return option.first; });
    if (same == options.end()) {
      if (options.size() == kMaxModelFeatures) throw Refused("a feature has more than " + std::to_string(kMaxModelFeatures) + " options");
      options.emplace_back(name, std::move(text));
    } else if (same->second != text) {
      throw Refused("option " + shown(name) + " has two values, " + shown(same->second) + " and " + shown(text));
    }
  }
  return options;
}

std::vector<ModelFeature> parse_features(const JsonValue& dict) {
  const JsonValue* const names = member(dict, "feature_names", Kind::kArray);
  if (names == nullptr || names->elements.empty()) throw Refused("feature_names is absent or empty: the model has no inputs");
  if (names->elements.size() > kMaxModelFeatures) {
    throw Refused("feature_names has " + std::to_string(names->elements.size()) + " entries; at most " + std::to_string(kMaxModelFeatures) +
                  " are supported");
  }
  std::vector<ModelFeature> features;
  for (const JsonValue& name : names->elements) {
    features.push_back({expect(name, Kind::kString, "an element of feature_names").text, {}});
  }
  const JsonValue* const options = member(dict, "feature_opts_dicts", Kind::kArray);
  if (options == nullptr) return features;
  if (options->elements.size() > features.size()) throw Refused("feature_opts_dicts has more elements than feature_names");
  for (std::size_t i = 0; i < options->elements.size(); ++i) {
    features[i].options = parse_options(expect(options->elements[i], Kind::kObject, "an element of feature_opts_dicts"));
  }
  return features;
}

NormType parse_norm(const JsonValue& dict) {
  const JsonValue* const norm = member(dict, "norm_type", Kind::kString);
  if (norm == nullptr) throw Refused("norm_type is absent; linear_rescale or none is expected");
  if (norm->text == "linear_rescale") return NormType::kLinearRescale;
  if (norm->text == "none") return NormType::kNone;
  throw Refused("norm_type " + shown(norm->text) + " is unknown; valid: linear_rescale, none");
}

// `slopes` or `intercepts`.
std::vector<double> parse_rescaling(const JsonValue& dict, const std::string& name, std::size_t features) {
  const JsonValue* const array = member(dict, name, Kind::kArray);
  const std::size_t expected = features + 1;
  const std::size_t given = array == nullptr ? 0 : array->elements.size();
  if (given != expected) {
    throw Refused(name + " has " + std::to_string(given) + " numbers; one for the score and one per feature, " + std::to_string(expected) +
                  ", are expected");
  }
  return numbers(*array, name);
}

std::optional<ScoreClip> parse_clip(const JsonValue& dict) {
  const JsonValue* const clip = member(dict, "score_clip", Kind::kArray);
  if (clip == nullptr) return std::nullopt;
  const std::vector<double> bounds = numbers(*clip, "score_clip");
  if (bounds.size() < 2) throw Refused("score_clip has fewer than two numbers");
  return ScoreClip{bounds[0], bounds[1]};
}

std::vector<Knot> parse_knots(const JsonValue& transform) {
  const JsonValue* const array = member_or_null(transform, "knots", Kind::kArray);
  std::vector<Knot> knots;
  if (array == nullptr) return knots;
  for (const JsonValue& element : array->elements) {
    const std::vector<double> pair = numbers(expect(element, Kind::kArray, "an element of knots"), "a knot");
    if (pair.size() != 2) throw Refused("a knot has " + std::to_string(pair.size()) + " numbers instead of two");
    knots.push_back({pair[0], pair[1]});
  }
  return knots;
}

std::optional<double> optional_number(const JsonValue* value) {
  return value == nullptr ? std::nullopt : std::optional<double>(value->number);
}

std::optional<ScoreTransform> parse_transform(const JsonValue& dict) {
  const JsonValue* const object = member(dict, "score_transform", Kind::kObject);
  if (object == nullptr) return std::nullopt;
  // These two are strings in the file format, and only "true" sets them.
  const auto is_true_text = [&](std::string_view name) {
    const JsonValue* const value = member(*object, name, Kind::kString);
    return value != nullptr && value->text == "true";
  };
  ScoreTransform transform;
  const JsonValue* const enabled = member(*object, "enabled", Kind::kBool);
  transform.enabled = enabled != nullptr && enabled->boolean;
  transform.p0 = optional_number(member_or_null(*object, "p0", Kind::kNumber));
  transform.p1 = optional_number(member_or_null(*object, "p1", Kind::kNumber));
  transform.p2 = optional_number(member_or_null(*object, "p2", Kind::kNumber));
  transform.knots = parse_knots(*object);
  transform.out_lte_in = is_true_text("out_lte_in");
  transform.out_gte_in = is_true_text("out_gte_in");
  return transform;
}

void check_chroma_correction(const RegressionModel& model) {
  for (const std::string_view part : {"adm3", "speed_chroma"}) {
    const auto holds = [&](const ModelFeature& feature) { return feature.name.find(part) != std::string::npos; };
    if (std::ranges::count_if(model.features, holds) > 1) {
      throw Refused("chroma_correction_parameter needs one " + std::string(part) + " feature, but there are two");
    }
  }
}

RegressionModel parse_model_dict(const JsonValue& dict, std::size_t& components_left) {
  RegressionModel model;
  model.type = parse_type(dict);
  model.features = parse_features(dict);
  model.norm = parse_norm(dict);
  if (model.norm == NormType::kLinearRescale) {
    model.slopes = parse_rescaling(dict, "slopes", model.features.size());
    model.intercepts = parse_rescaling(dict, "intercepts", model.features.size());
    if (model.slopes[0] == 0.0) throw Refused("the score's slope is 0: every score would be infinite");
  }
  model.clip = parse_clip(dict);
  model.transform = parse_transform(dict);
  model.chroma_correction = optional_number(member(dict, "chroma_correction_parameter", Kind::kNumber));
  if (model.chroma_correction) check_chroma_correction(model);
  const JsonValue* const svm = member(dict, "model", Kind::kString);
  if (svm == nullptr) throw Refused("the member \"model\" with the support vectors is absent");
  Result<SupportVectors> parsed = parse_support_vectors(svm->text, model.features.size(), components_left);
  if (!parsed) throw Refused(parsed.error().message);
  model.svm = std::move(*parsed);
  components_left -= model.svm.components.size();
  return model;
}

// What a model of the collection must have in common with the others.
void check_bootstrap_member(const ModelFile& file, const RegressionModel& next) {
  if (next.type != ModelType::kBootstrap && next.type != ModelType::kResidueBootstrap) {
    throw Refused("model_type is not one of BOOTSTRAP_LIBSVMNUSVR and RESIDUEBOOTSTRAP_LIBSVMNUSVR, which a bootstrap model needs");
  }
  if (file.members.size() > 1 && next.type != file.members[1].type) throw Refused("model_type differs from that of model \"1\"");
  if (next.features != file.members[0].features) throw Refused("features or options differ from those of model \"0\"");
}

// "0", "1", ... in the file's order. A member that is not the next one is skipped, as libvmaf does.
ModelFile parse_collection(const JsonValue& root) {
  ModelFile file;
  std::size_t components_left = kMaxModelComponents;
  for (std::size_t i = 0; i < root.names.size(); ++i) {
    const std::string expected = std::to_string(file.members.size());
    if (root.names[i] != expected) continue;
    if (file.members.size() == kMaxModelMembers) throw Refused("there are more than " + std::to_string(kMaxModelMembers) + " models");
    try {
      const JsonValue* const dict = member(expect(root.elements[i], Kind::kObject, "the member"), "model_dict", Kind::kObject);
      if (dict == nullptr) throw Refused("there is no member \"model_dict\"");
      RegressionModel model = parse_model_dict(*dict, components_left);
      if (!file.members.empty()) check_bootstrap_member(file, model);
      file.members.push_back(std::move(model));
    } catch (const Refused& refused) {
      throw Refused("model \"" + expected + "\": " + refused.what());
    }
  }
  if (file.members.empty())
    throw Refused("there is neither a member \"model_dict\" (one model) nor members \"0\", \"1\", ... (a collection)");
  if (file.members.size() == 1) throw Refused("the collection has no bootstrap model \"1\" after model \"0\"");
  return file;
}

ModelFile parse_root(const JsonValue& root) {
  if (root.kind != Kind::kObject) throw Refused("the file holds " + kind_text(root.kind) + " instead of an object");
  const JsonValue* const dict = member(root, "model_dict", Kind::kObject);
  if (dict == nullptr) return parse_collection(root);
  std::size_t components_left = kMaxModelComponents;
  ModelFile file;
  file.members.push_back(parse_model_dict(*dict, components_left));
  return file;
}

}  // namespace

Result<ModelFile> parse_model_file(std::string_view json) {
  if (json.size() > kMaxModelFileBytes) return Error{"it is larger than " + std::to_string(kMaxModelFileBytes) + " bytes"};
  const Result<JsonValue> tree = parse_json_tree(json);
  if (!tree) return tree.error();
  try {
    return parse_root(*tree);
  } catch (const Refused& refused) {
    return Error{refused.what()};
  }
}

}  // namespace vmafbatch::model
