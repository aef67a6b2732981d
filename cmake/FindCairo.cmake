# Finds Cairo, Debian's libcairo2-dev, which has no package configuration. Gives the target Cairo.
find_path(Cairo_INCLUDE_DIR cairo.h PATH_SUFFIXES cairo)
find_library(Cairo_LIBRARY cairo)
mark_as_advanced(Cairo_INCLUDE_DIR Cairo_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Cairo REQUIRED_VARS Cairo_INCLUDE_DIR Cairo_LIBRARY
  REASON_FAILURE_MESSAGE "install the Debian package libcairo2-dev")

if(Cairo_FOUND AND NOT TARGET Cairo)
  add_library(Cairo INTERFACE IMPORTED)
  target_include_directories(Cairo SYSTEM INTERFACE ${Cairo_INCLUDE_DIR})
  target_link_libraries(Cairo INTERFACE ${Cairo_LIBRARY})
endif()
