#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/conformal/exchangeability.hpp"
#include "caos/growing.hpp"
#include "caos/landmarks/geometry/estimate_store.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/scorers/patch_score.hpp"
#include "caos/scores.hpp"

namespace caos {

/// Caller-assigned image id.
using ImageKey = std::int64_t;

/// The embedding of an image, unit rows [patches, D], that several may hold.
using SharedPatches = std::shared_ptr<const Matrix<float>>;

/// An image with the patches, or cells, that hold its landmarks.
struct KeyedImage {
  ImageKey key = 0;
  SharedPatches patches{};
  std::vector<std::int64_t> labels{};  ///< by landmark; the patch or cell, or missing_label
  /// For scores that read positions: how labels lie, and where in its patch or cell each landmark
  /// is; empty: in the middle.
  vision::PatchGrid grid{};
  std::vector<Offset> offsets{};
  std::optional<CellSource> cells{};  ///< where labels are cells

  [[nodiscard]] Offset offset(std::size_t landmark) const {
    return offsets.empty() ? middle_of_patch : offsets[landmark];
  }
  [[nodiscard]] std::size_t num_labels() const { return cells ? grid.size() : patches->rows(); }
  /// How patches lie.
  [[nodiscard]] const vision::PatchGrid& patch_grid() const {
    return cells ? cells->patches : grid;
  }
  /// Where a landmark lies, in patches, and the center of its patch or cell. Requires the grid, and
  /// that it is present.
  [[nodiscard]] vision::Point position(std::size_t landmark) const;
  [[nodiscard]] vision::Point center(std::size_t landmark) const;
  [[nodiscard]] GridPatches grid_patches() const { return {patches, patch_grid()}; }
};

/// Labeled images, no two of one subject, that come, go and change landmark by landmark, and their
/// calibrations: always equal bit for bit to calibrating the present images from scratch.
/// A change scores one patch under those of the other images, and theirs under it. Copies share
/// embeddings. Not safe to change from two threads at once.
class GrowingLandmarks {
 public:
  struct Options {
    std::size_t k = 3;
    PatchScore score{};
  };

  /// Scoring all images at once shares work that adding them one by one does not.
  GrowingLandmarks(std::size_t num_landmarks, Options options, std::vector<KeyedImage> images = {},
                   std::size_t threads = 0);

  [[nodiscard]] std::size_t num_landmarks() const { return tasks_.size(); }
  [[nodiscard]] std::size_t size() const { return images_.size(); }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] bool contains(ImageKey key) const { return images_.contains(key); }
  /// What an image refers with. Requires a score that reads positions and a present landmark.
  [[nodiscard]] ReferenceLandmark reference(ImageKey key, std::size_t landmark) const;
  [[nodiscard]] const KeyedImage& image(ImageKey key) const { return images_.at(key); }
  /// The keys of all images, ascending.
  [[nodiscard]] std::vector<ImageKey> keys() const;

  /// Throws `invalid_input` if the key is there already, or labels do not fit.
  void add_image(KeyedImage image);
  void remove_image(ImageKey key);
  /// Moves a landmark of an image; `missing_label` takes it away.
  void set_label(ImageKey key, std::size_t landmark, std::int64_t label,
                 Offset offset = middle_of_patch);

  /// The images that have the landmark, by key, ascending.
  [[nodiscard]] std::span<const ImageKey> members(std::size_t landmark) const {
    return tasks_[landmark].members;
  }
  /// Null while fewer than k + 1 images have the landmark; valid until the next change.
  [[nodiscard]] const Calibration* calibration(std::size_t landmark) const {
    const GrowingCalibration& growing = tasks_[landmark].growing;
    return growing.is_calibrated() ? &growing.calibration() : nullptr;
  }
  /// Each image's largest score over its calibrated landmarks (`JointCalibration`); nothing while
  /// no landmark is calibrated. `weights` is plain or has one weight per image, in the order of
  /// `keys`.
  [[nodiscard]] std::optional<SortedScores> joint(const ExampleWeights& weights = {}) const;

  /// The landmarks' own scores among these images, in this order; others are left out.
  [[nodiscard]] std::vector<OnlineTask> online_tasks(std::span<const ImageKey> order) const;

 private:
  struct Task {
    std::vector<ImageKey> members{};
    GrowingCalibration growing;  ///< on the members
  };

  void check(const KeyedImage& image) const;
  void fill(std::size_t threads);
  void put(Task& task, std::size_t landmark, const KeyedImage& image);
  void take(Task& task, ImageKey key);
  void read_vectors(const KeyedImage& image);
  void read_vectors(const KeyedImage& image, std::size_t landmark);
  [[nodiscard]] std::span<const float> own_vector(const KeyedImage& image,
                                                  std::size_t landmark) const;
  [[nodiscard]] std::vector<Score> under_new_member(const Task& task, std::size_t landmark,
                                                    const KeyedImage& image,
                                                    const Matrix<Score>& under) const;
  [[nodiscard]] std::span<const float> patch_of(ImageKey key, std::size_t landmark) const;
  void put_by_geometry(Task& task, std::size_t landmark, const KeyedImage& image);
  [[nodiscard]] Score geometry_score_under(const KeyedImage& reference, const KeyedImage& image,
                                           std::size_t landmark) const;

  Options options_;
  std::map<ImageKey, KeyedImage> images_;
  std::map<ImageKey, LandmarkVectors> vectors_;  ///< where labels are cells
  std::vector<Task> tasks_;
  std::shared_ptr<EstimateStore> estimates_;  ///< shared by copies; null: the score needs none
};

}  // namespace caos
