#include "bindings/python/objects/prediction_sets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "caos/error.hpp"
#include "caos/evaluation.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

Indices members(const bool* row, std::size_t num_labels) {
  Indices set;
  for (Label y = 0; y < num_labels; ++y) {
    if (row[y]) set.push_back(y);
  }
  return set;
}

py::dict numbers_by_name(const py::tuple& names) {
  py::dict numbers;
  for (std::size_t y = 0; y < names.size(); ++y) numbers[names[y]] = y;
  return numbers;
}

/// `unlisted_label` for a name that no label has.
std::vector<Label> numbers_of_names(py::handle labels, const py::tuple& names) {
  const py::dict numbers = numbers_by_name(names);
  std::vector<Label> result;
  for (const py::handle label : labels) {
    result.push_back(numbers.contains(label) ? numbers[label].cast<Label>() : unlisted_label);
  }
  return result;
}

}  // namespace

py::object PredictionSets::labels(py::ssize_t i) const {
  const std::size_t place = index_of(i, size(), "sets");
  const Indices set = members(mask.data(place, 0), static_cast<std::size_t>(mask.shape(1)));
  if (label_names.is_none()) return array_of(set);
  py::list names;
  for (const Label y : set) names.append(label_names[py::int_(y)]);
  return names;
}

py::array_t<std::int64_t> PredictionSets::sizes() const {
  py::array_t<std::int64_t> result(mask.shape(0));
  const auto num_labels = static_cast<std::ptrdiff_t>(mask.shape(1));
  for (py::ssize_t i = 0; i < mask.shape(0); ++i) {
    const bool* const row = mask.data() + i * num_labels;
    result.mutable_at(i) = std::count(row, row + num_labels, true);
  }
  return result;
}

py::array_t<bool> PredictionSets::covers(const py::object& labels) const {
  const auto num_labels = static_cast<std::size_t>(mask.shape(1));
  std::vector<Label> truths;
  if (label_names.is_none()) {
    truths = labels_of(labels, size(), num_labels, "labels");
  } else {
    truths = numbers_of_names(labels, label_names);
    require(truths.size() == size(), ErrorKind::invalid_input, [&] {
      return fmt::format("labels: there are {}; expected {}, one per set", truths.size(), size());
    });
  }
  py::array_t<bool> result(mask.shape(0));
  for (std::size_t i = 0; i < truths.size(); ++i) {
    result.mutable_data()[i] =
        truths[i] != unlisted_label && mask.data()[i * num_labels + truths[i]];
  }
  return result;
}

std::string PredictionSets::text() const {
  const auto members = std::count(mask.data(), mask.data() + mask.size(), true);
  const double mean = size() == 0 ? 0 : static_cast<double>(members) / static_cast<double>(size());
  return fmt::format("PredictionSets({} inputs, {} labels, alpha {}, {}, mean size {:.3g}; {}{})",
                     size(), mask.shape(1), alpha.text(), method_name(method), mean,
                     guarantee.text(), feasible ? "" : "; alpha is infeasible");
}

PredictionSets PredictionSets::with_names(const py::object& names) const {
  PredictionSets result = *this;
  result.label_names = py::none();
  if (names.is_none()) return result;
  const py::tuple given(names);
  require(given.size() == static_cast<std::size_t>(mask.shape(1)), ErrorKind::invalid_input, [&] {
    return fmt::format("names: there are {}; expected {}, one per label", given.size(),
                       mask.shape(1));
  });
  require(numbers_by_name(given).size() == given.size(), ErrorKind::invalid_input,
          "names: two labels have the same name");
  result.label_names = given;
  return result;
}

PredictionSets join(const std::vector<PredictionSets>& blocks) {
  PredictionSets result = blocks.at(0);
  py::list masks;
  for (const PredictionSets& block : blocks) {
    masks.append(block.mask);
    result.feasible = result.feasible && block.feasible;
  }
  result.mask = py::module_::import("numpy").attr("concatenate")(masks);
  return result;
}

}  // namespace caos::python
