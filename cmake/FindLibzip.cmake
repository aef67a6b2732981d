# Finds libzip, Debian's libzip-dev, whose package configuration also requires its programs. Gives
# the target Libzip.
find_path(Libzip_INCLUDE_DIR zip.h)
find_library(Libzip_LIBRARY zip)
mark_as_advanced(Libzip_INCLUDE_DIR Libzip_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libzip REQUIRED_VARS Libzip_INCLUDE_DIR Libzip_LIBRARY
  REASON_FAILURE_MESSAGE "install the Debian package libzip-dev")

if(Libzip_FOUND AND NOT TARGET Libzip)
  add_library(Libzip INTERFACE IMPORTED)
  target_include_directories(Libzip SYSTEM INTERFACE ${Libzip_INCLUDE_DIR})
  target_link_libraries(Libzip INTERFACE ${Libzip_LIBRARY})
endif()
