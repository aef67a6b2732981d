#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "caos/scores.hpp"
#include "caos/vision/image.hpp"
#include "caos/vision/patch_grid.hpp"

namespace caos::vision {

/// A frozen model that turns each patch of an image into a vector. Safe to share between threads
/// unless `embed` says otherwise.
class Backbone {
 public:
  virtual ~Backbone() = default;

  /// What the embeddings depend on besides the image: equal identities give equal embeddings.
  [[nodiscard]] virtual std::string identity() const = 0;
  [[nodiscard]] virtual std::size_t patch_size() const = 0;
  /// How many numbers describe a patch.
  [[nodiscard]] virtual std::size_t dimension() const = 0;
  /// How many images `embed` takes best at once.
  [[nodiscard]] virtual std::size_t batch_size() const = 0;
  /// Whether `embed` uses all cores by itself, so that callers should not call it in parallel.
  [[nodiscard]] virtual bool is_parallel() const = 0;

  /// The grid that an image of this size gets. Throws `invalid_input` where the backbone takes no
  /// such image, saying what it takes.
  [[nodiscard]] virtual PatchGrid grid_of(std::size_t width, std::size_t height) const = 0;

  /// One matrix [patches, dimension] per image, in the grid's order, not normalised.
  /// Requires images that share one grid.
  [[nodiscard]] virtual std::vector<Matrix<float>> embed(std::span<const Image> images) const = 0;
};

}  // namespace caos::vision
