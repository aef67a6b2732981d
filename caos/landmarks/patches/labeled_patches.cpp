#include "caos/landmarks/patches/labeled_patches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"

namespace caos {
namespace {

template <typename T>
Matrix<T> columns_of(const Matrix<T>& values, const Indices& columns) {
  Matrix<T> result(values.rows(), columns.size());
  for (std::size_t i = 0; i < values.rows(); ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c) result(i, c) = values(i, columns[c]);
  }
  return result;
}

Matrix<float> rows_of(const Matrix<float>& values, const Indices& rows) {
  Matrix<float> result(0, values.cols());
  for (const std::size_t r : rows) result.push_row(values.row(r));
  return result;
}

/// By column: image by image, in the order of the landmarks.
Matrix<float> exact_vectors(const LabeledPatches& labeled, std::size_t dimension) {
  Matrix<float> vectors(0, dimension);
  for (std::size_t i = 0; i < labeled.labels.rows(); ++i) {
    for (std::size_t t = 0; t < labeled.num_tasks(); ++t) {
      if (labeled.labels(i, t) != missing_label) vectors.push_row(labeled.cells.exact[i].row(t));
    }
  }
  return vectors;
}

void check(const RotatedPatches& rotated, const LabeledPatches& upright) {
  require(rotated.images.size() == upright.size() &&
              rotated.labels.rows() == upright.labels.rows() &&
              rotated.labels.cols() == upright.labels.cols() &&
              (rotated.grids.empty() || rotated.grids.size() == upright.size()),
          ErrorKind::invalid_input, "rotated images do not fit the labeled ones");
  for (std::size_t i = 0; i < upright.size(); ++i) {
    require(rotated.images[i].cols() == upright.images[i].cols() || rotated.images[i].rows() == 0,
            ErrorKind::invalid_input, "rotated images have embeddings of another dimension");
    for (std::size_t t = 0; t < upright.num_tasks(); ++t) {
      const bool present = upright.labels(i, t) != missing_label;
      const std::int64_t label = rotated.labels(i, t);
      const bool fits =
          present ? 0 <= label && static_cast<std::size_t>(label) < rotated.images[i].rows()
                  : label == missing_label;
      require(fits, ErrorKind::invalid_input, "rotated images have other landmarks");
    }
  }
}

/// The image and the landmark of each distinct patch; of several landmarks the first.
std::vector<std::pair<std::size_t, std::size_t>> origins_of(const std::vector<PatchTask>& tasks) {
  std::vector<std::pair<std::size_t, std::size_t>> origins;
  for (std::size_t t = tasks.size(); t-- > 0;) {
    for (std::size_t p = 0; p < tasks[t].images.size(); ++p) {
      const std::size_t column = tasks[t].columns[p];
      if (column >= origins.size()) origins.resize(column + 1);
      origins[column] = {tasks[t].images[p], t};
    }
  }
  return origins;
}

/// The rows of these landmarks.
Matrix<float> rows_of(const std::vector<Matrix<float>>& images, const Matrix<std::int64_t>& labels,
                      std::span<const std::pair<std::size_t, std::size_t>> origins,
                      std::size_t threads) {
  Matrix<float> rows(origins.size(), images.empty() ? 0 : images[0].cols());
  parallel_for(origins.size(), 256, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
      const auto [image, task] = origins[r];
      const auto label = static_cast<std::size_t>(labels(image, task));
      std::ranges::copy(images[image].row(label), rows.row(r).begin());
    }
  });
  return rows;
}

}  // namespace

void check(const LabeledPatches& labeled) {
  require(labeled.labels.rows() == labeled.size() && labeled.tasks.size() == labeled.num_tasks() &&
              (labeled.subjects.empty() || labeled.subjects.size() == labeled.size()),
          ErrorKind::invalid_input, "embeddings, labels and names do not fit together");
  require(labeled.grids.empty() || labeled.grids.size() == labeled.size(), ErrorKind::invalid_input,
          "there must be one grid per image");
  require(labeled.offsets.rows() == 0 || (labeled.offsets.rows() == labeled.labels.rows() &&
                                          labeled.offsets.cols() == labeled.labels.cols()),
          ErrorKind::invalid_input, "there must be one offset per label");
  require(!labeled.has_cells() || (labeled.cells.sources.size() == labeled.size() &&
                                   labeled.grids.size() == labeled.size()),
          ErrorKind::invalid_input, "there must be cells for each image");
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    require(labeled.images[i].cols() == labeled.images[0].cols(), ErrorKind::invalid_input,
            [&] { return fmt::format("image {} has embeddings of another dimension", i); });
    for (std::size_t t = 0; t < labeled.num_tasks(); ++t) {
      const std::int64_t label = labeled.labels(i, t);
      const auto patches = static_cast<std::int64_t>(labeled.num_labels(i));
      require(label == missing_label || (0 <= label && label < patches), ErrorKind::invalid_input,
              [&] {
                return fmt::format(
                    "landmark {} of image {} is in patch {}; the image has patches 0 "
                    "to {} ({} means missing)",
                    labeled.tasks[t], i, label, patches - 1, missing_label);
              });
    }
  }
  for (const RotatedPatches& rotated : labeled.rotations) {
    // Models keep no more of them than they need.
    if (rotated.labels.rows() > 0) check(rotated, labeled);
  }
}

