#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>
#include <vector>

#include "caos/guarantee.hpp"
#include "caos/method.hpp"
#include "caos/miscoverage.hpp"

namespace caos::python {

/// What `caos.PredictionSets` is: the sets of some inputs at one alpha, and their guarantee.
struct PredictionSets {
  pybind11::array_t<bool> mask{};  ///< [m, K]
  Miscoverage alpha;
  Method method = Method::caos;
  Guarantee guarantee{};
  bool feasible = true;
  pybind11::object label_names = pybind11::none();  ///< or a tuple of K names

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(mask.shape(0)); }

  /// The labels in the set of input `i`, which counts from the end where it is negative: numbers,
  /// or names where there are names.
  [[nodiscard]] pybind11::object labels(pybind11::ssize_t i) const;
  [[nodiscard]] pybind11::array_t<std::int64_t> sizes() const;
  /// For each input whether its set holds the label.
  [[nodiscard]] pybind11::array_t<bool> covers(const pybind11::object& labels) const;
  [[nodiscard]] std::string text() const;
  /// The same sets of labels with these names, K of them, all different; or of numbers (None).
  [[nodiscard]] PredictionSets with_names(const pybind11::object& names) const;
};

/// The sets of several blocks of inputs at one alpha, in order. Requires at least one block.
[[nodiscard]] PredictionSets join(const std::vector<PredictionSets>& blocks);

}  // namespace caos::python
