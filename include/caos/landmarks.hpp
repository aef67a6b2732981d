#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/evaluation.hpp"
#include "caos/guarantee.hpp"
#include "caos/method.hpp"
#include "caos/miscoverage.hpp"

namespace caos {

/// How image files become embeddings.
struct LandmarkEmbedding {
  /// `builtin-2`, `builtin` or `onnx:FILE`. Empty: builtin-2, and for a model that is loaded the
  /// backbone it was calibrated with.
  std::string backbone{};
  std::shared_ptr<const vision::Backbone> own_backbone{};  ///< used in place of `backbone`
  std::string onnxruntime{};  ///< path of the ONNX Runtime library; empty: searched
  /// `512`, the default: longest side in pixels; `192x224`: all images of one size; `original`:
  /// images as they are. Images are never enlarged. A model that is loaded keeps its own.
  std::string working_size{};
  std::string cache{};                        ///< directory that keeps embeddings; empty: none
  std::uint64_t cache_bytes = 2'000'000'000;  ///< above it, embeddings used longest ago are deleted
  std::size_t threads = 0;                    ///< 0: one per core; results do not depend on it
  std::function<void(std::size_t done, std::size_t total)> progress{};  ///< images
};

struct LandmarkFinderOptions {
  LandmarkEmbedding embedding{};
  /// `geometry`; `cosine`, which is also available with full_caos; or `margin` or `softmax`, with
  /// an optional parameter as in margin:10. Empty: geometry.
  std::string score{};
  /// Side in pixels of the cells that regions are made of: `16`, the patches; with the score
  /// geometry also `8` or `4`. Empty: 4 with geometry, else 16.
  std::string cell{};
  std::size_t k = 3;  ///< how many of the smallest scores a CAOS score adds
};

struct RegionOptions {
  Miscoverage alpha = Miscoverage::parse("0.1");
  Method method = Method::caos;  ///< caos or full_caos
  bool simultaneous = false;     ///< all landmarks of an image at once; with caos only
};

/// A rectangle in pixels of the image, continuous, from the upper left corner.
struct PixelBox {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

/// Where one landmark of an image may be.
struct LandmarkRegion {
  std::string landmark{};
  /// The region that contains the landmark, as cells that do not overlap. Empty: nothing in the
  /// image conforms, which counts as a miss if the image has the landmark.
  std::vector<PixelBox> patches{};
  double image_share = 0;  ///< how much of the image it covers, from 0 to 1
  /// The most likely point, refined with pixels of labeled images. It carries no guarantee and may
  /// lie outside the region.
  vision::Point proposal{};
  double proposal_p_value{};  ///< conformity of the proposal, from 0 to 1; not a test
  std::vector<std::string> supporting_references{};  ///< the labeled images behind the proposal
};

/// The landmarks of one image file.
struct ImageRegions {
  std::string file{};
  std::size_t width = 0;  ///< of the upright image
  std::size_t height = 0;
  std::vector<LandmarkRegion> landmarks{};
  std::optional<std::string> error{};  ///< why the file could not be used; the rest is then empty
};

/// Advice for smaller regions, in a sentence, where they cover more than 5 % of the image on
/// average; nothing where they do not, or without any.
[[nodiscard]] std::optional<std::string> large_regions(std::span<const ImageRegions> images);

/// How often the regions of one landmark contained it in annotated test images that have it.
struct LandmarkCoverage {
  std::string landmark{};
  std::size_t num_images = 0;
  std::optional<Evaluation>
      evaluation{};  ///< sizes in cells or patches; absent without test images
};

/// Finds landmarks in images, calibrated on a few annotated ones.
///
/// If annotated and new images are exchangeable, and backbone, score and k were fixed before the
/// annotations were seen, a region contains its landmark, where the image has it, with probability
/// at least 1 - alpha. With subjects in the landmark file the guarantee is for a random image of a
/// new subject. Below 1 / (n + 1) for n images with the landmark a region is the whole image.
///
/// A handle to immutable data: copies are cheap, and all members may be called from several threads
/// at once. Paths are UTF-8; the library keeps no file open.
class LandmarkFinder {
 public:
  /// Embeds the images in the directory `images` that the file `landmarks` annotates, and
  /// calibrates each landmark on the images that have it. CSV, TPS, PTS, COCO, dlib, Label Studio
  /// and Slicer files are recognized by name and content; landmarks marked as hidden count as
  /// missing. Images that cannot be decoded are left out.
  /// Throws `not_found` for missing files, `bad_format` for damaged ones and for landmarks outside
  /// of their images, and `invalid_input` if no landmark has k + 1 images.
  [[nodiscard]] static LandmarkFinder calibrate(const std::string& images,
                                                const std::string& landmarks,
                                                const LandmarkFinderOptions& options = {});

  /// Reads a model that `save` or `caos landmarks calibrate` wrote. Throws `bad_format` unless it
  /// is an unaltered model of a known version, and `invalid_input` if the backbone gives other
  /// embeddings than it was calibrated with, or if it was calibrated for a finite pool of images.
  [[nodiscard]] static LandmarkFinder load(const std::string& path,
                                           const LandmarkEmbedding& embedding = {});

  /// Writes the model to a `.caos` file, whole or not at all. It contains the gray pixels around
  /// labeled landmarks.
  void save(const std::string& path) const;

  /// Names of the landmarks that are calibrated, in the order of all results.
  [[nodiscard]] const std::vector<std::string>& landmarks() const;
  /// Landmarks with too few images for k.
  [[nodiscard]] const std::vector<std::string>& left_out() const;
  /// Names of the annotated images.
  [[nodiscard]] const std::vector<std::string>& images() const;

  /// Whether every landmark has enough images for the alpha of the options.
  [[nodiscard]] bool is_feasible(const RegionOptions& options) const;
  /// The guarantee of the regions, the weakest of all landmarks; and its assumption in words.
  [[nodiscard]] Guarantee guarantee(const RegionOptions& options) const;
  [[nodiscard]] std::string assumption(const RegionOptions& options) const;

  /// The regions in image files, in their order. A file that is missing or damaged does not stop
  /// the others. One call with many files is faster than many calls.
  [[nodiscard]] std::vector<ImageRegions> find(std::span<const std::string> files,
                                               const RegionOptions& options = {}) const;

  /// Measures coverage and size of the regions, by landmark, on annotated images that are not among
  /// the labeled ones. Averages are over images. Throws as `calibrate`.
  [[nodiscard]] std::vector<LandmarkCoverage> evaluate(const std::string& images,
                                                       const std::string& landmarks,
                                                       const RegionOptions& options = {}) const;

 private:
  struct Parts;
  explicit LandmarkFinder(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

  std::shared_ptr<const Parts> parts_;
};

}  // namespace caos
