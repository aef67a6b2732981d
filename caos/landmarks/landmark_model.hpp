#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/conformal/subject_weights.hpp"
#include "caos/io/safetensors.hpp"
#include "caos/joint.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/landmarks/image_pool.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/landmarks/refinement/point_refiner.hpp"
#include "caos/scorers/patch_score.hpp"
#include "caos/vision/backbones/location_prior.hpp"
#include "caos/vision/rotation.hpp"

namespace caos {

/// How images became embeddings: new images must become so in the same way. What is not set is as
/// in new models.
struct EmbeddingRecord {
  std::string backbone = default_backbone;  ///< as it was asked for
  std::string preset{};
  std::string output{};
  std::string identity{};
  /// As `vision::WorkingSize::recorded` reads it: empty in models of version 0.1.0.
  std::string working_size{vision::default_working_size};
  EmbeddingPrecision precision = EmbeddingPrecision::float16;
  std::size_t patch_size = 16;
  /// Side of the cells that are labels; nothing: the patches are.
  std::optional<std::size_t> cell{};
  bool apply_orientation = true;
  std::optional<vision::LocationPrior> location{};
  /// At which angles labeled images are references besides their own. New images are not rotated.
  vision::Rotation rotation = vision::Rotation::none;

  friend bool operator==(const EmbeddingRecord&, const EmbeddingRecord&) = default;
};

/// At which size and precision images are embedded, in words: "longest side 512, float16"; and
/// how references are rotated, where they are.
[[nodiscard]] std::string size_and_precision(const EmbeddingRecord& record);

/// What regions are made of, in words: "patches", or "cells of 4 px" of the working image.
[[nodiscard]] std::string labels_text(const EmbeddingRecord& record);

/// Calibrated landmarks: all that predicting new images needs.
struct LandmarkModel {
  EmbeddingRecord embedding{};
  PatchScore score{};
  bool own_parameter = false;         ///< the score's parameter is not the backbone's default
  std::vector<std::string> images{};  ///< names of the labeled images
  LabeledPatches labeled{};  ///< of the landmarks that are calibrated; without embeddings where the
                             ///< score is symmetric, and of rotated images without labels where it
                             ///< does not read positions
  Matrix<Offset> offsets{};  ///< [images, landmarks]
  std::vector<std::size_t> grid_columns{};  ///< by image; empty where grids are not known
  ReferencePatches references{};
  Indices calibrating{};  ///< labeled images: all, or one per subject in files of version 1
  std::optional<LabeledPool> pool{};  ///< for the target `image`
  /// By landmark; with a pool, for a new subject that has one image there.
  std::vector<Calibration> calibrations{};
  std::vector<std::string> left_out{};  ///< landmarks with too few images for k
  /// With pixels around labeled landmarks; null: points are not refined.
  std::shared_ptr<const PointRefiner> refiner{};
  bool is_split = false;  ///< for Split CAOS (`split_landmarks`); not to be written

  [[nodiscard]] std::size_t k() const { return calibrations.at(0).k(); }
  /// Whether some subject has several labeled images.
  [[nodiscard]] bool by_subject() const { return !labeled.subjects.empty(); }
  /// Which new image the guarantee is for; with subjects a new subject's, also where all differ.
  [[nodiscard]] ImageTarget target() const;
  /// Weights of the calibrating images for a new image whose subject has so many in the pool;
  /// without a pool the number does not matter.
  [[nodiscard]] ExampleWeights weights(std::size_t new_images = 1) const;
  /// The calibrations under those weights.
  [[nodiscard]] std::vector<Calibration> calibrations_for(std::size_t new_images) const;
  /// One threshold for all landmarks of an image.
  [[nodiscard]] JointCalibration joint(std::size_t new_images = 1) const;
  /// What the pool says of a new image by its name; nothing to say without a pool.
  [[nodiscard]] NewImage new_image(const std::string& name) const;
};

struct LandmarkCalibrateOptions {
  std::size_t k = 3;
  PatchScore score{};
  bool own_parameter = false;
  /// Keeps pixels around labeled landmarks, where they are known, to refine proposed points with.
  bool refine = true;
  std::size_t threads = 0;
};

/// Labeled images as a model is calibrated on them.
struct LandmarkExamples {
  EmbeddingRecord embedding{};
  std::vector<std::string> images{};  ///< their names
  LabeledPatches patches{};
  Matrix<Offset> offsets{};                 ///< [images, landmarks]
  std::vector<std::size_t> grid_columns{};  ///< by image; empty where grids are not known
  std::optional<LabeledPool> pool{};  ///< with one, the target is `image`, and subjects are its
  /// As in `LabeledTemplates`; empty where pixels are not known. With them, `patch_size` is theirs.
  Matrix<std::uint8_t> templates{};
  std::size_t patch_size = 16;
};

[[nodiscard]] LandmarkExamples examples_of(const AnnotatedImages& images,
                                           const EmbeddingRecord& embedding);

/// The pixels around the landmarks of examples that know their grids, from their working images;
/// nothing where one of these is empty.
[[nodiscard]] Matrix<std::uint8_t> templates_of(std::span<const vision::GrayImage* const> gray,
                                                const LandmarkExamples& examples);

/// Calibrates every landmark on the images that have it. Throws `invalid_input` if none has
/// references enough for k.
[[nodiscard]] LandmarkModel calibrate_landmarks(LandmarkExamples examples,
                                                const LandmarkCalibrateOptions& options);
[[nodiscard]] inline LandmarkModel calibrate_landmarks(const AnnotatedImages& images,
                                                       const EmbeddingRecord& embedding,
                                                       const LandmarkCalibrateOptions& options) {
  return calibrate_landmarks(examples_of(images, embedding), options);
}

/// What refines points with templates of the landmarks of a model that knows its grids.
[[nodiscard]] std::shared_ptr<const PointRefiner> make_refiner(const LandmarkModel& model,
                                                               Matrix<std::uint8_t> templates,
                                                               std::size_t patch_size);

/// Tells the labeled images of a model where their landmarks lie, from its offsets and grids: for
/// scores that read positions. Throws `invalid_input` where grids are not known, or are of another
/// size than the images.
void know_positions(LandmarkModel& model);

/// What a landmark's guarantee is for, and in which new image.
[[nodiscard]] std::string guarantee_is_for(ImageTarget target, bool simultaneous = false);

/// Writes the model, whole or not at all (docs/reference/formats.md).
void write_landmark_model(const std::string& path, const LandmarkModel& model);
/// What would be in the file.
[[nodiscard]] std::vector<std::byte> landmark_model_bytes(const LandmarkModel& model);

/// Throws `bad_format` for anything but an unaltered model of a version this library knows.
[[nodiscard]] LandmarkModel read_landmark_model(const std::string& path);
[[nodiscard]] LandmarkModel read_landmark_model(io::SafetensorsFile file);

}  // namespace caos
