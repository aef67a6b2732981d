# Finds libjpeg-turbo's native API, Debian's libturbojpeg0-dev. Gives the target TurboJpeg.
find_path(TurboJpeg_INCLUDE_DIR turbojpeg.h)
find_library(TurboJpeg_LIBRARY turbojpeg)
mark_as_advanced(TurboJpeg_INCLUDE_DIR TurboJpeg_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(TurboJpeg REQUIRED_VARS TurboJpeg_INCLUDE_DIR TurboJpeg_LIBRARY
  REASON_FAILURE_MESSAGE "install the Debian package libturbojpeg0-dev")

if(TurboJpeg_FOUND AND NOT TARGET TurboJpeg)
  add_library(TurboJpeg INTERFACE IMPORTED)
  target_include_directories(TurboJpeg SYSTEM INTERFACE ${TurboJpeg_INCLUDE_DIR})
  target_link_libraries(TurboJpeg INTERFACE ${TurboJpeg_LIBRARY})
endif()
