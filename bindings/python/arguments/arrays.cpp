#include "bindings/python/arguments/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <new>
#include <numeric>

#include "bindings/python/module/errors.hpp"
#include "caos/calibration.hpp"
#include "caos/error.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

/// NPY_ARRAY_ALIGNED, which pybind11 does not name.
constexpr int aligned = 0x0100;

template <typename T>
using Contiguous = py::array_t<T, py::array::c_style | py::array::forcecast | aligned>;

py::object numpy(const char* function) { return py::module_::import("numpy").attr(function); }

std::string element_name(const py::array& array) {
  return py::str(array.dtype()).cast<std::string>();
}

[[noreturn]] void refuse_type(const std::string& name, const py::array& array,
                              const char* expected) {
  throw Error(ErrorKind::invalid_input,
              fmt::format("{}: holds {}; expected {}", name, element_name(array), expected));
}

template <typename T>
py::array contiguous(const py::array& array) {
  py::array result = Contiguous<T>::ensure(array);
  if (!result) throw std::bad_alloc();  // numbers always convert; what can be missing is memory
  return result;
}

/// Whole numbers beyond 2^53 have no float64 of their own, and may round to 2^53.
py::array widened_integers(const py::array& array, const std::string& name) {
  py::array result = contiguous<double>(array);
  const auto* const values = static_cast<const double*>(result.data());
  const bool exact = std::all_of(values, values + result.size(),
                                 [](double value) { return -0x1p53 < value && value < 0x1p53; });
  require(exact, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: holds whole numbers of 2^53 or more, not exact as scores; scale them",
                       name);
  });
  return result;
}

/// As float32 or float64.
py::array real_array(const py::array& array, const std::string& name) {
  const char kind = array.dtype().kind();
  const auto bytes = array.itemsize();
  if (kind == 'f' && bytes <= 4) return contiguous<float>(array);
  if (kind == 'f' && bytes == 8) return contiguous<double>(array);
  if (kind == 'i' || kind == 'u') return widened_integers(array, name);
  refuse_type(name, array, "float32, float64, float16 or whole numbers");
}

std::vector<std::size_t> shape_of(const py::array& array) {
  return {array.shape(), array.shape() + array.ndim()};
}

py::array integer_array(py::handle object, const std::string& name) {
  const py::array array = as_array(object, name);
  const char kind = array.dtype().kind();
  // An empty list has no type of its own; NumPy calls it float64.
  if (kind != 'i' && kind != 'u' && array.size() > 0) {
    refuse_type(name, array, "whole numbers");
  }
  if (kind == 'u' && array.itemsize() == 8 && array.size() > 0) {
    const auto largest = array.attr("max")().cast<std::uint64_t>();
    require(largest <= std::numeric_limits<std::int64_t>::max(), ErrorKind::invalid_input, [&] {
      return fmt::format("{}: holds {}; expected whole numbers below 2^63", name, largest);
    });
  }
  return contiguous<std::int64_t>(array);
}

template <typename T, typename U>
py::array_t<T> copy_of(std::span<const U> values) {
  py::array_t<T> result(static_cast<py::ssize_t>(values.size()));
  std::ranges::transform(values, result.mutable_data(), [](U v) { return static_cast<T>(v); });
  return result;
}

/// A NumPy array itself, not of a class derived from it: no further question.
bool is_plain_array(py::handle object) {
  return Py_TYPE(object.ptr()) == py::detail::npy_api::get().PyArray_Type_;
}

/// The memory of a masked array holds the values under the mask.
void refuse_masked(py::handle object, const std::string& name) {
  if (!py::isinstance<py::array>(object)) return;
  const bool masked = py::isinstance(object, numpy("ma").attr("MaskedArray"));
  require(!masked, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: is a masked array; give the values to use instead, such as {}", name,
                       "numpy.ma.filled(array, numpy.inf) for scores");
  });
}

/// A NumPy array of something else; what goes wrong on the way becomes a ValueError with the name.
py::object converted(py::handle object, const std::string& name) {
  const bool only_dlpack = !py::hasattr(object, "__array__") && py::hasattr(object, "__dlpack__");
  try {
    return numpy(only_dlpack ? "from_dlpack" : "asarray")(object);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception) || error.matches(PyExc_MemoryError)) throw;
    const char* const remedy =
        py::hasattr(object, "detach") ? "; give it as tensor.detach().cpu().float()" : "";
    const std::string text =
        fmt::format("{}: {} does not become a NumPy array ({}){}", name, type_name(object),
                    py::str(error.value()).cast<std::string>(), remedy);
    py::raise_from(error, PyExc_ValueError, text.c_str());
    throw py::error_already_set();
  }
}

}  // namespace

