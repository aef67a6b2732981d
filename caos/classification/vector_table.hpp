#pragma once

#include <optional>
#include <string>
#include <vector>

#include "caos/classification/label_column.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/scores.hpp"

namespace caos::classification {

/// Which columns of a CSV file mean what; arrays have none.
struct VectorColumns {
  std::string label{};                  ///< empty: not read
  std::string id{};                     ///< empty: a row is called by its number, from 0
  std::vector<std::string> features{};  ///< empty: all others, in their order
};

/// Vectors of a file, and what else it says of them.
struct VectorTable {
  std::string name{};                   ///< what errors call the file
  Matrix<double> vectors{};             ///< [n, D]
  std::vector<std::string> features{};  ///< names of the D columns; empty for an array
  std::optional<LabelColumn> labels{};  ///< where a label column was asked for
  std::vector<std::string> ids{};       ///< [n]
};

/// Reads vectors from an .npy file [n, D], or from CSV with a header and a row per vector. Throws
/// `bad_format`, naming line and column, for what is not a finite number in CSV, for a missing or
/// repeated column and for a header of numbers; `invalid_input` for arrays of another shape, for a
/// label or id column of an array, and where there are no values. Values of arrays are not checked.
[[nodiscard]] VectorTable read_vector_table(const std::string& path, const VectorColumns& columns);
[[nodiscard]] VectorTable read_vector_table(io::MappedFile file, const VectorColumns& columns);

}  // namespace caos::classification
