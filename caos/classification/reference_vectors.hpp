#pragma once

#include <cstddef>
#include <string>

#include "caos/classification.hpp"
#include "caos/scores.hpp"

namespace caos::classification {

/// Throws `bad_format`, naming the row, for a value that is not finite, and `invalid_input` unless
/// rows have `dimension` values.
void check_vectors(MatrixView<const double> vectors, const std::string& name,
                   std::size_t dimension);

/// The rows divided by their lengths, in float. Throws `bad_format`, naming the row, for a zero
/// vector and for values beyond the range of float.
[[nodiscard]] Matrix<float> directions(MatrixView<const double> vectors, const std::string& name);

/// Labeled vectors, and distances from them. All distances are symmetric to the bit, and do not
/// depend on how rows are split into calls.
class ReferenceVectors {
 public:
  /// Throws as `directions` with the cosine distance. Requires finite values.
  ReferenceVectors(MatrixView<const double> vectors, VectorDistance distance,
                   const std::string& name);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] VectorDistance distance() const { return distance_; }

  /// The distances of other vectors, [rows, n]; throws as above.
  [[nodiscard]] Matrix<double> distances_of(MatrixView<const double> rows,
                                            const std::string& name) const;
  /// Those of the labeled vectors themselves, from `first` on.
  [[nodiscard]] Matrix<double> distances_among(std::size_t first, std::size_t count) const;

 private:
  VectorDistance distance_;
  Matrix<double> points_;     ///< [n, D], but for cosine
  Matrix<float> directions_;  ///< unit vectors, for cosine
};

}  // namespace caos::classification
