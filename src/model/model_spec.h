// The argument of --model, and the catalogue's column `models`: which model, under which name, with which flags.
//
//   PATH | NAME | path=FILE | version=NAME     then, in any order, separated by ":"
//   name=TEXT                                  the key of the scores; default "vmaf"
//   disable_clip[=true]  enable_transform[=true]
//   EXTRACTOR.OPTION=VALUE                     replaces an option of the model's features that this extractor provides
//
// "\:" stands for a colon inside a value. The first item without "=" is a file where one of that path exists, else a name to search for.
// version= wins over path=, as in libvmaf. TEXT and VALUE hold no separator of options (option_word.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vmafbatch::model {

struct OptionOverload {
  std::string extractor;  // "adm", "float_vif" ...
  std::string option;
  std::string value;  // normalised like every option value

  std::string name() const { return extractor + "." + option; }
  std::string text() const { return name() + "=" + value; }
};

// The key of a score is this name, for a bootstrap model with up to 12 more bytes; keys have at most 255.
inline constexpr std::size_t kMaxModelNameBytes = 240;

struct ModelSpec {
  std::string model;  // a path, or a name where `is_path` is false
  bool is_path = false;
  std::string name = "vmaf";
  bool disable_clip = false;
  bool enable_transform = false;
  std::vector<OptionOverload> overloads;  // by name, each once: of two the later one wins
};

// The error quotes the item that is wrong and says what is valid. Reads the file system only to tell a plain PATH from a NAME.
// Relative paths are taken from `base` (a catalogue's folder); empty: the current folder.
Result<ModelSpec> parse_model_spec(std::string_view text, const std::filesystem::path& base = {});

}  // namespace vmafbatch::model
