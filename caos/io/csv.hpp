#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caos::io {

/// A table of texts whose first line names the columns.
struct CsvTable {
  std::string name;  ///< what errors call it
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the header
  std::vector<std::size_t> lines;              ///< where each row begins in the file, from 1
};

/// Reads a table from text as in RFC 4180: commas, optional quotes, doubled quotes within them.
/// Lines may end in LF, CRLF or CR; a UTF-8 byte order mark and blank lines at the end are dropped.
/// A quote that is not first in its field stands for itself. Rows of another length than the
/// header, quotes without an end and text after a closing quote are an Error bad_format with file
/// and line.
[[nodiscard]] CsvTable parse_csv(std::string_view text, const std::string& name);

/// Rows of any lengths, without a header.
struct CsvRows {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::size_t> lines;  ///< where each row begins in the file, from 1
};

/// The same without a header: rows may differ in length, and another character than the comma may
/// separate fields.
[[nodiscard]] CsvRows parse_csv_rows(std::string_view text, const std::string& name,
                                     char separator = ',');

/// Reads a table from a file ("-": standard input).
[[nodiscard]] CsvTable read_csv(const std::string& path);

/// A field as it stands in a line: in quotes where it needs them.
[[nodiscard]] std::string csv_field(std::string_view field);

/// One line of a CSV file with its newline; quotes only the fields that need it.
[[nodiscard]] std::string csv_row(std::span<const std::string> fields);

}  // namespace caos::io
