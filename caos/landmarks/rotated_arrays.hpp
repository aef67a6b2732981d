#pragma once

#include <vector>

#include "caos/io/model_file.hpp"
#include "caos/landmarks/landmark_model.hpp"

namespace caos {

/// Offsets as (x, y), one after another: [images, 2 landmarks]; and back.
[[nodiscard]] Matrix<double> flat_offsets(const Matrix<Offset>& offsets);
[[nodiscard]] Matrix<Offset> offsets_of(MatrixView<const double> flat);

/// The arrays of a model file that rotated images add: angle after angle, each as the upright
/// images. The model outlives them.
class RotatedArrays {
 public:
  explicit RotatedArrays(const LandmarkModel& model);

  void add_to(std::vector<io::TensorRef>& refs) const;

 private:
  Matrix<float> references_;          ///< [angles * references, D]
  Matrix<double> offsets_;            ///< [angles * images, 2 landmarks]
  Matrix<std::int64_t> labels_;       ///< [angles * images, landmarks]
  Matrix<std::int64_t> grids_{0, 2};  ///< [angles * images, 2]: columns and rows
  Matrix<float> patches_;             ///< [all patches, D]
};

/// What a file says of rotation; files of earlier versions say nothing.
[[nodiscard]] vision::Rotation rotation_of(const io::ModelFile& file);

// Reading, part by part. They need what a model reads before, and do nothing where images are not
// rotated.

/// The offsets, and with them at how many angles images are references.
void read_rotated_landmarks(const io::ModelFile& file, LandmarkModel& model);
void read_rotated_references(const io::ModelFile& file, LandmarkModel& model);
/// All patches, for scores that read positions.
void read_rotated_patches(const io::ModelFile& file, LandmarkModel& model);

}  // namespace caos
