# Compiler settings. Nothing in this file affects a project that uses caos.

find_program(CAOS_CCACHE ccache)
if(CAOS_CCACHE AND PROJECT_IS_TOP_LEVEL)
  # Sloppiness allows caching with precompiled headers; relative paths let build/release-pip (the wheel) use
  # the cached objects of build/release.
  set(CMAKE_CXX_COMPILER_LAUNCHER env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_ctime,include_file_mtime
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CAOS_CCACHE})
endif()

# caos_precompile(<target> <header>...): precompiles the headers that most sources of <target> include:
# the standard library, fmt, and <header>... (Not nlohmann-json, which is slow to instantiate rather than to parse.)
function(caos_precompile target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <cmath> <cstddef> <cstdint> <filesystem> <functional> <limits> <map> <memory> <mutex> <numeric>
    <optional> <set> <span> <string> <string_view> <utility> <vector> <fmt/format.h> ${ARGN})
endfunction()

# caos_compile_together(<target> [LEAVE <regex>]): compiles the sources of a folder together, eight at a time, as most
# compile time goes into headers. Names in unnamed namespaces of a folder must then differ. Sources that match <regex> are
# compiled alone. -DCAOS_UNITY=OFF turns this off, which makes small changes compile faster.
option(CAOS_UNITY "Compile the sources of a folder together" ON)
function(caos_compile_together target)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "LEAVE" "")
  if(NOT CAOS_UNITY OR CAOS_FUZZ)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "[.]cpp$" OR (given_LEAVE AND source MATCHES "${given_LEAVE}"))
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    if(NOT DEFINED count_${group})
      set(count_${group} 0)
    endif()
    math(EXPR part "${count_${group}} / 8")
    math(EXPR count_${group} "${count_${group}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
  endforeach()
endfunction()

# Results must not depend on the compiler: no contraction into fused multiply-add, no
# -ffast-math, no -march=native (kernels choose their instruction set at run time).
add_library(caos_build INTERFACE)
target_compile_features(caos_build INTERFACE cxx_std_20)
target_include_directories(caos_build INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(caos_build INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -ffp-contract=off)
# GCC 12 has false warnings about copies within std::string in precompiled system headers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(caos_build INTERFACE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  # GCC 14 also warns of members of a std::optional that is empty.
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(caos_build INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
if(PROJECT_IS_TOP_LEVEL AND NOT CAOS_FUZZ)  # clang, used for fuzzing, has other warnings than GCC
  target_compile_options(caos_build INTERFACE -Werror)
endif()

# Hardening at negligible cost (docs/project/security.md; a test checks the program): random addresses, read-only
# function tables, protected stacks, and checked calls that write to buffers of known size.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
target_compile_options(caos_build INTERFACE -fstack-protector-strong -fstack-clash-protection)
if(NOT CAOS_SANITIZE)  # sanitizers detect more without fortified calls
  target_compile_options(caos_build INTERFACE
    "$<$<CONFIG:Release>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
endif()
target_link_options(caos_build INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)

# CAOS_SANITIZE is a list for -fsanitize: "address,undefined" or "thread".
if(CAOS_SANITIZE)
  target_compile_options(caos_build INTERFACE
    -fsanitize=${CAOS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # The sanitizer intercepts dlopen, which then ignores RUNPATH but not the older RPATH.
  target_link_options(caos_build INTERFACE -fsanitize=${CAOS_SANITIZE} -Wl,--disable-new-dtags)
endif()
if(CAOS_COVERAGE)
  target_compile_options(caos_build INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(caos_build INTERFACE --coverage)
endif()
