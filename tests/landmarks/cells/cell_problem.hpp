#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "tests/landmarks/geometry/geometry_oracle.hpp"

/// Small landmark problems whose labels are cells, full of ties: patches of few values, images of
/// different sizes and patches, landmarks that share a cell or are missing.
namespace cells {

using caos::Matrix;
using caos::vision::PatchGrid;
using caos::vision::Point;

/// The vector between patches, by its definition: the sum over all patches of their hats.
inline std::vector<float> vector_at(const Matrix<float>& patches, const PatchGrid& grid, Point at) {
  const auto place = [&](double value, std::size_t count) {
    return std::clamp(value / static_cast<double>(grid.patch_size) - 0.5, 0.0,
                      static_cast<double>(count - 1));
  };
  const double x = place(at.x, grid.columns);
  const double y = place(at.y, grid.rows);
  std::vector<double> sum(patches.cols());
  for (std::size_t p = 0; p < patches.rows(); ++p) {
    const double across = 1 - std::abs(x - static_cast<double>(p % grid.columns));
    const double down = 1 - std::abs(y - static_cast<double>(p / grid.columns));
    if (across <= 0 || down <= 0) continue;
    for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += across * down * patches(p, d);
  }
  double squared = 0;
  for (const double value : sum) squared += value * value;
  std::vector<float> result;
  for (const double value : sum) result.push_back(static_cast<float>(value / std::sqrt(squared)));
  return result;
}

struct Image {
  Matrix<float> patches{};
  PatchGrid grid{};   ///< of patches
  PatchGrid cells{};  ///< of labels
};

/// Components are not negative, so that no mean of vectors vanishes.
inline Image draw_image(caos::Rng& rng, std::size_t dimension, std::uint64_t values,
                        std::size_t cell = 0) {
  Image image;
  const std::size_t side = rng.below(3) == 0 ? 14 : 16;
  image.grid = {.patch_size = side, .columns = 1 + rng.below(5), .rows = 1 + rng.below(5)};
  if (cell == 0) cell = rng.below(2) == 0 ? 4 : 8;
  image.cells = caos::cells_over(image.grid, cell);
  Matrix<float> rows(image.grid.size(), dimension);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (float& value : rows.row(r)) value = static_cast<float>(rng.below(values));
    rows(r, rng.below(dimension)) += 1;
  }
  image.patches = caos::unit_rows(rows.view(), "drawn");
  return image;
}

struct Sizes {
  std::size_t labeled = 8;
  std::size_t test = 3;
  std::size_t tasks = 3;
  std::size_t dimension = 4;
  std::size_t missing = 6;  ///< one label in so many is missing; 0: none
  std::uint64_t values = 3;
  std::size_t cell = 0;  ///< 0: 4 or 8, by image
};

struct Problem {
  caos::LabeledPatches labeled{};
  std::vector<Image> images{};  ///< to test on
  Matrix<std::int64_t> labels{};

  [[nodiscard]] caos::TestPatches test() const {
    caos::TestPatches test{.image = [this](std::size_t x) { return images[x].patches; },
                           .labels = labels,
                           .cells = [this](std::size_t x) { return source(images[x]); }};
    for (const Image& image : images) {
      test.num_patches.push_back(image.cells.size());
      test.grids.push_back(image.cells);
    }
    return test;
  }
  [[nodiscard]] static caos::CellSource source(const Image& image) {
    return {.patches = image.grid};
  }
};

/// Where a landmark lies, in pixels of the working image.
inline Point place_of(const PatchGrid& cells, std::int64_t label, caos::Offset offset) {
  const Point corner = cells.corner(static_cast<caos::Label>(label));
  const auto side = static_cast<double>(cells.patch_size);
  return {corner.x + offset.x * side, corner.y + offset.y * side};
}

