#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "caos/landmarks/landmark_model.hpp"
#include "caos/vision/gray_image.hpp"
#include "caos/vision/working_size.hpp"

namespace caos::python {

/// What `caos.patches.Grid` is: how the patches of an image lie in it.
struct Grid {
  vision::Frame frame{};

  /// Of an image that is embedded at its own size.
  [[nodiscard]] static Grid over(std::size_t width, std::size_t height, std::size_t patch_size);

  [[nodiscard]] std::size_t size() const { return frame.grid.size(); }
  /// The patch at a point of the image; -1 where a coordinate is NaN.
  [[nodiscard]] std::int64_t patch_at(double x, double y) const;
  /// The same of points with these coordinates: a number, or an array where one of them is.
  [[nodiscard]] pybind11::object patches_at(const pybind11::object& x,
                                            const pybind11::object& y) const;
  /// Throws `invalid_input` unless it is a patch of the grid.
  [[nodiscard]] Label checked(std::int64_t patch) const;
  [[nodiscard]] std::string text() const;
};

/// What `caos.patches.EmbeddedImages` is: images as patch embeddings, and how they became so.
struct EmbeddedImages {
  EmbeddingRecord record{};
  std::vector<std::string> names{};
  std::vector<vision::Frame> frames{};
  /// By image (`EmbeddedImage`); empty where they were pickled by an earlier version.
  std::vector<std::shared_ptr<const vision::GrayImage>> gray{};
  std::vector<CellSource> cells{};  ///< by image; empty where labels are patches
  /// One array [n, P, D], or a list of arrays [P, D] where images differ in size.
  pybind11::object embeddings{};

  [[nodiscard]] std::size_t size() const { return frames.size(); }
  /// How the rows of an image's embeddings lie.
  [[nodiscard]] const vision::PatchGrid& patch_grid(std::size_t i) const {
    return cells.empty() ? frames[i].grid : cells[i].patches;
  }

  /// The patches, or cells, [n, L] that hold points [n, L, 2]; -1 where a coordinate is NaN.
  [[nodiscard]] pybind11::array_t<std::int64_t> labels_of(const pybind11::object& points,
                                                          const std::string& name = "points") const;
  /// Where in these patches the points lie, [n, L, 2]; NaN where a coordinate is NaN.
  [[nodiscard]] pybind11::array_t<double> offsets_of(const pybind11::object& points) const;

  /// Some of the images, by a slice, a mask or numbers.
  [[nodiscard]] EmbeddedImages select(const pybind11::object& index) const;

  [[nodiscard]] std::string text() const;
};

/// As plain Python objects, for pickle and copy; and back.
[[nodiscard]] pybind11::tuple state_of(const Grid& grid);
[[nodiscard]] Grid grid_from(const pybind11::tuple& state);
[[nodiscard]] pybind11::tuple state_of(const EmbeddedImages& images);
[[nodiscard]] EmbeddedImages embedded_images_from(const pybind11::tuple& state);

/// None, a number of pixels, or a text such as '192x224'; nothing for None.
[[nodiscard]] std::optional<std::string> working_size_of(const pybind11::object& size);

/// Throws `invalid_input` where two records give other embeddings; the names are for the error.
void require_same_embedding(const EmbeddingRecord& expected, const std::string& expected_name,
                            const EmbeddingRecord& found, const std::string& found_name);

}  // namespace caos::python
