# Finds the parts of OpenCV that caos uses, as Debian's component packages bring them: headers and
# libraries, but no package configuration. Gives the target OpenCVComponents.
find_path(OpenCVComponents_INCLUDE_DIR opencv2/imgcodecs.hpp PATH_SUFFIXES opencv4)
set(OpenCVComponents_LIBRARIES)
set(OpenCVComponents_NEEDED)
foreach(component core imgproc imgcodecs)
  find_library(OpenCVComponents_${component} opencv_${component})
  mark_as_advanced(OpenCVComponents_${component})
  list(APPEND OpenCVComponents_NEEDED OpenCVComponents_${component})
  list(APPEND OpenCVComponents_LIBRARIES ${OpenCVComponents_${component}})
endforeach()
mark_as_advanced(OpenCVComponents_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCVComponents
  REQUIRED_VARS OpenCVComponents_INCLUDE_DIR ${OpenCVComponents_NEEDED}
  REASON_FAILURE_MESSAGE
    "install the Debian packages libopencv-core-dev, libopencv-imgproc-dev and libopencv-imgcodecs-dev")

if(OpenCVComponents_FOUND AND NOT TARGET OpenCVComponents)
  add_library(OpenCVComponents INTERFACE IMPORTED)
  target_include_directories(OpenCVComponents SYSTEM INTERFACE ${OpenCVComponents_INCLUDE_DIR})
  target_link_libraries(OpenCVComponents INTERFACE ${OpenCVComponents_LIBRARIES})
endif()
