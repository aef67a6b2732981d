#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "caos/io/safetensors.hpp"
#include "caos/scores.hpp"

namespace caos {

/// Embeddings that were computed before, in a folder: one file for each content of an image and way
/// of embedding it. A file that is damaged or missing only costs computing it again. Safe to use
/// from several threads and processes.
class EmbeddingCache {
 public:
  /// Nothing is kept where `folder` is empty. `identity` says how images become embeddings.
  EmbeddingCache(std::string folder, const std::string& identity);

  /// The embeddings of an image with these bytes, if they are there.
  /// `detail` is what else they depend on: how the image was scaled.
  [[nodiscard]] std::optional<Matrix<float>> find(std::span<const std::byte> image,
                                                  const std::string& detail) const;

  /// Keeps embeddings. A folder that cannot be written keeps nothing: the cache is no result.
  void store(std::span<const std::byte> image, const std::string& detail,
             const Matrix<float>& embeddings) const;

 private:
  [[nodiscard]] std::string path_of(std::span<const std::byte> image,
                                    const std::string& detail) const;
  [[nodiscard]] io::Metadata metadata(const std::string& detail) const;

  std::string folder_;
  std::string identity_;
};

}  // namespace caos
