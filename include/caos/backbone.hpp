#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "caos/scores.hpp"

namespace caos::vision {

/// An upright color image: 8-bit RGB, row by row from the upper left.
struct Image {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint8_t> rgb{};  ///< [height, width, 3]
};

/// A point in pixels, continuous: pixel i covers [i, i + 1), from the upper left corner.
struct Point {
  double x = 0;
  double y = 0;
};

/// Square patches over an image that is padded on the right and below to whole patches.
/// Patches are numbered row by row: patch = row * columns + column.
struct PatchGrid {
  std::size_t patch_size = 16;
  std::size_t columns = 0;
  std::size_t rows = 0;

  [[nodiscard]] std::size_t size() const { return columns * rows; }

  /// The patch that contains the point. Requires a point inside the grid.
  [[nodiscard]] Label patch_at(Point point) const;
  /// The upper left corner of a patch.
  [[nodiscard]] Point corner(Label patch) const;

  friend bool operator==(const PatchGrid&, const PatchGrid&) = default;
};

/// The grid of an image: 178 x 218 with patches of 16 gives 12 x 14. Requires positive sizes.
[[nodiscard]] PatchGrid grid_over(std::size_t width, std::size_t height, std::size_t patch_size);

/// How an image is described at points between the centers of its patches.
enum class PointDescriptor : std::uint8_t {
  interpolated,  ///< bilinear between the vectors of patches
  builtin,       ///< the descriptor of `builtin` centered at the point
  builtin_2,     ///< that of `builtin-2`
};

/// A frozen model that turns each patch of an image into a vector: derive from it to find landmarks
/// with a model of your own. Nothing in it may be fitted to the labels of the data.
/// All members must be safe to call from several threads at once.
class Backbone {
 public:
  virtual ~Backbone() = default;

  /// What determines embeddings besides the image: equal identities give equal embeddings.
  [[nodiscard]] virtual std::string identity() const = 0;
  [[nodiscard]] virtual std::size_t patch_size() const = 0;
  /// How many numbers describe a patch.
  [[nodiscard]] virtual std::size_t dimension() const = 0;
  /// How many images `embed` takes best at once.
  [[nodiscard]] virtual std::size_t batch_size() const = 0;
  /// Whether `embed` uses all cores by itself, so that callers should not call it in parallel.
  [[nodiscard]] virtual bool is_parallel() const = 0;

  /// How cells smaller than a patch are described.
  [[nodiscard]] virtual PointDescriptor point_descriptor() const {
    return PointDescriptor::interpolated;
  }

  /// The grid of an image of this size. Throws `invalid_input` for sizes that the backbone does not
  /// take, naming those that it does.
  [[nodiscard]] virtual PatchGrid grid_of(std::size_t width, std::size_t height) const = 0;

  /// One matrix [patches, dimension] per image, in the grid's order, not normalized.
  /// Requires images that share one grid.
  [[nodiscard]] virtual std::vector<Matrix<float>> embed(std::span<const Image> images) const = 0;
};

}  // namespace caos::vision
