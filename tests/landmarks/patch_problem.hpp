#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"

/// Small landmark problems, full of ties: patches of few values, images of different sizes,
/// landmarks that share a patch or are missing.
namespace patches {

struct Problem {
  caos::LabeledPatches labeled{};
  std::vector<caos::Matrix<float>> images{};  ///< to test on
  caos::Matrix<std::int64_t> labels{};
  std::vector<std::size_t> subjects{};  ///< of the images to test on

  [[nodiscard]] caos::TestPatches test() const {
    caos::TestPatches test{.image = [this](std::size_t x) { return images[x]; },
                           .labels = labels,
                           .subjects = subjects};
    for (const auto& image : images) test.num_patches.push_back(image.rows());
    return test;
  }
};

struct Sizes {
  std::size_t labeled = 8;
  std::size_t test = 3;
  std::size_t tasks = 3;
  std::size_t dimension = 3;
  std::size_t missing = 6;   ///< one label in so many is missing; 0: none
  std::size_t subjects = 0;  ///< 0: every image is of its own
};

inline caos::Matrix<float> draw_image(caos::Rng& rng, std::size_t dimension) {
  caos::Matrix<float> rows(1 + rng.below(7), dimension);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (float& value : rows.row(r)) value = static_cast<float>(rng.below(3));
    rows(r, rng.below(dimension)) = 1;
  }
  return caos::unit_rows(rows.view(), "drawn");
}

/// Draws images and labels and appends them.
inline void draw(caos::Rng& rng, const Sizes& sizes, std::size_t count,
                 std::vector<caos::Matrix<float>>& images, caos::Matrix<std::int64_t>& labels) {
  labels = caos::Matrix<std::int64_t>(0, sizes.tasks);
  for (std::size_t i = 0; i < count; ++i) {
    images.push_back(draw_image(rng, sizes.dimension));
    std::vector<std::int64_t> row(sizes.tasks, caos::missing_label);
    for (std::int64_t& label : row) {
      const bool missing = sizes.missing > 0 && rng.below(sizes.missing) == 0;
      if (!missing) label = static_cast<std::int64_t>(rng.below(images.back().rows()));
    }
    labels.push_row(row);
  }
}

inline Problem make(std::uint64_t seed, const Sizes& sizes) {
  caos::Rng rng(seed);
  Problem problem;
  draw(rng, sizes, sizes.labeled, problem.labeled.images, problem.labeled.labels);
  draw(rng, sizes, sizes.test, problem.images, problem.labels);
  for (std::size_t t = 0; t < sizes.tasks; ++t) {
    problem.labeled.tasks.push_back("landmark " + std::to_string(t));
  }
  for (std::size_t i = 0; sizes.subjects > 0 && i < sizes.labeled; ++i) {
    problem.labeled.subjects.push_back(rng.below(sizes.subjects));
  }
  for (std::size_t x = 0; sizes.subjects > 0 && x < sizes.test; ++x) {
    problem.subjects.push_back(sizes.subjects + rng.below(sizes.subjects));
  }
  return problem;
}

/// The problem with those landmarks only that k has references for.
inline Problem usable(Problem problem, std::size_t k) {
  const caos::Indices tasks = caos::usable_tasks(problem.labeled, k);
  problem.labeled = with_tasks(problem.labeled, tasks);
  problem.labels = caos::with_tasks(problem.labels, tasks);
  return problem;
}

inline Problem arbitrary(std::size_t k, bool with_subjects) {
  Sizes sizes;
  sizes.labeled = *rc::gen::inRange<std::size_t>(4, 11);
  sizes.test = *rc::gen::inRange<std::size_t>(1, 4);
  sizes.tasks = *rc::gen::inRange<std::size_t>(1, 5);
  sizes.dimension = *rc::gen::inRange<std::size_t>(2, 5);
  sizes.missing = *rc::gen::element<std::size_t>(0, 3, 8);
  sizes.subjects = with_subjects ? *rc::gen::inRange<std::size_t>(3, 7) : 0;
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000);
  Problem problem = usable(make(seed, sizes), k);
  RC_PRE(problem.labeled.num_tasks() > 0U);
  return problem;
}

}  // namespace patches
