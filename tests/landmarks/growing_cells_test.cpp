#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "caos/landmarks/growing_landmarks.hpp"
#include "caos/landmarks/image_scores.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "tests/landmarks/cells/cell_problem.hpp"

namespace caos {
namespace {

constexpr std::size_t num_tasks = 2;
const PatchScore growing_score{PatchScore::Kind::geometry, 0};

std::int64_t any_cell(const vision::PatchGrid& cells, Rng& rng) {
  return rng.below(4) == 0 ? missing_label : static_cast<std::int64_t>(rng.below(cells.size()));
}

KeyedImage draw_keyed(ImageKey key, Rng& rng) {
  const cells::Image drawn = cells::draw_image(rng, 4, 2);
  KeyedImage image{.key = key,
                   .patches = std::make_shared<const Matrix<float>>(drawn.patches),
                   .grid = drawn.cells,
                   .cells = cells::Problem::source(drawn)};
  for (std::size_t t = 0; t < num_tasks; ++t) {
    image.labels.push_back(any_cell(image.grid, rng));
    image.offsets.push_back({rng.uniform(), rng.uniform()});
  }
  return image;
}

/// Images that came, went and changed at random, and what they are now.
struct CellHistory {
  explicit CellHistory(Rng& rng)
      : grown(num_tasks, {.k = 1 + rng.below(2), .score = growing_score}, first(rng, present)) {
    for (std::size_t i = 0; i < rng.below(15); ++i) step(rng);
  }

  static std::vector<KeyedImage> first(Rng& rng, std::map<ImageKey, KeyedImage>& present) {
    std::vector<KeyedImage> images;
    for (ImageKey key = 0; key < 4; ++key) {
      images.push_back(draw_keyed(key, rng));
      present.emplace(key, images.back());
    }
    return images;
  }

  void step(Rng& rng) {
    const auto key = static_cast<ImageKey>(rng.below(6));
    const auto found = present.find(key);
    if (found == present.end()) {
      present.emplace(key, draw_keyed(key, rng));
      grown.add_image(present.at(key));
    } else if (rng.below(5) == 0) {
      grown.remove_image(key);
      present.erase(found);
    } else {
      const std::size_t t = rng.below(num_tasks);
      KeyedImage& image = found->second;
      if (rng.below(3) > 0) image.labels[t] = any_cell(image.grid, rng);
      image.offsets[t] = {rng.uniform(), rng.uniform()};
      grown.set_label(key, t, image.labels[t], image.offsets[t]);
    }
  }

  /// The present images, as those calibrate who know nothing of growing.
  [[nodiscard]] std::optional<LandmarkModel> model() const {
    LandmarkExamples examples;
    LabeledPatches& labeled = examples.patches;
    labeled.tasks = numbered_names(num_tasks);
    labeled.labels = Matrix<std::int64_t>(0, num_tasks);
    labeled.offsets = Matrix<Offset>(0, num_tasks);
    for (const auto& [key, image] : present) {
      examples.images.push_back(std::to_string(key));
      labeled.images.push_back(*image.patches);
      labeled.labels.push_row(image.labels);
      labeled.offsets.push_row(image.offsets);
      labeled.grids.push_back(image.grid);
      labeled.cells.sources.push_back(*image.cells);
      examples.grid_columns.push_back(image.grid.columns);
    }
    read_cells(labeled, 1);
    examples.offsets = labeled.offsets;
    try {
      return calibrate_landmarks(
          std::move(examples),
          {.k = grown.options().k, .score = growing_score, .refine = false, .threads = 1});
    } catch (const Error&) {
      return std::nullopt;  // no landmark has images enough
    }
  }

  std::map<ImageKey, KeyedImage> present{};
  GrowingLandmarks grown;
};

std::optional<std::size_t> task_in(const std::optional<LandmarkModel>& model, std::size_t t) {
  if (!model) return std::nullopt;
  const auto& tasks = model->labeled.tasks;
  const auto found = std::ranges::find(tasks, std::to_string(t));
  if (found == tasks.end()) return std::nullopt;
  return static_cast<std::size_t>(found - tasks.begin());
}

RC_GTEST_PROP(GrowingCells, AreCalibratedAsThePresentImagesFromScratch, (std::uint64_t seed)) {
  Rng rng(seed);
  const CellHistory history(rng);
  const auto model = history.model();
  for (std::size_t t = 0; t < num_tasks; ++t) {
    const auto task = task_in(model, t);
    const Calibration* grown = history.grown.calibration(t);
    RC_ASSERT((grown != nullptr) == task.has_value());
    if (task) RC_ASSERT(std::ranges::equal(grown->scores(), model->calibrations[*task].scores()));
  }
}

/// Which cells conform, and to how many calibration scores, at every alpha.
RC_GTEST_PROP(GrowingCells, CountAsTheModelOfThePresentImagesPredicts, (std::uint64_t seed)) {
  Rng rng(seed);
  CellHistory history(rng);
  const KeyedImage fresh = draw_keyed(100, rng);
  const std::vector<Label> impossible = {rng.below(fresh.grid.size())};
  ImageScores scores(fresh.patches, impossible, {}, fresh.grid, fresh.cells);
  scores.update(history.grown, 1);
  history.step(rng);
  scores.update(history.grown, 2);
  const auto model = history.model();
  if (!model) return;
  for (const char* alpha : {"0.2", "0.5"}) {
    const LandmarkPredictor predictor(*model, {.alpha = Miscoverage::parse(alpha)});
    const auto expected =
        predictor.predict(fresh.patches->view(), impossible, fresh.grid, nullptr, &*fresh.cells);
    for (std::size_t t = 0; t < num_tasks; ++t) {
      const auto task = task_in(model, t);
      const auto counts = scores.counts(history.grown, t);
      RC_ASSERT(counts.has_value() == task.has_value());
      if (!task) continue;
      PredictionSet set;
      const std::size_t rank = conformal_rank(counts->n, Miscoverage::parse(alpha));
      for (Label y = 0; y < counts->at_least.size(); ++y) {
        if (counts->at_least[y] < 0) continue;
        const Exceedances exceeding{.greater = static_cast<std::size_t>(counts->at_least[y])};
        if (conforms(exceeding, counts->n, rank)) set.push_back(y);
      }
      RC_ASSERT(set == expected[*task].set);
      RC_ASSERT(counts->proposal == expected[*task].proposal);
      RC_ASSERT(counts->proposal_score == expected[*task].proposal_score);
    }
  }
}

}  // namespace
}  // namespace caos
