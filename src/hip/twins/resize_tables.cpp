#include "hip/twins/resize_tables.h"

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace vmafbatch::hip {
namespace {

// One side. A process has few sizes and prescales, and the copy to the device may be under way when the twin is gone.
std::span<const extractors::ResizeWindow> kept_windows(const std::string& key, int source, int destination,
                                                       extractors::ResizeMethod method) {
  static std::mutex mutex;
  static std::map<std::string, std::vector<extractors::ResizeWindow>> kept;
  const std::lock_guard lock(mutex);
  auto& windows = kept[key];
  if (windows.empty()) windows = extractors::resize_windows(source, destination, method);
  return windows;
}

const extractors::ResizeWindow* table_of(FrameWork& work, int source, int destination, extractors::ResizeMethod method) {
  const std::string key = "resize " + std::string(extractors::kResizeMethods[static_cast<std::size_t>(method)]) + " " +
                          std::to_string(source) + " to " + std::to_string(destination);
  return work.table(key, kept_windows(key, source, destination, method));
}

}  // namespace

ResizeTables resize_tables(FrameWork& work, int in_width, int in_height, int width, int height, extractors::ResizeMethod method) {
  return {table_of(work, in_width, width, method), table_of(work, in_height, height, method)};
}

}  // namespace vmafbatch::hip
