# How everything here is compiled. Nothing in this file leaks to a project that uses caos.

find_program(CAOS_CCACHE ccache)
if(CAOS_CCACHE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CAOS_CCACHE})
endif()

# Results must not depend on the compiler's liberties: no contraction into fused multiply-add, no
# -ffast-math, no -march=native (kernels choose their instruction set at run time).
add_library(caos_build INTERFACE)
target_compile_features(caos_build INTERFACE cxx_std_20)
target_compile_options(caos_build INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -ffp-contract=off)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(caos_build INTERFACE -Werror)
endif()

if(CAOS_SANITIZE)
  target_compile_options(caos_build INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # The sanitizer stands between the program and dlopen, which then ignores the program's RUNPATH but
  # not the older RPATH.
  target_link_options(caos_build INTERFACE -fsanitize=address,undefined -Wl,--disable-new-dtags)
endif()
if(CAOS_COVERAGE)
  target_compile_options(caos_build INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(caos_build INTERFACE --coverage)
endif()
