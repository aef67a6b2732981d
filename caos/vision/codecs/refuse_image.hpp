#pragma once

#include <string>

#include "caos/error.hpp"

// For the errors of this module; not for users of the library.
namespace caos::vision {

/// Throws an Error bad_format that says what is wrong with the image called `name`.
[[noreturn]] inline void refuse(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::bad_format, name + ": " + what);
}

}  // namespace caos::vision
