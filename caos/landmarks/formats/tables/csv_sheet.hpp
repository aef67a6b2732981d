#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caos/io/csv.hpp"

// Shared by the readers of tables; not for users of the library.
namespace caos::landmarks {

/// What separates the fields of a table: the first of comma, semicolon and tab in its first line,
/// outside of quotes; a space where there is not one of them and more than two words.
[[nodiscard]] char separator_of(std::string_view text);

/// Rows of a table as spreadsheets and scripts write it, whatever separates its fields; those
/// without any content are left out. Quotes as in `io::parse_csv`.
[[nodiscard]] io::CsvRows parse_sheet_rows(std::string_view text, const std::string& name);

/// A table whose numbers may have decimal commas, unless commas separate its fields.
struct Sheet : io::CsvTable {
  bool decimal_commas = false;
};

/// The same with the first row as header. Where all rows have one field more than the header, R
/// wrote their names first: that column is called "". Columns without name and content at the end
/// are left out. Rows of other lengths are an Error bad_format with file and line.
[[nodiscard]] Sheet parse_sheet(std::string_view text, const std::string& name);

/// What a reader says of columns that it does not know.
[[nodiscard]] std::string ignored_note(const std::string& file,
                                       const std::vector<std::string>& columns);

/// The first row alone; empty where it is malformed.
[[nodiscard]] std::vector<std::string> first_row(std::string_view text);

}  // namespace caos::landmarks
