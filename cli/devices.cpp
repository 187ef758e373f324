// vmafbatch devices: the devices that --device numbers, and what became of each module.
#include "cli/devices.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "cli/choice.h"
#include "cli/commands.h"

namespace vmafbatch::cli {
namespace {

enum class Format { kText, kJson };

void print_text(const hip::Runtime& runtime) {
  if (!runtime.devices().empty()) {
    fmt::print("{:>6}  {:<8}  {:<32}  {:<14}  {:>10}  {}\n", "device", "platform", "name", "architecture", "memory", "bus");
  }
  for (std::size_t i = 0; i < runtime.devices().size(); ++i) {
    const hip::Device& device = *runtime.devices()[i];
    const hip::DeviceDescription& d = device.description();
    fmt::print("{:>6}  {:<8}  {:<32}  {:<14}  {:>6} MiB  {}\n", i, device.module().platform, line_text(d.name), line_text(d.architecture),
               d.memory_bytes >> 20, line_text(d.bus));
  }
  if (runtime.devices().empty()) fmt::print("No device was found; features run on the CPU.\n");
  fmt::print("\nModules:\n{}", module_lines(runtime));
}

void print_json(const hip::Runtime& runtime) {
  using nlohmann::ordered_json;
  ordered_json devices = ordered_json::array();
  for (std::size_t i = 0; i < runtime.devices().size(); ++i) {
    const hip::Device& device = *runtime.devices()[i];
    const hip::DeviceDescription& d = device.description();
    devices.push_back({{"device", i},
                       {"platform", device.module().platform},
                       {"name", line_text(d.name)},
                       {"architecture", line_text(d.architecture)},
                       {"memory_bytes", d.memory_bytes},
                       {"bus", line_text(d.bus)}});
  }
  ordered_json modules = ordered_json::array();
  for (const hip::ModuleReport& module : runtime.modules()) {
    modules.push_back({{"file", module.name}, {"platform", module.platform}, {"usable", module.usable}, {"text", module.text}});
  }
  fmt::print("{}\n", ordered_json{{"devices", devices}, {"modules", modules}}.dump(2));
}

}  // namespace

std::string module_lines(const hip::Runtime& runtime) {
  std::string lines;
  for (const hip::ModuleReport& module : runtime.modules()) {
    lines += fmt::format("  {:<24} {}\n", module.name, module.text);
  }
  return lines;
}

void add_devices(CLI::App& app, int& exit_code) {
  const auto format = std::make_shared<Format>(Format::kText);
  CLI::App* command = app.add_subcommand("devices", "List the devices that --device numbers, and the modules that drive them");
  add_choice<Format>(*command, "--format", *format, {{"text", Format::kText}, {"json", Format::kJson}}, "text or json (default text)");
  command->footer(
      "A module that is missing, that was built for another version, or whose driver is missing is told with its reason; the exit code "
      "is 0.\n"
      "Example:\n  vmafbatch devices --format json");
  command->callback([format, &exit_code] {
    const std::unique_ptr<hip::Runtime> runtime = hip::Runtime::find();
    if (*format == Format::kJson) {
      print_json(*runtime);
    } else {
      print_text(*runtime);
    }
    exit_code = kExitOk;
  });
}

}  // namespace vmafbatch::cli
