#include "caos/landmarks/formats/asf_format.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

constexpr std::size_t num_fields = 7;

/// Points in shares of the image, and the image that the file names.
struct Shape {
  std::vector<Landmark> points{};
  std::string host{};
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : lines_(text), name_(name) {}

  Shape read() {
    const auto first = next();
    const auto count = first ? parse_count(*first) : std::nullopt;
    if (!count) refuse("expected the number of model points");
    Shape shape;
    for (std::size_t i = 1; i <= *count; ++i) {
      const auto line = next();
      if (!line) refuse(fmt::format("{} points are announced, {} follow", *count, i - 1));
      shape.points.push_back(point_of(*line, i));
    }
    if (const auto host = next()) shape.host = host->substr(host->starts_with("./#") ? 2 : 0);
    if (next()) refuse("text follows the name of the host image");
    return shape;
  }

 private:
  /// The next line that is not a comment.
  std::optional<std::string_view> next() {
    auto line = lines_.next();
    while (line && line->starts_with('#')) line = lines_.next();
    return line;
  }

  Landmark point_of(std::string_view line, std::size_t place) const {
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() != num_fields) {
      refuse(fmt::format("point {} has {} fields; expected path, type, x, y, number, from, to",
                         place, words.size()));
    }
    Landmark result{.name = fmt::format("{}", place), .x = share(words[2]), .y = share(words[3])};
    if (result.x < 0 && result.y < 0) {
      result = {.name = result.name, .visibility = Visibility::missing};
    }
    return result;
  }

  double share(std::string_view text) const {
    const auto value = parse_number(text);
    if (!value || !(*value >= -1 && *value <= 2)) {
      refuse(fmt::format("'{}' is not a share of the image; expected a number from 0 to 1",
                         printable(text)));
    }
    return *value;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    refuse_line(name_, lines_.number(), what);
  }

  Lines lines_;
  const std::string& name_;
};

ImageSize known_size(const Annotation& annotation, const ImageSizes& sizes) {
  if (annotation.width && annotation.height) return {*annotation.width, *annotation.height};
  const auto size = sizes ? sizes(annotation.image) : std::nullopt;
  require(size.has_value(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "image '{}': ASF counts in shares of the image; give the images, or the "
        "size of the images",
        io::printable_path(annotation.image));
  });
  return *size;
}

std::string point_text(const Landmark& landmark, const ImageSize& size, std::size_t i,
                       std::size_t count) {
  const bool marked = landmark.visibility != Visibility::missing;
  const double x = marked ? landmark.x / static_cast<double>(size.width) : -1;
  const double y = marked ? landmark.y / static_cast<double>(size.height) : -1;
  require(!marked || x >= 0 || y >= 0, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "landmark '{}' lies beyond the upper left corner, which means missing in ASF",
        printable(landmark.name));
  });
  return fmt::format("0 \t4 \t{} \t{} \t{} \t{} \t{}\n", number_text(x), number_text(y), i,
                     (i + count - 1) % count, (i + 1) % count);
}

}  // namespace

LandmarkTable parse_asf(std::string_view text, const std::string& name, const std::string& image,
                        const ImageSizes& sizes) {
  Shape shape = Reader(text, name).read();
  Annotation annotation{.image = shape.host.empty() ? image : shape.host,
                        .landmarks = std::move(shape.points)};
  const ImageSize size = known_size(annotation, sizes);
  annotation.width = size.width;
  annotation.height = size.height;
  for (Landmark& landmark : annotation.landmarks) {
    landmark.x *= static_cast<double>(size.width);
    landmark.y *= static_cast<double>(size.height);
    require(is_coordinate(landmark.x) && is_coordinate(landmark.y), ErrorKind::bad_format, [&] {
      return fmt::format("{}: point {} lies outside of any image", name, landmark.name);
    });
  }
  return {{std::move(annotation)}};
}

std::string write_asf(const LandmarkTable& table) {
  check_table(table);
  require(table.annotations.size() == 1, ErrorKind::invalid_input,
          "a shape file holds the landmarks of one image");
  const Annotation& annotation = table.annotations[0];
  require_one_line(annotation.image, "ASF");
  // A line that begins with # would be a comment.
  const char* before = annotation.image.starts_with('#') ? "./" : "";
  const ImageSize size = known_size(annotation, {});
  const std::size_t count = annotation.landmarks.size();
  std::string text = fmt::format(
      "# AAM Shape File, written by caos\n#\n# number of model points\n"
      "#\n{}\n#\n# model points\n#\n"
      "# format: <path#> <type> <x rel.> <y rel.> <point#> <connects "
      "from> <connects to>\n#\n",
      count);
  for (std::size_t i = 0; i < count; ++i) {
    text += point_text(annotation.landmarks[i], size, i, count);
  }
  return text + fmt::format("#\n# host image\n#\n{}{}\n", before, annotation.image);
}

}  // namespace caos::landmarks
