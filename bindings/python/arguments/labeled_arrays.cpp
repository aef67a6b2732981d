#include "bindings/python/arguments/labeled_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bindings/python/arguments/grouping_argument.hpp"
#include "caos/error.hpp"
#include "caos/io/artifact.hpp"

namespace caos::python {
namespace py = pybind11;

LabeledArrays::LabeledArrays(py::handle labeled, py::handle labels, std::size_t num_labels)
    : scores_(labeled, "labeled"),
      is_tensor_(scores_.ndim() != 2),
      size_(scores_.ndim() == 0 ? 0 : scores_.shape(0)),
      num_labels_(num_labels) {
  if (is_tensor_) {
    const ScoreTensor scores = scores_.tensor();
    require(!labels.is_none(), ErrorKind::invalid_input,
            "labeled with three dimensions needs labels, the label of each labeled example");
    check_labeled(scores);
    require(num_labels == 0 || num_labels == scores.num_labels, ErrorKind::invalid_input, [&] {
      return fmt::format("num_labels: is {}; labeled has {}", num_labels, scores.num_labels);
    });
    num_labels_ = scores.num_labels;
  }
  if (labels.is_none()) return;
  labels_ = labels_of(labels, size_, num_labels_ > 0 ? num_labels_ : io::max_labels, "labels");
}

std::optional<ScoreTensor> LabeledArrays::tensor() const {
  return is_tensor_ ? std::optional(scores_.tensor()) : std::nullopt;
}

OwnScores LabeledArrays::own() const {
  if (is_tensor_) return OwnScores::of_labeled(scores_.tensor(), labels_);
  return OwnScores(scores_.rows(), scores_.name());
}

Grouping LabeledArrays::grouping(const py::object& groups, std::size_t num_labels) const {
  if (num_labels_ > 0) num_labels = num_labels_;
  if (num_labels == 0 && !labels_.empty()) num_labels = *std::ranges::max_element(labels_) + 1;
  return grouping_of(groups, labels_, size_, num_labels);
}

}  // namespace caos::python
