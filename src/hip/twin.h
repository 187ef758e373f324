// A HIP twin: the measure() of one extractor instance on a device. Options, keys, limits, conclude() and finish() stay the extractor's.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "extractors/extractor.h"
#include "hip/frame_work.h"

namespace vmafbatch::hip {

// Constant after creation, bound to the options and the format of one clip; any thread may call any member.
class Twin {
 public:
  Twin() = default;
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;
  virtual ~Twin() = default;

  // Bytes that submit() lets kernels write and collect() reads: a multiple of 8. 0: no device work.
  virtual std::size_t result_bytes() const = 0;
  // Device memory that one frame takes beside its uploaded planes: derived planes and scratch (an upper estimate).
  virtual std::size_t device_bytes() const = 0;

  // Uploads and launches; waits for nothing. `results`: device memory of result_bytes() that is zero when the kernels run.
  virtual void submit(const io::FrameWindow& window, FrameWork& work, std::byte* results) const = 0;
  // The words of Extractor::measure() from what the kernels wrote, on the host.
  virtual void collect(const io::FrameWindow& window, const std::byte* results, extractors::Measurements& out) const = 0;
};

// The constant description of a twin; one per extractor name.
struct TwinInfo {
  std::string_view extractor;       // "psnr"
  std::string_view implementation;  // "psnr_hip"
  // An instance, or the reason why the CPU extractor takes this clip. REQUIRES: the extractor's own create() accepted them.
  Result<std::unique_ptr<Twin>> (*create)(const extractors::Options& options, const extractors::ClipInfo& clip) = nullptr;
};

std::span<const TwinInfo* const> all_twins();
// Null where there is none.
const TwinInfo* find_twin(std::string_view extractor);

// The usual body of create.
template <class T>
Result<std::unique_ptr<Twin>> make_twin(const extractors::Options& options, const extractors::ClipInfo& clip) {
  return std::unique_ptr<Twin>(std::make_unique<T>(options, clip));
}

}  // namespace vmafbatch::hip
