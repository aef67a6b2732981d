#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "caos/io/arrays/npy.hpp"
#include "caos/scores.hpp"

namespace caos::io {

/// The scores of an .npy file: float32 and float64 borrowed from the file, integers widened exactly
/// into memory. Whether they are numbers at all (NaN) is for the caller to check.
class ScoreValues {
 public:
  /// `dimensions` and `meaning` as in `NpyArray::require_dimensions`.
  ScoreValues(NpyArray array, std::size_t dimensions, const char* meaning);

  [[nodiscard]] const std::string& name() const { return array_.name(); }
  [[nodiscard]] const Shape& shape() const { return array_.shape(); }

  /// As `MappedFile::require_unchanged`.
  void require_unchanged() const { array_.require_unchanged(); }

  /// All dimensions but the last, flattened, by the last.
  [[nodiscard]] ScoreRows rows() const;

 private:
  NpyArray array_;
  std::vector<double> widened_;  // where the file holds integers
};

/// A file of scores with two dimensions.
class ScoreMatrixFile {
 public:
  explicit ScoreMatrixFile(NpyArray array)
      : values_(std::move(array), 2, "labeled examples x references") {}

  [[nodiscard]] const std::string& name() const { return values_.name(); }

  /// As `MappedFile::require_unchanged`.
  void require_unchanged() const { values_.require_unchanged(); }

  /// Valid as long as this object lives, also when it is moved.
  [[nodiscard]] ScoreRows rows() const { return values_.rows(); }

 private:
  ScoreValues values_;
};

/// A file of scores [inputs, labels, references].
class ScoreTensorFile {
 public:
  explicit ScoreTensorFile(NpyArray array)
      : values_(std::move(array), 3, "inputs x labels x references") {}

  [[nodiscard]] const std::string& name() const { return values_.name(); }

  /// As `MappedFile::require_unchanged`.
  void require_unchanged() const { values_.require_unchanged(); }

  /// Valid as long as this object lives, also when it is moved.
  [[nodiscard]] ScoreTensor tensor() const {
    return {.rows = values_.rows(), .num_labels = values_.shape()[1], .name = name()};
  }

 private:
  ScoreValues values_;
};

/// Opens scores [labeled examples, references]; another number of dimensions is an Error
/// invalid_input.
[[nodiscard]] ScoreMatrixFile open_matrix(const std::string& path);

/// Opens scores [inputs, labels, references]; another number of dimensions is an Error
/// invalid_input, as are inputs without labels or references.
[[nodiscard]] ScoreTensorFile open_tensor(const std::string& path);

}  // namespace caos::io
