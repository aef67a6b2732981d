# Finds libwebp's decoder, of Debian's libwebp-dev, which has no package configuration. Gives the target
# WebPDecoder.
find_path(WebPDecoder_INCLUDE_DIR webp/decode.h)
find_library(WebPDecoder_LIBRARY webp)
mark_as_advanced(WebPDecoder_INCLUDE_DIR WebPDecoder_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(WebPDecoder
  REQUIRED_VARS WebPDecoder_INCLUDE_DIR WebPDecoder_LIBRARY
  REASON_FAILURE_MESSAGE "install the Debian package libwebp-dev")

if(WebPDecoder_FOUND AND NOT TARGET WebPDecoder)
  add_library(WebPDecoder INTERFACE IMPORTED)
  target_include_directories(WebPDecoder SYSTEM INTERFACE ${WebPDecoder_INCLUDE_DIR})
  target_link_libraries(WebPDecoder INTERFACE ${WebPDecoder_LIBRARY})
endif()
