#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "caos/io/mapped_file.hpp"
#include "caos/scores.hpp"

namespace caos::classification {

/// Labels as a file has them; whole numbers as their digits.
struct LabelColumn {
  std::string name{};  ///< what errors call the file
  std::vector<std::string> labels{};
  std::vector<std::size_t> lines{};  ///< of each label, from 1; empty for an array

  /// `labels.csv:3`, or `labels.npy: element 2`.
  [[nodiscard]] std::string place(std::size_t i) const;
};

/// Reads one label per example: from an .npy file with one dimension, of whole numbers or texts;
/// from a .txt file, one per line; or from CSV with one column, whose first line is a header unless
/// it is a whole number. Throws `bad_format`, naming the place, for what is not a label, an empty
/// one included.
[[nodiscard]] LabelColumn read_label_column(const std::string& path);
[[nodiscard]] LabelColumn read_label_column(const io::MappedFile& file, bool one_per_line);

/// Throws `bad_format`, naming the place, for labels that are empty or not UTF-8.
void check_label_texts(const LabelColumn& column);

/// Whether a text is a whole number of 64 bits.
[[nodiscard]] bool is_whole_number(const std::string& text);

/// Throws `invalid_input` unless there is one label for each of `count` vectors of `vectors`.
void check_label_count(const LabelColumn& column, std::size_t count, const std::string& vectors);

}  // namespace caos::classification
