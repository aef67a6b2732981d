# Binary packages: `make package` (tools/package) builds
#   caos_<version>_<machine>.deb       the program; what it needs comes from Debian
#   caos-dev_<version>_<machine>.deb   library and headers, to build programs with
#   caos-<version>-<machine>.tar.gz    the program with the libraries that it needs, to unpack anywhere
set(CPACK_PACKAGE_NAME caos)
set(CPACK_PACKAGE_VENDOR "The caos authors")
set(CPACK_PACKAGE_CONTACT "The caos authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "prediction sets with a guarantee from one-shot predictors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/build/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package/generator.cmake)
set(CPACK_GENERATOR DEB TGZ)

set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME caos)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_SOURCE_DIR}/deps/llama/lib)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS openmpi-bin)
# CPack sets the summary before it.
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "Every labeled example alone is a predictor; caos pools their scores,
calibrates by leaving each example out in turn, and returns sets of labels
that contain the truth with a probability of at least 1 - alpha, for landmarks
in images, for texts, and for scores of any model. Its web page labels and
reviews images without a network.")

# The dependencies of its package configuration, by Debian package name; libraries that Debian lacks are
# in the program's package.
set(needed libcairo2-dev libfmt-dev libfreetype-dev libhwy-dev libicu-dev nlohmann-json3-dev libpng-dev
  libtiff-dev libturbojpeg0-dev libwebp-dev libcpp-httplib-dev libssl-dev libsqlite3-dev)
if(MPI_CXX_FOUND)
  list(APPEND needed libopenmpi-dev)
endif()
list(JOIN needed ", " needed)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME caos-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "caos (= ${PROJECT_VERSION}), ${needed}")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Headers, static library and package configuration, to build programs that
use caos.")

include(CPack)
