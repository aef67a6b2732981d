#include "caos/landmarks/formats/json/regions_format.hpp"

#include <fmt/format.h>

#include "caos/io/printable.hpp"
#include "caos/landmarks/formats/json/json_view.hpp"
#include "caos/landmarks/formats/table_builder.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

Landmark landmark_of(const JsonView& view) {
  Landmark landmark{.name = view.at("landmark").text()};
  if (landmark.name.empty()) view.at("landmark").refuse("is empty");
  const JsonView proposal = view.at("proposal");
  landmark.x = proposal.at("x").coordinate();
  landmark.y = proposal.at("y").coordinate();
  landmark.proposed = true;
  if (const auto p = proposal.find("p_value")) {
    landmark.conformity = p->number();
    if (!(*landmark.conformity >= 0 && *landmark.conformity <= 1)) {
      p->refuse("not a number from 0 to 1");
    }
  }
  return landmark;
}

void read_image(const JsonView& view, TableBuilder& builder) {
  const JsonView image = view.at("image");
  if (image.text().empty()) image.refuse("is empty");
  const auto place = builder.new_image(image.text());
  if (!place) image.refuse(fmt::format("'{}' is listed twice", printable(image.text())));
  if (const auto width = view.find("width")) builder[*place].width = width->positive();
  if (const auto height = view.find("height")) builder[*place].height = height->positive();
  if (const auto scale = view.find("mm_per_pixel")) {
    if (!(scale->number() > 0)) scale->refuse("not a positive number");
    builder[*place].scale = scale->number();
  }
  for (const JsonView& item : view.at("landmarks").items()) {
    Landmark landmark = landmark_of(item);
    const std::string name = landmark.name;
    if (!builder.add(*place, std::move(landmark))) {
      item.refuse(fmt::format("landmark '{}' is given twice", printable(name)));
    }
  }
}

}  // namespace

LandmarkTable parse_regions(std::string_view text, const std::string& name) {
  const Json json = parse_json(text, name);
  TableBuilder builder;
  for (const JsonView& image : JsonView(json, name).at("images").items()) {
    read_image(image, builder);
  }
  return builder.take();
}

}  // namespace caos::landmarks
