#include "caos/io/arrays/score_file.hpp"

#include <fmt/format.h>

#include <concepts>
#include <utility>

#include "caos/error.hpp"

namespace caos::io {
namespace {

/// Up to here every whole number is a double.
constexpr std::int64_t largest_exact = std::int64_t{1} << 53;

template <std::integral T>
double widen(T value, std::size_t flat, const NpyArray& array) {
  const bool exact =
      std::cmp_less_equal(value, largest_exact) && std::cmp_greater_equal(value, -largest_exact);
  require(exact, ErrorKind::bad_format, [&] {
    return fmt::format(
        "{}: element {} is {}, beyond 2^53 and not exact as a score; save scores as float64",
        array.name(), array.position(flat), value);
  });
  return static_cast<double>(value);
}

template <std::integral T>
std::vector<double> widen_all(std::span<const T> values, const NpyArray& array) {
  std::vector<double> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = widen(values[i], i, array);
  return result;
}

template <std::floating_point T>
std::vector<double> widen_all(std::span<const T>, const NpyArray&) {
  return {};  // borrowed from the file instead
}

/// Rows without scores could be any number, as they need no bytes.
void require_scores(const NpyArray& array) {
  require(array.size() > 0 || array.shape().front() == 0, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: holds no scores ({})", array.name(), describe(array.shape()));
  });
}

}  // namespace

ScoreValues::ScoreValues(NpyArray array, std::size_t dimensions, const char* meaning)
    : array_(std::move(array)) {
  array_.require_dimensions(dimensions, meaning);
  require_scores(array_);
  widened_ = array_.visit([&](auto values) { return widen_all(values, array_); });
}

ScoreRows ScoreValues::rows() const {
  const std::size_t cols = shape().back();
  const std::size_t num_rows = cols == 0 ? 0 : array_.size() / cols;
  if (array_.type() == ElementType::f32) {
    return MatrixView(array_.values<float>().data(), num_rows, cols);
  }
  const double* data =
      array_.type() == ElementType::f64 ? array_.values<double>().data() : widened_.data();
  return MatrixView(data, num_rows, cols);
}

ScoreMatrixFile open_matrix(const std::string& path) {
  return ScoreMatrixFile(NpyArray::open(path));
}

ScoreTensorFile open_tensor(const std::string& path) {
  return ScoreTensorFile(NpyArray::open(path));
}

}  // namespace caos::io
