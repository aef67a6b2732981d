#include "caos/classification/vector_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/arrays/npy.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/utf8.hpp"

namespace caos::classification {
namespace {

bool is_array(const io::MappedFile& file) {
  return file.text().starts_with("\x93NUMPY") || file.text().starts_with("PK");
}

std::optional<double> finite_number(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return std::nullopt;
  text = text.substr(first, text.find_last_not_of(" \t") - first + 1);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::vector<std::string> row_numbers(std::size_t count) {
  std::vector<std::string> ids;
  for (std::size_t r = 0; r < count; ++r) ids.push_back(fmt::format("{}", r));
  return ids;
}

// Arrays.

VectorTable table_of_array(io::MappedFile file, const VectorColumns& columns) {
  require(columns.id.empty() && columns.label.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: is an array, which has no column {}; columns are for CSV", file.name(),
                       text::in_quotes(columns.id.empty() ? columns.label : columns.id));
  });
  const io::NpyArray array(std::move(file));
  array.require_dimensions(2, "vectors x dimensions");
  VectorTable table{.name = array.name(),
                    .vectors = Matrix<double>(array.shape()[0], array.shape()[1])};
  array.visit([&](auto values) {
    std::ranges::transform(values, table.vectors.view().data(),
                           [](auto value) { return static_cast<double>(value); });
  });
  array.require_unchanged();
  table.ids = row_numbers(table.vectors.rows());
  return table;
}

// CSV.

std::size_t column_of(const io::CsvTable& csv, const std::string& column, const char* meaning) {
  const auto found = std::ranges::find(csv.header, column);
  require(found != csv.header.end(), ErrorKind::bad_format, [&] {
    return fmt::format("{}: has no column {}, {}; it has {}", csv.name, text::in_quotes(column),
                       meaning, text::in_quotes(csv.header));
  });
  return static_cast<std::size_t>(found - csv.header.begin());
}

void check_header(const io::CsvTable& csv) {
  for (std::size_t c = 0; c < csv.header.size(); ++c) {
    const std::string& column = csv.header[c];
    require(text::is_utf8(column), ErrorKind::bad_format, [&] {
      return fmt::format("{}:1: column {} has a name that is not UTF-8; save the file as UTF-8",
                         csv.name, c);
    });
    require(!finite_number(column), ErrorKind::bad_format, [&] {
      return fmt::format("{}:1: {} is a number; the first line must have the names of the columns",
                         csv.name, text::in_quotes(column));
    });
    require(std::find(csv.header.begin(), csv.header.begin() + static_cast<std::ptrdiff_t>(c),
                      column) == csv.header.begin() + static_cast<std::ptrdiff_t>(c),
            ErrorKind::bad_format, [&] {
              return fmt::format("{}:1: has two columns {}; rename one", csv.name,
                                 text::in_quotes(column));
            });
  }
}

std::vector<std::string> features_of(const io::CsvTable& csv, const VectorColumns& columns) {
  if (!columns.features.empty()) return columns.features;
  std::vector<std::string> features = csv.header;
  std::erase_if(features, [&](const std::string& name) {
    return (!columns.label.empty() && name == columns.label) ||
           (!columns.id.empty() && name == columns.id);
  });
  require(!features.empty(), ErrorKind::invalid_input,
          [&] { return fmt::format("{}: has no column of features", csv.name); });
  return features;
}

std::vector<std::string> values_of(const io::CsvTable& csv, std::size_t column) {
  std::vector<std::string> values;
  for (const std::vector<std::string>& row : csv.rows) values.push_back(row[column]);
  return values;
}

Matrix<double> numbers_in(const io::CsvTable& csv, const std::vector<std::string>& features) {
  Matrix<double> vectors(csv.rows.size(), features.size());
  for (std::size_t d = 0; d < features.size(); ++d) {
    const std::size_t column = column_of(csv, features[d], "a feature");
    for (std::size_t r = 0; r < csv.rows.size(); ++r) {
      const std::string& cell = csv.rows[r][column];
      const std::optional<double> value = finite_number(cell);
      require(value.has_value(), ErrorKind::bad_format, [&] {
        return fmt::format(
            "{}:{}: column {} is {}, which is not a finite number; correct or remove the row; name "
            "a column that is not a feature with --id-column, or leave it out of the file",
            csv.name, csv.lines[r], text::in_quotes(features[d]), text::in_quotes(cell));
      });
      vectors(r, d) = *value;
    }
  }
  return vectors;
}

VectorTable table_of_csv(const io::MappedFile& file, const VectorColumns& columns) {
  const io::CsvTable csv = io::parse_csv(file.text(), file.name());
  check_header(csv);
  VectorTable table{.name = csv.name, .features = features_of(csv, columns)};
  if (!columns.label.empty()) {
    table.labels = LabelColumn{
        .name = csv.name,
        .labels = values_of(csv, column_of(csv, columns.label, "the label; see --label-column")),
        .lines = csv.lines};
    check_label_texts(*table.labels);
  }
  table.ids = columns.id.empty() ? row_numbers(csv.rows.size())
                                 : values_of(csv, column_of(csv, columns.id, "the id"));
  for (const std::string& id : table.ids) {
    require(text::is_utf8(id), ErrorKind::bad_format, [&] {
      return fmt::format("{}: has an id that is not UTF-8; save the file as UTF-8", csv.name);
    });
  }
  table.vectors = numbers_in(csv, table.features);
  return table;
}

}  // namespace

VectorTable read_vector_table(io::MappedFile file, const VectorColumns& columns) {
  if (!is_array(file)) return table_of_csv(file, columns);
  return table_of_array(std::move(file), columns);
}

VectorTable read_vector_table(const std::string& path, const VectorColumns& columns) {
  // Arrays may be larger than memory.
  return read_vector_table(
      path.ends_with(".npy") ? io::MappedFile::open(path) : io::MappedFile::read(path), columns);
}

}  // namespace caos::classification
