#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "caos/io/bounded_folder.hpp"
#include "caos/io/safetensors.hpp"
#include "caos/landmarks/embedding/embedding_precision.hpp"
#include "caos/scores.hpp"
#include "caos/vision/gray_image.hpp"

namespace caos {

/// A folder for embeddings; null: nothing is kept.
using CacheFolder = std::shared_ptr<io::BoundedFolder>;

inline constexpr std::uint64_t default_cache_bytes = 2'000'000'000;

/// The folder at `path`, made when something is kept; null where the path is empty.
[[nodiscard]] CacheFolder cache_folder(const std::string& path,
                                       std::uint64_t most_bytes = default_cache_bytes);

/// What is kept of an image.
struct CachedImage {
  Matrix<float> patches{};   ///< in the precision of the cache, not normalized
  vision::GrayImage gray{};  ///< the working image
};

/// Embeddings that were computed before, in a folder: one file for each content of an image and way
/// of embedding it. A file that is damaged or missing only costs computing it again; of too many,
/// those used longest ago are deleted. Safe to use from several threads and processes.
class EmbeddingCache {
 public:
  /// `identity` says how images become embeddings.
  EmbeddingCache(CacheFolder folder, std::string identity, EmbeddingPrecision precision);

  /// What is kept of an image with these bytes, if anything is.
  /// `detail` is what else they depend on: how the image was scaled.
  [[nodiscard]] std::optional<CachedImage> find(std::span<const std::byte> image,
                                                const std::string& detail) const;

  /// Keeps embeddings, which must be in the precision of the cache. A folder that cannot be written
  /// keeps nothing: the results do not depend on it.
  void store(std::span<const std::byte> image, const std::string& detail,
             const Matrix<float>& embeddings, const vision::GrayImage& gray) const;

 private:
  [[nodiscard]] std::string path_of(std::span<const std::byte> image,
                                    const std::string& detail) const;
  [[nodiscard]] io::Metadata metadata(const std::string& detail) const;

  CacheFolder folder_;
  std::string identity_;
  EmbeddingPrecision precision_;
};

}  // namespace caos
