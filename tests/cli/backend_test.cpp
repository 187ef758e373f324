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

TEST_F(Backend, ParityRefusesWhatItCannotCompare) {
  EXPECT_EQ(run("parity --reference a.y4m --distorted a.y4m --feature psnr --no-model --backends cpu,gpu"), 2);
  EXPECT_TRUE(told("--backends takes two of cpu, hip and hip-host")) << error_;
  EXPECT_EQ(run("parity --reference a.y4m --distorted none.y4m --feature psnr --no-model --backends cpu,hip-host --quiet"), 2);
  EXPECT_EQ(run("parity --reference a.y4m --distorted a.y4m --feature psnr --no-model", kNoModules), 2);
  EXPECT_TRUE(told("--backend hip: no device is usable")) << error_;
}

}  // namespace
}  // namespace vmafbatch::cli
