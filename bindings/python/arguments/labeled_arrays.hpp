#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "bindings/python/arguments/arrays.hpp"
#include "caos/calibration.hpp"
#include "caos/grouping.hpp"

namespace caos::python {

/// Labeled examples as a user gives them: scores [n, K, n] with labels, or own scores [n, n] with
/// labels or without.
class LabeledArrays {
 public:
  /// `labels` may be None beside own scores; `num_labels` is K where it is known from elsewhere.
  LabeledArrays(pybind11::handle labeled, pybind11::handle labels, std::size_t num_labels = 0);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const std::vector<Label>& labels() const { return labels_; }
  /// K; 0 where own scores were given alone: there may be more labels than theirs.
  [[nodiscard]] std::size_t num_labels() const { return num_labels_; }
  /// All scores; nothing where only own scores were given. Looks into this object's array.
  [[nodiscard]] std::optional<ScoreTensor> tensor() const;
  /// Needs no GIL.
  [[nodiscard]] OwnScores own() const;

  /// None, 'labels', or one whole number each; where K is unknown, `num_labels` tells it, or the
  /// largest label if that is 0.
  [[nodiscard]] Grouping grouping(const pybind11::object& groups, std::size_t num_labels = 0) const;

 private:
  RealArray scores_;
  bool is_tensor_;
  std::size_t size_;
  std::size_t num_labels_;
  std::vector<Label> labels_;
};

}  // namespace caos::python
