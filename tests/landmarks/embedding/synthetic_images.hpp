#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/landmarks/patch_problem.hpp"

namespace patches {

/// How a drawn row differs from rows like it.
enum class Noise { none, last_bits, little, much };

struct DrawnSizes {
  std::size_t labeled;
  std::size_t test;
  std::size_t patches;
  std::size_t tasks;
  std::size_t dimension;
  std::size_t kinds;  ///< rows are drawn from so many
  Noise noise;
  std::size_t missing = 0;   ///< one label in so many is missing; 0: none
  std::size_t subjects = 0;  ///< of labeled images; 0: every image is of its own
  bool any_size = false;     ///< images have at most so many patches, not all as many
};

/// Images whose patches are of few kinds, each alike but for noise: similarities that are equal, or
/// differ less than the coarse ones can tell.
class Drawn {
 public:
  Drawn(std::uint64_t seed, const DrawnSizes& sizes) : rng_(seed), sizes_(sizes) {
    for (std::size_t i = 0; i < sizes.kinds * sizes.dimension; ++i) {
      kinds_.push_back(static_cast<float>(rng_.uniform() - 0.5));
    }
  }

  Problem problem() {
    Problem problem;
    images(sizes_.labeled, problem.labeled.images, problem.labeled.labels);
    images(sizes_.test, problem.images, problem.labels);
    for (std::size_t t = 0; t < sizes_.tasks; ++t) {
      problem.labeled.tasks.push_back("landmark " + std::to_string(t));
    }
    for (std::size_t i = 0; sizes_.subjects > 0 && i < sizes_.labeled; ++i) {
      problem.labeled.subjects.push_back(rng_.below(sizes_.subjects));
    }
    return problem;
  }

 private:
  float noisy(float value) {
    switch (sizes_.noise) {
      case Noise::none:
        return value;
      case Noise::last_bits:
        return rng_.below(3) == 0 ? std::nextafter(value, 9.0F) : value;
      case Noise::little:
        return value + static_cast<float>(1e-4 * (rng_.uniform() - 0.5));
      case Noise::much:
        return value + static_cast<float>(rng_.uniform() - 0.5);
    }
    return value;
  }

  caos::Matrix<float> image() {
    const std::size_t patches = sizes_.any_size ? 1 + rng_.below(sizes_.patches) : sizes_.patches;
    caos::Matrix<float> rows(patches, sizes_.dimension);
    for (std::size_t y = 0; y < rows.rows(); ++y) {
      const std::size_t kind = rng_.below(sizes_.kinds);
      for (std::size_t d = 0; d < rows.cols(); ++d) {
        rows(y, d) = noisy(kinds_[kind * rows.cols() + d]);
      }
    }
    return caos::unit_rows(std::as_const(rows).view(), "drawn");
  }

  void images(std::size_t count, std::vector<caos::Matrix<float>>& images,
              caos::Matrix<std::int64_t>& labels) {
    labels = caos::Matrix<std::int64_t>(count, sizes_.tasks);
    for (std::size_t i = 0; i < count; ++i) {
      images.push_back(image());
      for (std::int64_t& label : labels.row(i)) {
        const bool missing = sizes_.missing > 0 && rng_.below(sizes_.missing) == 0;
        label = missing ? caos::missing_label
                        : static_cast<std::int64_t>(rng_.below(images.back().rows()));
      }
    }
  }

  caos::Rng rng_;
  DrawnSizes sizes_;
  std::vector<float> kinds_;
};

}  // namespace patches
