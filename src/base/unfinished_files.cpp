#include "base/unfinished_files.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>

namespace vmafbatch {
namespace {

// A handler may interrupt anything, so the names lie where no allocation moves them, and who has a slot is one atomic word.
enum SlotState { kFree, kBeingFilled, kSet, kRemoved };
struct Slot {
  std::atomic<int> state{kFree};
  std::array<char, PATH_MAX> path{};
};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

constexpr std::size_t kMostFiles = 16;
std::array<Slot, kMostFiles> g_slots;  // of the process, as signals are

bool change(Slot& slot, int from, int to) { return slot.state.compare_exchange_strong(from, to); }

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) {
  if (path.size() >= PATH_MAX) return;
  for (std::size_t index = 0; index < kMostFiles; ++index) {
    Slot& slot = g_slots[index];
    if (!change(slot, kFree, kBeingFilled)) continue;
    std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
    slot.state = kSet;
    slot_ = index;
    return;
  }
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_) change(g_slots[*slot_], kSet, kFree);
}

void remove_unfinished_files() noexcept {
  for (std::size_t index = kMostFiles; index-- > 0;) {
    if (change(g_slots[index], kSet, kRemoved)) ::unlink(g_slots[index].path.data());
  }
}

}  // namespace vmafbatch
