// vmafbatch doctor: what this program and this machine have, for a report of trouble.
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libswscale/swscale.h>
}
#include <fmt/format.h>
#include <hwy/highway.h>
#include <oneapi/tbb/version.h>
#include <sqlite3.h>

#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "base/machine.h"
#include "base/utf8.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/devices.h"
#include "hip/probe.h"
#include "hip/runtime.h"
#include "model/model_search.h"

namespace vmafbatch::cli {
namespace {

std::string av_version(unsigned version) {
  return fmt::format("{}.{}.{}", AV_VERSION_MAJOR(version), AV_VERSION_MINOR(version), AV_VERSION_MICRO(version));
}

void print_codecs() {
  for (const char* name : {"h264", "hevc", "av1", "libdav1d", "vp8", "vp9", "mpeg2video", "mpeg4", "prores", "dnxhd", "ffv1", "rawvideo"}) {
    fmt::print("  {:<12} {}\n", name, avcodec_find_decoder_by_name(name) != nullptr ? "yes" : "no");
  }
}

// Each device computes a million operations as the host does, or is told.
void print_devices() {
  const std::unique_ptr<hip::Runtime> runtime = hip::Runtime::find();
  fmt::print("device modules:\n{}", module_lines(*runtime));
  if (runtime->devices().empty()) {
    fmt::print("devices: none (features run on the CPU)\n");
    return;
  }
  fmt::print("devices:\n");
  for (std::size_t i = 0; i < runtime->devices().size(); ++i) {
    hip::Device& device = *runtime->devices()[i];
    const Status probed = hip::probe_arithmetic(device);
    fmt::print("  {}: {}\n", i, line_text(probed ? device.text() + ": its arithmetic is the host's, bit for bit" : probed.error().message));
  }
}

int doctor() {
  fmt::print("vmafbatch {}\n", kVersion);
  fmt::print("C library: {}\n", c_library_text());
  fmt::print("processor: {}, {} threads, {} MiB memory\n", processor_text(), std::thread::hardware_concurrency(),
             physical_memory_bytes() >> 20);
  std::string targets;
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    targets += (targets.empty() ? "" : ", ") + std::string(hwy::TargetName(rest & -rest));
  }
  fmt::print("vector instructions: {}\n", targets);
  fmt::print("libavformat {}, libavcodec {}, libavutil {}, libswscale {}\n", av_version(avformat_version()), av_version(avcodec_version()),
             av_version(avutil_version()), av_version(swscale_version()));
  fmt::print("SQLite {}, oneTBB {}\n", sqlite3_libversion(), TBB_runtime_version());
  print_devices();
  const model::ModelSearch search = model::ModelSearch::from_environment();
  fmt::print("models found: {} (`vmafbatch models` lists them)\n", model::list_models(search).size());
  fmt::print("decoders:\n");
  print_codecs();
  return kExitOk;
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("doctor", "Show versions, processor, devices, models and decoders; probe the devices' arithmetic");
  command->footer("Example:\n  vmafbatch doctor");
  command->callback([&exit_code] { exit_code = doctor(); });
}

}  // namespace vmafbatch::cli
