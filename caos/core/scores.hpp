#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "caos/core/error.hpp"
#include "caos/core/matrix.hpp"
#include "caos/core/types.hpp"

namespace caos {

/// Rows of scores that somebody else owns, float32 or float64; one row is one pool.
/// float32 is widened exactly where it is read, float64 is never narrowed.
class ScoreRows {
 public:
  ScoreRows() : view_(MatrixView<const double>()) {}
  ScoreRows(MatrixView<const float> view) : view_(view) {}
  ScoreRows(MatrixView<const double> view) : view_(view) {}

  /// Calls `f` with the typed view: for hot loops that must not ask for the type at each score.
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

/// Scores [inputs, labels, references] with the name under which errors speak of them.
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

/// Throws `invalid_input`, naming both, unless the tensors have the same shape.
void check_same_shape(const ScoreTensor& tensor, const ScoreTensor& like);

}  // namespace caos
