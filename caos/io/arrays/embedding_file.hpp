#pragma once

#include <cstddef>
#include <string>

#include "caos/io/arrays/npy.hpp"
#include "caos/scores.hpp"

namespace caos::io {

/// Patch embeddings [images, patches, dimension] in an .npy file, float32 or float64, read image by
/// image.
class EmbeddingFile {
 public:
  /// Throws unless the array has three dimensions, none of them 0.
  explicit EmbeddingFile(NpyArray array);
  [[nodiscard]] static EmbeddingFile open(const std::string& path);

  [[nodiscard]] const std::string& name() const { return array_.name(); }
  [[nodiscard]] std::size_t num_images() const { return array_.shape()[0]; }
  [[nodiscard]] std::size_t num_patches() const { return array_.shape()[1]; }
  [[nodiscard]] std::size_t dimension() const { return array_.shape()[2]; }

  /// The embeddings of one image, [patches, dimension]; float64 is rounded to float32. Throws
  /// `backend` if the file was written to since it was opened.
  [[nodiscard]] Matrix<float> image(std::size_t i) const;

 private:
  NpyArray array_;
};

}  // namespace caos::io
