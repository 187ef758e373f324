// Where models are looked for by name, what is found there, and where new ones are installed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vmafbatch::model {

// The folders that are searched, in order; a folder that does not exist is skipped.
struct ModelSearch {
  std::vector<std::filesystem::path> folders;
  std::filesystem::path install_folder;

  // $VMAFBATCH_MODEL_PATH (folders, ":" between them), <prefix>/share/vmafbatch/models of the running program,
  // $XDG_DATA_HOME/vmafbatch/models or ~/.local/share/vmafbatch/models, /usr/share/vmaf/model, /usr/local/share/vmaf/model,
  // /usr/local/share/model. Models are installed below the prefix where <prefix>/share/vmafbatch exists and can be written, else in
  // the user's folder.
  static ModelSearch from_environment();
};

struct FoundModel {
  std::string name;  // the file's name without ".json"
  std::filesystem::path path;
};

// NAME with or without ".json", in the folders and one level of folders in them; the first one found. The error names the folders and the
// command that gets the model.
Result<std::filesystem::path> find_model(std::string_view name, const ModelSearch& search);

// All *.json files in the folders and one level of folders in them; sorted by name within a folder, folders in search order. A name that
// an earlier folder holds too is listed again: the first one is the one that is used.
std::vector<FoundModel> list_models(const ModelSearch& search);

// Reads a whole model file. The error names it; files over kMaxModelFileBytes are refused.
Result<std::string> read_model_text(const std::filesystem::path& path);

// Checks that `json` is a model, then puts it into `folder` (made if need be) as `file_name`, whole or not at all.
// Returns the path of the installed file.
Result<std::filesystem::path> install_model(std::string_view json, const std::string& file_name, const std::filesystem::path& folder);

}  // namespace vmafbatch::model
