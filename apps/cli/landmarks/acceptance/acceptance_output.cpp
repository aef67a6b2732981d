#include "apps/cli/landmarks/acceptance/acceptance_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "caos/io/csv.hpp"
#include "caos/io/write_whole.hpp"
#include "caos/miscoverage.hpp"

namespace caos::cli {
namespace {

Json landmark_json(const AcceptanceResult& result, std::size_t t) {
  return {{"landmark", result.landmarks[t]},
          {"num_wrong", result.calibration.num_wrong(t)},
          {"num_accepted", result.acceptance.landmarks[t].num_accepted}};
}

std::size_t num_wrong_images(const CheckedProposals& calibration) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < calibration.size(); ++i) count += calibration.is_wrong(i) ? 1U : 0U;
  return count;
}

Json image_json(const AcceptanceResult& result, std::size_t j) {
  Json landmarks = Json::array();
  for (std::size_t t = 0; t < result.landmarks.size(); ++t) {
    const selection::Selection& selected = result.acceptance.landmarks[t];
    landmarks.push_back({{"landmark", result.landmarks[t]},
                         {"x", result.proposals[j].points[t].x},
                         {"y", result.proposals[j].points[t].y},
                         {"accepted", bool{selected.accepted[j]}},
                         {"p_value", selected.p_value(j)}});
  }
  return {{"image", result.candidates[j]},
          {"accepted", bool{result.acceptance.images.accepted[j]}},
          {"p_value", result.acceptance.images.p_value(j)},
          {"landmarks", std::move(landmarks)}};
}

void write_json(const AcceptanceResult& result, io::Sink& sink) {
  Json json = to_json(result);
  json["candidates"] = Json::array();
  for (std::size_t j = 0; j < result.candidates.size(); ++j) {
    json["candidates"].push_back(image_json(result, j));
  }
  json["failed"] = Json::array();
  for (const FailedImage& image : result.failed) json["failed"].push_back(image.reason);
  sink.write(json_text(json, 2) + "\n");
}

void write_csv(const AcceptanceResult& result, io::Sink& sink) {
  sink.write("image,landmark,x,y,accepted,p_value,image_accepted,image_p_value,guarantee\n");
  const std::string guarantee = io::csv_field(result.guarantee.text());
  const selection::Selection& images = result.acceptance.images;
  for (std::size_t j = 0; j < result.candidates.size(); ++j) {
    for (std::size_t t = 0; t < result.landmarks.size(); ++t) {
      const selection::Selection& selected = result.acceptance.landmarks[t];
      const vision::Point& point = result.proposals[j].points[t];
      sink.write(fmt::format(
          "{},{},{:.3f},{:.3f},{:d},{},{:d},{},{}\n", io::csv_field(result.candidates[j]),
          io::csv_field(result.landmarks[t]), point.x, point.y, bool{selected.accepted[j]},
          selected.p_value(j), bool{images.accepted[j]}, images.p_value(j), guarantee));
    }
  }
}

/// From the landmark with the fewest accepted points to that with the most.
std::string range_text(const LandmarkAcceptance& acceptance) {
  const auto [least, most] =
      std::ranges::minmax(acceptance.landmarks, {}, &selection::Selection::num_accepted);
  return least.num_accepted == most.num_accepted
             ? fmt::format("{}", least.num_accepted)
             : fmt::format("{} to {}", least.num_accepted, most.num_accepted);
}

}  // namespace

std::string guarantee_text(const AcceptanceResult& result) {
  if (result.guarantee.kind == Guarantee::Kind::none) return result.guarantee.text();
  return fmt::format("{}, if {}", result.guarantee.text(), acceptance_assumption(result.basis));
}

Json to_json(const AcceptanceResult& result) {
  Json json = {{"file", result.file},
               {"plan", result.plan.empty() ? Json() : Json(result.plan)},
               {"tolerance", result.tolerance.text()},
               {"fdr", result.q.value()},
               {"num_references", result.references.size()},
               {"num_calibration", result.calibration.size()},
               {"num_calibration_needed", examples_needed(result.q)},
               {"feasible", is_feasible(result.calibration.size(), result.q)},
               {"num_candidates", result.candidates.size()},
               {"num_failed", result.failed.size()},
               {"left_out", result.left_out},
               {"working_size", result.embedding.working_size},
               {"precision", precision_name(result.embedding.precision)},
               {"rotation", vision::rotation_name(result.embedding.rotation)},
               {"guarantee", result.guarantee.text()}};
  if (result.guarantee.kind != Guarantee::Kind::none) {
    json["points_claim"] = points_claim(result.tolerance, result.q);
    json["images_claim"] = images_claim(result.tolerance, result.q, result.left_out);
    json["assumption"] = acceptance_assumption(result.basis);
  }
  json["references"] = result.references;
  json["landmarks"] = Json::array();
  for (std::size_t t = 0; t < result.landmarks.size(); ++t) {
    json["landmarks"].push_back(landmark_json(result, t));
  }
  json["images"] = {{"num_wrong", num_wrong_images(result.calibration)},
                    {"num_accepted", result.acceptance.images.num_accepted}};
  return json;
}

std::string to_text(const AcceptanceResult& result) {
  std::string text = fmt::format(
      "{}: {} candidates, {} landmarks proposed from {} references; errors of {} calibration "
      "images\n",
      result.file, result.candidates.size(), result.landmarks.size(), result.references.size(),
      result.calibration.size());
  text += fmt::format(
      "Accepted: {} of {} points ({} of each landmark), and {} of {} images as a whole\n",
      result.acceptance.num_accepted_points(), result.candidates.size() * result.landmarks.size(),
      range_text(result.acceptance), result.acceptance.images.num_accepted,
      result.candidates.size());
  if (result.guarantee.kind != Guarantee::Kind::none) {
    text += points_claim(result.tolerance, result.q) + "\n";
    text += images_claim(result.tolerance, result.q, result.left_out) + "\n";
  }
  return text + fmt::format("Guarantee: {}.\n", guarantee_text(result));
}

void write_acceptance(const AcceptanceResult& result, bool csv) {
  io::write_whole(result.file, [&](io::Sink& sink) {
    csv ? write_csv(result, sink) : write_json(result, sink);
  });
}

}  // namespace caos::cli
