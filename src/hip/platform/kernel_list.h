// Families of kernels. Each family is a header with its kernels and a KernelList, and a .cpp that turns the list into a table of
// launchers; that .cpp is compiled in every build (HOST, AMD, NVIDIA).
#pragma once

namespace vmafbatch::hip {

template <class... Kernels>
struct KernelList {};

}  // namespace vmafbatch::hip
