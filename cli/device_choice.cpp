#include "cli/device_choice.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "base/heap.h"
#include "hip/probe.h"

namespace vmafbatch::cli {
namespace {

// "vmafbatch_hip_amd.so: not installed; vmafbatch_hip_nvidia.so: cannot be loaded: ..."
std::string reasons(const hip::Runtime& runtime) {
  std::string text;
  for (const hip::ModuleReport& module : runtime.modules()) {
    text += (text.empty() ? "" : "; ") + module.name + ": " + module.text;
  }
  return text;
}

std::optional<size_t> number(std::string_view text) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Status pick_devices(const std::string& list, DeviceChoice& choice) {
  const auto& found = choice.runtime->devices();
  if (list.empty()) {
    for (const auto& device : found) choice.devices.push_back(device.get());
    return {};
  }
  for (size_t start = 0; start <= list.size();) {
    const size_t comma = std::min(list.find(',', start), list.size());
    const std::optional<size_t> index = number(std::string_view(list).substr(start, comma - start));
    if (!index) return Error{"--device takes numbers with commas between them, such as 0 or 0,1, not \"" + list + "\""};
    if (*index >= found.size()) {
      return Error{"--device " + std::to_string(*index) + ": there are " + std::to_string(found.size()) +
                   " devices, counted from 0; `vmafbatch devices` lists them"};
    }
    hip::Device* const device = found[*index].get();
    if (std::ranges::find(choice.devices, device) != choice.devices.end()) {
      return Error{"--device names " + std::to_string(*index) + " twice"};
    }
    choice.devices.push_back(device);
    start = comma + 1;
  }
  return {};
}

// A device that does not compute as the host does is not used: a note; an error where devices were insisted on and it was the last.
Status drop_unsound_devices(const std::string& backend, DeviceChoice& choice) {
  std::string last_reason;
  std::vector<hip::Device*> sound;
  for (hip::Device* const device : choice.devices) {
    const Status probed = hip::probe_arithmetic(*device);
    if (probed.ok()) {
      sound.push_back(device);
    } else {
      last_reason = probed.error().message;
      choice.notes.push_back(probed.error().message);
    }
  }
  choice.devices = std::move(sound);
  if (choice.devices.empty() && backend == "hip") return Error{"--backend hip: " + last_reason};
  return {};
}

}  // namespace

void DeviceChoice::apply(graph::RunOptions& run) const {
  run.devices = devices;
  run.device_backend = backend;
}

Result<DeviceChoice> choose_devices(const std::string& backend, const std::string& devices) {
  DeviceChoice choice;
  if (backend == "cpu") {
    if (!devices.empty()) return Error{"--device needs a backend that uses devices; leave out --backend cpu"};
    return choice;
  }
  if (backend == "hip-host") {
    Result<std::unique_ptr<hip::Runtime>> runtime = hip::Runtime::host();
    if (!runtime.ok()) return runtime.error();
    choice.runtime = std::move(*runtime);
    choice.backend = "hip-host";
  } else {
    choice.runtime = hip::Runtime::find();
    if (choice.runtime->devices().empty()) {
      if (backend == "hip") return Error{"--backend hip: no device is usable (" + reasons(*choice.runtime) + ")"};
      if (devices.empty()) return DeviceChoice{};
    }
  }
  if (Status picked = pick_devices(devices, choice); !picked.ok()) return picked.error();
  if (backend != "hip-host") {
    if (Status sound = drop_unsound_devices(backend, choice); !sound.ok()) return sound.error();
  }
  if (backend != "hip-host" && !choice.devices.empty()) keep_pictures_in_the_heap();
  for (const hip::Device* const device : choice.devices) choice.notes.push_back("uses " + device->text());
  return choice;
}

}  // namespace vmafbatch::cli
