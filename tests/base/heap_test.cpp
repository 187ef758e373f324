#include "base/heap.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <memory>

namespace vmafbatch {
namespace {

constexpr size_t kPictureBytes = size_t{24} << 20;  // 3840x2160, 4:2:0, 10 bits

size_t mapped_bytes() { return mallinfo2().hblkhd; }

TEST(Heap, MapsAPictureOnItsOwnAlsoAfterOneWasFreed) {
  const size_t before = mapped_bytes();
  keep_pictures_out_of_the_heap();
  for (int i = 0; i < 3; ++i) {
    const auto picture = std::make_unique<std::byte[]>(kPictureBytes);
    if (i == 0 && mapped_bytes() == before) GTEST_SKIP() << "a sanitizer's allocator";
    EXPECT_GE(mapped_bytes(), before + kPictureBytes) << "picture " << i;
  }
  EXPECT_EQ(mapped_bytes(), before);
}

}  // namespace
}  // namespace vmafbatch
