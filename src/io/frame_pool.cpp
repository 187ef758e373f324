#include "io/frame_pool.h"

#include <deque>
#include <mutex>

namespace vmafbatch::io {

struct FramePool::Shelf {
  struct Item {
    PictureFormat format;
    std::unique_ptr<FrameBuffer> buffer;
  };

  explicit Shelf(size_t limit) : idle_limit_bytes(limit) {}

  std::unique_ptr<FrameBuffer> take(const PictureFormat& format) {
    const std::lock_guard lock(mutex);
    for (auto item = idle.rbegin(); item != idle.rend(); ++item) {
      if (item->format == format) {
        std::unique_ptr<FrameBuffer> buffer = std::move(item->buffer);
        idle.erase(std::next(item).base());
        idle_bytes -= buffer->size_bytes();
        return buffer;
      }
    }
    return nullptr;
  }

  void put(const PictureFormat& format, std::unique_ptr<FrameBuffer> buffer) {
    const std::lock_guard lock(mutex);
    idle_bytes += buffer->size_bytes();
    idle.push_back({format, std::move(buffer)});
    while (idle_bytes > idle_limit_bytes && !idle.empty()) {  // the oldest goes first: another clip's size
      idle_bytes -= idle.front().buffer->size_bytes();
      idle.pop_front();
    }
  }

  const size_t idle_limit_bytes;
  mutable std::mutex mutex;
  std::deque<Item> idle;
  size_t idle_bytes = 0;
};

FramePool::FramePool(size_t idle_limit_bytes, std::shared_ptr<PictureMemory> memory)
    : shelf_(std::make_shared<Shelf>(idle_limit_bytes)), memory_(std::move(memory)) {}

std::shared_ptr<Frame> FramePool::acquire(const PictureFormat& format) {
  std::unique_ptr<FrameBuffer> buffer = shelf_->take(format);
  if (!buffer) buffer = std::make_unique<FrameBuffer>(format, memory_.get());
  std::weak_ptr<Shelf> home = shelf_;
  return {new Frame(format, std::move(buffer)), [home](Frame* frame) {  // NOLINT(cppcoreguidelines-owning-memory): the deleter owns
            const std::unique_ptr<Frame> owner(frame);
            if (const auto shelf = home.lock()) shelf->put(owner->format(), owner->release_buffer());
          }};
}

size_t FramePool::idle_bytes() const {
  const std::lock_guard lock(shelf_->mutex);
  return shelf_->idle_bytes;
}

}  // namespace vmafbatch::io
