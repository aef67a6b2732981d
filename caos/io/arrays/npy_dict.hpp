#pragma once

#include <string>
#include <string_view>

#include "caos/io/arrays/shape.hpp"

// The Python dictionary at the front of an .npy file; not for users of the library.
namespace caos::io {

struct NpyDict {
  std::string descr;
  bool fortran_order = false;
  Shape shape;
};

/// Reads the three entries in any order; what else Python could write there is an Error bad_format.
[[nodiscard]] NpyDict parse_npy_dict(std::string_view text, const std::string& name);

}  // namespace caos::io
