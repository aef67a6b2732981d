#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/objects/embedded_images.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/scores.hpp"

namespace caos::python {

/// Patch embeddings of images as a user gives them: an array [images, patches, D], a list of arrays
/// [patches, D], or `EmbeddedImages`. float32 is borrowed. Making it needs the GIL, using it does
/// not.
class PatchImages {
 public:
  /// Whether an array [patches, D] may stand for one image.
  enum class Single { allowed, refused };

  PatchImages(pybind11::handle object, std::string name, Single single);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t size() const { return images_.size(); }
  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] std::size_t num_patches(std::size_t i) const { return images_[i].rows(); }
  /// How many patches, or cells, a landmark may be in.
  [[nodiscard]] std::size_t num_labels(std::size_t i) const {
    return has_cells() ? embedded_->frames[i].grid.size() : num_patches(i);
  }
  /// The same by image.
  [[nodiscard]] std::vector<std::size_t> sizes() const;
  /// Whether labels are cells and not patches.
  [[nodiscard]] bool has_cells() const { return embedded_ && !embedded_->cells.empty(); }
  /// What the cells of an image are read from; null where labels are patches.
  [[nodiscard]] const CellSource* cells(std::size_t i) const {
    return has_cells() ? &embedded_->cells[i] : nullptr;
  }

  /// The rows of an image, divided by their lengths.
  [[nodiscard]] Matrix<float> unit(std::size_t i) const;
  [[nodiscard]] std::vector<Matrix<float>> all_units(std::size_t threads) const;

  /// How the patches lie, by image: as they were embedded, or on `grid`, (columns, rows) for plain
  /// arrays; nothing where that is None. Throws where the grid does not fit.
  [[nodiscard]] std::vector<vision::PatchGrid> grids(const pybind11::object& grid) const;
  /// On a grid that is known from elsewhere, for plain arrays of as many patches; else nothing.
  [[nodiscard]] vision::PatchGrid grid_of(std::size_t i, const vision::PatchGrid& of_arrays) const;

  /// How they were embedded; nothing where they are plain arrays.
  [[nodiscard]] const std::optional<EmbeddedImages>& embedded() const { return embedded_; }

 private:
  void add(pybind11::handle object, Single single);
  void add_list(pybind11::handle list);
  void add_array(const FloatArray& array);
  void add_image(const FloatArray& array);
  void refuse_empty(const FloatArray& array) const;
  /// Throws unless the embeddings, which users hold too, still are those of the frames.
  void check_frames() const;

  std::string name_;
  std::optional<EmbeddedImages> embedded_;
  std::vector<FloatArray> arrays_;
  std::vector<MatrixView<const float>> images_;
  std::size_t dimension_ = 0;
};

/// Labels [images, landmarks] of images with so many patches; [images] is one landmark.
[[nodiscard]] Matrix<std::int64_t> patch_labels_of(pybind11::handle object, const std::string& name,
                                                   const PatchImages& images);

/// Whole numbers [images, landmarks]; [images] is one landmark.
[[nodiscard]] Matrix<std::int64_t> label_table_of(pybind11::handle object, const std::string& name);

/// Whose image each is, by number: from None or one hashable object per image, in which None and
/// NaN are subjects of their own. Empty where no subject has two images.
[[nodiscard]] std::vector<std::size_t> subjects_of(pybind11::handle object, std::size_t num_images,
                                                   const std::string& name = "subjects");

/// Whether that argument says whose images these are, also where all differ.
[[nodiscard]] bool names_subjects(pybind11::handle object);

/// Whose image each is, in words: from one hashable object per image, in which None and NaN are
/// subjects of their own. `name` is what errors call the argument.
[[nodiscard]] std::vector<std::optional<std::string>> subject_names_of(pybind11::handle object,
                                                                       const std::string& name,
                                                                       std::size_t num_images);
[[nodiscard]] std::vector<std::optional<std::string>> subject_names_of(pybind11::handle object,
                                                                       const std::string& name);

/// How the program lays plain arrays over image files.
struct ArrayLayout {
  std::optional<std::int64_t> patch_size{};
  std::optional<std::string> working_size{};
};

/// How images were embedded; of plain arrays, how they lie in images.
[[nodiscard]] EmbeddingRecord record_of(const PatchImages& images, const ArrayLayout& layout);

/// Tells labeled images, whose vectors, labels and offsets are known, what their cells are read
/// from, and reads them; nothing where labels are patches.
void add_cells(const PatchImages& images, LabeledPatches& labeled, std::size_t threads);

/// The named score, or the default: that of images; the paper's for arrays without a grid and for
/// aligned images.
[[nodiscard]] ChosenScore score_of(const std::optional<std::string>& name,
                                   const PatchImages& images, bool has_grid);

/// Where landmarks lie in their patches, [images, landmarks], from [images, landmarks, 2] or None.
[[nodiscard]] Matrix<Offset> offsets_of(const pybind11::object& object,
                                        const Matrix<std::int64_t>& labels);

/// The names of landmarks, or their numbers where there are none.
[[nodiscard]] std::vector<std::string> landmark_names_of(
    const std::optional<std::vector<std::string>>& names, std::size_t count);

}  // namespace caos::python
