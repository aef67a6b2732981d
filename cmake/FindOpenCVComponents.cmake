# Finds parts of OpenCV, as Debian's component packages bring them: headers and libraries, but no package
# configuration. Gives a target OpenCVComponents::<component> for each component asked for.
foreach(component IN LISTS OpenCVComponents_FIND_COMPONENTS)
  find_path(OpenCVComponents_${component}_INCLUDE_DIR opencv2/${component}.hpp PATH_SUFFIXES opencv4)
  find_library(OpenCVComponents_${component}_LIBRARY opencv_${component})
  mark_as_advanced(OpenCVComponents_${component}_INCLUDE_DIR OpenCVComponents_${component}_LIBRARY)
  if(OpenCVComponents_${component}_INCLUDE_DIR AND OpenCVComponents_${component}_LIBRARY)
    set(OpenCVComponents_${component}_FOUND TRUE)
  endif()
endforeach()

list(TRANSFORM OpenCVComponents_FIND_COMPONENTS REPLACE "(.+)" "libopencv-\\1-dev"
  OUTPUT_VARIABLE packages)
list(JOIN packages ", " packages)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCVComponents HANDLE_COMPONENTS
  REASON_FAILURE_MESSAGE "install the Debian packages ${packages}")
unset(packages)

foreach(component IN LISTS OpenCVComponents_FIND_COMPONENTS)
  if(OpenCVComponents_${component}_FOUND AND NOT TARGET OpenCVComponents::${component})
    add_library(OpenCVComponents::${component} INTERFACE IMPORTED)
    target_include_directories(OpenCVComponents::${component}
      SYSTEM INTERFACE ${OpenCVComponents_${component}_INCLUDE_DIR})
    target_link_libraries(OpenCVComponents::${component}
      INTERFACE ${OpenCVComponents_${component}_LIBRARY})
  endif()
endforeach()
