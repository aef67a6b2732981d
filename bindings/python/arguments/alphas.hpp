#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "caos/miscoverage.hpp"

namespace caos::python {

/// One alpha, or several, as a user gives them.
struct Alphas {
  std::vector<Miscoverage> values{};
  bool single = false;  ///< a number by itself: the answer is one, too, and no list

  explicit Alphas(pybind11::handle object);

  /// Each once, in the order in which they were given.
  [[nodiscard]] std::vector<Miscoverage> distinct() const;
};

/// A number means the shortest decimal that prints as it; a text, Decimal or NumPy scalar the
/// decimal that it is written as.
[[nodiscard]] Miscoverage alpha_of(pybind11::handle object);

/// The alphas of evaluations by default, as a tuple of floats.
[[nodiscard]] pybind11::tuple usual_alphas();

}  // namespace caos::python
