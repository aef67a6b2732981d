# Files as string_views of the library or the program, which then needs nothing beside it.
#
# caos_embed(<target> <name> <file> [GENERATED] [BINARY]): adds to <target> a source that defines
# `const std::string_view caos::assets::<name>` with the text of <file>, empty where there is
# no such file. Made anew when the file changes, appears or goes. GENERATED: the build makes the
# file, by a command of the same folder. BINARY: the file is not text.
#
# Run as a script (cmake -DNAME= -DFILE= -DBINARY= -DOUTPUT= -P embed.cmake), it writes that source.

if(CMAKE_SCRIPT_MODE_FILE)
  set(text "")
  if(BINARY)
    file(READ "${FILE}" digits HEX)
    string(LENGTH "${digits}" size)
    math(EXPR size "${size} / 2")
    string(REGEX REPLACE "(..)" "\\\\x\\1" escapes "${digits}")
    set(literal "std::string_view(\"${escapes}\", ${size})")
  else()
    if(EXISTS "${FILE}")
      file(READ "${FILE}" text)
    endif()
    set(literal "R\"caos_asset(${text})caos_asset\"")
  endif()
  file(WRITE "${OUTPUT}"
    "#include <string_view>\n\n"
    "namespace caos::assets {\n"
    "extern const std::string_view ${NAME};\n"
    "const std::string_view ${NAME} = ${literal};\n"
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
  set(binary OFF)
  if("BINARY" IN_LIST ARGN)
    set(binary ON)
  endif()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/assets/${name}.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DFILE=${found} -DBINARY=${binary} -DOUTPUT=${output}
      -P ${CAOS_EMBED_SCRIPT}
    DEPENDS ${found} ${CAOS_EMBED_SCRIPT} COMMENT "Embedding ${name}" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
