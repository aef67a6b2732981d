#include "caos/landmarks/landmark_predictor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "caos/error.hpp"
#include "caos/full.hpp"
#include "caos/landmarks/patch_tasks.hpp"
#include "caos/landmarks/split_landmarks.hpp"
#include "caos/landmarks/triage.hpp"

namespace caos {
namespace {

/// The score of a patch that cannot be right; no similarity gives it.
constexpr Score unsuitable = std::numeric_limits<Score>::infinity();

/// Where alpha is infeasible every patch conforms, but still only those that can be right.
void drop_unsuitable(PredictionSet& set, const std::vector<Score>& scores) {
  std::erase_if(set, [&](Label y) { return scores[y] == unsuitable; });
}

void check_options(const LandmarkModel& model, const LandmarkPredictOptions& options) {
  const bool splits = options.method == Method::split_caos;
  require(options.method == Method::caos || options.method == Method::full_caos || splits,
          ErrorKind::invalid_input, "landmarks are predicted by caos, full-caos or split-caos");
  require(splits == model.is_split, ErrorKind::invalid_input,
          "split-caos predicts with a model that is split, and no other method does");
  require(!options.simultaneous || options.method == Method::caos, ErrorKind::invalid_input, [&] {
    return fmt::format("there is no simultaneous form of {}; leave one of them out",
                       method_name(options.method));
  });
  require(!options.conditional || (splits && options.rule == RankRule::every_label),
          ErrorKind::invalid_input,
          "a confidence goes with split-caos, and without a clipped rank");
  check_conditional(model.labeled, options.conditional);
}

}  // namespace

/// An image's scores, and the CAOS scores of its patches for every landmark.
struct LandmarkPredictor::Image {
  MatrixView<const float> patches;
  Matrix<Score> scores;
  std::vector<std::vector<Score>> label_scores;
};

std::shared_ptr<const CoarseReferences> LandmarkPredictor::shared_part(const LandmarkModel& model,
                                                                       std::size_t threads) {
  if (model.score.kind != PatchScore::Kind::cosine) return nullptr;
  return std::make_shared<CoarseReferences>(CoarseRows(model.references.patches.view(), threads),
                                            threads);
}

LandmarkPredictor::LandmarkPredictor(const LandmarkModel& model, LandmarkPredictOptions options,
                                     std::shared_ptr<const CoarseReferences> shared)
    : model_(model), options_(std::move(options)) {
  check_options(model, options_);
  if (model.pool) {
    own_calibrations_ = std::make_shared<const std::vector<Calibration>>(
        model.calibrations_for(options_.new_images));
  }
  if (options_.simultaneous) joint_.emplace(model.joint(options_.new_images));
  for (const PatchTask& task : model.references.tasks) {
    calibrating_.push_back(positions_in(task, model.calibrating));
  }
  if (shared) {
    std::vector<Score> thresholds;
    for (std::size_t t = 0; t < num_landmarks(); ++t) thresholds.push_back(threshold(t));
    std::span<const Calibration> full;
    if (options_.method == Method::full_caos) {
      full = own_calibrations_ ? *own_calibrations_ : model.calibrations;
    }
    coarse_.emplace(model, std::move(shared), thresholds, calibrating_, full);
  } else {
    scorer_.emplace(model.references.patches, model.score);
  }
}

Score LandmarkPredictor::threshold(std::size_t landmark) const {
  if (options_.conditional) {
    const SortedScores& own = calibration(landmark).group(0);
    return score_at_rank(own, conditional_rank(own.size(), options_.alpha, *options_.conditional));
  }
  return peers(landmark).threshold(options_.alpha, options_.rule);
}

std::vector<LandmarkPrediction> LandmarkPredictor::predict(
    MatrixView<const float> patches, std::span<const Label> impossible) const {
  require(patches.cols() == model_.references.patches.cols(), ErrorKind::invalid_input,
          "the image's embeddings have another dimension than the model's");
  require(patches.rows() > 0, ErrorKind::invalid_input, "the image has no patches");
  return coarse_ ? predict_coarsely(patches, impossible) : predict_exactly(patches, impossible);
}

std::vector<LandmarkPrediction> LandmarkPredictor::predict_coarsely(
    MatrixView<const float> patches, std::span<const Label> impossible) const {
  std::vector<bool> suitable(patches.rows(), true);
  for (const Label y : impossible) suitable[y] = false;
  auto candidates = coarse_->find(patches, suitable);
  std::vector<LandmarkPrediction> predictions(num_landmarks());
  for (std::size_t t = 0; t < num_landmarks(); ++t) {
    LandmarkPrediction& prediction = predictions[t];
    if (!candidates[t].proposal) {
      candidates[t].proposal = {.patch = 0, .score = unsuitable};
      candidates[t].supporters = coarse_->nearest(t, patches.row(0).data());
    }
    prediction.proposal = candidates[t].proposal->patch;
    rate_proposal(t, candidates[t].proposal->score, prediction);
    Indices positions;
    for (const Neighbor& supporter : candidates[t].supporters) {
      positions.push_back(supporter.position);
    }
    add_supporters(t, positions, prediction);
    add_members(t, candidates[t], prediction);
  }
  return predictions;
}

void LandmarkPredictor::add_members(std::size_t landmark, const LandmarkCandidates& candidates,
                                    LandmarkPrediction& prediction) const {
  const SortedScores& peers = this->peers(landmark);
  const std::size_t rank = peers.rank(options_.alpha, options_.rule);
  for (const LandmarkCandidates::Member& member : candidates.members) {
    Exceedances exceeding = peers.exceedances(member.score);
    if (options_.method == Method::full_caos) {
      exceeding = {.greater = peers.units() - member.below};
      if (!conforms(exceeding, peers.units(), rank)) continue;
    }
    prediction.set.push_back(member.patch);
    prediction.p_values.push_back(p_value(exceeding, peers.units()));
  }
}

std::vector<LandmarkPrediction> LandmarkPredictor::predict_exactly(
    MatrixView<const float> patches, std::span<const Label> impossible) const {
  Image image{.patches = patches, .scores = scorer_->scores(patches), .label_scores = {}};
  std::vector<LandmarkPrediction> predictions(num_landmarks());
  Matrix<Score> pools;
  for (std::size_t t = 0; t < num_landmarks(); ++t) {
    gather_pools(image.scores.view(), model_.references.tasks[t], pools);
    image.label_scores.push_back(calibration(t).label_scores(std::as_const(pools).view()));
    for (const Label y : impossible) image.label_scores[t][y] = unsuitable;
    propose(t, pools, image.label_scores[t], predictions[t]);
    decide_caos(t, image.label_scores[t], predictions[t]);
  }
  if (options_.method == Method::full_caos) decide_full(image, predictions);
  return predictions;
}

void LandmarkPredictor::propose(std::size_t landmark, const Matrix<Score>& pools,
                                const std::vector<Score>& scores,
                                LandmarkPrediction& prediction) const {
  const Calibration& calibration = this->calibration(landmark);
  prediction.proposal = static_cast<Label>(std::ranges::min_element(scores) - scores.begin());
  rate_proposal(landmark, scores[prediction.proposal], prediction);
  const auto pool = pools.row(prediction.proposal);
  Indices order(pool.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(calibration.k()), {},
                            [&](std::size_t j) { return std::pair(pool[j], j); });
  add_supporters(landmark, std::span(order).first(calibration.k()), prediction);
}

void LandmarkPredictor::rate_proposal(std::size_t landmark, Score score,
                                      LandmarkPrediction& prediction) const {
  const SortedScores& own = calibration(landmark).group(0);
  prediction.proposal_p_value = p_value(own.exceedances(score), own.units());
  prediction.proposal_score = score;
  prediction.score_over_threshold = over_threshold(landmark, score, options_.alpha);
}

/// An infinite threshold would tell nothing of how far a score is from the others.
double LandmarkPredictor::over_threshold(std::size_t landmark, Score score,
                                         const Miscoverage& alpha) const {
  if (options_.conditional) {
    const SortedScores& own = calibration(landmark).group(0);
    const std::size_t rank = conditional_rank(own.size(), alpha, *options_.conditional);
    return score_over_threshold(score, score_at_rank(own, std::min(rank, own.size())));
  }
  return score_over_threshold(score, calibration(landmark).threshold(alpha, 0, RankRule::clip));
}

void LandmarkPredictor::add_supporters(std::size_t landmark, std::span<const std::size_t> positions,
                                       LandmarkPrediction& prediction) const {
  const auto k = static_cast<double>(positions.size());
  for (const std::size_t position : positions) {
    const std::size_t i = model_.references.tasks[landmark].images[position];
    prediction.supporters.push_back(i);
    prediction.offset.x += model_.offsets(i, landmark).x / k;
    prediction.offset.y += model_.offsets(i, landmark).y / k;
  }
}

void LandmarkPredictor::decide_caos(std::size_t landmark, const std::vector<Score>& scores,
                                    LandmarkPrediction& prediction) const {
  if (joint_) {
    prediction.set = joint_->predict_set(landmark, scores, options_.alpha, options_.rule);
    drop_unsuitable(prediction.set, scores);
    const std::vector<double> p_values = joint_->predict_p(landmark, scores);
    for (const Label y : prediction.set) prediction.p_values.push_back(p_values[y]);
    return;
  }
  const SortedScores& own = calibration(landmark).group(0);
  prediction.set = labels_at_most(scores, std::vector<Score>(scores.size(), threshold(landmark)));
  drop_unsuitable(prediction.set, scores);
  for (const Label y : prediction.set) {
    prediction.p_values.push_back(p_value(own.exceedances(scores[y]), own.units()));
  }
}

void LandmarkPredictor::decide_full(const Image& image,
                                    std::vector<LandmarkPrediction>& predictions) const {
  std::set<Label> all_candidates;
  for (const auto& prediction : predictions) {
    all_candidates.insert(prediction.set.begin(), prediction.set.end());
  }
  const ReversePatchScores reverse(model_.labeled, image.patches,
                                   std::vector<Label>(all_candidates.begin(), all_candidates.end()),
                                   model_.score);
  for (std::size_t t = 0; t < num_landmarks(); ++t) {
    const Matrix<Score> rows = reverse.of_task(t, model_.references.tasks[t], calibrating_[t]);
    const TestInput input{.pools = {}, .reverse = rows.view()};
    const Calibration& calibration = this->calibration(t);
    const std::size_t units = calibration.group(0).units();
    const std::size_t rank = calibration.group(0).rank(options_.alpha, options_.rule);
    const PredictionSet candidates = std::exchange(predictions[t].set, {});
    predictions[t].p_values.clear();
    for (const Label y : candidates) {
      const Exceedances exceeding =
          full::exceedances(calibration, input, y, image.label_scores[t][y]);
      if (!conforms(exceeding, units, rank)) continue;
      predictions[t].set.push_back(y);
      predictions[t].p_values.push_back(p_value(exceeding, units));
    }
  }
}

/// A p-value is (1 + how many scores are at least the label's) / (n + 1), so that it tells of them;
/// with weights in units, which are few enough for a double (`most_weight`).
LandmarkPrediction LandmarkPredictor::narrowed(std::size_t landmark, LandmarkPrediction prediction,
                                               const Miscoverage& alpha) const {
  const std::size_t n = peers(landmark).units();
  const std::size_t rank = options_.conditional ? conditional_rank(n, alpha, *options_.conditional)
                                                : peers(landmark).rank(alpha, options_.rule);
  const PredictionSet candidates = std::exchange(prediction.set, {});
  const std::vector<double> p_values = std::exchange(prediction.p_values, {});
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const double count = std::round(p_values[c] * static_cast<double>(n + 1)) - 1;
    if (!conforms({.greater = static_cast<std::size_t>(count)}, n, rank)) continue;
    prediction.set.push_back(candidates[c]);
    prediction.p_values.push_back(p_values[c]);
  }
  prediction.score_over_threshold = over_threshold(landmark, prediction.proposal_score, alpha);
  return prediction;
}

