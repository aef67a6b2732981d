#include "caos/landmarks/matching/nearest_competing.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "caos/landmarks/matching/patch_matcher.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/competing_similarities.hpp"
#include "caos/scorers/patch_scorer.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "tests/kernels/every_target.hpp"

namespace {

using namespace caos;

const std::vector<PatchScore> scores{{PatchScore::Kind::margin, 0},
                                     {PatchScore::Kind::margin, 10},
                                     {PatchScore::Kind::softmax, 0.005},
                                     {PatchScore::Kind::softmax, 0.05},
                                     {PatchScore::Kind::softmax, 0.1}};

/// Few values make many equal patches and scores.
Matrix<float> draw_image(Rng& rng, std::size_t most_patches, std::size_t dimension) {
  Matrix<float> rows(1 + rng.below(most_patches), dimension);
  const std::uint64_t values = 2 + rng.below(6);
  for (std::size_t p = 0; p < rows.rows(); ++p) {
    for (float& value : rows.row(p)) value = static_cast<float>(rng.below(values)) - 1.0F;
    rows(p, rng.below(dimension)) += static_cast<float>(values);
  }
  return unit_rows(rows.view(), "drawn");
}

/// Images of several panels of patches, of which a landmark needs few.
LabeledPatches draw(Rng& rng) {
  const std::size_t images = 5 + rng.below(40);
  const std::size_t tasks = 1 + rng.below(6);
  LabeledPatches labeled{.labels = Matrix<std::int64_t>(images, tasks),
                         .tasks = numbered_names(tasks)};
  const std::size_t dimension = 2 + rng.below(5);
  const bool with_subjects = rng.below(2) == 0;
  for (std::size_t i = 0; i < images; ++i) {
    labeled.images.push_back(draw_image(rng, 60, dimension));
    for (std::size_t t = 0; t < tasks; ++t) {
      const bool missing = rng.below(8) == 0;
      labeled.labels(i, t) =
          missing ? missing_label : static_cast<std::int64_t>(rng.below(labeled.images[i].rows()));
    }
    if (with_subjects) labeled.subjects.push_back(rng.below(images / 2 + 1));
  }
  return labeled;
}

RC_GTEST_PROP(NearestCompeting, AreTheSmallestOfAllScores, ()) {
  Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1'000'000'000));
  const LabeledPatches all = draw(rng);
  const std::size_t k = 1 + rng.below(4);
  const Indices usable = usable_tasks(all, k);
  RC_PRE(!usable.empty());
  const LabeledPatches labeled = with_tasks(all, usable);
  const ReferencePatches references = reference_patches(labeled);
  Indices calibrating;
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    if (rng.below(4) != 0) calibrating.push_back(i);
  }
  const std::size_t threads = 1 + rng.below(3);
  for (const PatchScore& score : scores) {
    const auto own = exact_matcher(labeled, references, score)->own_scores(1);
    const auto expected = own->nearest(calibrating, k);
    const auto found = nearest_competing(labeled, references, score, calibrating, k, threads);
    RC_ASSERT(found.size() == expected.size());
    for (std::size_t t = 0; t < found.size(); ++t) {
      RC_ASSERT(found[t].rows() == expected[t].rows());
      for (std::size_t i = 0; i < found[t].rows(); ++i) {
        RC_ASSERT(std::ranges::equal(found[t].row(i), expected[t].row(i)));
      }
    }
  }
}

TEST(NearestCompeting, AreTheSameOnEveryInstructionSet) {
  Rng rng(5);
  const LabeledPatches all = draw(rng);
  const LabeledPatches labeled = with_tasks(all, usable_tasks(all, 2));
  const ReferencePatches references = reference_patches(labeled);
  for (const PatchScore& score : scores) {
    const auto find = [&] {
      return nearest_competing(labeled, references, score, all_images(labeled), 2, 2);
    };
    const auto expected = find();
    kernels::on_every_target([&] {
      const auto found = find();
      for (std::size_t t = 0; t < found.size(); ++t) {
        for (std::size_t i = 0; i < found[t].rows(); ++i) {
          EXPECT_TRUE(std::ranges::equal(found[t].row(i), expected[t].row(i)));
        }
      }
    });
  }
}

RC_GTEST_PROP(CompetingSimilarities, BoundsHoldTheScores, ()) {
  Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1'000'000'000));
  const std::size_t dimension = 2 + rng.below(30);
  const Matrix<float> image = draw_image(rng, 150, dimension);
  const Matrix<float> rows = draw_image(rng, 70, dimension);
  const PatchScore score = scores[2 + rng.below(3)];
  const Matrix<Score> exact = PatchScorer(rows, score).scores(image.view());
  const CompetingReferences references(rows.view(), score, 1);
  CompetingSimilarities similarities(references);
  similarities.compare(image.view(), CoarseRows(image.view()));
  std::vector<std::uint32_t> columns;
  for (std::uint32_t r = 0; r < rows.rows(); ++r) columns.push_back(r);
  double widest = 0;
  for (std::size_t y = 0; y < image.rows(); ++y) {
    std::vector<CompetingSimilarities::Bounds> bounds(columns.size());
    similarities.bounds(image.row(y).data(), columns, bounds.data());
    for (const std::uint32_t r : columns) {
      RC_ASSERT(bounds[r].low <= exact(y, r));
      RC_ASSERT(exact(y, r) <= bounds[r].high);
      widest = std::max(widest, bounds[r].high - bounds[r].low);
    }
  }
  // Wider ones would decide nothing.
  RC_ASSERT(widest * score.parameter < 0.01);
}

}  // namespace
