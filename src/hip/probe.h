// The proof, before a device is used, that it computes as the host does.
#pragma once

#include "base/result.h"
#include "hip/device.h"

namespace vmafbatch::hip {

inline constexpr int kProbeOperands = 1 << 20;

// Does a * b + c, a / b, square roots (float and double) and conversions (integer and double to float) on the device for kProbeOperands
// sets of operands, denormals, ties and infinities among them, and compares every result's bits with the host's. The error names the
// device, the operation, the operands and both results, or the call of the device that failed. A device that does not pass must not
// score. Waits for the device: not for the threads of the graph.
Status probe_arithmetic(Device& device);

}  // namespace vmafbatch::hip
