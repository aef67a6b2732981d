# Installs the build into a fresh prefix and builds README's C++ example against it.
#   cmake -DBUILD=<build folder> -DWORK=<scratch folder> -DSOURCE=<this folder> -P consumer.cmake
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/source)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
file(COPY ${SOURCE}/consumer/CMakeLists.txt DESTINATION ${WORK}/source)

# The first C++ block of the README is the consumer's program.
file(READ ${SOURCE}/../../README.md readme)
string(REGEX MATCH "```cpp\n([^`]*)```" unused "${readme}")
if(NOT CMAKE_MATCH_1)
  message(FATAL_ERROR "README.md has no C++ example")
endif()
file(WRITE ${WORK}/source/consumer.cpp "${CMAKE_MATCH_1}")

run(${CMAKE_COMMAND} -S ${WORK}/source -B ${WORK}/build -G Ninja
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_BUILD_TYPE=Release ${EXTRA_ARGS})
run(${CMAKE_COMMAND} --build ${WORK}/build)
execute_process(COMMAND ${WORK}/build/consumer OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "consumer printed: ${printed}")

# The example's comment promises what it prints.
string(REGEX MATCH "// prints: ([^\n]*)\n" unused "${readme}")
set(promised "${CMAKE_MATCH_1}")
string(STRIP "${printed}" printed)
if(promised STREQUAL "" OR NOT printed STREQUAL promised)
  message(FATAL_ERROR "the example printed '${printed}'; README.md promises '${promised}'")
endif()
