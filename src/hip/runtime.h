// The devices that this program can use: looks for the modules, loads them, lists what they find.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hip/device.h"

namespace vmafbatch::hip {

// One module that was looked for.
struct ModuleReport {
  std::string name;      // "vmafbatch_hip_amd.so"
  std::string platform;  // "AMD"
  bool usable = false;
  // One line of UTF-8: where it was found and how many devices it drives, or the sentence that says why it is not used.
  std::string text;
};

class Runtime {
 public:
  // Never fails: what is missing is told by modules(). Folders are searched in this order: $VMAFBATCH_MODULES, where it is set, else
  // the program's own folder and ../lib/vmafbatch beside it.
  static std::unique_ptr<Runtime> find();
  // The HOST runtime alone. The error names an environment variable that is not understood.
  static Result<std::unique_ptr<Runtime>> host();
  ~Runtime();

  const std::vector<ModuleReport>& modules() const { return reports_; }
  // In the order of --device: AMD's, then NVIDIA's.
  const std::vector<std::unique_ptr<Device>>& devices() const { return devices_; }

 private:
  class Library;

  Runtime();
  void add_module(std::string_view file, std::string_view platform);
  void add_devices(const ModuleTable& table, ModuleReport& report);

  std::vector<std::unique_ptr<Library>> libraries_;
  std::vector<ModuleReport> reports_;
  std::vector<std::unique_ptr<Device>> devices_;
};

}  // namespace vmafbatch::hip
