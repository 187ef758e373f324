// Device modules that are missing, broken, foreign or without a driver are sentences of `devices` and `doctor`, never a failure to start.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

constexpr const char* kNvidia = "vmafbatch_hip_nvidia.so";

class Devices : public Program {
 protected:
  Devices() { std::filesystem::create_directory(folder_.path("modules")); }

  void put_module() {
    std::filesystem::copy_file(VMAFBATCH_PLANTED_MODULE, folder_.path(std::string("modules/") + kNvidia),
                               std::filesystem::copy_options::overwrite_existing);
  }
  // The module says what it is by `kind`.
  int run_with(const std::string& command, const std::string& kind = "") {
    return run(command, "VMAFBATCH_TEST_MODULE=" + kind + " VMAFBATCH_MODULES='" + folder_.path("modules") + "'");
  }
  bool printed(const std::string& text) const { return out_.find(text) != std::string::npos; }
};

TEST_F(Devices, WithoutModulesTheProgramSaysSoAndSucceeds) {
  EXPECT_EQ(run_with("devices"), 0) << error_;
  EXPECT_EQ(out_,
            "No device was found; features run on the CPU.\n\nModules:\n"
            "  vmafbatch_hip_amd.so     not installed\n"
            "  vmafbatch_hip_nvidia.so  not installed\n");
  EXPECT_EQ(run_with("devices --format json"), 0) << error_;
  const auto json = nlohmann::json::parse(out_);
  EXPECT_TRUE(json["devices"].empty());
  ASSERT_EQ(json["modules"].size(), 2U);
  EXPECT_EQ(json["modules"][1]["file"], kNvidia);
  EXPECT_EQ(json["modules"][1]["usable"], false);
  EXPECT_EQ(json["modules"][1]["text"], "not installed");
  EXPECT_EQ(run_with("doctor"), 0) << error_;
  EXPECT_TRUE(printed("  vmafbatch_hip_nvidia.so  not installed\ndevices: none (features run on the CPU)\n")) << out_;
}

TEST_F(Devices, ABrokenModuleIsASentence) {
  write_file(folder_.path(std::string("modules/") + kNvidia), "no library\n");
  for (const char* command : {"devices", "doctor"}) {
    EXPECT_EQ(run_with(command), 0) << error_;
    EXPECT_TRUE(printed("vmafbatch_hip_nvidia.so is no shared library, or only a part of one")) << out_;
  }
}

TEST_F(Devices, ALibraryThatIsNoModuleIsASentence) {
  std::filesystem::copy_file(VMAFBATCH_NO_MODULE, folder_.path(std::string("modules/") + kNvidia));
  EXPECT_EQ(run_with("devices"), 0) << error_;
  EXPECT_TRUE(printed("modules/vmafbatch_hip_nvidia.so is no module of vmafbatch\n")) << out_;
}

TEST_F(Devices, AModuleOfAnotherVersionIsNotUsed) {
  put_module();
  EXPECT_EQ(run_with("devices", "version"), 0) << error_;
  EXPECT_TRUE(printed("modules/vmafbatch_hip_nvidia.so was built for vmafbatch 0.0.1, this is ")) << out_;
  EXPECT_TRUE(printed("; install the module of this version\n")) << out_;
  EXPECT_EQ(run_with("devices", "abi"), 0) << error_;
  EXPECT_TRUE(printed("modules/vmafbatch_hip_nvidia.so was built for vmafbatch of another kind, this is ")) << out_;
  EXPECT_TRUE(printed("No device was found")) << out_;
}

TEST_F(Devices, WhatAModuleSaysOfItselfReachesNoTerminalAsACommand) {
  put_module();
  EXPECT_EQ(run_with("devices", "rude"), 0) << error_;
  EXPECT_TRUE(printed("was built for vmafbatch \\x1B[2J\\x0A\\xFF, this is ")) << out_;
  EXPECT_EQ(out_.find('\x1B'), std::string::npos) << out_;
  EXPECT_EQ(run_with("score --backend hip --reference a.y4m --distorted a.y4m --feature psnr --no-model -o x.db", "rude"), 2);
  EXPECT_TRUE(told("\\x1B[2J\\x0A\\xFF")) << error_;
  EXPECT_TRUE(is_one_line()) << error_;
}

TEST_F(Devices, AFolderThatIsNotThereIsTold) {
  for (const char* command : {"devices", "doctor"}) {
    EXPECT_EQ(run(command, "VMAFBATCH_MODULES='/no/such folder'"), 0) << error_;
    EXPECT_TRUE(
        printed("  vmafbatch_hip_amd.so     not looked for: VMAFBATCH_MODULES names the folder \"/no/such folder\", which is not there\n"))
        << out_;
  }
}

TEST_F(Devices, AMissingDriverIsASentence) {
  put_module();
  for (const char* command : {"devices", "doctor"}) {
    EXPECT_EQ(run_with(command, "driver"), 0) << error_;
    EXPECT_TRUE(
        printed("modules/vmafbatch_hip_nvidia.so: no NVIDIA device, or its driver is missing or too old: the driver is not there\n"))
        << out_;
  }
}

TEST_F(Devices, ADeviceIsListedWithWhatItIs) {
  put_module();
  EXPECT_EQ(run_with("devices", "device"), 0) << error_;
  EXPECT_TRUE(printed("     0  NVIDIA    A\\xFF planted device ")) << out_;
  EXPECT_TRUE(printed("  sm_00             8192 MiB  0000:03:00.0\n")) << out_;
  EXPECT_TRUE(printed("modules/vmafbatch_hip_nvidia.so: 1 device\n")) << out_;
  EXPECT_EQ(run_with("devices --format json", "device"), 0) << error_;
  const auto device = nlohmann::json::parse(out_)["devices"][0];
  EXPECT_EQ(device["device"], 0);
  EXPECT_EQ(device["platform"], "NVIDIA");
  EXPECT_EQ(device["architecture"], "sm_00");
  EXPECT_EQ(device["memory_bytes"], 8589934592);
  EXPECT_EQ(device["bus"], "0000:03:00.0");
}

TEST_F(Devices, DoctorTellsADeviceThatCannotCompute) {
  put_module();
  EXPECT_EQ(run_with("doctor", "device"), 0) << error_;
  EXPECT_TRUE(printed("  0: NVIDIA device 0 (A\\xFF planted device, sm_00): allocate of ")) << out_;
  EXPECT_TRUE(printed("out of memory; its arithmetic could not be compared with the host's, and it is not used\n")) << out_;
}

}  // namespace
}  // namespace vmafbatch::cli
