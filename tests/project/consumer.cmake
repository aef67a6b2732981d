# Installs the build into a fresh prefix and builds the C++ example of docs/start/cpp.md and examples/cpp against it.
#   cmake -DBUILD=<build folder> -DWORK=<scratch folder> -DSOURCE=<this folder> -P consumer.cmake
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/source)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
file(COPY ${SOURCE}/consumer/CMakeLists.txt DESTINATION ${WORK}/source)

# The C++ block of docs/start/cpp.md is the consumer's program.
file(READ ${SOURCE}/../../docs/start/cpp.md page)
string(REGEX MATCH "```cpp\n([^`]*)```" unused "${page}")
if(NOT CMAKE_MATCH_1)
  message(FATAL_ERROR "docs/start/cpp.md has no C++ example")
endif()
file(WRITE ${WORK}/source/consumer.cpp "${CMAKE_MATCH_1}")

function(build source folder)
  run(${CMAKE_COMMAND} -S ${source} -B ${folder} -G Ninja
    -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_BUILD_TYPE=Release ${EXTRA_ARGS})
  run(${CMAKE_COMMAND} --build ${folder})
endfunction()

build(${WORK}/source ${WORK}/build)
execute_process(COMMAND ${WORK}/build/consumer OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "consumer printed: ${printed}")

# The example's comment says what it prints.
string(REGEX MATCH "// prints: ([^\n]*)\n" unused "${page}")
set(expected "${CMAKE_MATCH_1}")
string(STRIP "${printed}" printed)
if(expected STREQUAL "" OR NOT printed STREQUAL expected)
  message(FATAL_ERROR "the example printed '${printed}'; docs/start/cpp.md says '${expected}'")
endif()

# Only the public headers are installed.
file(GLOB_RECURSE installed RELATIVE ${WORK}/prefix/include ${WORK}/prefix/include/*)
file(GLOB_RECURSE public RELATIVE ${SOURCE}/../../include ${SOURCE}/../../include/*.hpp)
if(NOT installed STREQUAL public)
  message(FATAL_ERROR "installed headers: ${installed}; expected: ${public}")
endif()

# expect_printed(pattern program arguments...): the program succeeds and prints a line like the pattern.
function(expect_printed pattern)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  if(NOT printed MATCHES "${pattern}")
    message(FATAL_ERROR "${ARGN} printed '${printed}'; expected '${pattern}'")
  endif()
endfunction()

set(examples ${WORK}/examples)
build(${SOURCE}/../../examples/cpp ${examples})
expect_printed("caos: coverage 0\\.9.*guarantee: marginal" ${examples}/arrays)
expect_printed("piazza: Italian\n" ${examples}/own_scorer)
run(${WORK}/prefix/bin/caos landmarks synthesize -o ${WORK}/faces --n 12 --new 1)
file(GLOB new ${WORK}/faces/new/*)
expect_printed("near \\([0-9]+, [0-9]+\\), in a region of [1-9].*guarantee: marginal"
  ${examples}/find_landmarks ${WORK}/faces/labeled ${WORK}/faces/labeled.csv ${new})
