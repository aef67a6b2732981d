#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "caos/error.hpp"
#include "caos/full.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/landmarks/triage.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scorers/coarse_similarities.hpp"
#include "caos/scorers/competing_similarities.hpp"
#include "caos/scorers/patch_scorer.hpp"
#include "tests/kernels/every_target.hpp"
#include "tests/landmarks/embedding/synthetic_images.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::Indices;
using caos::Label;
using caos::LandmarkModel;
using caos::LandmarkPrediction;
using caos::LandmarkPredictOptions;
using caos::Matrix;
using caos::Method;
using caos::Score;
using patches::Drawn;
using patches::Noise;

/// Calibrated from all scores.
LandmarkModel model_of(const caos::LabeledPatches& labeled, std::size_t k,
                       const caos::PatchScore& score) {
  LandmarkModel model;
  model.labeled = labeled;
  model.score = score;
  model.references = reference_patches(labeled);
  model.offsets = Matrix<caos::Offset>(labeled.size(), labeled.num_tasks());
  model.calibrating = all_images(labeled);
  const caos::ExampleWeights weights = model.weights();
  const auto own = exact_matcher(labeled, model.references, score)->own_scores(1);
  for (Matrix<Score>& nearest : own->nearest(model.calibrating, k)) {
    const caos::PatchTask& task = model.references.tasks[model.calibrations.size()];
    model.calibrations.emplace_back(nearest, caos::Grouping::none(nearest.rows()),
                                    task.images.size(),
                                    weights_of_task(weights, model.calibrating, task));
  }
  return model;
}

/// Predicts one landmark from all scores, as the methods are defined.
class Oracle {
 public:
  Oracle(const LandmarkModel& model, const LandmarkPredictOptions& options, std::size_t t)
      : model_(model), options_(options), task_(model.references.tasks[t]), t_(t) {}

  LandmarkPrediction predict(const Matrix<float>& image, const std::vector<Label>& impossible) {
    const caos::PatchScorer scorer(model_.references.patches, model_.score);
    const Matrix<Score> scores = scorer.scores(image.view());
    Matrix<Score> pools;
    gather_pools(scores.view(), task_.columns, pools);
    label_scores_ = calibration().label_scores(std::as_const(pools).view());
    for (const Label y : impossible) label_scores_[y] = std::numeric_limits<Score>::infinity();
    LandmarkPrediction prediction;
    propose(pools, prediction);
    Matrix<Score> reverse;
    gather_pools(scores.view(),
                 restricted_to(task_, positions_in(task_, model_.calibrating)).columns, reverse);
    for (Label y = 0; y < image.rows(); ++y) {
      if (std::ranges::find(impossible, y) == impossible.end()) decide(y, reverse, prediction);
    }
    return prediction;
  }

 private:
  [[nodiscard]] const caos::Calibration& calibration() const { return model_.calibrations[t_]; }

  void propose(const Matrix<Score>& pools, LandmarkPrediction& prediction) const {
    prediction.proposal =
        static_cast<Label>(std::ranges::min_element(label_scores_) - label_scores_.begin());
    prediction.proposal_p_value =
        p_value(calibration().group(0).exceedances(label_scores_[prediction.proposal]),
                calibration().group(0).units());
    prediction.proposal_score = label_scores_[prediction.proposal];
    prediction.score_over_threshold =
        caos::score_over_threshold(prediction.proposal_score, reviewing_threshold());
    Indices order(pools.cols());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {},
                             [&](std::size_t j) { return pools(prediction.proposal, j); });
    for (std::size_t s = 0; s < calibration().k(); ++s) {
      prediction.supporting_references.push_back(task_.images[order[s]]);
    }
  }

  /// Of plain CAOS; the largest calibration score where alpha is infeasible.
  [[nodiscard]] Score reviewing_threshold() const {
    const auto scores = calibration().scores();
    const Score plain = calibration().threshold(options_.alpha);
    return std::isfinite(plain) ? plain : *std::ranges::max_element(scores);
  }

  void decide(Label y, const Matrix<Score>& reverse, LandmarkPrediction& prediction) const {
    const Score score = label_scores_[y];
    caos::Exceedances exceeding = calibration().group(0).exceedances(score);
    if (options_.simultaneous) exceeding = model_.joint().scores().exceedances(score);
    if (options_.method == Method::full_caos) {
      exceeding = caos::full::exceedances(calibration(), {.pools = {}, .reverse = reverse.view()},
                                          y, score);
    }
    const caos::SortedScores peers =
        options_.simultaneous ? model_.joint().scores() : calibration().group(0);
    if (!conforms(exceeding, peers.units(), peers.rank(options_.alpha, options_.rule))) return;
    prediction.set.push_back(y);
    prediction.p_values.push_back(p_value(exceeding, peers.units()));
  }

  const LandmarkModel& model_;
  const LandmarkPredictOptions& options_;
  const caos::PatchTask& task_;
  std::size_t t_;
  std::vector<Score> label_scores_;
};

