#include "base/heap.h"

#include <malloc.h>

namespace vmafbatch {

void keep_pictures_out_of_the_heap() {
  // Measured with psnr, motion, vif and adm at 1920x1080 and 3840x2160: mapping smaller blocks alone costs page faults at every frame;
  // keeping more at a heap's end costs memory for each thread and saves no time. Setting them also ends their own growth.
  constexpr int kMappedAloneBytes = 4 << 20;
  constexpr int kKeptAtAHeapsEndBytes = 4 << 20;
  mallopt(M_MMAP_THRESHOLD, kMappedAloneBytes);
  mallopt(M_TRIM_THRESHOLD, kKeptAtAHeapsEndBytes);
}

void keep_pictures_in_the_heap() {
  // glibc's own limit for the first: 8-bit and 10-bit pictures of 3840x2160 are below it.
  constexpr int kMappedAloneBytes = 32 << 20;
  constexpr int kKeptAtAHeapsEndBytes = 256 << 20;
  mallopt(M_MMAP_THRESHOLD, kMappedAloneBytes);
  mallopt(M_TRIM_THRESHOLD, kKeptAtAHeapsEndBytes);
}

}  // namespace vmafbatch
