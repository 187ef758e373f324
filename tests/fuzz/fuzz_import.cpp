// Logs of every layout, damaged: each gives a log that holds to its contract, or one sentence.
#include <cmath>
#include <stdexcept>
#include <string>

#include "fuzz/fuzz_main.h"
#include "store/log_file.h"

namespace {

constexpr const char* kSeeds[] = {
    R"({
  "version": "3.2.0",
  "fps": 123.45,
  "frames": [
    {
      "frameNum": 0,
      "metrics": {
        "psnr_y": 37.815404,
        "float_ssim": null,        "psnr_cb": 1e300
      }
    },
    {
      "frameNum": 6,
      "metrics": {
        "psnr_y": 37.748867,
        "float_ssim": "inf",
        "\u00e9\ud83d\ude00\n": -nan
      }
    }
  ],
  "pooled_metrics": {"psnr_y": {"min": 37.748867, "max": [true, false]}},
  "aggregate_metrics": {"apsnr_y": 37.782008}
}
)",
    R"(<?xml version="1.0"?>
<VMAF version="3.2.0">
  <params qualityWidth="64" qualityHeight="48" />
  <!-- a comment -->
  <frames>
    <frame frameNum="0" psnr_y="37.815404" float_ssim="inf" />
    <frame frameNum="1" psnr_y="&#49;.5" float_ssim="-nan"></frame>
  </frames>
  <pooled_metrics><metric name="psnr_y" min="37.748867" /></pooled_metrics>
  <aggregate_metrics apsnr_y="37.782008" />
</VMAF>
)",
    "Frame,psnr_y,\"a,\"\"b\",\n0,37.815404,1,\n1,,inf,\n7,2e-5,nan,\n",
    "\xEF\xBB\xBF"
    "Frame,psnr_y,x\r\n0,37.815404,1\r\n1,5,6\r\n",
};

void check(const vmafbatch::store::ScoreLog& log) {
  for (const auto& column : log.columns) {
    std::int64_t last = -1;
    for (const auto& [frame, value] : column.values) {
      if (frame <= last || frame >= log.frames || std::isnan(value)) throw std::logic_error("a column is no rising list of numbers");
      last = frame;
    }
  }
  for (const auto& aggregate : log.aggregates) {
    if ((aggregate.value && std::isnan(*aggregate.value)) || aggregate.name.empty())
      throw std::logic_error("an aggregate is nan or has no name");
  }
}

}  // namespace

int main(int argc, char** argv) {
  return vmafbatch::fuzz::run(argc, argv, [](vmafbatch::fuzz::Random& random) {
    const auto log = vmafbatch::store::parse_log(vmafbatch::fuzz::damaged(random.pick(kSeeds), random));
    if (log.ok()) {
      check(*log);
    } else if (log.error().message.empty() || log.error().message.find('\n') != std::string::npos) {
      throw std::logic_error("the error is not one sentence: " + log.error().message);
    }
  });
}
