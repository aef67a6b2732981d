# Embeds files into the library or the program as string_views.
#
# caos_embed(<target> <name> <file> [GENERATED]): adds to <target> a source that defines
# `const std::string_view caos::assets::<name>` with the bytes of <file>, empty if the file does not
# exist. Rebuilt when the file changes, appears or disappears. GENERATED: a command of the same
# folder creates the file during the build.

# The assembler copies the bytes: a compiler takes seconds and gigabytes for a literal of megabytes.
function(caos_embed target name path)
  if("GENERATED" IN_LIST ARGN)
    set(found ${path})
  else()
    # A pattern of one file: ninja then checks at each build whether the file exists.
    file(GLOB found CONFIGURE_DEPENDS ${path})
  endif()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/assets/${name}.cpp)
  set(include)
  if(found)
    set(include ".incbin \\\"${found}\\\"\\n")
    set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS ${found})
  endif()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [[
#include <string_view>

asm(".pushsection .rodata\n"
    ".global caos_@name@, caos_@name@_end\n"
    ".hidden caos_@name@, caos_@name@_end\n"
    "caos_@name@:\n@include@"
    "caos_@name@_end:\n.byte 0\n"
    ".popsection");
extern "C" __attribute__((visibility("hidden"))) const char caos_@name@[];
extern "C" __attribute__((visibility("hidden"))) const char caos_@name@_end[];

namespace caos::assets {
extern const std::string_view @name@;
// Before all objects that are initialized at startup, which may use it.
__attribute__((init_priority(101))) const std::string_view @name@(
    caos_@name@, static_cast<std::size_t>(caos_@name@_end - caos_@name@));
}  // namespace caos::assets
]])
  set_source_files_properties(${output} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${output})
endfunction()