Guarantee LandmarkPredictor::guarantee(std::size_t landmark, const Miscoverage& alpha) const {
  if (joint_) return joint_->guarantee(alpha, options_.rule);
  if (options_.conditional) return conditional_guarantee(*options_.conditional);
  return guarantee_of(options_.method, Grouping::Kind::none,
                      calibration(landmark).clips_rank(alpha, options_.rule));
}

Guarantee LandmarkPredictor::weakest_guarantee(const Miscoverage& alpha) const {
  Guarantee weakest = guarantee(0, alpha);
  for (std::size_t t = 1; t < num_landmarks(); ++t) {
    const Guarantee other = guarantee(t, alpha);
    if (other.kind == Guarantee::Kind::none) weakest = other;
  }
  return weakest;
}

std::string LandmarkPredictor::assumption() const {
  if (!options_.conditional) return assumption_of(model_.target());
  if (model_.target() == ImageTarget::any) return conditional_assumption(*options_.conditional);
  return "labeled images are random among those of their subject, " +
         conditional_assumption(*options_.conditional, "subjects");
}

std::size_t LandmarkPredictor::num_calibrating(std::size_t landmark) const {
  return peers(landmark).size();
}

std::size_t LandmarkPredictor::num_subjects(std::size_t landmark) const {
  if (!model_.by_subject()) return num_calibrating(landmark);
  std::set<std::size_t> subjects;
  for (const std::size_t i : model_.calibrating) {
    if (joint_ || model_.labeled.labels(i, landmark) != missing_label) {
      subjects.insert(model_.labeled.subjects[i]);
    }
  }
  return subjects.size();
}

