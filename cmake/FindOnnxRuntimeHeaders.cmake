# Finds the headers of ONNX Runtime: from tools/fetch-npm, or the system's. The library
# itself is not linked but loaded at run time. Sets OnnxRuntimeHeaders_INCLUDE_DIR.
find_path(OnnxRuntimeHeaders_INCLUDE_DIR onnxruntime_cxx_api.h
  HINTS ${CMAKE_CURRENT_LIST_DIR}/../deps/onnxruntime/include
  PATH_SUFFIXES onnxruntime onnxruntime/core/session)
mark_as_advanced(OnnxRuntimeHeaders_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OnnxRuntimeHeaders
  REQUIRED_VARS OnnxRuntimeHeaders_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "no onnx: backbone will be there, unless tools/setup fetches them")