void expect_same(const LandmarkPrediction& found, const LandmarkPrediction& expected) {
  EXPECT_EQ(found.set, expected.set);
  EXPECT_EQ(found.p_values, expected.p_values);
  EXPECT_EQ(found.proposal, expected.proposal);
  EXPECT_EQ(found.proposal_p_value, expected.proposal_p_value);
  EXPECT_EQ(found.proposal_score, expected.proposal_score);
  EXPECT_EQ(found.score_over_threshold, expected.score_over_threshold);
  EXPECT_EQ(found.supporting_references, expected.supporting_references);
}

void expect_exact(const patches::Problem& problem, const LandmarkPredictOptions& options,
                  std::size_t k, const caos::PatchScore& score = {}) {
  const LandmarkModel model = model_of(problem.labeled, k, score);
  const caos::LandmarkPredictor predictor(model, options);
  const caos::LandmarkPredictor by_all_scores(
      model, options, *exact_matcher(model.labeled, model.references, model.score));
  for (const Matrix<float>& image : problem.images) {
    std::vector<Label> everything(image.rows());
    std::iota(everything.begin(), everything.end(), Label{0});
    const std::vector<std::vector<Label>> cases = {{}, {0, 3, 4}, everything};
    for (const std::vector<Label>& impossible : cases) {
      const auto found = predictor.predict(image.view(), impossible);
      const auto exact = by_all_scores.predict(image.view(), impossible);
      for (std::size_t t = 0; t < found.size(); ++t) {
        const auto expected = Oracle(model, options, t).predict(image, impossible);
        expect_same(found[t], expected);
        expect_same(exact[t], expected);
      }
    }
  }
}

TEST(CoarseDecider, PredictsWhatAllScoresPredict) {
  for (const Noise noise : {Noise::none, Noise::last_bits, Noise::little, Noise::much}) {
    for (const std::size_t dimension : {2U, 7U, 33U}) {
      Drawn drawn(dimension, {.labeled = 25,
                              .test = 4,
                              .patches = 43,
                              .tasks = 3,
                              .dimension = dimension,
                              .kinds = 5,
                              .noise = noise});
      const patches::Problem problem = drawn.problem();
      for (const std::size_t percent : {2U, 5U, 20U, 60U, 97U}) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(noise) << ' ' << percent << " %");
        LandmarkPredictOptions options{.alpha = problem::alpha(percent)};
        expect_exact(problem, options, 3);
        options.simultaneous = true;
        expect_exact(problem, options, 1);
        options.simultaneous = false;
        options.method = Method::full_caos;
        expect_exact(problem, options, 3);
        expect_exact(problem, options, 1);
      }
    }
  }
}

TEST(CoarseDecider, PredictsTheSameWithSubjectsMissingLandmarksAndAClippedRank) {
  Drawn drawn(3, {.labeled = 40,
                  .test = 5,
                  .patches = 40,
                  .tasks = 3,
                  .dimension = 9,
                  .kinds = 5,
                  .noise = Noise::little,
                  .missing = 6,
                  .subjects = 14});
  const patches::Problem problem = drawn.problem();
  for (const Method method : {Method::caos, Method::full_caos}) {
    for (const caos::RankRule rule : {caos::RankRule::every_label, caos::RankRule::clip}) {
      for (const std::size_t percent : {1U, 15U}) {
        expect_exact(problem, {.alpha = problem::alpha(percent), .method = method, .rule = rule},
                     2);
      }
    }
  }
}

TEST(CoarseDecider, PredictsTheSameOnEveryInstructionSet) {
  Drawn drawn(4, {.labeled = 20,
                  .test = 2,
                  .patches = 70,
                  .tasks = 2,
                  .dimension = 33,
                  .kinds = 7,
                  .noise = Noise::little});
  const patches::Problem problem = drawn.problem();
  caos::kernels::on_every_target([&] {
    expect_exact(problem, {.alpha = problem::alpha(20), .method = Method::full_caos}, 3);
  });
}

