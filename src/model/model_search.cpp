#include "model/model_search.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <system_error>

#include "model/known_models.h"
#include "model/model_file.h"

namespace vmafbatch::model {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".json";

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<fs::path> split_folders(const std::string& text) {
  std::vector<fs::path> folders;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(':', start), text.size());
    if (end > start) folders.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return folders;
}

// <prefix>/share/vmafbatch of a program in <prefix>/bin.
fs::path shared_folder_of_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path().parent_path() / "share" / "vmafbatch";
}

fs::path user_folder() {
  const std::string data = environment("XDG_DATA_HOME");
  if (!data.empty()) return fs::path(data) / "vmafbatch" / "models";
  const std::string home = environment("HOME");
  return home.empty() ? fs::path() : fs::path(home) / ".local" / "share" / "vmafbatch" / "models";
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// What a folder holds, sorted, so that the result does not depend on the file system's order; empty where it cannot be read.
std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) entries.push_back(i->path());
  std::ranges::sort(entries);
  return entries;
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::optional<fs::path> find_in_folder(const fs::path& folder, const std::string& name) {
  for (const std::string& file : {name + std::string(kExtension), name}) {
    if (is_file(folder / file)) return folder / file;
  }
  return std::nullopt;
}

std::string list_text(const std::vector<fs::path>& folders) {
  std::string text;
  for (const fs::path& folder : folders) text += (text.empty() ? "" : ", ") + folder.string();
  return text.empty() ? "no folder" : text;
}

void append_models(const fs::path& folder, std::vector<FoundModel>& found, std::vector<fs::path>* folders) {
  for (const fs::path& entry : sorted_entries(folder)) {
    if (entry.extension() == kExtension && is_file(entry)) {
      found.push_back({entry.stem().string(), entry});
    } else if (folders != nullptr && is_folder(entry)) {
      folders->push_back(entry);
    }
  }
}

Error cannot(const std::string& what, const fs::path& path, int error_number) {
  return Error{"cannot " + what + " " + path.string() + ": " + std::strerror(error_number)};
}

// The whole text into a new file, and onto the disk.
Status write_new_file(const fs::path& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) return cannot("write", path, errno);
  int failure = 0;
  while (!text.empty() && failure == 0) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      failure = errno;
    }
  }
  if (failure == 0 && ::fsync(file) != 0) failure = errno;
  if (::close(file) != 0 && failure == 0) failure = errno;
  if (failure != 0) return cannot("write", path, failure);
  return {};
}

bool is_plain_json_name(const std::string& name) {
  return name.size() > kExtension.size() && name.front() != '.' && name.ends_with(kExtension) && name.find('/') == std::string::npos;
}

}  // namespace

ModelSearch ModelSearch::from_environment() {
  ModelSearch search;
  search.folders = split_folders(environment("VMAFBATCH_MODEL_PATH"));
  const fs::path shared = shared_folder_of_program();
  const fs::path user = user_folder();
  if (!shared.empty()) search.folders.push_back(shared / "models");
  if (!user.empty()) search.folders.push_back(user);
  for (const char* folder : {"/usr/share/vmaf/model", "/usr/local/share/vmaf/model", "/usr/local/share/model"}) {
    search.folders.emplace_back(folder);
  }
  // Only an installed program has the folder: a build tree is no place for models.
  const bool installed = is_folder(shared) && ::access(shared.c_str(), W_OK) == 0 &&
                         (!is_folder(shared / "models") || ::access((shared / "models").c_str(), W_OK) == 0);
  search.install_folder = installed || user.empty() ? shared / "models" : user;
  return search;
}

Result<fs::path> find_model(std::string_view name, const ModelSearch& search) {
  std::string stem(name);
  if (stem.ends_with(kExtension)) stem.resize(stem.size() - kExtension.size());
  const bool inside = !stem.empty() && stem.front() != '/' && stem.find("..") == std::string::npos;
  for (const fs::path& folder : inside ? search.folders : std::vector<fs::path>()) {
    if (const auto found = find_in_folder(folder, stem)) return *found;
    for (const fs::path& entry : sorted_entries(folder)) {
      if (!is_folder(entry)) continue;
      if (const auto found = find_in_folder(entry, stem)) return *found;
    }
  }
  const KnownModel* const known = find_known_model(stem);
  const std::string remedy =
      known != nullptr ? "get it with: vmafbatch models fetch " + std::string(known->name()) : "list what is there with: vmafbatch models";
  return Error{"model \"" + std::string(name) + "\" was not found (no such file; searched " + list_text(search.folders) + "); " + remedy};
}

std::vector<FoundModel> list_models(const ModelSearch& search) {
  std::vector<FoundModel> found;
  for (const fs::path& folder : search.folders) {
    std::vector<FoundModel> here;
    std::vector<fs::path> inner;
    append_models(folder, here, &inner);
    for (const fs::path& entry : inner) append_models(entry, here, nullptr);
    std::ranges::stable_sort(here, {}, &FoundModel::name);
    found.insert(found.end(), here.begin(), here.end());
  }
  return found;
}

Result<std::string> read_model_text(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return cannot("read model file", path, error ? error.value() : ENOENT);
  // A pipe could block for ever, a device never end.
  if (!fs::is_regular_file(status)) return Error{"cannot read model file " + path.string() + ": it is no regular file"};
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return cannot("read model file", path, errno);
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size > kMaxModelFileBytes) {
    return Error{"model file " + path.string() + " has more than " + std::to_string(kMaxModelFileBytes) + " bytes; it is no VMAF model"};
  }
  std::string text(static_cast<std::size_t>(size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (stream.gcount() != static_cast<std::streamsize>(size)) return Error{"cannot read model file " + path.string() + " to its end"};
  return text;
}

Result<fs::path> install_model(std::string_view json, const std::string& file_name, const fs::path& folder) {
  if (!is_plain_json_name(file_name)) return Error{"\"" + file_name + "\" is no name for a model file; it must end in .json"};
  const Result<ModelFile> parsed = parse_model_file(json);
  if (!parsed) return Error{file_name + " is no VMAF model: " + parsed.error().message};
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return cannot("make the folder", folder, error.value());
  const fs::path target = folder / file_name;
  const fs::path temporary = folder / ("." + file_name + "." + std::to_string(::getpid()));
  fs::remove(temporary, error);  // the rest of a crash of a process with the same number
  Status written = write_new_file(temporary, json);
  if (written.ok() && ::rename(temporary.c_str(), target.c_str()) != 0) written = cannot("install", target, errno);
  if (!written.ok()) {
    fs::remove(temporary, error);
    return written.error();
  }
  return target;
}

}  // namespace vmafbatch::model
