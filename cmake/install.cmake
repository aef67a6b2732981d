# What `cmake --install` puts where, in components: `program` is the program, `development` what
# find_package(caos) needs for the target caos::caos, `libraries` (only by name) the shared libraries of
# this machine that the program needs, for an archive that runs elsewhere.
include(CMakePackageConfigHelpers)

set(CAOS_PRIVATE_LIBRARIES ${CMAKE_INSTALL_LIBDIR}/caos)
set(CAOS_LICENSES ${CMAKE_INSTALL_DATADIR}/doc/caos)

if(CAOS_PROGRAM)
  install(TARGETS caos_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  # The program prints its manual and completions. (No variable here may have the name of a component:
  # CMake would use it as the component.)
  install(CODE "
    set(caos_file \"$<TARGET_FILE:caos_program>\")
    set(caos_tools \"${PROJECT_SOURCE_DIR}/tools\")
    set(caos_share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
    include(\"${PROJECT_SOURCE_DIR}/cmake/install_reference.cmake\")" COMPONENT program)
  install(CODE "
    execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/tools/bundle-libraries\"
      \"$<TARGET_FILE:caos_program>\"
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CAOS_PRIVATE_LIBRARIES}\"
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CAOS_LICENSES}/licenses\" COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT libraries EXCLUDE_FROM_ALL)
endif()
install(FILES deps/onnxruntime/lib/libonnxruntime.so.1 DESTINATION ${CAOS_PRIVATE_LIBRARIES}
  COMPONENT program OPTIONAL)
if(Llama_FOUND AND NOT TARGET llama)
  install(DIRECTORY deps/llama/lib/ DESTINATION ${CAOS_PRIVATE_LIBRARIES} COMPONENT program
    FILES_MATCHING PATTERN "*.so")
endif()
install(FILES cmake/package/copyright CITATION.cff DESTINATION ${CAOS_LICENSES} COMPONENT program)

install(FILES cmake/package/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/caos-dev COMPONENT development)
# Debian packages refer to the common text of the license.
install(FILES LICENSE DESTINATION ${CAOS_LICENSES} COMPONENT libraries EXCLUDE_FROM_ALL)

install(TARGETS caos EXPORT caosTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY include/caos DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.hpp")
install(EXPORT caosTargets NAMESPACE caos:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/caos
  COMPONENT development)

configure_package_config_file(cmake/caosConfig.cmake.in ${PROJECT_BINARY_DIR}/caosConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/caos)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/caosConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/caosConfig.cmake ${PROJECT_BINARY_DIR}/caosConfigVersion.cmake
  cmake/FindCairo.cmake cmake/FindTurboJpeg.cmake cmake/FindHdf5C.cmake cmake/FindHttplib.cmake
  cmake/FindLlama.cmake cmake/FindWebPDecoder.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/caos COMPONENT development)
