#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/scores.hpp"

/// Arrays between Python and the library. What comes in may be a NumPy array, a PyTorch tensor, or
/// anything that speaks `__array__` or DLPack, or nested lists. All of this needs the GIL; the
/// views that it gives do not, as long as the object that they look into lives.
namespace caos::python {

/// A NumPy array of whatever was handed in, without a copy where that is possible.
[[nodiscard]] pybind11::array as_array(pybind11::handle object, const std::string& name);

/// `(3, 4)`, as Python writes shapes.
[[nodiscard]] std::string shape_text(const pybind11::array& array);

/// Throws `invalid_input` unless the array has so many dimensions; `meaning` says what they are.
void require_dimensions(const pybind11::array& array, int count, const std::string& name,
                        const char* meaning);

/// Numbers in float32 or float64, rows after each other in memory: borrowed where they are so
/// already, else copied once. float16 becomes float32 and whole numbers float64, both exactly;
/// other types are an Error `invalid_input`.
class RealArray {
 public:
  RealArray(pybind11::handle object, std::string name);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const pybind11::array& array() const { return array_; }
  [[nodiscard]] std::size_t ndim() const { return shape_.size(); }
  [[nodiscard]] std::size_t shape(std::size_t d) const { return shape_[d]; }
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool is_float32() const { return is_float32_; }

  /// All dimensions but the last, flattened, by the last.
  [[nodiscard]] ScoreRows rows() const;

  /// As scores [inputs, labels, references]; with two dimensions, [labels, references] of one
  /// input. Throws `invalid_input` for other numbers of dimensions, and without labels or
  /// references.
  [[nodiscard]] ScoreTensor tensor() const;

  /// All of it in float64.
  [[nodiscard]] std::vector<double> widened() const;

 private:
  std::string name_;
  pybind11::array array_;
  std::vector<std::size_t> shape_;
  bool is_float32_ = false;
};

/// Rows of float32: borrowed, copied once, or rounded from float64. For vectors, not for scores.
class FloatArray {
 public:
  FloatArray(pybind11::handle object, std::string name);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t ndim() const { return shape_.size(); }
  [[nodiscard]] std::size_t shape(std::size_t d) const { return shape_[d]; }
  [[nodiscard]] const pybind11::array& array() const { return array_; }
  [[nodiscard]] const float* data() const { return data_; }

 private:
  std::string name_;
  pybind11::array array_;
  std::vector<std::size_t> shape_;
  const float* data_ = nullptr;
};

/// Whole numbers, one dimension or two. Floats are refused: a label is a name, not a measurement.
[[nodiscard]] std::vector<std::int64_t> integers_of(pybind11::handle object,
                                                    const std::string& name);
[[nodiscard]] Matrix<std::int64_t> integer_table_of(pybind11::handle object,
                                                    const std::string& name, const char* meaning);

/// Labels counted from 0, as many as `count`, each below `num_labels`.
[[nodiscard]] std::vector<Label> labels_of(pybind11::handle object, std::size_t count,
                                           std::size_t num_labels, const std::string& name);

/// New NumPy arrays with these values.
[[nodiscard]] pybind11::array_t<double> array_of(std::span<const double> values);
[[nodiscard]] pybind11::array_t<std::int64_t> array_of(std::span<const std::size_t> values);
[[nodiscard]] pybind11::array_t<double> array_of(MatrixView<const double> values);

}  // namespace caos::python
