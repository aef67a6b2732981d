#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/landmarks/cells/cell_vectors.hpp"
#include "caos/landmarks/embedding/embedding_cache.hpp"
#include "caos/landmarks/embedding/embedding_precision.hpp"
#include "caos/scores.hpp"
#include "caos/vision/backbones/location_prior.hpp"
#include "caos/vision/codecs/decode.hpp"
#include "caos/vision/gray_image.hpp"
#include "caos/vision/rotation.hpp"
#include "caos/vision/working_size.hpp"

namespace caos {

struct EmbedOptions {
  vision::DecodeOptions decode{};
  vision::WorkingSize working_size{};
  std::optional<vision::LocationPrior> location{};  ///< for aligned images
  /// Side of the cells that are labels; nothing: the patches are.
  std::optional<std::size_t> cell{};
  /// At which angles images are embedded besides their own; not with a location, which is that of
  /// an upright image.
  vision::Rotation rotation = vision::Rotation::none;
  EmbeddingPrecision precision = EmbeddingPrecision::float16;
  CacheFolder cache{};         ///< null: nothing is kept
  bool keep_pictures = false;  ///< with decoded images, where memory allows
  std::size_t threads = 0;
  std::function<void(std::size_t done, std::size_t total)> progress{};
};

/// A working image that was rotated, embedded.
struct RotatedImage {
  double degrees = 0;  ///< clockwise
  vision::PatchGrid grid{};
  Matrix<float> patches{};  ///< unit rows, one per patch of the grid
};

/// One image file, embedded.
struct EmbeddedImage {
  std::size_t index = 0;  ///< among the files given
  vision::Frame frame{};
  Matrix<float> patches{};  ///< unit rows, one per patch of the frame's grid, or of its cells
  std::optional<CellSource> cells{};  ///< where the frame's grid is one of cells
  /// The working image without its padding; empty where embeddings come from arrays.
  vision::GrayImage gray{};
  /// The decoded file, where `keep_pictures` asks for it and it was decoded to be embedded.
  std::optional<vision::Image> picture{};
  std::vector<RotatedImage> rotated{};  ///< by angle of `EmbedOptions::rotation`
};

/// Makes cells of that side the labels of an image with patches and pixels. Without a side, or
/// where patches are not larger, they stay the labels.
void use_cells(EmbeddedImage& image, std::optional<std::size_t> side,
               vision::PointDescriptor descriptor);

/// An image file that could not be used, and why.
struct FailedImage {
  std::size_t index = 0;
  std::string reason{};
};

/// What becomes of an embedded image: called on any thread, with many images at once and in any
/// order. What it returns, unless empty, is called on the calling thread and in order.
using ImageVisitor = std::function<std::function<void()>(EmbeddedImage&&)>;

/// A visitor that only has something to do in order.
[[nodiscard]] ImageVisitor in_order(std::function<void(EmbeddedImage&&)> visit);

/// How many files, counted from the first, are embedded together.
[[nodiscard]] std::size_t images_at_a_time(const vision::Backbone& backbone);

/// Embeds image files and hands them to the visitor. While some are worked on, others are read,
/// decoded and embedded, a bounded number of them, so that memory does not depend on how many files
/// there are. A file that is missing, damaged or does not fit the backbone is left out; those are
/// returned, in order. Failures of the backbone itself, and what the visitor throws, are thrown: of
/// several that of the earliest file, after all before it were visited.
///
/// What an image becomes depends on no other image, unless the backbone takes several at a time:
/// then on those between the same multiples of `images_at_a_time`.
[[nodiscard]] std::vector<FailedImage> stream_images(const vision::Backbone& backbone,
                                                     std::span<const std::string> files,
                                                     const EmbedOptions& options,
                                                     const ImageVisitor& visitor);

/// Images that are not files.
struct ImagesInMemory {
  std::size_t count = 0;
  std::function<vision::Image(std::size_t)> image{};  ///< called on any thread, many at once
};

/// The same of these. They are not cached, and what is wrong with one calls it by its number.
[[nodiscard]] std::vector<FailedImage> stream_images(const vision::Backbone& backbone,
                                                     const ImagesInMemory& images,
                                                     const EmbedOptions& options,
                                                     const ImageVisitor& visitor);

/// The image files in a folder, sorted by name, without those in folders below; or the file itself.
[[nodiscard]] std::vector<std::string> image_files(const std::string& path);

}  // namespace caos
