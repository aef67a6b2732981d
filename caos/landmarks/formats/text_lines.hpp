#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Shared by the readers of text formats; not for users of the library.
namespace caos::landmarks {

/// Throws an Error bad_format that says what is wrong in which line of the file called `name`.
[[noreturn]] void refuse_line(const std::string& name, std::size_t line, const std::string& what);

/// The lines of a text that are not blank, without spaces around them. They end in LF, CRLF or CR.
class Lines {
 public:
  /// Drops a UTF-8 byte order mark.
  explicit Lines(std::string_view text);

  /// The next line, or nothing at the end.
  std::optional<std::string_view> next();

  /// The number, from 1, of the line that `next` gave last; at the end, of the last line.
  [[nodiscard]] std::size_t number() const { return std::max<std::size_t>(number_, 1); }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

[[nodiscard]] std::string_view trim(std::string_view text);

/// The words between spaces and tabs.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

/// A finite number in decimal notation, or nothing if the text is anything else.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// A whole number from 0 in digits alone, or nothing if the text is anything else.
[[nodiscard]] std::optional<std::size_t> parse_count(std::string_view text);

/// The shortest text that reads as the same number.
[[nodiscard]] std::string number_text(double value);

/// Throws `invalid_input` unless the name fits into one line of a text file and keeps its ends
/// there; `format` is who cannot hold it.
void require_one_line(const std::string& name, const char* format);

}  // namespace caos::landmarks
