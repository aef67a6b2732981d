#include "caos/landmarks/rotated_arrays.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace caos {
namespace {

/// No image has more rows or columns of patches.
constexpr std::int64_t most_sides = std::int64_t{1} << 12;

template <typename T>
void append(const Matrix<T>& rows, Matrix<T>& to) {
  for (std::size_t r = 0; r < rows.rows(); ++r) to.push_row(rows.row(r));
}

/// Rows first, ..., first + count - 1.
template <typename T>
Matrix<T> part_of(const Matrix<T>& all, std::size_t first, std::size_t count) {
  Matrix<T> part(0, all.cols());
  for (std::size_t r = first; r < first + count; ++r) part.push_row(all.row(r));
  return part;
}

vision::PatchGrid grid_in(const io::ModelFile& file, const Matrix<std::int64_t>& grids,
                          std::size_t row, std::size_t patch_size) {
  for (const std::int64_t side : grids.row(row)) {
    if (side < 1 || side > most_sides) file.refuse("the grid of a rotated image is not valid");
  }
  return {.patch_size = patch_size,
          .columns = static_cast<std::size_t>(grids(row, 0)),
          .rows = static_cast<std::size_t>(grids(row, 1))};
}

}  // namespace

Matrix<double> flat_offsets(const Matrix<Offset>& offsets) {
  Matrix<double> result(offsets.rows(), 2 * offsets.cols());
  for (std::size_t i = 0; i < offsets.rows(); ++i) {
    for (std::size_t t = 0; t < offsets.cols(); ++t) {
      result(i, 2 * t) = offsets(i, t).x;
      result(i, 2 * t + 1) = offsets(i, t).y;
    }
  }
  return result;
}

Matrix<Offset> offsets_of(MatrixView<const double> flat) {
  Matrix<Offset> offsets(flat.rows(), flat.cols() / 2);
  for (std::size_t i = 0; i < offsets.rows(); ++i) {
    for (std::size_t t = 0; t < offsets.cols(); ++t) {
      offsets(i, t) = {flat(i, 2 * t), flat(i, 2 * t + 1)};
    }
  }
  return offsets;
}

RotatedArrays::RotatedArrays(const LandmarkModel& model)
    : references_(0, model.references.patches.cols()),
      offsets_(0, 2 * model.labeled.num_tasks()),
      labels_(0, model.labeled.num_tasks()),
      patches_(0, model.references.patches.cols()) {
  for (const Matrix<float>& rows : model.references.rotated) append(rows, references_);
  for (const RotatedPatches& rotated : model.labeled.rotations) {
    append(flat_offsets(rotated.offsets), offsets_);
    append(rotated.labels, labels_);
    for (const Matrix<float>& image : rotated.images) append(image, patches_);
    for (const vision::PatchGrid& grid : rotated.grids) {
      grids_.push_row(std::array{static_cast<std::int64_t>(grid.columns),
                                 static_cast<std::int64_t>(grid.rows)});
    }
  }
}

void RotatedArrays::add_to(std::vector<io::TensorRef>& refs) const {
  if (references_.rows() == 0) return;
  refs.push_back(io::tensor_of("rotated_references", references_.view()));
  refs.push_back(io::tensor_of("rotated_offsets", offsets_.view()));
  if (grids_.rows() == 0) return;
  refs.push_back(io::tensor_of("rotated_labels", labels_.view()));
  refs.push_back(io::tensor_of("rotated_grids", grids_.view()));
  refs.push_back(io::tensor_of("rotated_patches", patches_.view()));
}

vision::Rotation rotation_of(const io::ModelFile& file) {
  if (!file.has("rotation")) return vision::Rotation::none;
  for (const vision::Rotation rotation : {vision::Rotation::small, vision::Rotation::any}) {
    if (file.text("rotation") == vision::rotation_name(rotation)) return rotation;
  }
  file.refuse("its rotation is not known");
}

void read_rotated_landmarks(const io::ModelFile& file, LandmarkModel& model) {
  const std::size_t angles = vision::angles_of(model.embedding.rotation).size();
  if (angles == 0) return;
  const Matrix<double> offsets = file.matrix<double>("rotated_offsets");
  const Matrix<std::int64_t>& labels = model.labeled.labels;
  if (offsets.rows() != angles * labels.rows() || offsets.cols() != 2 * labels.cols()) {
    file.refuse("'rotated_offsets' do not fit the labels");
  }
  const auto is_share = [](double value) { return value >= 0 && value <= 1; };
  const std::span values(offsets.view().data(), offsets.rows() * offsets.cols());
  if (!std::ranges::all_of(values, is_share)) {
    file.refuse("'rotated_offsets' must be from 0 to 1");
  }
  for (std::size_t a = 0; a < angles; ++a) {
    const auto part = offsets.view().rows_from(a * labels.rows(), labels.rows());
    model.labeled.rotations.push_back({.offsets = offsets_of(part)});
  }
}

void read_rotated_references(const io::ModelFile& file, LandmarkModel& model) {
  const std::size_t angles = model.labeled.rotations.size();
  if (angles == 0) return;
  const Matrix<float> references = file.matrix<float>("rotated_references");
  const Matrix<float>& upright = model.references.patches;
  if (references.rows() != angles * upright.rows() || references.cols() != upright.cols()) {
    file.refuse("'rotated_references' do not fit the references");
  }
  for (std::size_t a = 0; a < angles; ++a) {
    model.references.rotated.push_back(part_of(references, a * upright.rows(), upright.rows()));
  }
}

void read_rotated_patches(const io::ModelFile& file, LandmarkModel& model) {
  const std::size_t angles = model.labeled.rotations.size();
  if (angles == 0) return;
  const std::size_t images = model.labeled.labels.rows();
  const auto labels = file.matrix<std::int64_t>("rotated_labels");
  const auto grids = file.matrix<std::int64_t>("rotated_grids");
  const auto patches = file.matrix<float>("rotated_patches");
  if (labels.rows() != angles * images || labels.cols() != model.labeled.num_tasks() ||
      grids.rows() != angles * images || grids.cols() != 2) {
    file.refuse("the rotated images do not fit the labels");
  }
  std::size_t next = 0;
  for (std::size_t a = 0; a < angles; ++a) {
    RotatedPatches& rotated = model.labeled.rotations[a];
    rotated.labels = part_of(labels, a * images, images);
    for (std::size_t i = 0; i < images; ++i) {
      rotated.grids.push_back(grid_in(file, grids, a * images + i, model.embedding.patch_size));
      const std::size_t count = rotated.grids.back().size();
      if (count > patches.rows() - next) file.refuse("patches of rotated images are missing");
      rotated.images.push_back(part_of(patches, next, count));
      next += count;
    }
  }
  if (next != patches.rows()) file.refuse("there are more rotated patches than images have");
}

}  // namespace caos
