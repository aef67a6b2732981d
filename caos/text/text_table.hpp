#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caos/text/label_space.hpp"

namespace caos::text {

/// The default columns of the texts and of the labels.
inline constexpr const char* default_text_column = "text";
inline constexpr const char* default_label_column = "label";

/// Which columns of a table mean what.
struct Columns {
  std::vector<std::string> text{};  ///< joined in this order; empty: `default_text_column`
  std::string label{};              ///< empty: labels are not read
  std::string id{};                 ///< empty: a row is called by its number, from 1
};

/// Rows of texts.
struct TextTable {
  std::string name{};  ///< what errors call it
  std::vector<std::string> texts{};
  std::vector<std::string> labels{};  ///< as they are written; empty where they were not read
  std::vector<std::string> ids{};
  std::vector<std::size_t> lines{};  ///< where each row begins in the file, from 1

  [[nodiscard]] std::size_t size() const { return texts.size(); }
};

/// Reads a table from a file ("-": standard input): CSV as in RFC 4180 with a header, or JSON Lines
/// with one object a line. Files called *.csv are CSV, *.jsonl and *.ndjson are JSON Lines; of
/// others and of standard input the first character tells. The text of a row is the value of its
/// one text column, or of several the lines "column: value". There may be no rows. Missing columns,
/// values that are no texts or numbers, bytes that are not UTF-8 and empty labels are an Error
/// bad_format with file and line, and what would be right.
[[nodiscard]] TextTable read_text_table(const std::string& path, const Columns& columns);

/// The label of every row. A label that is not in the space is an Error bad_format with its line.
[[nodiscard]] std::vector<Label> labels_of(const TextTable& table, const LabelSpace& labels);

/// The same with the texts.
[[nodiscard]] std::vector<LabeledText> labeled_texts(const TextTable& table,
                                                     const LabelSpace& labels);

/// The labels that occur in a table, sorted. Labels that do not occur are unknown to it, so sets
/// can never hold them.
[[nodiscard]] LabelSpace labels_in(const TextTable& table);

/// The same of labels as they are written; `source` is what errors call them.
[[nodiscard]] LabelSpace labels_among(std::span<const std::string> labels,
                                      const std::string& source);

}  // namespace caos::text