inline Problem make(std::uint64_t seed, const Sizes& sizes) {
  caos::Rng rng(seed);
  Problem problem;
  const auto draw_labels = [&](const PatchGrid& cells) {
    std::vector<std::int64_t> row(sizes.tasks, caos::missing_label);
    for (std::int64_t& label : row) {
      const bool missing = sizes.missing > 0 && rng.below(sizes.missing) == 0;
      if (!missing) label = static_cast<std::int64_t>(rng.below(cells.size()));
    }
    return row;
  };
  caos::LabeledPatches& labeled = problem.labeled;
  labeled.labels = problem.labels = Matrix<std::int64_t>(0, sizes.tasks);
  labeled.offsets = Matrix<caos::Offset>(sizes.labeled, sizes.tasks);
  labeled.tasks = caos::numbered_names(sizes.tasks);
  for (std::size_t i = 0; i < sizes.labeled; ++i) {
    const Image image = draw_image(rng, sizes.dimension, sizes.values, sizes.cell);
    labeled.images.push_back(image.patches);
    labeled.grids.push_back(image.cells);
    labeled.cells.sources.push_back(Problem::source(image));
    labeled.labels.push_row(draw_labels(image.cells));
    for (caos::Offset& offset : labeled.offsets.row(i)) offset = {rng.uniform(), rng.uniform()};
  }
  read_cells(labeled, 1);
  for (std::size_t x = 0; x < sizes.test; ++x) {
    problem.images.push_back(draw_image(rng, sizes.dimension, sizes.values, sizes.cell));
    problem.labels.push_row(draw_labels(problem.images.back().cells));
  }
  return problem;
}

inline Problem arbitrary(std::size_t k) {
  Sizes sizes;
  sizes.labeled = *rc::gen::inRange<std::size_t>(4, 8);
  sizes.test = *rc::gen::inRange<std::size_t>(1, 3);
  sizes.tasks = *rc::gen::inRange<std::size_t>(1, 4);
  sizes.missing = *rc::gen::element<std::size_t>(0, 3, 8);
  sizes.values = *rc::gen::element<std::uint64_t>(2, 3, 100);
  Problem problem = make(*rc::gen::inRange<std::uint64_t>(0, 1'000'000'000), sizes);
  const caos::Indices tasks = caos::usable_tasks(problem.labeled, k);
  RC_PRE(!tasks.empty());
  problem.labeled = with_tasks(problem.labeled, tasks);
  problem.labels = caos::with_tasks(problem.labels, tasks);
  return problem;
}

/// One landmark by the definition: all cells, all references, no pruning, no bounds.
class Oracle {
 public:
  Oracle(const caos::LabeledPatches& labeled, std::size_t task) : labeled_(labeled), task_(task) {
    for (std::size_t i = 0; i < labeled.size(); ++i) {
      if (labeled.labels(i, task) != caos::missing_label) images.push_back(i);
    }
  }

  /// scores[y][j] of a new image.
  [[nodiscard]] std::vector<std::vector<double>> pools(const Image& image) const {
    std::vector<std::vector<double>> result(image.cells.size());
    for (const std::size_t j : images) {
      const auto column = under(j, image);
      for (std::size_t y = 0; y < column.size(); ++y) result[y].push_back(column[y]);
    }
    return result;
  }

  /// That of a labeled image's landmark under another one's.
  [[nodiscard]] double own(std::size_t i, std::size_t j) const {
    const Image image{labeled_.images[i], labeled_.cells.sources[i].patches, labeled_.grids[i]};
    return under(j, image)[static_cast<std::size_t>(labeled_.labels(i, task_))];
  }

  caos::Indices images;

 private:
  [[nodiscard]] std::vector<double> under(std::size_t j, const Image& to) const {
    const geometry_oracle::Image from{labeled_.images[j], labeled_.cells.sources[j].patches};
    const Point at =
        place_of(labeled_.grids[j], labeled_.labels(j, task_), labeled_.offsets(j, task_));
    const auto patch = static_cast<double>(from.grid.patch_size);
    const auto found = geometry_oracle::estimate(from, {to.patches, to.grid});
    const Point place = geometry_oracle::project(found, from.grid, {at.x / patch, at.y / patch});
    const std::vector<float> reference = vector_at(from.patches, from.grid, at);
    const double scale =
        static_cast<double>(to.cells.patch_size) / static_cast<double>(to.grid.patch_size);
    std::vector<double> scores;
    for (std::size_t y = 0; y < to.cells.size(); ++y) {
      const Point center = geometry_oracle::center(to.cells, y);
      const std::vector<float> own = vector_at(
          to.patches, to.grid, place_of(to.cells, static_cast<std::int64_t>(y), {0.5, 0.5}));
      double cosine = 0;
      for (std::size_t d = 0; d < own.size(); ++d) cosine += double{own[d]} * reference[d];
      const double lacking = found.deviation > 0 ? std::max(0.0, 1 - cosine) / found.deviation : 0;
      const double squared = geometry_oracle::squared({center.x * scale, center.y * scale}, place);
      scores.push_back(lacking + 3 * std::min(squared, 4.0));
    }
    return scores;
  }

  const caos::LabeledPatches& labeled_;
  std::size_t task_;
};

}  // namespace cells
