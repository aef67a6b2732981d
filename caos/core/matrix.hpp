#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace caos {

/// A row-major matrix that somebody else owns. Rows are contiguous and follow each other.
template <typename T>
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(T* data, std::size_t rows, std::size_t cols) : data_(data), rows_(rows), cols_(cols) {}

  /// A view that may write is one that may read.
  operator MatrixView<const T>() const requires(!std::is_const_v<T>) {
    return {data_, rows_, cols_};
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t cols() const { return cols_; }
  [[nodiscard]] T* data() const { return data_; }

  [[nodiscard]] std::span<T> row(std::size_t r) const {
    assert(r < rows_);
    return {data_ + r * cols_, cols_};
  }

  [[nodiscard]] T& operator()(std::size_t r, std::size_t c) const {
    assert(r < rows_ && c < cols_);
    return data_[r * cols_ + c];
  }

  /// Rows `first` to `first + count - 1`.
  [[nodiscard]] MatrixView rows_from(std::size_t first, std::size_t count) const {
    assert(first + count <= rows_);
    return {data_ + first * cols_, count, cols_};
  }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
};

/// A row-major matrix that owns its values.
template <typename T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols, T value = {})
      : values_(rows * cols, value), rows_(rows), cols_(cols) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t cols() const { return cols_; }
  [[nodiscard]] MatrixView<const T> view() const { return {values_.data(), rows_, cols_}; }
  [[nodiscard]] MatrixView<T> view() { return {values_.data(), rows_, cols_}; }

  [[nodiscard]] std::span<const T> row(std::size_t r) const { return view().row(r); }
  [[nodiscard]] std::span<T> row(std::size_t r) { return view().row(r); }
  [[nodiscard]] const T& operator()(std::size_t r, std::size_t c) const { return view()(r, c); }
  [[nodiscard]] T& operator()(std::size_t r, std::size_t c) { return view()(r, c); }

  /// Appends a row of `cols()` values.
  void push_row(std::span<const T> row) {
    assert(row.size() == cols_);
    values_.insert(values_.end(), row.begin(), row.end());
    ++rows_;
  }

  void erase_row(std::size_t r) {
    assert(r < rows_);
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(r * cols_);
    values_.erase(first, first + static_cast<std::ptrdiff_t>(cols_));
    --rows_;
  }

 private:
  std::vector<T> values_;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
};

}  // namespace caos
