#include "caos/landmarks/formats/tem_format.hpp"

#include <fmt/format.h>

#include <vector>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/landmarks/formats/positions.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

constexpr double left_out = -1;

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : lines_(text), name_(name) {}

  std::vector<Landmark> read() {
    const auto first = lines_.next();
    const auto count = first ? parse_count(*first) : std::nullopt;
    if (!count) refuse("expected the number of points of a template");
    std::vector<Landmark> points;
    // One by one: the count may be anything, the lines are as many as there are.
    for (std::size_t i = 1; i <= *count; ++i) {
      const auto line = lines_.next();
      if (!line) refuse(fmt::format("{} points are announced, {} follow", *count, i - 1));
      points.push_back(point_of(*line, i));
    }
    return points;
  }

 private:
  Landmark point_of(std::string_view line, std::size_t place) const {
    const std::string name = fmt::format("{}", place);
    const auto position =
        parse_point_line(line, name, [&](const std::string& what) { refuse(what); });
    if (!position || is_left_out(position->x, position->y)) {
      return {.name = name, .visibility = Visibility::missing};
    }
    return {.name = name, .x = position->x, .y = position->y};
  }

  [[noreturn]] void refuse(const std::string& what) const {
    refuse_line(name_, lines_.number(), what);
  }

  Lines lines_;
  const std::string& name_;
};

std::string point_text(const Annotation& annotation, const Landmark& landmark) {
  if (landmark.visibility == Visibility::missing) return "-1\t-1\n";
  require(landmark.x != left_out || landmark.y != left_out, ErrorKind::invalid_input, [&] {
    return fmt::format("image '{}': landmark '{}' lies at (-1, -1), which means missing in TEM",
                       io::printable_path(annotation.image), printable(landmark.name));
  });
  return fmt::format("{}\t{}\n", number_text(landmark.x), number_text(landmark.y));
}

}  // namespace

LandmarkTable parse_tem(std::string_view text, const std::string& name, const std::string& image) {
  return {{{.image = image, .landmarks = Reader(text, name).read()}}};
}

std::string write_tem(const LandmarkTable& table) {
  check_table(table);
  require(table.annotations.size() == 1, ErrorKind::invalid_input,
          "a template holds the landmarks of one image");
  const Annotation& annotation = table.annotations[0];
  std::string text = fmt::format("{}\n", annotation.landmarks.size());
  for (const Landmark& landmark : annotation.landmarks) text += point_text(annotation, landmark);
  return text + "0\n";
}

}  // namespace caos::landmarks