py::array as_array(py::handle object, const std::string& name) {
  if (is_plain_array(object)) return py::reinterpret_borrow<py::array>(object);
  refuse_masked(object, name);
  const py::object array = converted(object, name);
  require(array.attr("dtype").attr("kind").cast<char>() != 'O', ErrorKind::invalid_input, [&] {
    return fmt::format("{}: is {}, not an array of numbers", name, type_name(object));
  });
  return array;
}

std::string shape_text(const py::array& array) {
  return py::str(array.attr("shape")).cast<std::string>();
}

void require_dimensions(const py::array& array, int count, const std::string& name,
                        const char* meaning) {
  require(array.ndim() == count, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} dimension{}, shape {}; expected {}: {}", name, array.ndim(),
                       array.ndim() == 1 ? "" : "s", shape_text(array), count, meaning);
  });
}

RealArray::RealArray(py::handle object, std::string name)
    : name_(std::move(name)),
      array_(real_array(as_array(object, name_), name_)),
      shape_(shape_of(array_)),
      is_float32_(array_.itemsize() == 4) {}

std::size_t RealArray::size() const { return static_cast<std::size_t>(array_.size()); }

ScoreRows RealArray::rows() const {
  const std::size_t cols = shape_.empty() ? 1 : shape_.back();
  const std::size_t rows = cols == 0 ? 0 : size() / cols;
  if (is_float32_) {
    return MatrixView<const float>(static_cast<const float*>(array_.data()), rows, cols);
  }
  return MatrixView<const double>(static_cast<const double*>(array_.data()), rows, cols);
}

ScoreTensor RealArray::tensor() const {
  if (ndim() != 2) require_dimensions(array_, 3, name_, "inputs x labels x references");
  const std::size_t num_labels = shape_[ndim() - 2];
  require(num_labels > 0 && shape_.back() > 0, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has shape {}; there must be labels and references", name_,
                       shape_text(array_));
  });
  return {.rows = rows(), .num_labels = num_labels, .name = name_};
}

std::vector<double> RealArray::widened() const {
  std::vector<double> values(size());
  const ScoreRows all = rows();
  for (std::size_t r = 0; r < all.rows(); ++r) {
    all.copy_row(r, std::span(values).subspan(r * all.cols(), all.cols()));
  }
  return values;
}

FloatArray::FloatArray(py::handle object, std::string name) : name_(std::move(name)) {
  const py::array array = as_array(object, name_);
  const char kind = array.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u') refuse_type(name_, array, "float32");
  array_ = contiguous<float>(array);
  shape_ = shape_of(array_);
  data_ = static_cast<const float*>(array_.data());
}

std::vector<std::int64_t> integers_of(py::handle object, const std::string& name) {
  const py::array array = integer_array(object, name);
  require_dimensions(array, 1, name, "one whole number each");
  const auto* const values = static_cast<const std::int64_t*>(array.data());
  return {values, values + array.size()};
}

Matrix<std::int64_t> integer_table_of(py::handle object, const std::string& name,
                                      const char* meaning) {
  const py::array array = integer_array(object, name);
  require_dimensions(array, 2, name, meaning);
  const auto* const values = static_cast<const std::int64_t*>(array.data());
  Matrix<std::int64_t> table(shape_of(array)[0], shape_of(array)[1]);
  std::copy(values, values + array.size(), table.view().data());
  return table;
}

std::vector<Label> labels_of(py::handle object, std::size_t count, std::size_t num_labels,
                             const std::string& name) {
  std::vector<Label> labels;
  for (const std::int64_t value : integers_of(object, name)) {
    require(value >= 0, ErrorKind::bad_format, [&] {
      return fmt::format("{}: entry {} is {}; labels are counted from 0", name, labels.size(),
                         value);
    });
    labels.push_back(static_cast<Label>(value));
  }
  check_labels(labels, count, num_labels, name);
  return labels;
}

py::array_t<double> array_of(std::span<const double> values) { return copy_of<double>(values); }

py::array_t<std::int64_t> array_of(std::span<const std::size_t> values) {
  return copy_of<std::int64_t>(values);
}

py::array_t<double> array_of(MatrixView<const double> values) {
  py::array_t<double> result({values.rows(), values.cols()});
  std::copy_n(values.data(), values.rows() * values.cols(), result.mutable_data());
  return result;
}

}  // namespace caos::python
