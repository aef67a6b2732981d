#include <vector>

#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/module/register.hpp"
#include "caos/calibration.hpp"
#include "caos/scorers/vector_distance.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

/// Rows in float64: borrowed where they are so already.
class Rows {
 public:
  Rows(py::handle object, const char* name) : array_(object, name) {
    require_dimensions(array_.array(), 2, name, "rows x features");
    if (array_.is_float32()) widened_ = array_.widened();
  }

  [[nodiscard]] MatrixView<const double> view() const {
    const auto* const values =
        array_.is_float32() ? widened_.data() : static_cast<const double*>(array_.array().data());
    return {values, array_.shape(0), array_.shape(1)};
  }

 private:
  RealArray array_;
  std::vector<double> widened_;
};

py::array_t<double> distance_array(const py::object& x, const py::object& references,
                                   std::int64_t threads) {
  const std::size_t count = count_of(threads, "threads");
  const Rows rows(x, "x");
  const Rows others(references, "references");
  Matrix<Score> result;
  {
    const py::gil_scoped_release released;
    result = distances(rows.view(), others.view(), count);
  }
  return array_of(std::as_const(result).view());
}

}  // namespace

void register_distance(py::module_& module) {
  module.def(
      "distances", &distance_array, py::arg("x"), py::arg("references"), py::kw_only(),
      py::arg("threads") = CalibrationOptions{}.threads,
      R"(The Euclidean distance of every row of x from every row of references, [x, references].

x: rows x features.
references: rows x features, as many features.
threads: 0 means one per core; results do not depend on it.

Float64 sums in one fixed order: exchanging x and references transposes the result to the bit, and
how rows are split into calls does not matter.)");
}

}  // namespace caos::python
