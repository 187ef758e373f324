# The flags of every target. One arithmetic on every machine: no contraction into fused multiply-add, no fast-math, baseline
# instruction set (faster ones are chosen at run time by Highway).
add_library(vmafbatch_flags INTERFACE)
target_compile_options(vmafbatch_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Werror
  -ffp-contract=off -fno-fast-math -fvisibility=hidden)
# GCC 12's straight-line vectoriser loses the rounding of neighbouring values that go from double to float and back, so they come out
# with bits that the source does not have.
target_compile_options(vmafbatch_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>)
# Clang counts changes of sign among -Wconversion; GCC, whose reading of it the code follows, does not.
target_compile_options(vmafbatch_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>)
if(VMAFBATCH_SANITIZE)
  # GCC sees paths that are not there once the checks are woven in (its manual says so of -fsanitize); the plain builds keep the warning.
  target_compile_options(vmafbatch_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_compile_options(vmafbatch_flags INTERFACE
    -fsanitize=${VMAFBATCH_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(vmafbatch_flags INTERFACE -fsanitize=${VMAFBATCH_SANITIZE})
endif()
if(VMAFBATCH_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")  # the checks cost more than -O2 gains, and it compiles in half the time
elseif(CMAKE_BUILD_TYPE STREQUAL "Release" OR CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
endif()

# The flags of every kernel (cmake/HipModules.cmake; tests/hip/check_device_ir.py and check_ptx.py look at what they give): the same
# arithmetic on a device. No contraction, correctly rounded division and square root, denormals kept.
set(VMAFBATCH_HIP_COMMON_FLAGS -std=c++20 -O3 -DNDEBUG -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_BINARY_DIR}/generated)
# A loop that Clang does not unroll where a pragma asks for it is slower, not wrong: -Wno-pass-failed.
set(VMAFBATCH_HIP_AMD_FLAGS -x hip ${VMAFBATCH_HIP_COMMON_FLAGS} -fPIC -fvisibility=hidden
  -ffp-contract=off -fno-fast-math -fhip-fp32-correctly-rounded-divide-sqrt -fno-gpu-flush-denormals-to-zero
  -Wall -Wextra -Wconversion -Wshadow -Wno-sign-conversion -Wno-pass-failed -Werror)
set(VMAFBATCH_HIP_NVIDIA_FLAGS -x cu ${VMAFBATCH_HIP_COMMON_FLAGS}
  -fmad=false -prec-div=true -prec-sqrt=true -ftz=false
  -Xcompiler=-fPIC,-fvisibility=hidden,-ffp-contract=off -Werror=cross-execution-space-call)
