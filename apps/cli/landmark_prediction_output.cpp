#include "landmark_prediction_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "caos/io/csv.hpp"
#include "caos/vision/outline.hpp"

namespace caos::cli {
namespace {

/// More names than this cover the image.
constexpr std::size_t most_names = 30;

double rounded(double value) { return std::round(value * 1000) / 1000; }

Json point_json(vision::Point point) { return Json::array({rounded(point.x), rounded(point.y)}); }

/// A corner of the grid in pixels of the image, which may end within the last patches.
vision::Point corner_in_pixels(const vision::GridCorner& corner, const vision::Frame& frame) {
  const auto side = static_cast<double>(frame.grid.patch_size);
  const vision::Point working{
      std::min(static_cast<double>(corner.x) * side, static_cast<double>(frame.scaled_width)),
      std::min(static_cast<double>(corner.y) * side, static_cast<double>(frame.scaled_height))};
  return frame.to_original(working);
}

/// A place in the patch, cut off where the image ends.
vision::Point place_in(Label patch, Offset offset, const vision::Frame& frame) {
  const vision::Bounds bounds = frame.patch_bounds(patch);
  const vision::Point corner = frame.grid.corner(patch);
  const auto side = static_cast<double>(frame.grid.patch_size);
  const vision::Point point =
      frame.to_original({corner.x + offset.x * side, corner.y + offset.y * side});
  return {std::clamp(point.x, bounds.left, bounds.right),
          std::clamp(point.y, bounds.top, bounds.bottom)};
}

std::vector<std::string> supporter_names(const LandmarkPrediction& prediction,
                                         const LandmarkModel& model) {
  std::vector<std::string> names;
  for (const std::size_t i : prediction.supporters) names.push_back(model.images[i]);
  return names;
}

/// Rings apart by semicolons, each "x y, x y, ...".
std::string outline_text(const PixelRegion& region) {
  std::string text;
  for (const auto& ring : region.outline) {
    if (!text.empty()) text += "; ";
    for (std::size_t p = 0; p < ring.size(); ++p) {
      text += fmt::format("{}{} {}", p == 0 ? "" : ", ", rounded(ring[p].x), rounded(ring[p].y));
    }
  }
  return text;
}

Json proposal_json(const LandmarkPrediction& prediction, const PixelRegion& region,
                   std::optional<double> scale) {
  Json json = {{"patch", prediction.proposal},
               {"x", rounded(region.proposal.x)},
               {"y", rounded(region.proposal.y)},
               {"p_value", prediction.proposal_p_value}};
  if (scale) {
    json["x_mm"] = rounded(region.proposal.x * *scale);
    json["y_mm"] = rounded(region.proposal.y * *scale);
  }
  return json;
}

Json landmark_json(const std::string& name, const LandmarkPrediction& prediction,
                   const ImagePrediction& image, const LandmarkModel& model) {
  const PixelRegion region = in_pixels(prediction, image.frame);
  Json outline = Json::array();
  for (const auto& ring : region.outline) {
    Json points = Json::array();
    for (const vision::Point point : ring) points.push_back(point_json(point));
    outline.push_back(std::move(points));
  }
  Json json = {{"landmark", name},
               {"set_size", prediction.set.size()},
               {"patches", prediction.set},
               {"p_values", prediction.p_values},
               {"outline", std::move(outline)},
               {"area", rounded(region.area)},
               {"proposal", proposal_json(prediction, region, image.scale)},
               {"references", supporter_names(prediction, model)}};
  if (image.scale) json["area_mm2"] = rounded(region.area * *image.scale * *image.scale);
  return json;
}

}  // namespace

PixelRegion in_pixels(const LandmarkPrediction& prediction, const vision::Frame& frame) {
  PixelRegion region;
  for (const vision::Ring& ring : vision::outline(prediction.set, frame.grid)) {
    auto& points = region.outline.emplace_back();
    for (const vision::GridCorner& corner : ring) points.push_back(corner_in_pixels(corner, frame));
  }
  for (const Label patch : prediction.set) {
    const vision::Bounds bounds = frame.patch_bounds(patch);
    region.area += (bounds.right - bounds.left) * (bounds.bottom - bounds.top);
  }
  region.proposal = place_in(prediction.proposal, prediction.offset, frame);
  return region;
}

Json to_json(const ImagePrediction& prediction, const LandmarkModel& model) {
  Json json = {{"image", prediction.image},
               {"width", prediction.frame.width},
               {"height", prediction.frame.height},
               {"grid",
                {{"columns", prediction.frame.grid.columns},
                 {"rows", prediction.frame.grid.rows},
                 {"patch_size", prediction.frame.grid.patch_size}}}};
  if (prediction.scale) json["mm_per_pixel"] = *prediction.scale;
  json["landmarks"] = Json::array();
  for (std::size_t t = 0; t < prediction.landmarks.size(); ++t) {
    json["landmarks"].push_back(
        landmark_json(model.labeled.tasks[t], prediction.landmarks[t], prediction, model));
  }
  return json;
}

std::string csv_header() {
  return "image,landmark,x,y,x_mm,y_mm,set_size,area,area_mm2,proposal_patch,proposal_p_value,patches,"
         "p_values,references,outline\n";
}

std::string to_csv(const ImagePrediction& image, const LandmarkModel& model) {
  std::string rows;
  for (std::size_t t = 0; t < image.landmarks.size(); ++t) {
    const LandmarkPrediction& prediction = image.landmarks[t];
    const PixelRegion region = in_pixels(prediction, image.frame);
    const auto millimetres = [&](double pixels) {
      return image.scale ? fmt::format("{:.3f}", pixels * *image.scale) : std::string();
    };
    rows += io::csv_row(std::vector<std::string>{
        image.image, model.labeled.tasks[t], fmt::format("{:.3f}", region.proposal.x),
        fmt::format("{:.3f}", region.proposal.y), millimetres(region.proposal.x),
        millimetres(region.proposal.y), fmt::format("{}", prediction.set.size()),
        fmt::format("{:.3f}", region.area),
        image.scale ? millimetres(region.area * *image.scale) : std::string(),
        fmt::format("{}", prediction.proposal), fmt::format("{}", prediction.proposal_p_value),
        fmt::format("{}", fmt::join(prediction.set, " ")),
        fmt::format("{}", fmt::join(prediction.p_values, " ")),
        fmt::format("{}", fmt::join(supporter_names(prediction, model), ";")),
        outline_text(region)});
  }
  return rows;
}

std::vector<vision::Region> regions_of(const ImagePrediction& image, const LandmarkModel& model) {
  std::vector<vision::Region> regions;
  for (std::size_t t = 0; t < image.landmarks.size(); ++t) {
    PixelRegion region = in_pixels(image.landmarks[t], image.frame);
    regions.push_back({.outline = std::move(region.outline),
                       .proposal = region.proposal,
                       .set_size = image.landmarks[t].set.size(),
                       .name = image.landmarks.size() <= most_names ? model.labeled.tasks[t] : ""});
  }
  return regions;
}

}  // namespace caos::cli