bool LandmarkPredictor::is_feasible(std::size_t landmark, const Miscoverage& alpha) const {
  const std::size_t n = num_calibrating(landmark);
  if (options_.conditional) return conditional_rank(n, alpha, *options_.conditional) <= n;
  return peers(landmark).is_feasible(alpha);
}

std::optional<std::string> LandmarkPredictor::feasibility_warning(const Miscoverage& alpha) const {
  std::vector<std::string> names;
  std::size_t most = 0;
  for (std::size_t t = 0; t < num_landmarks(); ++t) {
    if (is_feasible(t, alpha)) continue;
    names.push_back(model_.labeled.tasks[t]);
    most = std::max(most, num_subjects(t));
  }
  if (names.empty()) return std::nullopt;
  const std::size_t count = names.size();
  if (names.size() > 5) names.resize(5);
  const std::string confidence =
      options_.conditional ? " with confidence " + options_.conditional->confidence.text() : "";
  const std::size_t needed =
      options_.conditional ? examples_needed(alpha, *options_.conditional) : examples_needed(alpha);
  const std::string of_size =
      model_.pool ? fmt::format(", new images of a subject with {} image{} in the pool",
                                options_.new_images, options_.new_images == 1 ? "" : "s")
                  : "";
  return fmt::format(
      "alpha {}{}{}: {}{} {} are needed to calibrate a landmark; {} have at most {} ({}{}), so {}",
      alpha.text(), confidence, of_size, model_.pool ? "about " : "", needed,
      model_.target() == ImageTarget::any ? "images" : "subjects", count, most,
      fmt::join(names, ", "), count > names.size() ? ", ..." : "",
      options_.rule == RankRule::clip ? "the rank is clipped and nothing is guaranteed for them"
                                      : "their regions are the whole image");
}

}  // namespace caos
