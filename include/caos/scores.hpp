#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "caos/error.hpp"

/// Labels, scores, and views of arrays of them. A score is a number not below -1e300, or +inf: NaN
/// has no order, and -inf, or sums that overflow to it, would give NaN together with +inf. A label
/// with score +inf is only in a set whose threshold is +inf.
namespace caos {

/// A candidate output y, counted from 0.
using Label = std::size_t;

/// A nonconformity score s_pi_j(x, y); smaller means more conforming.
using Score = double;

/// The scores of one pair (x, y) under many references, A_D(x, y): a multiset, in any order.
using ScorePool = std::span<const Score>;

/// The labels that conform, ascending: C-hat(x). It may be empty, and it may hold every label.
using PredictionSet = std::vector<Label>;

/// Positions of labeled examples, ascending and distinct.
using Indices = std::vector<std::size_t>;

/// A non-owning view of a row-major matrix with contiguous rows. The values must outlive it.
template <typename T>
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(T* data, std::size_t rows, std::size_t cols) : data_(data), rows_(rows), cols_(cols) {}

  /// A mutable view converts to a constant one.
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

/// A non-owning view of rows of scores, float32 or float64; one row is one pool. Scores are
/// computed in double. The values must outlive it.
class ScoreRows {
 public:
  ScoreRows() : view_(MatrixView<const double>()) {}
  ScoreRows(MatrixView<const float> view) : view_(view) {}
  ScoreRows(MatrixView<const double> view) : view_(view) {}
  ScoreRows(MatrixView<float> view) : view_(MatrixView<const float>(view)) {}
  ScoreRows(MatrixView<double> view) : view_(MatrixView<const double>(view)) {}

  /// Calls `f` with the typed view: for loops that must not branch on the type at each score.
  template <typename F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), view_);
  }

  [[nodiscard]] std::size_t rows() const {
    return visit([](auto view) { return view.rows(); });
  }
  [[nodiscard]] std::size_t cols() const {
    return visit([](auto view) { return view.cols(); });
  }
  [[nodiscard]] Score operator()(std::size_t r, std::size_t c) const {
    return visit([=](auto view) { return static_cast<Score>(view(r, c)); });
  }
  [[nodiscard]] ScoreRows rows_from(std::size_t first, std::size_t count) const {
    return visit([=](auto view) { return ScoreRows(view.rows_from(first, count)); });
  }

  /// Row `r`, widened; `out` holds `cols()` scores.
  void copy_row(std::size_t r, std::span<Score> out) const;

  /// The scores of row `r` under `references`, widened; `out` holds as many.
  void gather_row(std::size_t r, const Indices& references, std::span<Score> out) const;

 private:
  std::variant<MatrixView<const float>, MatrixView<const double>> view_;
};

/// A view of scores [inputs, labels, references]; errors call it by `name`.
struct ScoreTensor {
  ScoreRows rows;              ///< [inputs * labels, references]
  std::size_t num_labels = 0;  ///< labels of each input
  std::string name = "scores";

  [[nodiscard]] std::size_t num_inputs() const {
    return num_labels == 0 ? 0 : rows.rows() / num_labels;
  }
  [[nodiscard]] std::size_t num_references() const { return rows.cols(); }

  /// The pools of every label of input `t`: [labels, references].
  [[nodiscard]] ScoreRows input(std::size_t t) const {
    return rows.rows_from(t * num_labels, num_labels);
  }
};

/// The labels y with scores[y] <= thresholds[y]: exact, and ties conform.
[[nodiscard]] PredictionSet labels_at_most(std::span<const Score> scores,
                                           std::span<const Score> thresholds);

/// Throws `invalid_input`, naming both, unless the tensors have the same shape.
void check_same_shape(const ScoreTensor& tensor, const ScoreTensor& like);

}  // namespace caos
