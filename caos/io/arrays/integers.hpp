#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caos/io/arrays/npy.hpp"
#include "caos/scores.hpp"

namespace caos::io {

/// The elements of an array with one dimension, which must be whole numbers below 2^63.
[[nodiscard]] std::vector<std::int64_t> integers_of(const NpyArray& array);

/// A column of whole numbers, such as labels: from an .npy file with one dimension, or from a file
/// named *.csv with one column and an optional header line.
/// Floating-point files are welcome while every value is whole; any other value is an Error
/// bad_format with its position.
[[nodiscard]] std::vector<std::int64_t> read_integers(const std::string& path);

/// A table of whole numbers, such as the labels of many tasks, from an .npy file with two
/// dimensions; `meaning` says what they are.
[[nodiscard]] Matrix<std::int64_t> read_integer_table(const std::string& path, const char* meaning);

}  // namespace caos::io
