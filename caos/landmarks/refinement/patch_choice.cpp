#include "caos/landmarks/refinement/patch_choice.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "caos/kernels/dot.hpp"

namespace caos {
namespace {

using vision::PatchGrid;
using vision::Point;

constexpr int choice_rounds = 2;
constexpr std::size_t shapes_followed = 5;
constexpr std::size_t num_summed = 3;
constexpr double least_score = 0.01;
constexpr double distance_weight = 0.1;

double side_of(const PatchGrid& grid) { return static_cast<double>(grid.patch_size); }

double sum_of_smallest(const std::vector<SimilarReference>& references) {
  double sum = 0;
  for (std::size_t j = 0; j < std::min(num_summed, references.size()); ++j) {
    sum += references[j].score;
  }
  return sum;
}

/// The distance from the nearest of some places.
double distance_to(Point point, const std::vector<Point>& places) {
  double least = distance(point, places[0]);
  for (const Point place : places) least = std::min(least, distance(point, place));
  return least;
}

/// Where in a patch the references have the landmark, on average over those that are summed.
Point point_in(Label patch, const PatchGrid& grid, const std::vector<SimilarReference>& references,
               const ShapePrior& shapes, std::size_t landmark) {
  const double side = side_of(grid);
  const std::size_t count = std::min(num_summed, references.size());
  Point offset;
  for (std::size_t j = 0; j < count; ++j) {
    const Point at = *shapes.shapes()[references[j].image][landmark];
    offset.x += at.x - std::floor(at.x / side) * side;
    offset.y += at.y - std::floor(at.y / side) * side;
  }
  const Point corner = grid.corner(patch);
  return {corner.x + offset.x / static_cast<double>(count),
          corner.y + offset.y / static_cast<double>(count)};
}

/// Chooses patches of one image.
class Chooser {
 public:
  Chooser(const PatchGrid& grid, const PatchEvidence& evidence, const ShapePrior& shapes)
      : grid_(grid), evidence_(evidence), shapes_(shapes), possible_(grid.size(), true) {
    for (const Label y : evidence.impossible) possible_[y] = false;
  }

  /// Of the first proposal, the present one and the patches around the places.
  [[nodiscard]] PatchProposal choose(std::size_t landmark, const PatchProposal& first,
                                     const PatchProposal& now,
                                     const std::vector<Point>& places) const {
    const double scale = score(landmark, first.patch) + least_score;
    std::tuple<double, Label> best{cost(landmark, now.patch, places, scale), now.patch};
    for (const Label y : patches_near(places)) {
      if (y != now.patch) best = std::min(best, {cost(landmark, y, places, scale), y});
    }
    const Label patch = std::get<Label>(best);
    if (patch == now.patch) return now;
    if (patch == first.patch) return first;
    const auto references = similar_references(evidence_, shapes_, landmark, patch);
    return {.patch = patch, .point = point_in(patch, grid_, references, shapes_, landmark)};
  }

 private:
  [[nodiscard]] double score(std::size_t landmark, Label y) const {
    return sum_of_smallest(similar_references(evidence_, shapes_, landmark, y));
  }

  [[nodiscard]] double cost(std::size_t landmark, Label y, const std::vector<Point>& places,
                            double scale) const {
    const double side = side_of(grid_);
    const Point corner = grid_.corner(y);
    const double apart = distance_to({corner.x + side / 2, corner.y + side / 2}, places) / side;
    return score(landmark, y) / scale + distance_weight * apart * apart;
  }

  /// The patch at each place and its neighbors.
  [[nodiscard]] std::set<Label> patches_near(const std::vector<Point>& places) const {
    std::set<Label> patches;
    for (const Point place : places) {
      const double column = std::floor(place.x / side_of(grid_));
      const double row = std::floor(place.y / side_of(grid_));
      for (const double y : {row - 1, row, row + 1}) {
        for (const double x : {column - 1, column, column + 1}) add(x, y, patches);
      }
    }
    return patches;
  }

  void add(double x, double y, std::set<Label>& patches) const {
    const bool inside = x >= 0 && y >= 0 && x < static_cast<double>(grid_.columns) &&
                        y < static_cast<double>(grid_.rows);
    if (!inside) return;
    const Label patch = static_cast<Label>(y) * grid_.columns + static_cast<Label>(x);
    if (possible_[patch]) patches.insert(patch);
  }

  const PatchGrid& grid_;
  const PatchEvidence& evidence_;
  const ShapePrior& shapes_;
  std::vector<bool> possible_;
};

/// Where some mapped shapes have a landmark.
std::vector<Point> places_of(const std::vector<MappedShape>& shapes, std::size_t landmark) {
  std::vector<Point> places;
  for (const MappedShape& shape : shapes) {
    if (shape.points[landmark]) places.push_back(*shape.points[landmark]);
  }
  return places;
}

}  // namespace

std::vector<SimilarReference> similar_references(const PatchEvidence& evidence,
                                                 const ShapePrior& shapes, std::size_t landmark,
                                                 Label y) {
  std::vector<SimilarReference> found;
  std::vector<const float*> vectors;
  for (const std::size_t i : evidence.references) {
    if (!shapes.shapes()[i][landmark]) continue;
    found.push_back({.image = i});
    vectors.push_back(evidence.reference(i, landmark));
  }
  const std::vector<const float*> patch(vectors.size(), evidence.patches.row(y).data());
  std::vector<double> dots(vectors.size());
  kernels::dot_pairs(patch.data(), vectors.data(), vectors.size(), evidence.patches.cols(),
                     dots.data());
  for (std::size_t j = 0; j < found.size(); ++j) found[j].score = 1 - dots[j];
  std::ranges::stable_sort(found, {}, &SimilarReference::score);
  return found;
}

Shape shape_of(std::span<const std::optional<PatchProposal>> proposals) {
  Shape shape;
  for (const auto& one : proposals) {
    shape.push_back(one ? std::optional(one->point) : std::nullopt);
  }
  return shape;
}

std::vector<std::optional<PatchProposal>> consistent_proposals(
    const PatchGrid& grid, std::vector<std::optional<PatchProposal>> proposals,
    const PatchEvidence& evidence, const ShapePrior& shapes) {
  const Chooser chooser(grid, evidence, shapes);
  const std::vector<std::optional<PatchProposal>> first = proposals;
  for (int round = 0; round < choice_rounds; ++round) {
    const std::vector<MappedShape> nearest =
        shapes.nearest(shape_of(proposals), evidence.references, patches_that_count * side_of(grid),
                       shapes_followed);
    for (std::size_t t = 0; t < proposals.size(); ++t) {
      const std::vector<Point> places = places_of(nearest, t);
      if (!proposals[t] || places.empty()) continue;
      if (distance_to(proposals[t]->point, places) <= side_of(grid)) continue;
      proposals[t] = chooser.choose(t, *first[t], *proposals[t], places);
    }
  }
  return proposals;
}

}  // namespace caos
