#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <functional>

#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/predict_arrays.hpp"
#include "caos/error.hpp"
#include "caos/numerics/check_scores.hpp"

/// What `caos.scorers` is made of besides what users see.
namespace caos::python {
namespace py = pybind11;
namespace {

/// `place(r)` says whose scores row r holds, for the error.
void check_score_rows(const py::object& scores,
                      const std::function<std::string(std::size_t)>& place) {
  const RealArray array(scores, "scores");
  require_dimensions(array.array(), 2, "scores", "rows x labels");
  const std::vector<Score> values = array.widened();
  const std::size_t cols = array.shape(1);
  for (std::size_t r = 0; r < array.shape(0); ++r) {
    const auto row = std::span(values).subspan(r * cols, cols);
    if (!std::ranges::all_of(row, is_score)) check_scores(row, place(r));
  }
}

/// float64, to the last bit what was given; refuses other things than arrays of numbers.
py::array_t<double> real_numbers(const py::object& object, const std::string& name) {
  return py::array_t<double>(RealArray(object, name).array());
}

py::array_t<std::int64_t> whole_numbers(const py::object& object, const std::string& name) {
  const std::vector<std::int64_t> values = integers_of(object, name);
  return py::array_t<std::int64_t>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::tuple predict_block(const CalibratedScores& calibration, const py::object& test,
                        const py::object& alpha, const std::string& method,
                        const py::object& reverse, bool symmetric, const py::object& groups) {
  QuietSets result = predict_quietly(
      calibration, test, alpha,
      {.method = method, .reverse = reverse, .symmetric = symmetric, .groups = groups});
  return py::make_tuple(std::move(result.sets), std::move(result.warnings), result.single);
}

}  // namespace

void register_scorers(py::module_& module) {
  module.def("check_score_rows", &check_score_rows, py::arg("scores"), py::arg("place"),
             "Raise ValueError for the first of the rows that holds an invalid score.");
  module.def("real_numbers", &real_numbers, py::arg("object"), py::arg("name"),
             "Numbers of any array as float64, exactly; errors call them by name.");
  module.def("whole_numbers", &whole_numbers, py::arg("object"), py::arg("name"),
             "Whole numbers of any array with one dimension; errors call them by name.");
  module.def("predict_block", &predict_block, py::arg("calibration"), py::arg("test"),
             py::arg("alpha"), py::kw_only(), py::arg("method"), py::arg("reverse"),
             py::arg("symmetric"), py::arg("groups"),
             "Sets per alpha, what to warn of, and whether alpha was one number.");
  module.def(
      "join_sets",
      [](const std::vector<PredictionSets>& blocks) {
        require(!blocks.empty(), ErrorKind::invalid_input, "blocks: the list is empty");
        return join(blocks);
      },
      py::arg("blocks"), "The sets of several blocks of inputs as one.");
}

}  // namespace caos::python