vision::Point position_of(Label patch, Offset offset, std::size_t columns) {
  return {.x = static_cast<double>(patch % columns) + offset.x,
          .y = static_cast<double>(patch / columns) + offset.y};
}

LandmarkVectors landmark_vectors(const CellSource& source, MatrixView<const float> patches,
                                 const vision::PatchGrid& cells,
                                 std::span<const std::int64_t> labels,
                                 std::span<const Offset> offsets) {
  const auto side = static_cast<double>(cells.patch_size);
  std::vector<vision::Point> points;
  Indices present;
  for (std::size_t t = 0; t < labels.size(); ++t) {
    if (labels[t] == missing_label) continue;
    const vision::Point corner = cells.corner(static_cast<Label>(labels[t]));
    points.push_back(middle_of_cell(cells, static_cast<Label>(labels[t])));
    points.push_back({.x = corner.x + offsets[t].x * side, .y = corner.y + offsets[t].y * side});
    present.push_back(t);
  }
  LandmarkVectors vectors{.own = Matrix<float>(labels.size(), patches.cols()),
                          .exact = Matrix<float>(labels.size(), patches.cols())};
  if (present.empty()) return vectors;
  const Matrix<float> read = vectors_at(source, patches, points);
  for (std::size_t p = 0; p < present.size(); ++p) {
    std::ranges::copy(read.row(2 * p), vectors.own.row(present[p]).begin());
    std::ranges::copy(read.row(2 * p + 1), vectors.exact.row(present[p]).begin());
  }
  return vectors;
}

void read_cells(LabeledPatches& labeled, std::size_t threads) {
  LabeledCells& cells = labeled.cells;
  cells.own.resize(labeled.size());
  cells.exact.resize(labeled.size());
  parallel_for(labeled.size(), 1, threads, [&](std::size_t i, std::size_t) {
    LandmarkVectors read =
        landmark_vectors(cells.sources[i], labeled.images[i].view(), labeled.grids[i],
                         labeled.labels.row(i), labeled.offsets.row(i));
    cells.own[i] = std::move(read.own);
    cells.exact[i] = std::move(read.exact);
  });
}

double side_in_patches(const vision::PatchGrid& labels, const vision::PatchGrid& patches) {
  return static_cast<double>(labels.patch_size) / static_cast<double>(patches.patch_size);
}

vision::Point LabeledPatches::position(std::size_t image, std::size_t task) const {
  const Offset offset = offsets.rows() == 0 ? middle_of_patch : offsets(image, task);
  const vision::Point at =
      position_of(static_cast<Label>(labels(image, task)), offset, grids[image].columns);
  const double side = side_in_patches(grids[image], patch_grid(image));
  return {.x = at.x * side, .y = at.y * side};
}

Offset LabeledPatches::offset(std::size_t image, std::size_t task, std::size_t rotation) const {
  const Matrix<Offset>& of = rotation == 0 ? offsets : rotations[rotation - 1].offsets;
  return of.rows() == 0 ? middle_of_patch : of(image, task);
}

vision::Point LabeledPatches::position(std::size_t image, std::size_t task,
                                       std::size_t rotation) const {
  if (rotation == 0) return position(image, task);
  const RotatedPatches& rotated = rotations[rotation - 1];
  return position_of(static_cast<Label>(rotated.labels(image, task)), offset(image, task, rotation),
                     rotated.grids[image].columns);
}

std::vector<std::string> numbered_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t t = 0; t < count; ++t) names.push_back(fmt::format("{}", t));
  return names;
}

