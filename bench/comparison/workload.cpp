#include "bench/comparison/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "caos/error.hpp"
#include "caos/io/arrays/npy.hpp"
#include "caos/miscoverage.hpp"

namespace caos::bench {

Embeddings read_embeddings(const std::string& path) {
  const auto array = io::NpyArray::open(path);
  array.require_dimensions(3, "images x patches x dimension");
  require(array.type() == io::ElementType::f32, ErrorKind::bad_format,
          [&] { return fmt::format("{}: must be float32, as inputs.py writes", path); });
  const auto values = array.values<float>();
  return {.values = {values.begin(), values.end()},
          .images = array.shape()[0],
          .patches = array.shape()[1],
          .dim = array.shape()[2]};
}

Matrix<std::int64_t> read_labels(const std::string& path) {
  const auto array = io::NpyArray::open(path);
  array.require_dimensions(2, "images x landmarks");
  require(array.type() == io::ElementType::i64, ErrorKind::bad_format,
          [&] { return fmt::format("{}: must be int64, as inputs.py writes", path); });
  Matrix<std::int64_t> labels(array.shape()[0], array.shape()[1]);
  std::ranges::copy(array.values<std::int64_t>(), labels.view().data());
  return labels;
}

Thresholds thresholds(std::vector<float> scores) {
  std::ranges::sort(scores);
  Thresholds limits{};
  for (std::size_t a = 0; a < alphas.size(); ++a) {
    const std::size_t rank = conformal_rank(scores.size(), Miscoverage::parse(alphas[a]));
    limits[a] = rank <= scores.size() ? scores[rank - 1] : std::numeric_limits<float>::infinity();
  }
  return limits;
}

Sets::Sets(std::size_t images, std::size_t landmarks, std::size_t patches)
    : images_(images),
      landmarks_(landmarks),
      bytes_((patches + 7) / 8),
      bits_(alphas.size() * images * landmarks * bytes_) {}

void Sets::write(const std::string& path) const {
  io::write_npy(path, {alphas.size(), images_, landmarks_, bytes_}, bits_);
}

std::vector<std::size_t> some_landmarks(std::size_t count, std::size_t wanted) {
  wanted = std::clamp<std::size_t>(wanted, 1, count);
  std::vector<std::size_t> some(wanted);
  for (std::size_t i = 0; i < wanted; ++i) some[i] = i * count / wanted;
  return some;
}

}  // namespace caos::bench
