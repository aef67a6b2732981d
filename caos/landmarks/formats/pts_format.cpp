#include "caos/landmarks/formats/pts_format.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/landmarks/formats/positions.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

/// From the corner of the first pixel to where Matlab counts from: its center is 1.
constexpr double matlab_offset = 0.5;

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : lines_(text), name_(name) {}

  std::vector<Landmark> read() {
    (void)expect_key("version");
    const std::size_t count = expect_count();
    expect("{");
    std::vector<Landmark> points;
    std::string_view line = any_line("'}'");
    for (; line != "}"; line = any_line("'}'")) points.push_back(point_of(line, points.size() + 1));
    if (points.size() != count) {
      refuse(fmt::format("n_points is {}, and the file has {} points", count, points.size()));
    }
    if (lines_.next()) refuse("text follows the closing '}'");
    return points;
  }

 private:
  std::string_view any_line(const char* expected) {
    const auto line = lines_.next();
    if (!line) refuse(fmt::format("the file ends where {} is expected", expected));
    return *line;
  }

  void expect(std::string_view text) {
    const std::string_view line = any_line("'{'");
    if (line != text) refuse(fmt::format("expected '{}', found '{}'", text, printable(line)));
  }

  /// The value of "key: value".
  std::string_view expect_key(std::string_view key) {
    const std::string_view line = any_line(key.data());
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || trim(line.substr(0, colon)) != key) {
      refuse(fmt::format("expected '{}: ...', found '{}'", key, printable(line)));
    }
    return trim(line.substr(colon + 1));
  }

  std::size_t expect_count() {
    const std::string_view text = expect_key("n_points");
    const auto count = parse_count(text);
    if (!count) refuse(fmt::format("'{}' is not a number of points", printable(text)));
    return *count;
  }

  Landmark point_of(std::string_view line, std::size_t place) const {
    const std::string name = fmt::format("{}", place);
    const auto position =
        parse_point_line(line, name, [&](const std::string& what) { refuse(what); });
    if (!position || is_left_out(position->x, position->y)) {
      return {.name = name, .x = 0, .y = 0, .visibility = Visibility::missing};
    }
    return {.name = name, .x = position->x - matlab_offset, .y = position->y - matlab_offset};
  }

  [[noreturn]] void refuse(const std::string& what) const {
    refuse_line(name_, lines_.number(), what);
  }

  Lines lines_;
  const std::string& name_;
};

std::string point_text(const Annotation& annotation, const Landmark& landmark) {
  if (landmark.visibility == Visibility::missing) return "-1 -1\n";
  const double x = landmark.x + matlab_offset;
  const double y = landmark.y + matlab_offset;
  require(!is_left_out(x, y), ErrorKind::invalid_input, [&] {
    return fmt::format("image '{}': landmark '{}' lies at ({}, {}), which means missing in PTS",
                       io::printable_path(annotation.image), printable(landmark.name), landmark.x,
                       landmark.y);
  });
  return fmt::format("{} {}\n", number_text(x), number_text(y));
}

}  // namespace

LandmarkTable parse_pts(std::string_view text, const std::string& name, const std::string& image) {
  return {{{.image = image, .landmarks = Reader(text, name).read()}}};
}

std::string write_pts(const LandmarkTable& table) {
  check_table(table);
  require(table.annotations.size() == 1, ErrorKind::invalid_input,
          "a PTS file holds the landmarks of one image");
  const Annotation& annotation = table.annotations[0];
  std::string text = fmt::format("version: 1\nn_points: {}\n{{\n", annotation.landmarks.size());
  for (const Landmark& landmark : annotation.landmarks) text += point_text(annotation, landmark);
  return text + "}\n";
}

}  // namespace caos::landmarks
