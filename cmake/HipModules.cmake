# The two device modules: src/hip/kernels/*.cpp and src/hip/module/module.cpp, compiled by hipcc into vmafbatch_hip_amd.so and by nvcc
# into vmafbatch_hip_nvidia.so. The program loads them at run time (src/hip/runtime.h); it is not linked with either.
#
#   -DVMAFBATCH_HIP_AMD=AUTO|ON|OFF      AUTO: built where the compiler is found and works; ON: an error where not
#   -DVMAFBATCH_HIP_NVIDIA=AUTO|ON|OFF
foreach(vendor AMD NVIDIA)
  set(VMAFBATCH_HIP_${vendor} AUTO CACHE STRING "The module for ${vendor} devices: AUTO, ON or OFF")
  set_property(CACHE VMAFBATCH_HIP_${vendor} PROPERTY STRINGS AUTO ON OFF)
  if(NOT VMAFBATCH_HIP_${vendor} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "VMAFBATCH_HIP_${vendor}=${VMAFBATCH_HIP_${vendor}} is not understood; write AUTO, ON or OFF")
  endif()
endforeach()
set(VMAFBATCH_HIP_AMD_ARCHITECTURES "gfx908;gfx90a;gfx1030;gfx1036" CACHE STRING
  "AMD architectures of the module; the default is what Debian 12's device libraries know")
# Native code for A100 and H100/H200; every other device from sm_75 on gets code from its driver, which compiles the virtual one.
set(VMAFBATCH_HIP_NVIDIA_ARCHITECTURES "75-virtual;80-real;90-real" CACHE STRING
  "NVIDIA architectures of the module: NN-real is native code, NN-virtual is PTX for all later ones")
find_program(VMAFBATCH_HIPCC hipcc HINTS ENV ROCM_PATH PATHS /opt/rocm PATH_SUFFIXES bin DOC "The compiler of the AMD module")
find_program(VMAFBATCH_NVCC nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin DOC "The compiler of the NVIDIA module")

set(VMAFBATCH_HIP_AMD_COMPILER "${VMAFBATCH_HIPCC}")
set(VMAFBATCH_HIP_NVIDIA_COMPILER "${VMAFBATCH_NVCC}")
set(VMAFBATCH_HIP_AMD_COMPILE ${VMAFBATCH_HIP_AMD_FLAGS})
set(VMAFBATCH_HIP_AMD_LINK -shared -Wl,--no-undefined)
foreach(architecture IN LISTS VMAFBATCH_HIP_AMD_ARCHITECTURES)
  list(APPEND VMAFBATCH_HIP_AMD_COMPILE --offload-arch=${architecture})
  list(APPEND VMAFBATCH_HIP_AMD_LINK --offload-arch=${architecture})  # hipcc asks this machine's devices otherwise
endforeach()
set(VMAFBATCH_HIP_NVIDIA_COMPILE ${VMAFBATCH_HIP_NVIDIA_FLAGS})
foreach(architecture IN LISTS VMAFBATCH_HIP_NVIDIA_ARCHITECTURES)
  if(architecture MATCHES "^([0-9]+[a-z]?)-real$")
    list(APPEND VMAFBATCH_HIP_NVIDIA_COMPILE -gencode=arch=compute_${CMAKE_MATCH_1},code=sm_${CMAKE_MATCH_1})
  elseif(architecture MATCHES "^([0-9]+[a-z]?)-virtual$")
    list(APPEND VMAFBATCH_HIP_NVIDIA_COMPILE -gencode=arch=compute_${CMAKE_MATCH_1},code=compute_${CMAKE_MATCH_1})
  else()
    message(FATAL_ERROR "VMAFBATCH_HIP_NVIDIA_ARCHITECTURES: \"${architecture}\" is not understood; write NN-real or NN-virtual")
  endif()
endforeach()
set(VMAFBATCH_HIP_NVIDIA_LINK -shared -cudart=static -Xlinker=--no-undefined -Xlinker=--exclude-libs,ALL)

