#include "caos/landmarks/formats/text_lines.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"

namespace caos::landmarks {
namespace {

constexpr std::string_view blanks = " \t\r\n";

template <typename T>
std::optional<T> parse_all(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

void refuse_line(const std::string& name, std::size_t line, const std::string& what) {
  throw Error(ErrorKind::bad_format, fmt::format("{}:{}: {}", name, line, what));
}

Lines::Lines(std::string_view text) : rest_(text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (rest_.starts_with(mark)) rest_.remove_prefix(mark.size());
}

std::optional<std::string_view> Lines::next() {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find_first_of("\r\n");
    const std::string_view line = trim(rest_.substr(0, end));
    const bool crlf = end < rest_.size() && rest_.substr(end).starts_with("\r\n");
    rest_.remove_prefix(end < rest_.size() ? end + (crlf ? 2 : 1) : rest_.size());
    ++number_;
    if (!line.empty()) return line;
  }
  return std::nullopt;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trim(text); !text.empty(); text = trim(text)) {
    words.push_back(text.substr(0, text.find_first_of(blanks)));
    text.remove_prefix(words.back().size());
  }
  return words;
}

std::optional<double> parse_number(std::string_view text) {
  const auto value = parse_all<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::size_t> parse_count(std::string_view text) {
  return parse_all<std::size_t>(text);
}

std::string number_text(double value) { return fmt::format("{}", value); }

void require_one_line(const std::string& name, const char* format) {
  const bool fits = trim(name) == name && name.find_first_of("\r\n") == std::string::npos;
  require(fits, ErrorKind::invalid_input, [&] {
    return fmt::format("image '{}': {} cannot hold a name with line breaks or spaces at its ends",
                       io::printable(name), format);
  });
}

}  // namespace caos::landmarks
