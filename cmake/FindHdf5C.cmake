# Finds the serial HDF5 library for C, Debian's libhdf5-dev, without the compiler wrapper that CMake's own module runs.
# Gives the target Hdf5C, which links it; Hdf5C_INCLUDE_DIR is for the one source that includes it.
find_path(Hdf5C_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(Hdf5C_LIBRARY NAMES hdf5_serial hdf5)
mark_as_advanced(Hdf5C_INCLUDE_DIR Hdf5C_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hdf5C REQUIRED_VARS Hdf5C_INCLUDE_DIR Hdf5C_LIBRARY
  REASON_FAILURE_MESSAGE "install the Debian package libhdf5-dev")

if(Hdf5C_FOUND AND NOT TARGET Hdf5C)
  add_library(Hdf5C INTERFACE IMPORTED)
  target_link_libraries(Hdf5C INTERFACE ${Hdf5C_LIBRARY})
endif()
