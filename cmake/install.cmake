# find_package(caos) gives the target caos::caos.
include(CMakePackageConfigHelpers)

install(TARGETS caos EXPORT caosTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(CAOS_PROGRAM)
  install(TARGETS caos_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES deps/onnxruntime/lib/libonnxruntime.so.1 DESTINATION ${CMAKE_INSTALL_LIBDIR}/caos OPTIONAL)
if(Llama_FOUND AND NOT TARGET llama)
  install(DIRECTORY deps/llama/lib/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/caos FILES_MATCHING PATTERN "*.so")
endif()
install(DIRECTORY caos DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT caosTargets NAMESPACE caos:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/caos)

configure_package_config_file(cmake/caosConfig.cmake.in ${PROJECT_BINARY_DIR}/caosConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/caos)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/caosConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/caosConfig.cmake ${PROJECT_BINARY_DIR}/caosConfigVersion.cmake
  cmake/FindOpenCVComponents.cmake cmake/FindTurboJpeg.cmake cmake/FindHttplib.cmake
  cmake/FindLlama.cmake cmake/FindWebPDecoder.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/caos)
