#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/landmarks/cells/cell_vectors.hpp"
#include "caos/scores.hpp"

namespace caos {

/// The label of a landmark that an image does not have.
inline constexpr std::int64_t missing_label = -1;

/// Where in its patch a landmark lies, from (0, 0), the upper left corner, to (1, 1).
using Offset = vision::Point;
/// Where it is taken to lie if that is not known.
inline constexpr Offset middle_of_patch{.x = 0.5, .y = 0.5};

/// What is known of images whose labels are cells and not patches. Vectors are rows by landmark, of
/// those that the image has.
struct LabeledCells {
  std::vector<CellSource> sources{};   ///< by image; empty: labels are patches
  std::vector<Matrix<float>> own{};    ///< by image, [tasks, D]: at the center of its cell
  std::vector<Matrix<float>> exact{};  ///< by image, [tasks, D]: at the landmark itself
};

/// What describes the landmarks of one image, as in `LabeledCells`.
struct LandmarkVectors {
  Matrix<float> own{};
  Matrix<float> exact{};
};

/// Labeled images rotated by one angle, as patch embeddings: how their landmarks look there.
struct RotatedPatches {
  /// Unit rows [rows, D], one matrix per image: of all patches where grids are known, otherwise of
  /// those with a landmark.
  std::vector<Matrix<float>> images{};
  Matrix<std::int64_t> labels{};           ///< [images, tasks]; the row, or missing_label
  std::vector<vision::PatchGrid> grids{};  ///< by image; empty: not known
  Matrix<Offset> offsets{};                ///< [images, tasks], where in its patch
};

/// Labeled images of several landmark tasks, as patch embeddings.
struct LabeledPatches {
  std::vector<Matrix<float>> images{};  ///< unit rows [patches, D], one matrix per image
  Matrix<std::int64_t> labels{};        ///< [images, tasks]; the patch or cell, or missing_label
  std::vector<std::string> tasks{};     ///< names of the landmarks
  std::vector<std::size_t> subjects{};  ///< whose image it is, by number; empty: all differ
  /// Whether the user said whose images these are, also where all differ: then a guarantee is for a
  /// new subject.
  bool subjects_known = false;
  std::vector<vision::PatchGrid> grids{};  ///< how labels lie, by image; empty: not known
  Matrix<Offset> offsets{};  ///< [images, tasks], where in its patch; empty: in the middle
  LabeledCells cells{};
  std::vector<RotatedPatches> rotations{};  ///< by angle besides 0; images are references in each

  [[nodiscard]] std::size_t size() const { return images.size(); }
  [[nodiscard]] std::size_t num_tasks() const { return labels.cols(); }
  /// Whether labels are cells and not patches.
  [[nodiscard]] bool has_cells() const { return !cells.sources.empty(); }
  /// How many labels an image's landmark may have.
  [[nodiscard]] std::size_t num_labels(std::size_t image) const {
    return has_cells() ? grids[image].size() : images[image].rows();
  }
  /// How patches lie. Requires grids.
  [[nodiscard]] const vision::PatchGrid& patch_grid(std::size_t image) const {
    return has_cells() ? cells.sources[image].patches : grids[image];
  }
  /// Where a landmark lies, in patches. Requires its grid, and that it is present.
  [[nodiscard]] vision::Point position(std::size_t image, std::size_t task) const;
  /// The same in a rotation, where 0 is the image as it is.
  [[nodiscard]] vision::Point position(std::size_t image, std::size_t task,
                                       std::size_t rotation) const;
  /// Where in its patch a landmark lies in a rotation.
  [[nodiscard]] Offset offset(std::size_t image, std::size_t task, std::size_t rotation) const;
  [[nodiscard]] bool same_subject(std::size_t i, std::size_t j) const {
    return subjects.empty() ? i == j : subjects[i] == subjects[j];
  }
};

/// Throws `invalid_input` unless shapes agree and every label is missing or a patch of its image.
void check(const LabeledPatches& labeled);

/// Names of landmarks that were given none: 0, 1, ...
[[nodiscard]] std::vector<std::string> numbered_names(std::size_t count);

/// Throws unless there is one row of labels for each image, of patches of that image or missing.
/// `num_patches` is by image; `name` and `embeddings` are what errors call the two.
void check_patch_labels(const Matrix<std::int64_t>& labels,
                        std::span<const std::size_t> num_patches, const std::string& name,
                        const std::string& embeddings);

/// Subjects by number, in the order in which they appear; an image without one is its own. Empty
/// where no subject has two images.
[[nodiscard]] std::vector<std::size_t> number_subjects(
    std::span<const std::optional<std::string>> subjects);

/// Whether any image has a subject with a name.
[[nodiscard]] bool names_subjects(std::span<const std::optional<std::string>> subjects);

/// Reads the vectors of an image's landmarks, given its cells and where in them landmarks are.
[[nodiscard]] LandmarkVectors landmark_vectors(const CellSource& source,
                                               MatrixView<const float> patches,
                                               const vision::PatchGrid& cells,
                                               std::span<const std::int64_t> labels,
                                               std::span<const Offset> offsets);

/// Reads those of all images, whose grids, labels, offsets and sources are known.
void read_cells(LabeledPatches& labeled, std::size_t threads);

/// The side of a label in patches: 1 where labels are patches.
[[nodiscard]] double side_in_patches(const vision::PatchGrid& labels,
                                     const vision::PatchGrid& patches);

/// Where a landmark lies in patches, given its patch, its place in that patch and the columns of
/// the grid; in cells, given its cell.
[[nodiscard]] vision::Point position_of(Label patch, Offset offset, std::size_t columns);

/// The same images with some landmarks only.
[[nodiscard]] LabeledPatches with_tasks(LabeledPatches labeled, const Indices& tasks);
[[nodiscard]] Matrix<std::int64_t> with_tasks(const Matrix<std::int64_t>& labels,
                                              const Indices& tasks);
[[nodiscard]] Matrix<Offset> with_tasks(const Matrix<Offset>& offsets, const Indices& tasks);

/// The reference patches of one task.
struct PatchTask {
  std::string name;
  Indices images;                      ///< the labeled images that have the landmark
  std::vector<std::uint32_t> columns;  ///< the distinct patch that each of them refers with
};

/// The distinct vectors that serve as references: many landmarks of an image lie in the same patch,
/// so comparing each patch once saves most of the work. Where labels are cells, each landmark has
/// its own, at its exact position.
struct ReferencePatches {
  Matrix<float> patches;  ///< [R, D], unit rows
  std::vector<PatchTask> tasks;
  std::vector<Matrix<float>> rotated{};  ///< by angle besides 0: the same in the rotated images
};

/// Which image refers with which distinct patch. They are numbered image by image, in the order of
/// the landmarks. Where images are rotated, each landmark has its own: two that share a patch do
/// not share it at every angle.
[[nodiscard]] std::vector<PatchTask> reference_columns(const LabeledPatches& labeled);

/// The same with the patches themselves.
[[nodiscard]] ReferencePatches reference_patches(const LabeledPatches& labeled,
                                                 std::size_t threads = 1);

}  // namespace caos
