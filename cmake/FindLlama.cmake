# Finds llama.cpp: an installed one, or the one from tools/fetch-npm. Gives the target Llama.
find_package(llama CONFIG QUIET)
if(TARGET llama)
  set(Llama_LIBRARY llama)
  set(Llama_INCLUDE_DIR ${LLAMA_INCLUDE_DIR})
else()
  # The folder of tools/fetch-npm, and where caos installs the libraries.
  set(places ${CMAKE_CURRENT_LIST_DIR}/../deps/llama/lib ${CMAKE_CURRENT_LIST_DIR}/../../caos)
  find_path(Llama_INCLUDE_DIR llama.h
    HINTS ${CMAKE_CURRENT_LIST_DIR}/../deps/llama/include NO_DEFAULT_PATH)
  find_library(Llama_LIBRARY libllama.v0.5.0.so HINTS ${places} NO_DEFAULT_PATH)
  find_library(Llama_GGML libggml.v0.5.0.so HINTS ${places} NO_DEFAULT_PATH)
  find_library(Llama_GGML_BASE libggml-base.so HINTS ${places} NO_DEFAULT_PATH)
  mark_as_advanced(Llama_INCLUDE_DIR Llama_LIBRARY Llama_GGML Llama_GGML_BASE)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Llama REQUIRED_VARS Llama_LIBRARY
  REASON_FAILURE_MESSAGE "no llama: model will be there, unless tools/setup fetches it")

if(Llama_FOUND AND NOT TARGET Llama)
  add_library(Llama INTERFACE IMPORTED)
  if(TARGET llama)
    target_link_libraries(Llama INTERFACE llama)
  else()
    target_link_libraries(Llama INTERFACE ${Llama_LIBRARY} ${Llama_GGML} ${Llama_GGML_BASE})
  endif()
  if(Llama_INCLUDE_DIR)
    target_include_directories(Llama SYSTEM INTERFACE ${Llama_INCLUDE_DIR})
  endif()
endif()
