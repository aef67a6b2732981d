#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What the readers of points share, whatever the format; not for users of the library.
namespace caos::landmarks {

/// A finite number with a decimal point, or with a decimal comma where these are allowed.
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text, bool commas);

/// How tools spell that a number is not there: nothing, NA, N/A, NaN, null, none or a dash, in any
/// letter case.
[[nodiscard]] bool is_missing_word(std::string_view text);

/// Where tools put a landmark that is not marked: (-1, -1) and (0, 0).
[[nodiscard]] bool is_left_out(double x, double y);

/// The fields of a line with a point: separated by spaces, tabs, semicolons or commas. A comma
/// within a number is a decimal comma if something else separates the numbers, and is given back as
/// a point then.
[[nodiscard]] std::vector<std::string> point_fields(std::string_view line);

/// What a reader says of `count` landmarks at (0, 0).
[[nodiscard]] std::string zero_note(const std::string& file, std::size_t count);

struct Position {
  double x = 0;
  double y = 0;

  friend bool operator==(const Position&, const Position&) = default;
};

/// Throws an Error that says what is wrong, and where.
using Refuse = std::function<void(const std::string& what)>;

/// A position in pixels from two texts; nothing where both say that it is missing. What is neither
/// is refused.
[[nodiscard]] std::optional<Position> parse_position(std::string_view x, std::string_view y,
                                                     bool decimal_commas, const Refuse& refuse);

/// The position of the point called `name` on a line of its own, in the same way.
[[nodiscard]] std::optional<Position> parse_point_line(std::string_view line, std::string_view name,
                                                       const Refuse& refuse);

}  // namespace caos::landmarks
