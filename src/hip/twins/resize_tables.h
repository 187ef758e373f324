// The windows of resized planes as tables on a device.
#pragma once

#include "extractors/float_resize.h"
#include "hip/frame_work.h"

namespace vmafbatch::hip {

struct ResizeTables {
  const extractors::ResizeWindow* columns;
  const extractors::ResizeWindow* rows;
};

// From in_width x in_height to width x height; computed once and kept as long as the program. Called from the submitting thread.
ResizeTables resize_tables(FrameWork& work, int in_width, int in_height, int width, int height, extractors::ResizeMethod method);

}  // namespace vmafbatch::hip