/// Those that make patches compete.
const std::vector<caos::PatchScore> competing = {
    {caos::PatchScore::Kind::margin, 0},     {caos::PatchScore::Kind::margin, 10},
    {caos::PatchScore::Kind::margin, 1e4},   {caos::PatchScore::Kind::softmax, 0.0001},
    {caos::PatchScore::Kind::softmax, 0.02}, {caos::PatchScore::Kind::softmax, 0.1}};

TEST(CoarseDecider, PredictsWhatAllScoresPredictWherePatchesCompete) {
  for (const Noise noise : {Noise::none, Noise::last_bits, Noise::little, Noise::much}) {
    for (const std::size_t dimension : {2U, 33U}) {
      Drawn drawn(dimension, {.labeled = 25,
                              .test = 3,
                              .patches = 43,
                              .tasks = 3,
                              .dimension = dimension,
                              .kinds = 5,
                              .noise = noise,
                              .missing = 9});
      const patches::Problem problem = drawn.problem();
      for (const caos::PatchScore& score : competing) {
        SCOPED_TRACE(testing::Message()
                     << static_cast<int>(noise) << ' ' << patch_score_text(score));
        for (const std::size_t percent : {2U, 20U, 97U}) {
          LandmarkPredictOptions options{.alpha = problem::alpha(percent)};
          expect_exact(problem, options, 3, score);
          options.simultaneous = true;
          expect_exact(problem, options, 1, score);
        }
      }
    }
  }
}

TEST(CoarseDecider, PredictsTheSameWherePatchesCompeteOnEveryInstructionSet) {
  Drawn drawn(4, {.labeled = 20,
                  .test = 2,
                  .patches = 70,
                  .tasks = 2,
                  .dimension = 33,
                  .kinds = 7,
                  .noise = Noise::little});
  const patches::Problem problem = drawn.problem();
  caos::kernels::on_every_target([&] {
    for (const caos::PatchScore& score : competing) {
      expect_exact(problem, {.alpha = problem::alpha(20)}, 3, score);
    }
  });
}

/// Sets of several images, decided together and one by one, with SCOS and two pools.
TEST(CoarseDecider, DecidesImagesTogetherAsAloneWherePatchesCompete) {
  Drawn drawn(5, {.labeled = 18,
                  .test = 5,
                  .patches = 37,
                  .tasks = 2,
                  .dimension = 9,
                  .kinds = 5,
                  .noise = Noise::little});
  const patches::Problem problem = drawn.problem();
  const caos::ReferencePatches references = reference_patches(problem.labeled);
  const caos::QueryImages images{.image = [&](std::size_t x) { return problem.images[x]; },
                                 .labels = problem.labels.view()};
  for (const caos::PatchScore& score : competing) {
    SCOPED_TRACE(patch_score_text(score));
    std::vector<caos::LandmarkRules> rules;
    for (const caos::PatchTask& task : references.tasks) {
      const double unit = coarse_unit(score);
      const std::size_t n = task.columns.size();
      rules.push_back(
          {.pools = {{task.columns, {{1, 0.1 * unit}, {3, 0.5 * unit}}}},
           .scos = caos::ScosRule{task.columns,
                                  {std::vector(n, 0.05 * unit), std::vector(n, 0.2 * unit)}}});
    }
    const auto exact = exact_matcher(problem.labeled, references, score)->decider(rules);
    const auto coarse = make_matcher(problem.labeled, references, score)->decider(rules);
    const caos::ImageSets expected = exact->decide(images, 1, 5);
    const caos::ImageSets found = coarse->decide(images, 1, 5);
    ASSERT_EQ(found.starts, expected.starts);
    std::size_t members = 0;
    for (std::size_t x = 0; x < 4; ++x) {
      for (std::size_t t = 0; t < rules.size(); ++t) {
        for (std::size_t set = 0; set < 2; ++set) {
          EXPECT_EQ(found.set(x, t, set), expected.set(x, t, set));
          members += found.set(x, t, set).size();
        }
        EXPECT_EQ(found.scos[t][x].sizes, expected.scos[t][x].sizes);
        EXPECT_EQ(found.scos[t][x].covers, expected.scos[t][x].covers);
      }
    }
    EXPECT_GT(members, 0U);
  }
}

TEST(CoarseDecider, RefusesRowsThatAreNotOfLengthOne) {
  Matrix<float> rows(2, 3, 1.0F);
  EXPECT_THROW(caos::CoarseRows(std::as_const(rows).view()), caos::Error);
}

}  // namespace
