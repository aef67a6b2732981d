#include "apps/predictions/prediction_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "apps/predictions/json_text.hpp"
#include "caos/io/csv.hpp"
#include "caos/rng.hpp"

namespace caos::predictions {
namespace {

using Strings = std::vector<std::string>;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Images on a grid of 4 x 3 patches, scaled to three quarters; the last row and column are cut.
constexpr vision::Frame frame{.width = 75,
                              .height = 57,
                              .scaled_width = 56,
                              .scaled_height = 43,
                              .working_width = 64,
                              .working_height = 48,
                              .grid = {.patch_size = 16, .columns = 4, .rows = 3}};

LandmarkModel names_only() {
  LandmarkModel model;
  model.labeled.tasks = {"left eye", "right, \"eye\"", "n\xc3\xa4se", "not UTF-8: \xff"};
  model.images = {"a.png", "b,c.png", "\"d\".png", "\xfe.png", "tab\t.png"};
  return model;
}

PredictionText text_of(const LandmarkModel& model, bool csv) {
  return {model.labeled.tasks, model.images, csv};
}

ImagePrediction draw(Rng& rng, std::optional<double> scale) {
  ImagePrediction image{.image = "new, \"one\".png", .frame = frame, .scale = scale};
  for (std::size_t t = 0; t < 4; ++t) {
    LandmarkPrediction& prediction = image.landmarks.emplace_back();
    for (Label patch = 0; patch < frame.grid.size(); ++patch) {
      if (rng.below(4) >= t) continue;  // the first set is empty
      prediction.set.push_back(patch);
      prediction.p_values.push_back(static_cast<double>(1 + rng.below(20)) / 21);
    }
    prediction.proposal = rng.below(frame.grid.size());
    prediction.offset = {rng.uniform(), rng.uniform()};
    prediction.proposal_p_value = static_cast<double>(rng.below(3)) / 2;
    prediction.supporting_references = {rng.below(5), rng.below(5)};
    if (t > 0) prediction.refined = vision::Point{55 * rng.uniform(), 42 * rng.uniform()};
    if (t > 1) prediction.score_over_threshold = t > 2 ? rng.uniform() : infinity;
  }
  return image;
}

/// Of a point that is inside the image.
Label patch_of(const vision::Point& point) {
  return static_cast<Label>(point.y / 16) * 4 + static_cast<Label>(point.x / 16);
}

/// As a tree, for the library to write.
Json tree_of(const LandmarkPrediction& prediction, const ImagePrediction& image,
             const LandmarkModel& model, const std::string& name) {
  Json outline = Json::array();
  for (const vision::Ring& ring : vision::outline(prediction.set, frame.grid)) {
    Json points = Json::array();
    for (const vision::GridCorner& corner : ring) {
      const vision::Point point = corner_in_pixels(corner, frame);
      points.push_back({rounded(point.x), rounded(point.y)});
    }
    outline.push_back(points);
  }
  Strings references;
  for (const std::size_t i : prediction.supporting_references)
    references.push_back(model.images[i]);
  const vision::Point place = proposal_of(prediction, frame);
  const double area = area_of(prediction, frame);
  Json proposal = {{"patch", prediction.proposal},
                   {"x", rounded(place.x)},
                   {"y", rounded(place.y)},
                   {"p_value", prediction.proposal_p_value}};
  if (prediction.score_over_threshold) {
    proposal["score_over_threshold"] = *prediction.score_over_threshold;
  }
  if (image.scale) proposal["x_mm"] = rounded(place.x * *image.scale);
  if (image.scale) proposal["y_mm"] = rounded(place.y * *image.scale);
  proposal["refined"] = prediction.refined.has_value();
  const Label patch = prediction.refined ? patch_of(*prediction.refined) : prediction.proposal;
  proposal["inside_region"] = std::ranges::count(prediction.set, patch) > 0;
  Json json = {{"landmark", name},          {"set_size", prediction.set.size()},
               {"patches", prediction.set}, {"p_values", prediction.p_values},
               {"outline", outline},        {"area", rounded(area)},
               {"proposal", proposal}};
  if (prediction.set.empty()) json["warning"] = "no location conforms: check this one";
  json["supporting_references"] = references;
  json["references"] = references;
  if (image.scale) json["area_mm2"] = rounded(area * *image.scale * *image.scale);
  return json;
}

Json tree_of(const ImagePrediction& image, const LandmarkModel& model) {
  Json json = {{"image", image.image},
               {"width", 75},
               {"height", 57},
               {"grid", {{"columns", 4}, {"rows", 3}, {"patch_size", 16}}}};
  if (image.scale) json["mm_per_pixel"] = *image.scale;
  json["landmarks"] = Json::array();
  for (std::size_t t = 0; t < image.landmarks.size(); ++t) {
    json["landmarks"].push_back(tree_of(image.landmarks[t], image, model, model.labeled.tasks[t]));
  }
  return json;
}

Strings row_of(const ImagePrediction& image, std::size_t t, const LandmarkModel& model) {
  const LandmarkPrediction& prediction = image.landmarks[t];
  const vision::Point place = proposal_of(prediction, frame);
  const double area = area_of(prediction, frame);
  const auto scaled = [&](double value) {
    return image.scale ? fmt::format("{:.3f}", value) : std::string();
  };
  const double scale = image.scale.value_or(0);
  Strings references;
  for (const std::size_t i : prediction.supporting_references)
    references.push_back(model.images[i]);
  Strings rings;
  for (const vision::Ring& ring : vision::outline(prediction.set, frame.grid)) {
    Strings points;
    for (const vision::GridCorner& corner : ring) {
      const vision::Point point = corner_in_pixels(corner, frame);
      points.push_back(fmt::format("{} {}", rounded(point.x), rounded(point.y)));
    }
    rings.push_back(fmt::format("{}", fmt::join(points, ", ")));
  }
  return {
      image.image,
      model.labeled.tasks[t],
      fmt::format("{:.3f}", place.x),
      fmt::format("{:.3f}", place.y),
      scaled(place.x * scale),
      scaled(place.y * scale),
      fmt::format("{}", prediction.set.size()),
      fmt::format("{:.3f}", area),
      scaled(area * scale * scale),
      fmt::format("{}", prediction.proposal),
      fmt::format("{}", prediction.proposal_p_value),
      fmt::format("{}", fmt::join(prediction.set, " ")),
      fmt::format("{}", fmt::join(prediction.p_values, " ")),
      fmt::format("{}", fmt::join(references, ";")),
      fmt::format("{}", fmt::join(references, ";")),
      fmt::format("{}", fmt::join(rings, "; ")),
      prediction.score_over_threshold ? fmt::format("{}", *prediction.score_over_threshold) : "",
      prediction.set.empty() ? "no location conforms: check this one" : ""};
}

TEST(PredictionText, IsWhatTheLibraryWritesOfATree) {
  const LandmarkModel model = names_only();
  const PredictionText text = text_of(model, false);
  Rng rng(7);
  for (const std::optional<double> scale : {std::optional<double>(), {0.1}, {2.0}}) {
    for (int i = 0; i < 50; ++i) {
      const ImagePrediction image = draw(rng, scale);
      EXPECT_EQ(text.of(image), json_text(tree_of(image, model)));
    }
  }
}

TEST(PredictionText, IsRowsOfFieldsWithQuotesWhereTheyAreNeeded) {
  const LandmarkModel model = names_only();
  const PredictionText text = text_of(model, true);
  Rng rng(8);
  for (const std::optional<double> scale : {std::optional<double>(), {0.1}, {2.0}}) {
    for (int i = 0; i < 50; ++i) {
      const ImagePrediction image = draw(rng, scale);
      std::string rows;
      for (std::size_t t = 0; t < 4; ++t) rows += io::csv_row(row_of(image, t, model));
      EXPECT_EQ(text.of(image), rows);
    }
  }
  EXPECT_EQ(std::ranges::count(PredictionText::csv_header(), ','), 17);
}

TEST(PredictionText, HasRemarks) {
  const LandmarkModel model = names_only();
  Rng rng(9);
  ImagePrediction image = draw(rng, {});
  image.remarks = {{"guarantee", "marginal"}, {"words", "a, \"b\""}};
  std::string rows;
  for (std::size_t t = 0; t < 4; ++t) {
    Strings row = row_of(image, t, model);
    row.insert(row.end(), {"marginal", "a, \"b\""});
    rows += io::csv_row(row);
  }
  EXPECT_EQ(text_of(model, true).of(image), rows);
  const Json json = Json::parse(text_of(model, false).of(image));
  EXPECT_EQ(json["words"], "a, \"b\"");
  EXPECT_EQ(json["landmarks"].size(), 4U);
  EXPECT_TRUE(PredictionText::csv_header(Strings{"guarantee", "words"})
                  .ends_with(",outline,score_over_threshold,warning,guarantee,words\n"));
}

TEST(PredictionText, OfAnImageWithoutLandmarksHasNone) {
  const ImagePrediction image{.image = "a", .frame = frame};
  EXPECT_EQ(Json::parse(text_of(names_only(), false).of(image))["landmarks"], Json::array());
  EXPECT_EQ(text_of(names_only(), true).of(image), "");
}

}  // namespace
}  // namespace caos::predictions
