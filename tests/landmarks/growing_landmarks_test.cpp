#include "caos/landmarks/growing_landmarks.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "caos/landmarks/image_scores.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "tests/support/expect_error.hpp"

namespace caos {
namespace {

using test::expect_error;

constexpr std::size_t num_landmarks = 3;
constexpr std::size_t num_patches = 6;
constexpr vision::PatchGrid grid{.patch_size = 16, .columns = 3, .rows = 2};

/// Vectors of few values, so that similarities tie.
SharedPatches draw_patches(Rng& rng) {
  Matrix<float> patches(num_patches, 4);
  for (std::size_t p = 0; p < num_patches; ++p) {
    for (float& value : patches.row(p)) value = static_cast<float>(1 + rng.below(2));
  }
  return std::make_shared<const Matrix<float>>(unit_rows(patches.view(), "image"));
}

std::int64_t draw_label(Rng& rng) {
  return rng.below(4) == 0 ? missing_label : static_cast<std::int64_t>(rng.below(num_patches));
}

Offset draw_offset(Rng& rng) {
  return {.x = static_cast<double>(rng.below(3)) / 2, .y = rng.uniform()};
}

KeyedImage draw_image(ImageKey key, Rng& rng) {
  KeyedImage image{.key = key, .patches = draw_patches(rng)};
  for (std::size_t t = 0; t < num_landmarks; ++t) image.labels.push_back(draw_label(rng));
  image.grid = grid;
  for (std::size_t t = 0; t < num_landmarks; ++t) image.offsets.push_back(draw_offset(rng));
  return image;
}

PatchScore draw_score(Rng& rng) {
  constexpr std::array scores = {
      PatchScore{PatchScore::Kind::cosine, 0}, PatchScore{PatchScore::Kind::margin, 3},
      PatchScore{PatchScore::Kind::softmax, 0.05}, PatchScore{PatchScore::Kind::geometry, 0}};
  return scores[rng.below(scores.size())];
}

/// Images that came, went and changed at random, and what they are now.
struct History {
  GrowingLandmarks grown;
  std::map<ImageKey, KeyedImage> present{};

