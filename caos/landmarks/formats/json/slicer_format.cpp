#include "caos/landmarks/formats/json/slicer_format.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/landmarks/formats/json/json_view.hpp"
#include "caos/landmarks/formats/table_builder.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

/// From the corner of a pixel to its center, where Slicer has its origin.
constexpr double pixel_center = 0.5;

constexpr const char* schema =
    "https://raw.githubusercontent.com/slicer/slicer/master/Modules/Loadable/Markups/Resources/"
    "Schema/markups-schema-v1.0.3.json#";

/// How the description of a proposal begins; its conformity follows.
constexpr std::string_view proposed_mark = "proposed by caos, conformity ";

std::string description_of(const Landmark& landmark) {
  if (!landmark.proposed) return "";
  return std::string(proposed_mark) +
         (landmark.conformity ? number_text(*landmark.conformity) : std::string("unknown"));
}

double sign_of(PatientAxes axes) { return axes == PatientAxes::lps ? 1 : -1; }

class Reader {
 public:
  Reader(JsonView root, std::optional<double> scale) : root_(std::move(root)), scale_(scale) {}

  LandmarkTable read(const std::string& image) {
    const JsonView markup = only_markup();
    sign_ = sign_of(axes_of(markup));
    const std::size_t place = builder_.image(image);
    builder_[place].scale = scale_;
    for (const JsonView& point : markup.at("controlPoints").items()) read_point(point, place);
    return builder_.take();
  }

 private:
  JsonView only_markup() const {
    const JsonView markups = root_.at("markups");
    const std::vector<JsonView> items = markups.items();
    if (items.size() != 1) markups.refuse("must hold one list of points");
    const JsonView type = items[0].at("type");
    if (type.text() != "Fiducial") {
      type.refuse(fmt::format("is '{}'; expected 'Fiducial'", printable(type.text())));
    }
    const auto units = items[0].find("coordinateUnits");
    if (units && (!units->json().is_string() || units->text() != "mm")) {
      units->refuse("is not 'mm'");
    }
    return items[0];
  }

  static PatientAxes axes_of(const JsonView& markup) {
    const auto system = markup.find("coordinateSystem");
    if (!system || system->text() == "LPS") return PatientAxes::lps;  // Slicer's default
    if (system->text() != "RAS") system->refuse("is neither LPS nor RAS");
    return PatientAxes::ras;
  }

  void read_point(const JsonView& point, std::size_t place) {
    const JsonView label = point.at("label");
    if (label.text().empty()) label.refuse("is empty");
    Landmark landmark{.name = label.text(), .x = 0, .y = 0, .visibility = visibility_of(point)};
    if (landmark.visibility != Visibility::missing) {
      set_position(landmark, point.at("position"));
      set_conformity(landmark, point);
    }
    if (!builder_.add(place, landmark)) {
      label.refuse(fmt::format("'{}' is also the name of another point", printable(label.text())));
    }
  }

  /// What the writer says about proposals.
  static void set_conformity(Landmark& landmark, const JsonView& point) {
    const auto description = point.find("description");
    if (!description || !description->json().is_string()) return;
    const std::string_view text = description->text();
    if (!text.starts_with(proposed_mark)) return;
    landmark.proposed = true;
    const auto value = parse_number(text.substr(proposed_mark.size()));
    if (value && *value >= 0 && *value <= 1) landmark.conformity = value;
  }

  static Visibility visibility_of(const JsonView& point) {
    const auto status = point.find("positionStatus");
    if (status && status->text() != "defined") return Visibility::missing;
    const auto shown = point.find("visibility");
    return !shown || shown->truth() ? Visibility::visible : Visibility::hidden;
  }

  void set_position(Landmark& landmark, const JsonView& position) {
    const std::vector<JsonView> numbers = position.items();
    if (numbers.size() != 3) position.refuse("must hold x, y and z");
    landmark.x = pixels(numbers[0]);
    landmark.y = pixels(numbers[1]);
    const double z = numbers[2].coordinate();
    if (std::abs(z - plane_.value_or(z)) > scale_.value_or(1)) {
      numbers[2].refuse("lies in another plane than the points before; expected one image");
    }
    plane_ = plane_.value_or(z);
  }

  [[nodiscard]] double pixels(const JsonView& view) const {
    const double result = sign_ * view.number() / scale_.value_or(1) + pixel_center;
    if (!is_coordinate(result)) view.refuse("not a valid position in an image");
    return result;
  }

  JsonView root_;
  std::optional<double> scale_;
  double sign_ = 1;
  std::optional<double> plane_;  // z of the first point
  TableBuilder builder_;
};

Json position_json(const Landmark& landmark, double scale, PatientAxes axes) {
  if (landmark.visibility == Visibility::missing) return {0.0, 0.0, 0.0};
  const auto millimeters = [&](double pixel) {
    return sign_of(axes) * (pixel - pixel_center) * scale;
  };
  return {millimeters(landmark.x), millimeters(landmark.y), 0.0};
}

Json point_json(const Landmark& landmark, std::size_t id, Json position) {
  const bool marked = landmark.visibility != Visibility::missing;
  return {{"id", fmt::format("{}", id)},
          {"label", landmark.name},
          {"description", description_of(landmark)},
          {"associatedNodeID", ""},
          {"position", std::move(position)},
          {"orientation", {-1.0, -0.0, -0.0, -0.0, -1.0, -0.0, 0.0, 0.0, 1.0}},
          {"selected", true},
          {"locked", false},
          {"visibility", landmark.visibility != Visibility::hidden},
          {"positionStatus", marked ? "defined" : "undefined"}};
}

}  // namespace

LandmarkTable parse_slicer(std::string_view text, const std::string& name, const std::string& image,
                           std::optional<double> scale) {
  require(!scale || (*scale > 0 && std::isfinite(*scale)), ErrorKind::invalid_input,
          "the scale of Slicer's positions must be a positive number of millimeters per pixel");
  const Json json = parse_json(text, name);
  return Reader(JsonView(json, name), scale).read(image);
}

std::string write_slicer(const LandmarkTable& table, PatientAxes axes) {
  check_table(table);
  require(table.annotations.size() == 1, ErrorKind::invalid_input,
          "a file of Slicer's markups holds the landmarks of one image");
  const Annotation& annotation = table.annotations[0];
  Json points = Json::array();
  for (const Landmark& landmark : annotation.landmarks) {
    Json position = position_json(landmark, annotation.scale.value_or(1), axes);
    points.push_back(point_json(landmark, points.size() + 1, std::move(position)));
  }
  const Json markup = {{"type", "Fiducial"},
                       {"coordinateSystem", axes == PatientAxes::lps ? "LPS" : "RAS"},
                       {"coordinateUnits", "mm"},
                       {"locked", false},
                       {"fixedNumberOfControlPoints", false},
                       {"labelFormat", "%N-%d"},
                       {"lastUsedControlPointNumber", annotation.landmarks.size()},
                       {"controlPoints", std::move(points)}};
  return json_text({{"@schema", schema}, {"markups", Json::array({markup})}}, 4);
}

}  // namespace caos::landmarks
