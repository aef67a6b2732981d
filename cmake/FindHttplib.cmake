# Finds cpp-httplib, Debian's libcpp-httplib-dev, compiled with TLS. Gives the target Httplib.
find_path(Httplib_INCLUDE_DIR httplib.h)
find_library(Httplib_LIBRARY cpp-httplib)
mark_as_advanced(Httplib_INCLUDE_DIR Httplib_LIBRARY)
find_package(OpenSSL QUIET)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Httplib
  REQUIRED_VARS Httplib_INCLUDE_DIR Httplib_LIBRARY OPENSSL_FOUND
  REASON_FAILURE_MESSAGE "install the Debian packages libcpp-httplib-dev and libssl-dev")

if(Httplib_FOUND AND NOT TARGET Httplib)
  add_library(Httplib INTERFACE IMPORTED)
  target_include_directories(Httplib SYSTEM INTERFACE ${Httplib_INCLUDE_DIR})
  target_compile_definitions(Httplib INTERFACE CPPHTTPLIB_OPENSSL_SUPPORT)
  target_link_libraries(Httplib INTERFACE ${Httplib_LIBRARY} OpenSSL::SSL OpenSSL::Crypto)
endif()