  void step(Rng& rng) {
    const auto key = static_cast<ImageKey>(rng.below(12));
    const auto found = present.find(key);
    if (found == present.end()) {
      const KeyedImage image = draw_image(key, rng);
      grown.add_image(image);
      present.emplace(key, image);
    } else if (rng.below(4) == 0) {
      grown.remove_image(key);
      present.erase(found);
    } else {
      const std::size_t landmark = rng.below(num_landmarks);
      // Now and then it moves within its patch only.
      if (rng.below(3) > 0) found->second.labels[landmark] = draw_label(rng);
      found->second.offsets[landmark] = draw_offset(rng);
      grown.set_label(key, landmark, found->second.labels[landmark],
                      found->second.offsets[landmark]);
    }
  }
};

History draw_history(Rng& rng) {
  const GrowingLandmarks::Options options{.k = 1 + rng.below(3), .score = draw_score(rng)};
  std::vector<KeyedImage> first;
  for (ImageKey key = 0; key < static_cast<ImageKey>(rng.below(8)); ++key) {
    first.push_back(draw_image(key, rng));
  }
  History history{.grown = GrowingLandmarks(num_landmarks, options, first)};
  for (const KeyedImage& image : first) history.present.emplace(image.key, image);
  for (std::size_t i = 0; i < rng.below(40); ++i) history.step(rng);
  return history;
}

/// The present images, as those calibrate who know nothing of growing.
LandmarkExamples examples_of(const std::map<ImageKey, KeyedImage>& present) {
  LandmarkExamples examples;
  examples.patches.tasks = numbered_names(num_landmarks);
  examples.patches.labels = Matrix<std::int64_t>(0, num_landmarks);
  examples.offsets = Matrix<Offset>(0, num_landmarks);
  for (const auto& [key, image] : present) {
    examples.images.push_back(std::to_string(key));
    examples.patches.images.push_back(*image.patches);
    examples.patches.labels.push_row(image.labels);
    examples.offsets.push_row(image.offsets);
    examples.grid_columns.push_back(grid.columns);
  }
  return examples;
}

std::vector<Score> values(std::span<const Score> scores) { return {scores.begin(), scores.end()}; }

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// Where a model has this landmark, or `none`.
std::size_t task_of(const LandmarkModel& model, std::size_t landmark) {
  const auto found = std::ranges::find(model.labeled.tasks, std::to_string(landmark));
  if (found == model.labeled.tasks.end()) return none;
  return static_cast<std::size_t>(found - model.labeled.tasks.begin());
}

std::optional<LandmarkModel> model_of(const History& history) {
  try {
    return calibrate_landmarks(
        examples_of(history.present),
        {.k = history.grown.options().k, .score = history.grown.options().score, .threads = 1});
  } catch (const Error&) {
    return std::nullopt;  // no landmark has images enough
  }
}

RC_GTEST_PROP(GrowingLandmarks, AreCalibratedAsThePresentImagesFromScratch, (std::uint64_t seed)) {
  Rng rng(seed);
  const History history = draw_history(rng);
  const auto model = model_of(history);
  for (std::size_t t = 0; t < num_landmarks; ++t) {
    const std::size_t task = model ? task_of(*model, t) : none;
    const auto* grown = history.grown.calibration(t);
    RC_ASSERT((grown != nullptr) == (task != none));
    if (task == none) continue;
    RC_ASSERT(values(grown->scores()) == values(model->calibrations[task].scores()));
    RC_ASSERT(grown->num_references() == model->calibrations[task].num_references());
  }
  const auto joint = history.grown.joint();
  RC_ASSERT(joint.has_value() == model.has_value());
  if (joint) RC_ASSERT(values(joint->values()) == values(model->joint().scores().values()));
}

/// The set at alpha that the counts tell.
PredictionSet set_of(const PatchCounts& counts, const Miscoverage& alpha) {
  PredictionSet set;
  for (Label y = 0; y < counts.at_least.size(); ++y) {
    if (counts.at_least[y] < 0) continue;
    const Exceedances exceeding{.greater = static_cast<std::size_t>(counts.at_least[y])};
    if (conforms(exceeding, counts.n, conformal_rank(counts.n, alpha))) set.push_back(y);
  }
  return set;
}

RC_GTEST_PROP(ImageScores, PredictAsTheModelOfThePresentImages, (std::uint64_t seed)) {
  Rng rng(seed);
  History history = draw_history(rng);
  const SharedPatches fresh = draw_patches(rng);
  const std::vector<Label> impossible = {rng.below(num_patches)};
  ImageScores scores(fresh, impossible, {}, grid);
  for (int round = 0; round < 3; ++round) {
    scores.update(history.grown, 1);
    history.step(rng);
  }
  scores.update(history.grown, 1 + rng.below(2));
  const auto model = model_of(history);
  if (!model) return;
  const auto alpha = Miscoverage::parse(rng.below(2) == 0 ? "0.1" : "0.4");
  for (const bool simultaneous : {false, true}) {
    const LandmarkPredictor predictor(*model, {.alpha = alpha, .simultaneous = simultaneous});
    const auto expected = predictor.predict(fresh->view(), impossible, grid);
    const auto joint = history.grown.joint();
    for (std::size_t t = 0; t < num_landmarks; ++t) {
      const std::size_t task = task_of(*model, t);
      const auto counts = scores.counts(history.grown, t, simultaneous ? &*joint : nullptr);
      RC_ASSERT(counts.has_value() == (task != none));
      if (task == none) continue;
      RC_ASSERT(set_of(*counts, alpha) == expected[task].set);
      RC_ASSERT(counts->proposal == expected[task].proposal);
      std::vector<std::string> references;
      std::vector<std::string> neighbors;
      for (const std::size_t i : expected[task].supporting_references)
        references.push_back(model->images[i]);
      for (const ImageNeighbor& n : counts->supporting_references)
        neighbors.push_back(std::to_string(n.image));
      RC_ASSERT(neighbors == references);
    }
  }
}

RC_GTEST_PROP(ImageScores, LeaveOutImagesOfTheSameSubject, (std::uint64_t seed)) {
  Rng rng(seed);
  const History history = draw_history(rng);
  if (history.present.empty()) return;
  const ImageKey left_out = history.present.begin()->first;
  ImageScores scores(draw_patches(rng), {}, {left_out}, grid);
  scores.update(history.grown, 1);
  for (std::size_t t = 0; t < num_landmarks; ++t) {
    const auto members = history.grown.members(t);
    const auto count = members.size() - (std::ranges::count(members, left_out) > 0 ? 1U : 0U);
    const auto counts = scores.counts(history.grown, t);
    RC_ASSERT(counts.has_value() ==
              (history.grown.calibration(t) != nullptr && count >= history.grown.options().k));
    if (!counts) continue;
    for (const ImageNeighbor& neighbor : counts->supporting_references)
      RC_ASSERT(neighbor.image != left_out);
  }
}

TEST(ImageScores, ScoreOnlyWhatHasBecomeAReference) {
  Rng rng(3);
  std::vector<KeyedImage> images;
  for (ImageKey key = 0; key < 20; ++key) {
    images.push_back(draw_image(key, rng));
    images.back().labels = {0, 0, 1};  // two landmarks share a patch
  }
  GrowingLandmarks grown(num_landmarks, {}, images);
  ImageScores scores(draw_patches(rng));
  scores.update(grown, 1);
  EXPECT_EQ(scores.num_scored(), 40U);
  grown.set_label(7, 2, 5);
  scores.update(grown, 1);
  EXPECT_EQ(scores.num_scored(), 41U);
  grown.set_label(7, 2, 0);  // known already
  scores.update(grown, 1);
  EXPECT_EQ(scores.num_scored(), 41U);
}

TEST(ImageScores, FollowAChangeOfTheScore) {
  Rng rng(8);
  std::vector<KeyedImage> images;
  for (ImageKey key = 0; key < 12; ++key) {
    images.push_back(draw_image(key, rng));
    images.back().labels = {0, 3, 5};
    images.back().offsets.assign(num_landmarks, {0, 0});  // as for scores that read no positions
  }
  const SharedPatches patches = draw_patches(rng);
  ImageScores scores(patches, {}, {}, grid);
  for (const auto& [kind, parameter] :
       {std::pair(PatchScore::Kind::cosine, 0.0), std::pair(PatchScore::Kind::geometry, 0.0),
        std::pair(PatchScore::Kind::softmax, 0.05), std::pair(PatchScore::Kind::softmax, 0.5)}) {
    const GrowingLandmarks grown(num_landmarks, {.k = 2, .score = {kind, parameter}}, images);
    scores.update(grown, 1);
    ImageScores fresh(patches, {}, {}, grid);
    fresh.update(grown, 1);
    for (std::size_t t = 0; t < num_landmarks; ++t) {
      EXPECT_EQ(scores.counts(grown, t)->at_least, fresh.counts(grown, t)->at_least);
      EXPECT_EQ(scores.counts(grown, t)->proposal_score, fresh.counts(grown, t)->proposal_score);
    }
  }
}

TEST(GrowingLandmarks, GiveTheirOwnScoresInAnyOrder) {
  Rng rng(4);
  std::vector<KeyedImage> images;
  for (ImageKey key = 1; key <= 4; ++key) images.push_back(draw_image(key, rng));
  for (KeyedImage& image : images) image.labels = {2, 3, missing_label};
  images[1].labels[1] = missing_label;
  const GrowingLandmarks grown(num_landmarks, {.k = 1, .score = {}}, images);
  const std::vector<ImageKey> order = {4, 2, 1};
  const auto tasks = grown.online_tasks(order);
  ASSERT_EQ(tasks.size(), num_landmarks);
  EXPECT_EQ(tasks[0].examples, (Indices{0, 1, 2}));
  EXPECT_EQ(tasks[1].examples, (Indices{0, 2}));
  EXPECT_TRUE(tasks[2].examples.empty());
  const std::vector<ImageKey> other = {1, 2, 4};
  EXPECT_EQ(tasks[0].own(0, 2), grown.online_tasks(other)[0].own(2, 0));
}

TEST(GrowingLandmarks, RefuseWhatDoesNotFit) {
  Rng rng(5);
  GrowingLandmarks grown(num_landmarks, {});
  grown.add_image(draw_image(1, rng));
  expect_error([&] { grown.add_image(draw_image(1, rng)); }, ErrorKind::invalid_input,
               {"image 1 is already included"});
  KeyedImage wrong = draw_image(2, rng);
  wrong.labels[0] = num_patches;
  expect_error([&] { grown.add_image(wrong); }, ErrorKind::invalid_input, {"in no patch"});
  wrong.labels.pop_back();
  expect_error([&] { grown.add_image(wrong); }, ErrorKind::invalid_input, {"each landmark"});
  expect_error([&] { grown.set_label(1, 0, num_patches); }, ErrorKind::invalid_input,
               {"in no patch"});
}

}  // namespace
}  // namespace caos
