#include "hip/runtime.h"

#include <dlfcn.h>
#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/utf8.h"
#include "base/version.h"
#include "hip/host/host_runtime.h"
#include "hip/host/host_schedule.h"

namespace vmafbatch::hip {

// A loaded shared library; stays until the runtime goes.
class Runtime::Library {
 public:
  explicit Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) error_ = dlerror();
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }

  const std::string& error() const { return error_; }
  ModuleEntry entry() const { return handle_ == nullptr ? nullptr : reinterpret_cast<ModuleEntry>(dlsym(handle_, kModuleEntry)); }

 private:
  void* handle_;
  std::string error_;
};

namespace {

constexpr const char* kFolderVariable = "VMAFBATCH_MODULES";

std::vector<std::filesystem::path> module_folders() {
  if (const char* const folder = std::getenv(kFolderVariable)) return {folder};
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  return {program.parent_path(), program.parent_path().parent_path() / "lib" / "vmafbatch"};
}

std::string not_installed() {
  const char* const folder = std::getenv(kFolderVariable);
  std::error_code failed;
  if (folder == nullptr || std::filesystem::is_directory(folder, failed)) return "not installed";
  return std::string("not looked for: ") + kFolderVariable + " names the folder \"" + folder + "\", which is not there";
}

// A shared library whose parts all lie inside the file: dlopen maps them unseen, and touching what is not there ends the program.
bool is_whole_library(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;
  const std::uint64_t size = std::filesystem::file_size(path, failed);
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr head{};
  if (failed || !file.read(reinterpret_cast<char*>(&head), sizeof head)) return false;
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64) return false;
  const auto inside = [size](std::uint64_t offset, std::uint64_t bytes) { return offset <= size && bytes <= size - offset; };
  if (!inside(head.e_shoff, std::uint64_t{head.e_shnum} * head.e_shentsize)) return false;
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr part{};
    file.seekg(static_cast<std::streamoff>(head.e_phoff + std::uint64_t{i} * head.e_phentsize));
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part) || !inside(part.p_offset, part.p_filesz)) return false;
  }
  return true;
}

}  // namespace

Runtime::Runtime() = default;
Runtime::~Runtime() = default;

std::unique_ptr<Runtime> Runtime::find() {
  std::unique_ptr<Runtime> runtime(new Runtime);  // NOLINT(cppcoreguidelines-owning-memory): the constructor is private
  runtime->add_module("vmafbatch_hip_amd.so", "AMD");
  runtime->add_module("vmafbatch_hip_nvidia.so", "NVIDIA");
  return runtime;
}

Result<std::unique_ptr<Runtime>> Runtime::host() {
  Result<HostConfig> config = host_config_from_environment();
  if (!config.ok()) return config.error();
  set_host_config(*config);
  std::unique_ptr<Runtime> runtime(new Runtime);  // NOLINT(cppcoreguidelines-owning-memory): the constructor is private
  ModuleReport report{.name = "host", .platform = "host", .usable = false, .text = {}};
  runtime->add_devices(host_module(), report);
  runtime->reports_.push_back(std::move(report));
  return runtime;
}

void Runtime::add_module(std::string_view file, std::string_view platform) {
  ModuleReport report{.name = std::string(file), .platform = std::string(platform), .usable = false, .text = not_installed()};
  for (const std::filesystem::path& folder : module_folders()) {
    const std::filesystem::path path = folder / file;
    std::error_code failed;
    if (!std::filesystem::exists(path, failed)) continue;
    if (!is_whole_library(path)) {
      report.text = path.string() + " is no shared library, or only a part of one; install it again";
      break;
    }
    auto library = std::make_unique<Library>(path.string());
    const ModuleEntry entry = library->entry();
    if (!library->error().empty()) {
      report.text = "cannot be loaded: " + library->error();
    } else if (entry == nullptr) {
      report.text = path.string() + " is no module of vmafbatch";
    } else if (const ModuleTable* const table = entry(); table->abi != kModuleAbi || kVersion != table->version) {
      report.text = path.string() + " was built for vmafbatch " + (table->abi == kModuleAbi ? table->version : "of another kind") +
                    ", this is " + std::string(kVersion) + "; install the module of this version";
    } else {
      report.text = path.string();
      add_devices(*table, report);
    }
    libraries_.push_back(std::move(library));
    break;
  }
  report.text = line_text(report.text);  // a module's own words, paths
  reports_.push_back(std::move(report));
}

void Runtime::add_devices(const ModuleTable& table, ModuleReport& report) {
  int count = 0;
  if (const int status = table.device_count(&count); status != 0) {
    report.text += ": no " + report.platform + " device, or its driver is missing or too old: " + table.status_text(status);
    return;
  }
  int usable = 0;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    try {
      devices_.push_back(std::make_unique<Device>(table, ordinal));
      ++usable;
    } catch (const DeviceError& e) {
      report.text += std::string("; ") + e.what();
    }
  }
  report.usable = usable > 0;
  report.text += ": " + std::to_string(usable) + (usable == 1 ? " device" : " devices");
}

}  // namespace vmafbatch::hip
