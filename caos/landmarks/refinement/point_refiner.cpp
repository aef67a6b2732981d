#include "caos/landmarks/refinement/point_refiner.hpp"

#include <algorithm>
#include <utility>

#include "caos/landmarks/refinement/correlation_map.hpp"
#include "caos/landmarks/refinement/patch_choice.hpp"

namespace caos {
namespace {

using vision::Point;

constexpr std::size_t num_templates = 8;
constexpr double prior_weight = 0.05;
/// Of the proposal's distance from the landmark: half a patch of the grid of the paper, squared.
constexpr double proposal_variance = 64;
constexpr double least_variance = 1.0 / 16;  ///< a quarter of a pixel
constexpr double least_agreement = 0.25;

/// What the pixels say of one landmark.
struct Match {
  Point center{};  ///< of the map, in the working image
  Correlations correlations{};
};

Point plus(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point minus(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }

/// The best place near another one.
Point best_near(const Match& match, Point place, double variance) {
  const double weight = prior_weight / (2 * std::max(variance, least_variance));
  return plus(match.center, match.correlations.map.peak(minus(place, match.center), weight));
}

Point within(const vision::GrayImage& image, Point point) {
  return {std::clamp(point.x, 0.0, static_cast<double>(image.cols())),
          std::clamp(point.y, 0.0, static_cast<double>(image.rows()))};
}

Match match_around(const ImagePixels& image, const PatchProposal& proposal,
                   const std::vector<SimilarReference>& references, const LabeledTemplates& labeled,
                   std::size_t landmark) {
  std::vector<PointTemplate> templates;
  templates.reserve(num_templates);
  for (std::size_t j = 0; j < std::min(num_templates, references.size()); ++j) {
    templates.emplace_back(labeled.of(references[j].image, landmark));
  }
  return {center_of_map(proposal.point), correlate(image.gray, proposal.point, templates)};
}

Point final_point(const Match& match, const ExpectedPoint& expected) {
  if (match.correlations.agreement <= least_agreement) return expected.point;
  return best_near(match, expected.point, expected.variance);
}

}  // namespace

std::vector<Label> patches_beyond(const ImagePixels& pixels) {
  std::vector<Label> beyond;
  for (Label y = 0; y < pixels.grid.size(); ++y) {
    const vision::Point corner = pixels.grid.corner(y);
    if (corner.x >= static_cast<double>(pixels.gray.cols()) ||
        corner.y >= static_cast<double>(pixels.gray.rows())) {
      beyond.push_back(y);
    }
  }
  return beyond;
}

PointRefiner::PointRefiner(LabeledTemplates labeled)
    : labeled_(std::move(labeled)), shapes_(labeled_.points) {}

std::vector<std::optional<Point>> PointRefiner::refine(
    const ImagePixels& image, std::span<const std::optional<PatchProposal>> proposals,
    const PatchEvidence& evidence) const {
  const auto placed =
      consistent_proposals(image.grid, {proposals.begin(), proposals.end()}, evidence, shapes_);
  std::vector<std::optional<Match>> matches(placed.size());
  Shape points(placed.size());
  for (std::size_t t = 0; t < placed.size(); ++t) {
    if (!placed[t]) continue;
    const auto references = similar_references(evidence, shapes_, t, placed[t]->patch);
    if (references.empty()) continue;
    matches[t] = match_around(image, *placed[t], references, labeled_, t);
    points[t] = best_near(*matches[t], placed[t]->point, proposal_variance);
  }
  const double cap = patches_that_count * static_cast<double>(image.grid.patch_size);
  const auto expected = shapes_.expected(points, evidence.references, cap);
  std::vector<std::optional<Point>> refined(placed.size());
  for (std::size_t t = 0; t < placed.size(); ++t) {
    if (!points[t]) continue;
    refined[t] =
        within(image.gray, expected[t] ? final_point(*matches[t], *expected[t]) : *points[t]);
  }
  return refined;
}

}  // namespace caos
