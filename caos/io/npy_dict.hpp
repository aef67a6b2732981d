#pragma once

#include <string>
#include <string_view>

#include "caos/io/npy_header.hpp"

// The Python dictionary at the front of an .npy file; not for users of the library.
namespace caos::io {

struct NpyDict {
  std::string descr;
  bool fortran_order = false;
  Shape shape;
};

/// Reads the three entries in any order; what else Python could write there is an Error bad_format.
[[nodiscard]] NpyDict parse_npy_dict(std::string_view text, const std::string& name);

/// The text with whatever is not printable ASCII as '?', cut to a length that fits into an error.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace caos::io
