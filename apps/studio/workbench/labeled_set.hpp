#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/studio/workbench/embedder.hpp"
#include "apps/studio/workbench/project_view.hpp"
#include "caos/conformal/subject_weights.hpp"
#include "caos/landmarks/growing_landmarks.hpp"
#include "caos/landmarks/shape_deviation.hpp"

namespace caos::studio {

/// A project's labeled images, calibrated; does not change once it is shared.
struct Calibrated {
  GrowingLandmarks landmarks;
  std::optional<SortedScores> joint{};
  /// Where the guarantee is for a random image of the pool; by image in the order of their keys.
  std::optional<PoolSizes> pool{};
  std::map<ImageKey, Shape> shapes{};  ///< exact positions in labels of the grid, by image
  std::uint64_t number = 0;            ///< counts changes of the calibration

  /// Of the points of an image in labels of its grid: how far they are from shapes of labeled
  /// images
  /// (`LabeledShapes::deviation`), in patches.
  [[nodiscard]] std::optional<double> shape_deviation(const Shape& points,
                                                      const Embedding& image) const;

  /// The scores that those of a landmark's patches are compared with, without weights. Requires a
  /// calibrated one.
  [[nodiscard]] const SortedScores& peers(std::size_t landmark, bool simultaneous) const {
    return simultaneous && joint ? *joint : landmarks.calibration(landmark)->group(0);
  }
};

/// Keeps the calibration of a project in step with its points. For one thread at a time.
class LabeledSet {
 public:
  LabeledSet(Store& store, Embedder& embedder, std::size_t threads)
      : store_(store), embedder_(embedder), threads_(threads) {}

  /// Takes over what has changed, point by point where that is possible; whether anything has.
  bool follow(const ProjectView& view);

  /// The embedding of an image that is calibrated with.
  [[nodiscard]] const Embedding& embedding(Id image) const { return embeddings_.at(image); }

  /// What is calibrated now; a shared one never changes. Never null once followed.
  [[nodiscard]] std::shared_ptr<const Calibrated> calibrated() const { return calibrated_; }

 private:
  [[nodiscard]] std::vector<KeyedImage> present(const ProjectView& view);
  [[nodiscard]] std::vector<std::int64_t> labels_of(const ProjectView& view, const ImageCard& card,
                                                    const vision::Frame& frame) const;
  [[nodiscard]] std::vector<Offset> offsets_of(const ProjectView& view, const ImageCard& card,
                                               const vision::Frame& frame) const;
  [[nodiscard]] std::map<ImageKey, Shape> shapes_of(const ProjectView& view) const;
  [[nodiscard]] bool must_start_again(const ProjectView& view,
                                      const std::vector<KeyedImage>& images) const;
  bool change(const std::vector<KeyedImage>& images, std::optional<PoolSizes> pool);
  GrowingLandmarks& own();

  Store& store_;
  Embedder& embedder_;
  std::size_t threads_;
  std::vector<Id> landmarks_{};
  std::string score_{};
  EmbeddingRecord how_{};
  std::map<Id, Embedding> embeddings_{};  ///< of the present images, embedded like that
  std::shared_ptr<Calibrated> calibrated_{};
};

/// The embedding of an image of a project.
[[nodiscard]] Embedding embedding_of(Store& store, Embedder& embedder, const EmbeddingRecord& how,
                                     const ImageRecord& image);

}  // namespace caos::studio
