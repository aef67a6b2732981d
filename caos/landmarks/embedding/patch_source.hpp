#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "caos/landmarks/embedding/embed_images.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"

namespace caos {

/// Where the embeddings of image files come from.
class PatchSource {
 public:
  virtual ~PatchSource() = default;

  /// What the embeddings depend on besides the image.
  [[nodiscard]] virtual std::string identity() const = 0;

  /// As `stream_images`.
  [[nodiscard]] virtual std::vector<FailedImage> stream(std::span<const std::string> files,
                                                        const ImageVisitor& visitor) const = 0;

  /// How many files, counted from the first, are embedded together: shares of the files that begin
  /// at multiples of this give the same embeddings as all files at once.
  [[nodiscard]] virtual std::size_t group_size() const { return 1; }
};

struct PatchSourceOptions {
  std::string backbone = default_backbone;  ///< as `open_backbone`, or embeddings:FILE.npy
  BackboneOptions backbone_options{};
  EmbedOptions embed{};
  std::size_t patch_size = 16;  ///< of embeddings:FILE.npy
};

/// Opens a source. `files` are all images in the order of the rows of an embeddings file; other
/// backbones do not look at them.
[[nodiscard]] std::unique_ptr<PatchSource> open_patch_source(const PatchSourceOptions& options,
                                                             std::span<const std::string> files);

/// The embeddings of a backbone that is open already.
[[nodiscard]] std::unique_ptr<PatchSource> make_patch_source(
    std::shared_ptr<const vision::Backbone> backbone, const EmbedOptions& options);

/// What stands for the backbone of embeddings that are given as arrays: their origin is unknown.
inline constexpr const char* backbone_of_arrays = "embeddings:";

/// What embeddings of unknown origin depend on, as far as one can tell.
[[nodiscard]] std::string identity_of_arrays(std::size_t dimension);

/// Whether embeddings come from a file, and then which.
[[nodiscard]] bool is_embedding_file(const std::string& backbone);

}  // namespace caos
