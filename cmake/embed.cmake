# Files as string_views of the library or the program, which then needs nothing beside it.
#
# caos_embed(<target> <name> <file> [GENERATED]): adds to <target> a source that defines
# `const std::string_view caos::assets::<name>` with the text of <file>, empty where there is
# no such file. Made anew when the file changes, appears or goes. GENERATED: the build makes the
# file, by a command of the same folder.
#
# Run as a script (cmake -DNAME= -DFILE= -DOUTPUT= -P embed.cmake), it writes that source.

if(CMAKE_SCRIPT_MODE_FILE)
  set(text "")
  if(EXISTS "${FILE}")
    file(READ "${FILE}" text)
  endif()
  file(WRITE "${OUTPUT}"
    "#include <string_view>\n\n"
    "namespace caos::assets {\n"
    "extern const std::string_view ${NAME};\n"
    "const std::string_view ${NAME} = R\"caos_asset(${text})caos_asset\";\n"
    "}  // namespace caos::assets\n")
  return()
endif()

set(CAOS_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(caos_embed target name path)
  if("GENERATED" IN_LIST ARGN)
    set(found ${path})
  else()
    # A pattern, though of one file: ninja then looks at each build whether it has come or gone.
    file(GLOB found CONFIGURE_DEPENDS ${path})
  endif()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/assets/${name}.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DFILE=${found} -DOUTPUT=${output}
      -P ${CAOS_EMBED_SCRIPT}
    DEPENDS ${found} ${CAOS_EMBED_SCRIPT} COMMENT "Embedding ${name}" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
