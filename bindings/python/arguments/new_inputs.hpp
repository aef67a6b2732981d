#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "bindings/python/arguments/arrays.hpp"
#include "caos/test_inputs.hpp"

namespace caos::python {

/// Scores of new inputs as a user gives them, with the arrays that they lie in.
class NewInputs {
 public:
  /// `reverse` and `groups` may be None. `groups_name` is what errors call the latter.
  NewInputs(pybind11::handle test, pybind11::handle reverse, bool symmetric,
            pybind11::handle groups, const char* groups_name = "groups");

  /// Valid as long as this object lives.
  [[nodiscard]] const TestInputs& inputs() const { return inputs_; }

 private:
  RealArray test_;
  std::optional<RealArray> reverse_;
  TestInputs inputs_;
};

}  // namespace caos::python
