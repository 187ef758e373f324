// What --backend and --device mean on this machine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/run.h"
#include "hip/runtime.h"

namespace vmafbatch::cli {

// The devices of a run and the runtime that drives them; it must outlive the run.
struct DeviceChoice {
  std::unique_ptr<hip::Runtime> runtime;  // null: the CPU
  std::vector<hip::Device*> devices;
  std::string backend = "hip";     // what the database says of them
  std::vector<std::string> notes;  // one sentence each

  void apply(graph::RunOptions& run) const;
};

// backend: auto, cpu, hip, hip-host. devices: numbers with commas, "" all. The error says what is not there or not understood.
Result<DeviceChoice> choose_devices(const std::string& backend, const std::string& devices);

}  // namespace vmafbatch::cli
