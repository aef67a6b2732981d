#include "caos/landmarks/points/point_baselines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "caos/error.hpp"

namespace caos {
namespace {

/// The same place in an image of another size; in one of the same size, exactly the same.
vision::Point carried_over(vision::Point point, const vision::Frame& from,
                           const vision::Frame& to) {
  const auto carry = [](double value, std::size_t old_size, std::size_t new_size) {
    if (old_size == new_size) return value;
    return value / static_cast<double>(old_size) * static_cast<double>(new_size);
  };
  return {.x = carry(point.x, from.width, to.width), .y = carry(point.y, from.height, to.height)};
}

/// Indices of labeled images, the most similar first.
Indices by_similarity(const Thumbnail& image, const std::vector<Thumbnail>& labeled) {
  std::vector<double> similarity;
  for (const Thumbnail& other : labeled) similarity.push_back(correlation(image, other));
  Indices order(labeled.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t i) { return similarity[i]; });
  return order;
}

}  // namespace

PointBaselines::PointBaselines(const AnnotatedImages& labeled) : labeled_(labeled) {
  for (std::size_t t = 0; t < labeled.patches.num_tasks(); ++t) {
    vision::Point sum;
    double count = 0;
    for (std::size_t i = 0; i < labeled.size(); ++i) {
      if (!has(i, t)) continue;
      sum.x += labeled.points(i, t).x / static_cast<double>(labeled.frames[i].width);
      sum.y += labeled.points(i, t).y / static_cast<double>(labeled.frames[i].height);
      ++count;
    }
    require(count > 0, ErrorKind::invalid_input, [&] {
      return fmt::format("no labeled image has landmark {}", labeled.patches.tasks[t]);
    });
    means_.push_back({.x = sum.x / count, .y = sum.y / count});
  }
  const bool has_pixels = labeled.gray.size() == labeled.size() &&
                          std::ranges::all_of(labeled.gray, [](const vision::GrayImage& image) {
                            return image.rows() > 0 && image.cols() > 0;
                          });
  if (!has_pixels) return;
  for (const vision::GrayImage& image : labeled.gray) thumbnails_.push_back(thumbnail_of(image));
}

bool PointBaselines::has(std::size_t image, std::size_t landmark) const {
  return labeled_.patches.labels(image, landmark) != missing_label;
}

std::vector<vision::Point> PointBaselines::mean_position(const vision::Frame& frame) const {
  std::vector<vision::Point> points;
  for (const vision::Point& mean : means_) {
    points.push_back({.x = mean.x * static_cast<double>(frame.width),
                      .y = mean.y * static_cast<double>(frame.height)});
  }
  return points;
}

std::vector<vision::Point> PointBaselines::nearest_image(const vision::GrayImage& image,
                                                         const vision::Frame& frame) const {
  const Indices order = by_similarity(thumbnail_of(image), thumbnails_);
  std::vector<vision::Point> points;
  for (std::size_t t = 0; t < means_.size(); ++t) {
    const std::size_t i = *std::ranges::find_if(order, [&](std::size_t l) { return has(l, t); });
    points.push_back(carried_over(labeled_.points(i, t), labeled_.frames[i], frame));
  }
  return points;
}

}  // namespace caos
