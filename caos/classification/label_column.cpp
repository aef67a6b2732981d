#include "caos/classification/label_column.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/arrays/integers.hpp"
#include "caos/io/arrays/npy_texts.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/utf8.hpp"

namespace caos::classification {
namespace {

LabelColumn column_of_npy(const io::MappedFile& file) {
  LabelColumn column{.name = file.name()};
  if (io::is_npy_of_texts(file.bytes(), file.name())) {
    column.labels = io::parse_npy_texts(file.bytes(), file.name());
    return column;
  }
  std::vector<std::byte> copy(file.bytes().begin(), file.bytes().end());
  const io::NpyArray array(io::MappedFile::of_bytes(std::move(copy), file.name()));
  for (const std::int64_t label : io::integers_of(array)) {
    column.labels.push_back(fmt::format("{}", label));
  }
  return column;
}

LabelColumn column_of_csv(const io::MappedFile& file) {
  const io::CsvTable table = io::parse_csv(file.text(), file.name());
  require(table.header.size() == 1, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} columns; expected one of labels", file.name(),
                       table.header.size());
  });
  LabelColumn column{.name = file.name()};
  if (is_whole_number(table.header[0])) {
    column.labels.push_back(table.header[0]);
    column.lines.push_back(1);
  }
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    column.labels.push_back(table.rows[r][0]);
    column.lines.push_back(table.lines[r]);
  }
  return column;
}

LabelColumn column_of_lines(const io::MappedFile& file) {
  LabelColumn column{.name = file.name()};
  std::string_view rest = file.text();
  if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
  while (!rest.empty() && (rest.ends_with('\n') || rest.ends_with('\r'))) rest.remove_suffix(1);
  for (std::size_t line = 1; !rest.empty(); ++line) {
    std::string_view one = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    if (one.ends_with('\r')) one.remove_suffix(1);
    column.labels.emplace_back(one);
    column.lines.push_back(line);
  }
  return column;
}

}  // namespace

std::string LabelColumn::place(std::size_t i) const {
  return lines.empty() ? fmt::format("{}: element {}", name, i)
                       : fmt::format("{}:{}", name, lines[i]);
}

bool is_whole_number(const std::string& text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

void check_label_texts(const LabelColumn& column) {
  for (std::size_t i = 0; i < column.labels.size(); ++i) {
    const std::string& label = column.labels[i];
    require(!label.empty(), ErrorKind::bad_format, [&] {
      return fmt::format("{}: the label is empty; name it, or remove the example", column.place(i));
    });
    require(text::is_utf8(label) && label.find('\0') == std::string::npos, ErrorKind::bad_format,
            [&] {
              return fmt::format("{}: the label is not a UTF-8 text; save the file as UTF-8",
                                 column.place(i));
            });
  }
}

LabelColumn read_label_column(const io::MappedFile& file, bool one_per_line) {
  const std::string_view text = file.text();
  const bool is_array = text.starts_with("\x93NUMPY") || text.starts_with("PK");
  LabelColumn column = is_array       ? column_of_npy(file)
                       : one_per_line ? column_of_lines(file)
                                      : column_of_csv(file);
  check_label_texts(column);
  return column;
}

LabelColumn read_label_column(const std::string& path) {
  return read_label_column(io::MappedFile::read(path), path.ends_with(".txt"));
}

void check_label_count(const LabelColumn& column, std::size_t count, const std::string& vectors) {
  require(column.labels.size() == count, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} labels; {} has {} vectors, and each needs one{}", column.name,
                       column.labels.size(), vectors, count,
                       !column.lines.empty() && column.labels.size() + 1 == count
                           ? " (the first line of a .csv is its header)"
                           : "");
  });
}

}  // namespace caos::classification
