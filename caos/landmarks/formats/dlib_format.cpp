#include "caos/landmarks/formats/dlib_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/table_builder.hpp"
#include "caos/landmarks/formats/text_lines.hpp"
#include "caos/landmarks/formats/xml_reader.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

/// From the index of a pixel to its center.
constexpr double pixel_center = 0.5;

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, const InstanceOptions& options)
      : xml_(text, name), name_(name), options_(options) {}

  LandmarkTable read() {
    const auto root = xml_.next();
    if (!root || root->name != "dataset") {
      io::refuse(name_, "not a file of dlib's imglab; expected the element <dataset>");
    }
    read_children("images", [&](const XmlTag&) {
      read_children("image", [&](const XmlTag& image) { read_image(image); });
    });
    (void)xml_.next();  // nothing follows, or an error
    return instances_.settle(builder_.take(), options_, name_);
  }

 private:
  /// Calls `read` with each child of that name, which must consume it, and passes over the others,
  /// as dlib does; to the end of the element.
  template <typename Read>
  void read_children(std::string_view wanted, Read&& read) {
    // The reader makes sure that every element ends.
    for (auto tag = xml_.next(); tag && tag->kind == XmlTag::Kind::begin; tag = xml_.next()) {
      tag->name == wanted ? read(*tag) : skip();
    }
  }

  void skip() {
    for (std::size_t depth = 1; depth > 0;) {
      const auto tag = xml_.next();
      tag->kind == XmlTag::Kind::begin ? ++depth : --depth;
    }
  }

  void read_image(const XmlTag& tag) {
    const std::string& file = attribute(tag, "file");
    if (file.empty()) xml_.refuse(tag.line, "the image has no file name");
    const auto place = builder_.new_image(file);
    if (!place) xml_.refuse(tag.line, fmt::format("image '{}' is listed twice", printable(file)));
    builder_[*place].width = size_of(tag, "width");
    builder_[*place].height = size_of(tag, "height");
    std::size_t num_boxes = 0;
    read_children("box", [&](const XmlTag& box) {
      Instance instance{.id = fmt::format("{}", ++num_boxes),
                        .place = fmt::format("{}:{}: a second box with parts", name_, box.line)};
      std::set<std::string> seen;
      read_children("part", [&](const XmlTag& part) {
        instance.landmarks.push_back(read_part(part));
        if (!seen.insert(instance.landmarks.back().name).second) {
          xml_.refuse(part.line, fmt::format("part '{}' is given twice",
                                             printable(instance.landmarks.back().name)));
        }
        skip();
      });
      if (!instance.landmarks.empty()) instances_.add(*place, std::move(instance));
    });
  }

  Landmark read_part(const XmlTag& tag) const {
    const std::string& name = attribute(tag, "name");
    if (name.empty()) xml_.refuse(tag.line, "the part has no name");
    return {.name = name, .x = coordinate(tag, "x"), .y = coordinate(tag, "y")};
  }

  const std::string& attribute(const XmlTag& tag, const char* key) const {
    const auto found = tag.attributes.find(key);
    if (found == tag.attributes.end()) {
      xml_.refuse(tag.line, fmt::format("<{}> has no attribute '{}'", tag.name, key));
    }
    return found->second;
  }

  double coordinate(const XmlTag& tag, const char* key) const {
    const std::string& text = attribute(tag, key);
    const auto value = parse_number(trim(text));
    if (!value || !is_coordinate(*value)) {
      xml_.refuse(tag.line,
                  fmt::format("{}='{}' is not a valid position in pixels", key, printable(text)));
    }
    return *value + pixel_center;
  }

  std::optional<std::size_t> size_of(const XmlTag& tag, const char* key) const {
    if (!tag.attributes.contains(key)) return std::nullopt;
    const auto value = parse_count(trim(attribute(tag, key)));
    if (!value || *value == 0) {
      xml_.refuse(tag.line, fmt::format("{}='{}' is not a count of pixels", key,
                                        printable(attribute(tag, key))));
    }
    return value;
  }

  XmlReader xml_;
  const std::string& name_;
  const InstanceOptions& options_;
  TableBuilder builder_;
  Instances instances_;
};

/// Control characters, line breaks among them, would not survive other readers as they are.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool special = c == '&' || c == '<' || c == '>' || c == '\'' || c == '"';
    const auto code = static_cast<unsigned char>(c);
    result += special || code < ' ' ? fmt::format("&#{};", code) : std::string(1, c);
  }
  return result;
}

bool is_marked(const Landmark& landmark) { return landmark.visibility != Visibility::missing; }

/// The pixels from the first to the last that hold a landmark along one axis.
struct Range {
  double first = std::numeric_limits<double>::infinity();
  double last = -std::numeric_limits<double>::infinity();

  void add(double position) {
    first = std::min(first, std::floor(position));
    last = std::max(last, std::floor(position));
  }
  [[nodiscard]] double count() const { return last - first + 1; }
};

std::string box_tag(const Annotation& annotation) {
  Range columns;
  Range rows;
  for (const Landmark& landmark : annotation.landmarks) {
    if (!is_marked(landmark)) continue;
    columns.add(landmark.x);
    rows.add(landmark.y);
  }
  return fmt::format("<box top='{:.0f}' left='{:.0f}' width='{:.0f}' height='{:.0f}'>", rows.first,
                     columns.first, columns.count(), rows.count());
}

std::string position_text(double position, const DlibOptions& options) {
  return options.fractions ? number_text(position - pixel_center)
                           : fmt::format("{:.0f}", std::floor(position));
}

std::string box_text(const Annotation& annotation, const DlibOptions& options) {
  if (std::ranges::none_of(annotation.landmarks, is_marked)) return "";
  std::string text = fmt::format("    {}\n", box_tag(annotation));
  for (const Landmark& landmark : annotation.landmarks) {
    if (!is_marked(landmark)) continue;
    text += fmt::format("      <part name='{}' x='{}' y='{}'/>\n", escaped(landmark.name),
                        position_text(landmark.x, options), position_text(landmark.y, options));
  }
  return text + "    </box>\n";
}

std::string image_tag(const Annotation& annotation) {
  std::string text = fmt::format("<image file='{}'", escaped(annotation.image));
  if (annotation.width) text += fmt::format(" width='{}'", *annotation.width);
  if (annotation.height) text += fmt::format(" height='{}'", *annotation.height);
  return text + ">";
}

}  // namespace

LandmarkTable parse_dlib(std::string_view text, const std::string& name,
                         const InstanceOptions& options) {
  return Reader(text, name, options).read();
}

std::string write_dlib(const LandmarkTable& table, const DlibOptions& options) {
  check_table(table);
  std::string text =
      "<?xml version='1.0' encoding='UTF-8'?>\n"
      "<dataset>\n<name>landmarks</name>\n<comment>Written by caos.</comment>\n<images>\n";
  for (const Annotation& annotation : table.annotations) {
    text +=
        fmt::format("  {}\n{}  </image>\n", image_tag(annotation), box_text(annotation, options));
  }
  return text + "</images>\n</dataset>\n";
}

}  // namespace caos::landmarks
