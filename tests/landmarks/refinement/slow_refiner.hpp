#pragma once

#include "tests/landmarks/refinement/refinement_oracle.hpp"

namespace refinement {

using Proposals = std::vector<std::optional<PatchProposal>>;

/// `PointRefiner` for at most 24 labeled images, by its definition.
class SlowRefiner {
 public:
  SlowRefiner(const caos::LabeledTemplates& labeled, const caos::ImagePixels& image,
              const PatchEvidence& evidence)
      : labeled_(labeled),
        image_(image),
        evidence_(evidence),
        side_(static_cast<double>(labeled.patch_size)) {}

  [[nodiscard]] Shape refine(Proposals proposals) const {
    const Proposals first = proposals;
    for (int round = 0; round < 2; ++round) place_again(first, proposals);
    Shape points(proposals.size());
    for (std::size_t t = 0; t < points.size(); ++t) {
      if (proposals[t] && !references(t, 0).empty()) {
        points[t] = best(t, *proposals[t], proposals[t]->point, 64);
      }
    }
    return expected(points, proposals);
  }

 private:
  struct Reference {
    double score = 0;
    std::size_t image = 0;
  };

  /// The most similar first.
  [[nodiscard]] std::vector<Reference> references(std::size_t landmark, Label y) const {
    std::vector<Reference> found;
    for (const std::size_t i : evidence_.references) {
      if (!labeled_.points[i][landmark]) continue;
      double dot = 0;
      for (std::size_t d = 0; d < evidence_.patches.cols(); ++d) {
        dot += double{evidence_.patches.row(y)[d]} * evidence_.reference(i, landmark)[d];
      }
      found.push_back({1 - dot, i});
    }
    std::ranges::stable_sort(found, {}, &Reference::score);
    return found;
  }

  [[nodiscard]] double score(std::size_t landmark, Label y) const {
    const auto found = references(landmark, y);
    double sum = 0;
    for (std::size_t j = 0; j < std::min<std::size_t>(3, found.size()); ++j) sum += found[j].score;
    return sum;
  }

  [[nodiscard]] Point center(Label y) const {
    const Point corner = image_.grid.corner(y);
    return {corner.x + side_ / 2, corner.y + side_ / 2};
  }

  static double least(Point point, const std::vector<Point>& places) {
    double result = std::numeric_limits<double>::infinity();
    for (const Point place : places) result = std::min(result, apart(point, place));
    return result;
  }

  [[nodiscard]] bool is_candidate(Label y, const std::vector<Point>& places) const {
    if (std::ranges::count(evidence_.impossible, y) > 0) return false;
    return std::ranges::any_of(places, [&](Point place) {
      const Point patch{std::floor(place.x / side_) * side_ + side_ / 2,
                        std::floor(place.y / side_) * side_ + side_ / 2};
      return std::abs(center(y).x - patch.x) <= side_ && std::abs(center(y).y - patch.y) <= side_;
    });
  }

  [[nodiscard]] Point mean_place(std::size_t landmark, Label y) const {
    const auto found = references(landmark, y);
    const std::size_t count = std::min<std::size_t>(3, found.size());
    Point point = image_.grid.corner(y);
    for (std::size_t j = 0; j < count; ++j) {
      const Point at = *labeled_.points[found[j].image][landmark];
      point.x += std::fmod(at.x, side_) / static_cast<double>(count);
      point.y += std::fmod(at.y, side_) / static_cast<double>(count);
    }
    return point;
  }

  void place_again(const Proposals& first, Proposals& proposals) const {
    Shape points(proposals.size());
    for (std::size_t t = 0; t < points.size(); ++t) {
      if (proposals[t]) points[t] = proposals[t]->point;
    }
    const auto shapes = nearest(labeled_.points, evidence_.references, points, 4 * side_, 5);
    for (std::size_t t = 0; t < points.size(); ++t) {
      std::vector<Point> places;
      for (const Fitted& shape : shapes) {
        if (shape.points[t]) places.push_back(*shape.points[t]);
      }
      if (!proposals[t] || places.empty() || least(*points[t], places) <= side_) continue;
      const auto cost = [&](Label y) {
        const double d = least(center(y), places) / side_;
        return score(t, y) / (score(t, first[t]->patch) + 0.01) + 0.1 * d * d;
      };
      Label patch = proposals[t]->patch;
      for (Label y = 0; y < image_.grid.size(); ++y) {
        if (is_candidate(y, places) && cost(y) < cost(patch)) patch = y;
      }
      if (patch == proposals[t]->patch) continue;
      proposals[t] =
          patch == first[t]->patch ? *first[t] : PatchProposal{patch, mean_place(t, patch)};
    }
  }

  /// What templates say of positions around a proposal.
  [[nodiscard]] caos::Correlations matches(std::size_t landmark, const PatchProposal& near) const {
    std::vector<caos::PointTemplate> templates;
    for (const Reference& one : references(landmark, near.patch)) {
      if (templates.size() < 8) templates.emplace_back(labeled_.of(one.image, landmark));
    }
    return caos::correlate(image_.gray, near.point, templates);
  }

  [[nodiscard]] Point best(std::size_t landmark, const PatchProposal& near, Point prior,
                           double variance) const {
    const Point middle{std::floor(near.point.x) + 0.5, std::floor(near.point.y) + 0.5};
    const Point found = matches(landmark, near)
                            .map.peak({prior.x - middle.x, prior.y - middle.y},
                                      0.05 / (2 * std::max(variance, 1.0 / 16)));
    return {middle.x + found.x, middle.y + found.y};
  }

  [[nodiscard]] Shape expected(const Shape& points, const Proposals& proposals) const {
    const auto shapes = nearest(labeled_.points, evidence_.references, points, 4 * side_, 64);
    Shape result = points;
    if (shapes.size() >= 3) {
      Numbers weights(points.size(), 1);
      Shape shape;
      double error = 0;
      for (int round = 0; round < 4; ++round) {
        shape = combined(shapes, points, weights);
        weights = weights_after(shape, points, 2);
        error = median_error(shape, points);
      }
      const auto own = variances(labeled_.points);
      for (std::size_t t = 0; t < points.size(); ++t) {
        if (!points[t] || !shape[t] || !own[t]) continue;
        const bool agree = matches(t, *proposals[t]).agreement > 0.25;
        result[t] = agree ? best(t, *proposals[t], *shape[t], *own[t] + error * error) : shape[t];
      }
    }
    for (auto& point : result) {
      if (!point) continue;
      point = Point{std::clamp(point->x, 0.0, static_cast<double>(image_.gray.cols())),
                    std::clamp(point->y, 0.0, static_cast<double>(image_.gray.rows()))};
    }
    return result;
  }

  static double median_error(const Shape& a, const Shape& b) {
    Numbers distances;
    for (std::size_t t = 0; t < a.size(); ++t) {
      if (a[t] && b[t]) distances.push_back(apart(*a[t], *b[t]));
    }
    return middle(distances);
  }

  const caos::LabeledTemplates& labeled_;
  const caos::ImagePixels& image_;
  const PatchEvidence& evidence_;
  double side_;
};

}  // namespace refinement
