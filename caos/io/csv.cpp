#include "caos/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/mapped_file.hpp"

namespace caos::io {
namespace {

struct Record {
  std::vector<std::string> fields;
  std::size_t line = 0;
  bool blank = false;  // nothing before the end of the line, not even quotes
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, char separator)
      : rest_(text), name_(name), separator_(separator), ends_{separator, '\r', '\n'} {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  Record record() {
    Record result{.fields = {}, .line = line_, .blank = at_end_of_line()};
    do {
      result.fields.push_back(field());
    } while (accept(separator_));
    end_of_line();
    return result;
  }

 private:
  std::string field() { return accept('"') ? quoted() : plain(); }

  std::string plain() { return std::string(take(rest_.find_first_of(ends_))); }

  /// After the opening quote, up to the closing one.
  std::string quoted() {
    const std::size_t first_line = line_;
    std::string result;
    for (;;) {
      const std::size_t quote = rest_.find('"');
      if (quote == std::string_view::npos) refuse(first_line, "a quote opens here and never ends");
      result += take(quote);
      rest_.remove_prefix(1);
      if (!accept('"')) break;
      result += '"';
    }
    count_lines(result);
    if (!at_end_of_line() && rest_[0] != separator_) refuse(line_, "text follows a closing quote");
    return result;
  }

  std::string_view take(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  bool accept(char c) {
    const bool found = rest_.starts_with(c);
    if (found) rest_.remove_prefix(1);
    return found;
  }

  [[nodiscard]] bool at_end_of_line() const {
    return rest_.empty() || rest_[0] == '\n' || rest_[0] == '\r';
  }

  void end_of_line() {
    const bool carriage_return = accept('\r');
    if (accept('\n') || carriage_return) ++line_;
  }

  void count_lines(std::string_view text) {
    line_ += static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }

  [[noreturn]] void refuse(std::size_t line, const char* what) const {
    throw Error(ErrorKind::bad_format, fmt::format("{}:{}: {}", name_, line, what));
  }

  std::string_view rest_;
  const std::string& name_;
  char separator_;
  std::string ends_;  // of a field without quotes
  std::size_t line_ = 1;
};

std::string_view without_mark(std::string_view text, const std::string& name) {
  const bool utf16 = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
  require(!utf16, ErrorKind::bad_format,
          [&] { return fmt::format("{}: is UTF-16; save it as UTF-8", name); });
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

std::vector<Record> read_records(std::string_view text, const std::string& name, char separator) {
  Reader reader(without_mark(text, name), name, separator);
  std::vector<Record> records;
  while (!reader.at_end()) records.push_back(reader.record());
  while (!records.empty() && records.back().blank) records.pop_back();
  return records;
}

void require_length(const Record& record, const CsvTable& table) {
  require(record.fields.size() == table.header.size(), ErrorKind::bad_format, [&] {
    return fmt::format("{}:{}: the row has {} fields, the header {}", table.name, record.line,
                       record.fields.size(), table.header.size());
  });
}

/// At the start of a file it would be taken for a byte order mark.
bool looks_like_mark(std::string_view field) {
  return field.starts_with("\xef\xbb\xbf") || field.starts_with("\xff\xfe") ||
         field.starts_with("\xfe\xff");
}

bool needs_quotes(std::string_view field) {
  return field.find_first_of(",\"\r\n") != std::string_view::npos || looks_like_mark(field);
}

std::string quote(std::string_view field) {
  std::string result = "\"";
  for (const char c : field) result.append(c == '"' ? 2 : 1, c);
  return result + '"';
}

}  // namespace

CsvTable parse_csv(std::string_view text, const std::string& name) {
  std::vector<Record> records = read_records(text, name, ',');
  require(!records.empty(), ErrorKind::bad_format,
          [&] { return fmt::format("{}: is empty; expected a table in CSV", name); });
  CsvTable table{.name = name, .header = std::move(records[0].fields), .rows = {}, .lines = {}};
  for (Record& record : std::span(records).subspan(1)) {
    require_length(record, table);
    table.lines.push_back(record.line);
    table.rows.push_back(std::move(record.fields));
  }
  return table;
}

CsvRows parse_csv_rows(std::string_view text, const std::string& name, char separator) {
  CsvRows result;
  for (Record& record : read_records(text, name, separator)) {
    result.lines.push_back(record.line);
    result.rows.push_back(std::move(record.fields));
  }
  return result;
}

CsvTable read_csv(const std::string& path) {
  const MappedFile file = MappedFile::read(path);
  return parse_csv(file.text(), file.name());
}

std::string csv_field(std::string_view field) {
  return needs_quotes(field) ? quote(field) : std::string(field);
}

std::string csv_row(std::span<const std::string> fields) {
  // A lone empty field would be a blank line.
  if (fields.size() == 1 && fields[0].empty()) return "\"\"\n";
  std::string result;
  for (const std::string& field : fields) {
    if (&field != fields.data()) result += ',';
    result += csv_field(field);
  }
  return result + '\n';
}

}  // namespace caos::io