void check_patch_labels(const Matrix<std::int64_t>& labels,
                        std::span<const std::size_t> num_patches, const std::string& name,
                        const std::string& embeddings) {
  require(labels.rows() == num_patches.size(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has labels for {} images; {} is of {}", name, labels.rows(), embeddings,
                       num_patches.size());
  });
  for (std::size_t i = 0; i < labels.rows(); ++i) {
    const auto most = static_cast<std::int64_t>(num_patches[i]) - 1;
    for (std::size_t t = 0; t < labels.cols(); ++t) {
      const std::int64_t label = labels(i, t);
      require(missing_label <= label && label <= most, ErrorKind::bad_format, [&] {
        return fmt::format("{}: element [{}, {}] is {}; patches are 0 to {}, and {} is missing",
                           name, i, t, label, most, missing_label);
      });
    }
  }
}

std::vector<std::size_t> number_subjects(std::span<const std::optional<std::string>> subjects) {
  std::map<std::string, std::size_t> number_of;
  std::vector<std::size_t> numbers;
  std::size_t next = 0;
  bool repeated = false;
  for (const std::optional<std::string>& subject : subjects) {
    if (!subject) {
      numbers.push_back(next++);
      continue;
    }
    const auto [found, is_new] = number_of.emplace(*subject, next);
    numbers.push_back(found->second);
    is_new ? ++next : next;
    repeated = repeated || !is_new;
  }
  return repeated ? numbers : std::vector<std::size_t>();
}

bool names_subjects(std::span<const std::optional<std::string>> subjects) {
  return std::ranges::any_of(subjects, [](const auto& subject) { return subject.has_value(); });
}

Matrix<std::int64_t> with_tasks(const Matrix<std::int64_t>& labels, const Indices& tasks) {
  return columns_of(labels, tasks);
}

Matrix<Offset> with_tasks(const Matrix<Offset>& offsets, const Indices& tasks) {
  return columns_of(offsets, tasks);
}

LabeledPatches with_tasks(LabeledPatches labeled, const Indices& tasks) {
  labeled.labels = with_tasks(labeled.labels, tasks);
  if (labeled.offsets.rows() > 0) labeled.offsets = with_tasks(labeled.offsets, tasks);
  for (Matrix<float>& vectors : labeled.cells.own) vectors = rows_of(vectors, tasks);
  for (Matrix<float>& vectors : labeled.cells.exact) vectors = rows_of(vectors, tasks);
  std::vector<std::string> names;
  for (const std::size_t t : tasks) names.push_back(labeled.tasks[t]);
  labeled.tasks = std::move(names);
  for (RotatedPatches& rotated : labeled.rotations) {
    rotated.labels = with_tasks(rotated.labels, tasks);
    rotated.offsets = with_tasks(rotated.offsets, tasks);
  }
  return labeled;
}

std::vector<PatchTask> reference_columns(const LabeledPatches& labeled) {
  std::vector<PatchTask> tasks;
  for (const std::string& name : labeled.tasks) {
    tasks.push_back({name, {}, {}});
    tasks.back().images.reserve(labeled.labels.rows());
    tasks.back().columns.reserve(labeled.labels.rows());
  }
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> column_of;  // by patch of one image
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < labeled.labels.rows(); ++i) {
    column_of.assign(column_of.size(), none);
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const std::int64_t label = labeled.labels(i, t);
      if (label == missing_label) continue;
      const auto patch = static_cast<std::size_t>(label);
      if (patch >= column_of.size()) column_of.resize(patch + 1, none);
      // Landmarks of one cell lie at different places in it, those of one patch at other angles in
      // others.
      const bool is_own = labeled.has_cells() || !labeled.rotations.empty();
      if (column_of[patch] == none || is_own) column_of[patch] = next++;
      tasks[t].images.push_back(i);
      tasks[t].columns.push_back(column_of[patch]);
    }
  }
  return tasks;
}

ReferencePatches reference_patches(const LabeledPatches& labeled, std::size_t threads) {
  ReferencePatches references{.patches = {}, .tasks = reference_columns(labeled)};
  if (labeled.has_cells()) {
    references.patches = exact_vectors(labeled, labeled.size() == 0 ? 0 : labeled.images[0].cols());
    return references;
  }
  const auto origins = origins_of(references.tasks);
  references.patches = rows_of(labeled.images, labeled.labels, origins, threads);
  for (const RotatedPatches& rotated : labeled.rotations) {
    references.rotated.push_back(rows_of(rotated.images, rotated.labels, origins, threads));
  }
  return references;
}

}  // namespace caos
