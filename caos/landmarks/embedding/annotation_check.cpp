#include "caos/landmarks/embedding/annotation_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "caos/vision/structure.hpp"

namespace caos {
namespace {

constexpr std::size_t most_images = 12;
constexpr std::size_t most_landmarks = 60;
constexpr std::size_t num_nearest = 3;
/// Fewer images say too little.
constexpr std::size_t fewest_images = 4;
constexpr double least_structure = 0.5;
constexpr double clearly_more_structure = 2;
constexpr double clearly_more_conformity = 1.4;
constexpr double not_less = 0.85;

/// Up to `most` of `count` indices, spread evenly.
Indices spread(std::size_t count, std::size_t most) {
  Indices indices;
  const std::size_t chosen = std::min(count, most);
  for (std::size_t i = 0; i < chosen; ++i) indices.push_back(i * count / chosen);
  return indices;
}

/// Of at least one value; the lower of two middle ones.
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Within the image, which does not contain its lower edge.
vision::Point mirrored(vision::Point point, const vision::Frame& frame) {
  const auto height = static_cast<double>(frame.height);
  return {point.x, std::min(height - point.y, std::nextafter(height, 0.0))};
}

bool is_marked(const AnnotatedImages& images, std::size_t i, std::size_t t) {
  return images.patches.labels.row(i)[t] != missing_label;
}

/// What lies under the landmarks of one image.
struct ImageStructure {
  bool known = false;
  double as_read = 0;  ///< in units of the image's mean
  double mirrored = 0;
};

/// Embeddings from arrays come without an image.
ImageStructure structure_of(const AnnotatedImages& images, std::size_t i,
                            const Indices& landmarks) {
  if (images.gray[i].rows() == 0) return {};
  const vision::Structure structure(images.gray[i]);
  const vision::Frame& frame = images.frames[i];
  std::vector<double> as_read;
  std::vector<double> turned;
  for (const std::size_t t : landmarks) {
    if (!is_marked(images, i, t)) continue;
    const vision::Point point = images.points.row(i)[t];
    as_read.push_back(structure.around(frame.to_working(point)));
    turned.push_back(structure.around(frame.to_working(mirrored(point, frame))));
  }
  if (as_read.empty() || structure.mean() <= 0) return {};
  return {true, median(as_read) / structure.mean(), median(turned) / structure.mean()};
}

void add_structure(AnnotationCheck& check, const std::vector<ImageStructure>& found) {
  constexpr double least = 1e-6;
  std::vector<double> ratios;
  for (const ImageStructure& image : found) {
    if (!image.known) continue;
    ++check.num_images;
    check.num_blank += image.as_read < least_structure ? 1 : 0;
    ratios.push_back(std::max(image.mirrored, least) / std::max(image.as_read, least));
  }
  if (!ratios.empty()) check.mirrored_structure = median(std::move(ratios));
}

using Rows = std::vector<std::span<const float>>;

double distance(std::span<const float> a, std::span<const float> b) {
  double dot = 0;
  for (std::size_t d = 0; d < a.size(); ++d) {
    dot += static_cast<double>(a[d]) * static_cast<double>(b[d]);
  }
  return std::max(0.0, 1 - dot);
}

/// The median over patches of the sum of distances to the nearest others.
double typical_score(const Rows& rows) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<double> distances;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      if (j != i) distances.push_back(distance(rows[i], rows[j]));
    }
    std::ranges::sort(distances);
    double sum = 0;
    for (std::size_t n = 0; n < num_nearest; ++n) sum += distances[n];
    scores.push_back(sum);
  }
  return median(std::move(scores));
}

/// The patch at a point of the image, also where labels are cells.
Label patch_at(const AnnotatedImages& images, std::size_t i, vision::Point point) {
  return images.patches.patch_grid(i).patch_at(images.frames[i].to_working(point));
}

/// How often smaller scores become for one landmark; nothing where too few images have it.
std::optional<double> conformity_of(const AnnotatedImages& images, std::size_t t,
                                    const Indices& sample) {
  constexpr double least = 1e-6;
  Rows as_read;
  Rows turned;
  for (const std::size_t i : sample) {
    if (!is_marked(images, i, t)) continue;
    const auto& patches = images.patches.images[i];
    const vision::Point point = images.points.row(i)[t];
    as_read.push_back(patches.row(patch_at(images, i, point)));
    turned.push_back(patches.row(patch_at(images, i, mirrored(point, images.frames[i]))));
  }
  if (as_read.size() < num_nearest + 2) return std::nullopt;
  return std::max(typical_score(as_read), least) / std::max(typical_score(turned), least);
}

}  // namespace

bool AnnotationCheck::looks_mirrored() const {
  if (num_images < fewest_images) return false;
  // Patches of blank background resemble each other, so that their conformity says nothing.
  const bool structure = mirrored_structure >= clearly_more_structure &&
                         (mirrored_conformity >= not_less || looks_blank());
  const bool conformity =
      mirrored_conformity >= clearly_more_conformity && mirrored_structure >= not_less;
  return structure || conformity;
}

bool AnnotationCheck::looks_blank() const {
  return num_images >= fewest_images && 2 * num_blank > num_images;
}

AnnotationCheck check_annotations(const AnnotatedImages& images) {
  const Indices sample = spread(images.size(), most_images);
  const Indices landmarks = spread(images.patches.labels.cols(), most_landmarks);
  std::vector<ImageStructure> found;
  for (const std::size_t i : sample) found.push_back(structure_of(images, i, landmarks));
  AnnotationCheck check;
  add_structure(check, found);
  std::vector<double> ratios;
  for (const std::size_t t : landmarks) {
    if (const auto ratio = conformity_of(images, t, sample)) ratios.push_back(*ratio);
  }
  if (!ratios.empty()) check.mirrored_conformity = median(std::move(ratios));
  return check;
}

std::optional<std::string> warning_of(const AnnotationCheck& check, const std::string& file) {
  if (check.looks_mirrored()) {
    return fmt::format(
        "{}: the landmarks would suit the images far better with y mirrored ({:.1f} times the "
        "structure under them, scores {:.1f} times smaller); check whether y counts from the top "
        "or from the bottom",
        file, check.mirrored_structure, check.mirrored_conformity);
  }
  if (check.looks_blank()) {
    return fmt::format(
        "{}: in {} of {} images most landmarks lie where the image has little structure; check "
        "their coordinates",
        file, check.num_blank, check.num_images);
  }
  return std::nullopt;
}

}  // namespace caos
