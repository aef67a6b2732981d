#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "caos/scores.hpp"

// What peers read, and what they all do after their similarities: the meaning of a CAOS set in
// plain float, as one would write it without asking for equal bits.
namespace caos::bench {

inline constexpr std::size_t k = 3;
inline constexpr std::array alphas = {"0.05", "0.1", "0.2"};

/// An array of embeddings, in memory.
struct Embeddings {
  std::vector<float> values{};
  std::size_t images = 0;
  std::size_t patches = 0;
  std::size_t dim = 0;

  [[nodiscard]] std::size_t rows() const { return images * patches; }
  [[nodiscard]] const float* row(std::size_t image, std::size_t patch) const {
    return values.data() + (image * patches + patch) * dim;
  }
};

[[nodiscard]] Embeddings read_embeddings(const std::string& path);

/// [images, landmarks]
[[nodiscard]] Matrix<std::int64_t> read_labels(const std::string& path);

using Thresholds = std::array<float, alphas.size()>;

/// The thresholds that belong to the leave-one-out scores of the labeled images.
[[nodiscard]] Thresholds thresholds(std::vector<float> scores);

/// The score of a patch from its `k` greatest similarities, greatest first.
[[nodiscard]] inline float score(const float* similarities) {
  float sum = 0;
  for (std::size_t i = 0; i < k; ++i) sum += 1 - similarities[i];
  return sum;
}

/// Sets as bits, [alphas, images, landmarks, bytes], as `caos landmarks evaluate --sets` writes.
class Sets {
 public:
  Sets(std::size_t images, std::size_t landmarks, std::size_t patches);

  void insert(std::size_t alpha, std::size_t image, std::size_t landmark, std::size_t patch) {
    byte(alpha, image, landmark, patch) |= static_cast<std::uint8_t>(1U << (patch % 8));
  }

  /// Puts a patch into the sets at whose thresholds it conforms.
  void decide(std::size_t image, std::size_t landmark, std::size_t patch, float score,
              const Thresholds& limits) {
    for (std::size_t a = 0; a < alphas.size(); ++a) {
      if (score <= limits[a]) insert(a, image, landmark, patch);
    }
  }

  void write(const std::string& path) const;

 private:
  std::uint8_t& byte(std::size_t alpha, std::size_t image, std::size_t landmark,
                     std::size_t patch) {
    return bits_[((alpha * images_ + image) * landmarks_ + landmark) * bytes_ + patch / 8];
  }

  std::size_t images_;
  std::size_t landmarks_;
  std::size_t bytes_;
  std::vector<std::uint8_t> bits_;
};

/// Every (count / wanted)-th landmark, beginning with the first.
[[nodiscard]] std::vector<std::size_t> some_landmarks(std::size_t count, std::size_t wanted);

}  // namespace caos::bench
