// --backend, --device and parity at the command line. The machine of the test has no device: HOST stands for one.
#include <gtest/gtest.h>

#include <string>

#include "cli/program.h"

namespace vmafbatch::cli {
namespace {

// No module is found in an empty folder.
constexpr const char* kNoModules = "mkdir -p empty && VMAFBATCH_MODULES=empty";

class Backend : public Program {
 protected:
  int score_with(const std::string& options, const std::string& before = "") {
    return run("score --reference a.y4m --distorted a.y4m --feature psnr --no-model --quiet -o x.db " + options, before);
  }
  std::string backends() {
    EXPECT_EQ(run("query x.db 'SELECT implementation, backend, device, reason FROM backends' --format csv"), 0) << error_;
    return out_;
  }
};

TEST_F(Backend, HipInsistsOnADevice) {
  EXPECT_EQ(score_with("--backend hip", kNoModules), 2);
  EXPECT_TRUE(told("--backend hip: no device is usable (vmafbatch_hip_amd.so: not installed; vmafbatch_hip_nvidia.so: not installed)"))
      << error_;
  EXPECT_TRUE(is_one_line()) << error_;
}

TEST_F(Backend, AutoWithoutADeviceIsTheCpu) {
  EXPECT_EQ(score_with("", kNoModules), 0) << error_;
  EXPECT_EQ(backends(), "implementation,backend,device,reason\npsnr,cpu,,\n");
}

TEST_F(Backend, TheHostBuildRunsTheTwins) {
  EXPECT_EQ(score_with("--backend hip-host"), 0) << error_;
  EXPECT_EQ(backends(), "implementation,backend,device,reason\npsnr_hip,hip-host,CPU threads,\n");
}

TEST_F(Backend, DeviceNumbersAreChecked) {
  EXPECT_EQ(score_with("--backend hip-host --device 0,1", "VMAFBATCH_HOST_DEVICES=2"), 0) << error_;
  const std::pair<const char*, const char*> bad[] = {
      {"--backend hip-host --device 1", "--device 1: there are 1 devices, counted from 0"},
      {"--backend hip-host --device 0,0", "--device names 0 twice"},
      {"--backend hip-host --device x", "--device takes numbers with commas between them"},
      {"--backend hip-host --device 0,", "--device takes numbers with commas between them"},
      {"--backend cpu --device 0", "--device needs a backend that uses devices"},
      {"--backend hip-host --device-memory much", "--device-memory is a size"},
  };
  for (const auto& [options, sentence] : bad) {
    EXPECT_EQ(score_with(options), 2) << options;
    EXPECT_TRUE(told(sentence)) << error_;
    EXPECT_TRUE(is_one_line()) << error_;
  }
}

TEST_F(Backend, HostVariablesThatAreNotUnderstoodAreNamed) {
  for (const char* variable : {"VMAFBATCH_HOST_SCHEDULE=random", "VMAFBATCH_HOST_FAIL=copy", "VMAFBATCH_HOST_DEVICES=0"}) {
    EXPECT_EQ(score_with("--backend hip-host", variable), 2);
    EXPECT_TRUE(told(variable)) << error_;
  }
}

TEST_F(Backend, AnEmptyValueIsNotAll) {
  for (const char* option : {"--device", "--device-memory", "--memory", "--start", "--duration"}) {
    EXPECT_EQ(score_with(std::string("--backend hip-host ") + option + " ''"), 2) << option;
    EXPECT_TRUE(told(option)) << error_;
  }
}

TEST_F(Backend, ADeviceThatFailsIsToldAtTheEnd) {
  EXPECT_EQ(score_with("--backend hip-host", "VMAFBATCH_HOST_FAIL=launch:2"), 0) << error_;
  EXPECT_TRUE(told("warning: host device 0 (CPU threads, host): launch of squared_error_8 failed")) << error_;
  EXPECT_TRUE(told("the CPU scored what was left")) << error_;
}

TEST_F(Backend, AModuleThatWasCutIsASentence) {
  const std::string program = VMAFBATCH_PROGRAM;
  for (const char* bytes : {"100", "3000", "60000"}) {
    const std::string before =
        "mkdir -p cut && head -c " + std::string(bytes) + " '" + program + "' > cut/vmafbatch_hip_amd.so && VMAFBATCH_MODULES=cut";
    EXPECT_EQ(run("devices", before), 0) << error_;
    EXPECT_NE(out_.find("is no shared library, or only a part of one"), std::string::npos) << out_;
    EXPECT_EQ(score_with("", before), 0) << error_;
  }
}

TEST_F(Backend, ParityOfEqualBackendsIsExitCode0) {
  EXPECT_EQ(run("parity --reference a.y4m --distorted a.y4m --feature psnr --feature motion --no-model --backends cpu,hip-host --quiet"), 0)
      << error_;
  EXPECT_NE(out_.find("identical 24 of 24, 0 not on the backend that was asked for"), std::string::npos) << out_;
}

TEST_F(Backend, ParityCountsAFallbackUnlessAllowed) {
  const std::string command = "parity --reference a.y4m --distorted a.y4m --feature psnr_hvs --no-model --backends cpu,hip-host --quiet";
  EXPECT_EQ(run(command), 1);
  EXPECT_NE(out_.find("a ran on cpu: psnr_hvs has no HIP twin"), std::string::npos) << out_;
  EXPECT_EQ(run(command + " --allow-fallback"), 0) << out_;
}

TEST_F(Backend, ParityLooksForFallbacksOnBothSides) {
  EXPECT_EQ(run("parity --reference a.y4m --distorted a.y4m --feature psnr_hvs --no-model --backends hip-host,cpu --quiet"), 1);
  EXPECT_NE(out_.find("1 not on the backend that was asked for"), std::string::npos) << out_;
}

TEST_F(Backend, ParityIsNotEqualWhereAClipFailed) {
  write_file(folder_.path("c.csv"), "reference,distorted,name\na.y4m,a.y4m,good\na.y4m,none.y4m,bad\n");
  EXPECT_EQ(run("parity c.csv --feature psnr --no-model --backends cpu,hip-host --quiet"), 1);
  EXPECT_TRUE(told("cpu: bad: none.y4m: No such file")) << error_;
  EXPECT_TRUE(told("hip-host: bad: none.y4m: No such file")) << error_;
}

TEST_F(Backend, ParityRefusesWhatItCannotCompare) {
  EXPECT_EQ(run("parity --reference a.y4m --distorted a.y4m --feature psnr --no-model --backends cpu,gpu"), 2);
  EXPECT_TRUE(told("--backends takes two of cpu, hip and hip-host")) << error_;
  EXPECT_EQ(run("parity --reference a.y4m --distorted a.y4m --feature psnr --no-model --backends cpu,cpu"), 2);
  EXPECT_TRUE(told("--backends names \"cpu\" twice")) << error_;
  EXPECT_EQ(run("parity --reference a.y4m --distorted none.y4m --feature psnr --no-model --backends cpu,hip-host --quiet"), 2);
  EXPECT_EQ(run("parity --reference a.y4m --distorted a.y4m --feature psnr --no-model", kNoModules), 2);
  EXPECT_TRUE(told("--backend hip: no device is usable")) << error_;
  EXPECT_TRUE(is_one_line()) << "nothing is scored before: " << error_;
  EXPECT_EQ(run("parity --reference a.y4m --distorted a.y4m --feature psnr --no-model --backends cpu,hip-host --keep .", ""), 2);
  EXPECT_TRUE(told("--keep takes an empty folder")) << error_;
}

}  // namespace
}  // namespace vmafbatch::cli