# Sets ${result} to "" where the compiler makes a module of a small kernel, else to the sentence that says why not.
function(vmafbatch_try_module vendor result)
  set(compiler ${VMAFBATCH_HIP_${vendor}_COMPILER})
  if(NOT compiler)
    set(${result} "no compiler was found" PARENT_SCOPE)
    return()
  endif()
  string(SHA1 tried "${compiler};${VMAFBATCH_HIP_${vendor}_COMPILE};${VMAFBATCH_HIP_${vendor}_LINK}")
  if(VMAFBATCH_HIP_${vendor}_WORKS STREQUAL tried)
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  set(folder ${PROJECT_BINARY_DIR}/hip/try_${vendor})
  file(WRITE ${folder}/try.cpp
    "#include \"hip/platform/hip_runtime.h\"\n"
    "__global__ void twice(float* value) { *value += *value; }\n"
    "extern \"C\" int launch(float* value) { twice<<<1, 1>>>(value); return static_cast<int>(hipGetLastError()); }\n")
  foreach(arguments "${VMAFBATCH_HIP_${vendor}_COMPILE};-c;try.cpp;-o;try.o" "${VMAFBATCH_HIP_${vendor}_LINK};try.o;-o;try.so")
    execute_process(COMMAND ${compiler} ${arguments} WORKING_DIRECTORY ${folder} RESULT_VARIABLE code OUTPUT_VARIABLE text
      ERROR_VARIABLE text)
    if(NOT code EQUAL 0)
      string(STRIP "${text}" text)
      set(${result} "${compiler} cannot make a module:\n${text}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(VMAFBATCH_HIP_${vendor}_WORKS ${tried} CACHE INTERNAL "What the compiler was tried with")
  set(${result} "" PARENT_SCOPE)
endfunction()

# vmafbatch_hip_module(AMD): the module as ${PROJECT_BINARY_DIR}/lib/vmafbatch/vmafbatch_hip_amd.so, one command per source. Sets
# VMAFBATCH_HIP_AMD_MODULE to its path, or leaves it empty.
function(vmafbatch_hip_module vendor)
  string(TOLOWER ${vendor} lower)
  set(VMAFBATCH_HIP_${vendor}_MODULE "" PARENT_SCOPE)
  if(VMAFBATCH_HIP_${vendor} STREQUAL "OFF")
    message(STATUS "${vendor} module: off")
    return()
  endif()
  vmafbatch_try_module(${vendor} problem)
  if(problem AND VMAFBATCH_HIP_${vendor} STREQUAL "ON")
    message(FATAL_ERROR "${vendor} module: ${problem}\nIt was asked for with VMAFBATCH_HIP_${vendor}=ON; docs/dependencies.md says what it needs.")
  elseif(problem)
    message(STATUS "${vendor} module: not built: ${problem}")
    return()
  endif()
  message(STATUS "${vendor} module: ${VMAFBATCH_HIP_${vendor}_COMPILER} for ${VMAFBATCH_HIP_${vendor}_ARCHITECTURES}")

  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/hip/kernels/*.cpp)
  list(APPEND sources ${PROJECT_SOURCE_DIR}/src/hip/module/module.cpp)
  set(folder ${PROJECT_BINARY_DIR}/hip/${lower})
  set(module ${PROJECT_BINARY_DIR}/lib/vmafbatch/vmafbatch_hip_${lower}.so)
  file(MAKE_DIRECTORY ${folder} ${PROJECT_BINARY_DIR}/lib/vmafbatch)
  set(objects)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    add_custom_command(OUTPUT ${folder}/${name}.o
      COMMAND ${VMAFBATCH_HIP_${vendor}_COMPILER} ${VMAFBATCH_HIP_${vendor}_COMPILE} -MD -MF ${folder}/${name}.d
        -c ${source} -o ${folder}/${name}.o
      DEPENDS ${source} DEPFILE ${folder}/${name}.d COMMENT "Compiling ${name} for ${vendor}" VERBATIM)
    list(APPEND objects ${folder}/${name}.o)
  endforeach()
  add_custom_command(OUTPUT ${module}
    COMMAND ${VMAFBATCH_HIP_${vendor}_COMPILER} ${VMAFBATCH_HIP_${vendor}_LINK} ${objects} -o ${module}
    DEPENDS ${objects} COMMENT "Linking the ${vendor} module" VERBATIM)
  add_custom_target(vmafbatch_hip_${lower} ALL DEPENDS ${module})
  set(VMAFBATCH_HIP_${vendor}_MODULE ${module} PARENT_SCOPE)
endfunction()

if(TARGET vmafbatch_hip)
  vmafbatch_hip_module(AMD)
  vmafbatch_hip_module(NVIDIA)
endif()
