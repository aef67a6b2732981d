#include "caos/landmarks/matching/geometry_references.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"

namespace caos {

GeometryReferences::GeometryReferences(const LabeledPatches& labeled,
                                       const ReferencePatches& references, std::size_t threads)
    : labeled_(labeled),
      references_(references),
      columns_(references.patches.rows()),
      starts_(labeled.size() + 1),
      anchors_(labeled.size() * num_rotations()),
      landmarks_(labeled.size() * num_rotations()) {
  require(labeled.grids.size() == labeled.size(), ErrorKind::invalid_input,
          "the score geometry needs to know how the patches of the labeled images lie; give grids");
  for (const RotatedPatches& rotated : labeled.rotations) {
    require(rotated.grids.size() == labeled.size(), ErrorKind::invalid_input,
            "the score geometry compares all patches of rotated images; only landmarks were kept");
  }
  const std::vector<PatchTask> tasks = reference_columns(labeled);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    for (std::size_t p = 0; p < tasks[t].images.size(); ++p) {
      const std::size_t image = tasks[t].images[p];
      columns_[tasks[t].columns[p]] = {image, static_cast<std::size_t>(labeled.labels(image, t)),
                                       t};
    }
  }
  // Columns are numbered image by image.
  for (const Column& column : columns_) ++starts_[column.image + 1];
  for (std::size_t i = 0; i < labeled.size(); ++i) starts_[i + 1] += starts_[i];
  parallel_for(labeled.size(), 1, threads, [&](std::size_t i, std::size_t) {
    for (std::size_t r = 0; r < num_rotations(); ++r) add_rotation(i, r);
  });
  for (const auto& anchors : anchors_) {
    largest_error_ = std::max(largest_error_, anchors->coarse().largest_error());
  }
}

void GeometryReferences::add_rotation(std::size_t image, std::size_t rotation) {
  const bool upright = rotation == 0;
  const vision::PatchGrid& grid =
      upright ? labeled_.patch_grid(image) : labeled_.rotations[rotation - 1].grids[image];
  const Matrix<float>& patches =
      upright ? labeled_.images[image] : labeled_.rotations[rotation - 1].images[image];
  const std::size_t place = image * num_rotations() + rotation;
  anchors_[place] = std::make_unique<AnchorPatches>(patches.view(), grid);
  Landmarks& landmarks = landmarks_[place];
  landmarks.of_task.resize(labeled_.num_tasks());
  std::map<std::pair<double, double>, std::uint32_t> numbers;
  for (std::size_t t = 0; t < labeled_.num_tasks(); ++t) {
    if (!has(image, t)) continue;
    const vision::Point at = labeled_.position(image, t, rotation);
    const auto count = static_cast<std::uint32_t>(landmarks.distinct.size());
    const auto [found, is_new] = numbers.try_emplace({at.x, at.y}, count);
    if (is_new) landmarks.distinct.emplace_back(grid, at);
    landmarks.of_task[t] = found->second;
  }
}

void GeometryReferences::place(const GeometryEstimate& estimate, std::size_t image,
                               std::size_t rotation, std::span<vision::Point> places) const {
  const Landmarks& landmarks = landmarks_[image * num_rotations() + rotation];
  const std::vector<vision::Point> distinct = estimate.project(landmarks.distinct);
  for (std::size_t t = 0; t < places.size(); ++t) {
    if (has(image, t)) places[t] = distinct[landmarks.of_task[t]];
  }
}

std::size_t GeometryReferences::patch_of(std::size_t c, std::size_t rotation) const {
  const Column& column = columns_[c];
  if (rotation == 0) return column.patch;
  return static_cast<std::size_t>(
      labeled_.rotations[rotation - 1].labels(column.image, column.task));
}

RotatedEstimate RotationChoice::best(const GeometryReferences& references, std::size_t image,
                                     const TargetPatches& target) {
  RotatedEstimate best{estimate_geometry(references.anchors(image, 0), target, best_)};
  for (std::size_t r = 1; r < references.num_rotations(); ++r) {
    GeometryEstimate other = estimate_geometry(references.anchors(image, r), target, other_);
    if (other.support() <= best.estimate.support()) continue;
    best = {.estimate = std::move(other), .rotation = r};
    std::swap(best_, other_);
  }
  return best;
}

}  // namespace caos
