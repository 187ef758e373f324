// Recycles frame buffers, so that a long run does not map and unmap pictures.
#pragma once

#include <memory>

#include "io/frame.h"

namespace vmafbatch::io {

// Any thread may call any member. Frames may outlive the pool: their buffers are then freed.
class FramePool {
 public:
  // Keeps at most `idle_limit_bytes` of buffers that no frame uses.
  // `memory`: where buffers come from (device runtimes want pinned memory); null: the heap.
  explicit FramePool(size_t idle_limit_bytes, std::shared_ptr<PictureMemory> memory = nullptr);

  // A frame whose samples are not initialised; its buffer returns to the pool with the last reference.
  // Throws std::bad_alloc.
  std::shared_ptr<Frame> acquire(const PictureFormat& format);

  // Bytes of idle buffers.
  size_t idle_bytes() const;

 private:
  struct Shelf;
  std::shared_ptr<Shelf> shelf_;
  std::shared_ptr<PictureMemory> memory_;
};

}  // namespace vmafbatch::io
