#include "caos/io/arrays/embedding_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "caos/error.hpp"

namespace caos::io {
namespace {

/// What is too large for a float becomes infinite, which is refused as an embedding.
float to_float(double value) {
  constexpr double largest = std::numeric_limits<float>::max();
  if (std::abs(value) > largest) return std::numeric_limits<float>::infinity();
  return static_cast<float>(value);
}

float to_float(float value) { return value; }

}  // namespace

EmbeddingFile EmbeddingFile::open(const std::string& path) {
  return EmbeddingFile(NpyArray::open(path));
}

EmbeddingFile::EmbeddingFile(NpyArray array) : array_(std::move(array)) {
  array_.require_dimensions(3, "images x patches x dimension");
  require(array_.size() > 0, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: holds no embeddings ({})", name(), describe(array_.shape()));
  });
  require(array_.type() == ElementType::f32 || array_.type() == ElementType::f64,
          ErrorKind::bad_format, [&] {
            return fmt::format("{}: holds {}; save embeddings as float32", name(),
                               name_of(array_.type()));
          });
}

Matrix<float> EmbeddingFile::image(std::size_t i) const {
  Matrix<float> patches(num_patches(), dimension());
  const std::size_t count = num_patches() * dimension();
  const auto copy = [&](auto values) {
    std::ranges::transform(values.subspan(i * count, count), &patches(0, 0),
                           [](auto value) { return to_float(value); });
  };
  array_.type() == ElementType::f32 ? copy(array_.values<float>()) : copy(array_.values<double>());
  array_.require_unchanged();
  return patches;
}

}  // namespace caos::io
