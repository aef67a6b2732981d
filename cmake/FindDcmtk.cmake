# Finds the parts of DCMTK, Debian's libdcmtk-dev, that read images; its package configuration requires
# all of it. Gives the target Dcmtk.
find_path(Dcmtk_INCLUDE_DIR dcmtk/dcmimgle/dcmimage.h)
set(libraries)
foreach(part dcmjpeg ijg8 ijg12 ijg16 dcmimage dcmimgle dcmdata oflog ofstd)
  find_library(Dcmtk_${part} ${part})
  mark_as_advanced(Dcmtk_${part})
  list(APPEND libraries Dcmtk_${part})
endforeach()
mark_as_advanced(Dcmtk_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Dcmtk REQUIRED_VARS Dcmtk_INCLUDE_DIR ${libraries}
  REASON_FAILURE_MESSAGE "the studio will not read DICOM files, unless the Debian package libdcmtk-dev is installed")

if(Dcmtk_FOUND AND NOT TARGET Dcmtk)
  add_library(Dcmtk INTERFACE IMPORTED)
  target_include_directories(Dcmtk SYSTEM INTERFACE ${Dcmtk_INCLUDE_DIR})
  foreach(library IN LISTS libraries)
    target_link_libraries(Dcmtk INTERFACE ${${library}})
  endforeach()
endif()
