#include "caos/landmarks/landmark_predictor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "caos/error.hpp"
#include "caos/landmarks/cells/patch_of_cell.hpp"
#include "caos/landmarks/matching/fitting_place.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/landmarks/split_landmarks.hpp"
#include "caos/landmarks/triage.hpp"

namespace caos {
namespace {

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
  check_method(model.score, !model.labeled.rotations.empty(), options.method);
}

/// An estimate in pixels of the working image, inside.
vision::Point estimated(vision::Point in_patches, const QueryImage& image) {
  return point_of_estimate(in_patches, image.cells == nullptr ? image.grid : image.cells->patches);
}

/// Where pixels are first looked at for a landmark.
vision::Point start_of(const LandmarkPrediction& prediction, const vision::PatchGrid& grid) {
  const auto side = static_cast<double>(grid.patch_size);
  const vision::Point corner = grid.corner(prediction.proposal);
  return {.x = corner.x + prediction.offset.x * side, .y = corner.y + prediction.offset.y * side};
}

/// The patch that a landmark of a labeled image lies in, where labels are cells.
std::uint32_t patch_of(const LabeledPatches& labeled, std::size_t image, std::size_t landmark) {
  const auto cell = static_cast<Label>(labeled.labels(image, landmark));
  return static_cast<std::uint32_t>(
      patch_of_cell(labeled.grids[image], cell, labeled.patch_grid(image)));
}

}  // namespace

LandmarkPredictor::LandmarkPredictor(const LandmarkModel& model, LandmarkPredictOptions options,
                                     const PatchMatcher& matcher)
    : model_(model), options_(std::move(options)) {
  check_options(model, options_);
  if (model.pool) {
    own_calibrations_ = std::make_shared<const std::vector<Calibration>>(
        model.calibrations_for(options_.new_images));
  }
  if (options_.simultaneous) joint_.emplace(model.joint(options_.new_images));
  std::vector<LandmarkRules> all;
  for (std::size_t t = 0; t < num_landmarks(); ++t) all.push_back(rules(t));
  decider_ = matcher.decider(std::move(all));
  if (model.refiner) find_vectors();
}

/// A split model refers with some images only.
void LandmarkPredictor::find_vectors() {
  vectors_ = Matrix<std::uint32_t>(model_.images.size(), num_landmarks());
  std::set<std::size_t> referring;
  for (std::size_t t = 0; t < num_landmarks(); ++t) {
    const PatchTask& task = model_.references.tasks[t];
    for (std::size_t j = 0; j < task.images.size(); ++j) {
      vectors_(task.images[j], t) = model_.labeled.has_cells()
                                        ? patch_of(model_.labeled, task.images[j], t)
                                        : task.columns[j];
      referring.insert(task.images[j]);
    }
  }
  referring_.assign(referring.begin(), referring.end());
}

LandmarkRules LandmarkPredictor::rules(std::size_t landmark) const {
  const PatchTask& task = model_.references.tasks[landmark];
  LandmarkRules rules{.pools = {{task.columns, {{model_.k(), threshold(landmark)}}}}};
  if (options_.method == Method::full_caos) {
    rules.full = {.calibration = &calibration(landmark),
                  .calibrating = positions_in(task, model_.calibrating)};
  }
  return rules;
}

Score LandmarkPredictor::threshold(std::size_t landmark) const {
  if (options_.conditional) {
    const SortedScores& own = calibration(landmark).group(0);
    return score_at_rank(own, conditional_rank(own.size(), options_.alpha, *options_.conditional));
  }
  return peers(landmark).threshold(options_.alpha, options_.rule);
}

std::vector<LandmarkPrediction> LandmarkPredictor::predict(MatrixView<const float> patches,
                                                           std::span<const Label> impossible,
                                                           const vision::PatchGrid& grid,
                                                           const vision::GrayImage* gray,
                                                           const CellSource* cells) const {
  require(patches.cols() == model_.references.patches.cols(), ErrorKind::invalid_input,
          "the image's embeddings have another dimension than the model's");
  require(patches.rows() > 0, ErrorKind::invalid_input, "the image has no patches");
  require((cells != nullptr) == model_.labeled.has_cells(), ErrorKind::invalid_input,
          "the image and the model differ in whether their labels are cells or patches");
  const QueryImage image{.patches = patches, .grid = grid, .cells = cells};
  std::vector<bool> suitable(image.num_labels(), true);
  for (const Label y : impossible) suitable[y] = false;
  const std::vector<LandmarkCandidates> candidates = decider_->candidates(image, suitable);
  const bool refines = model_.refiner && gray != nullptr && gray->rows() > 0;
  std::vector<LandmarkPrediction> predictions;
  for (std::size_t t = 0; t < num_landmarks(); ++t) {
    predictions.push_back(describe(t, candidates[t]));
    if (!refines && candidates[t].estimate) {
      predictions[t].refined = estimated(*candidates[t].estimate, image);
    }
  }
  if (refines) {
    refine({*gray, cells == nullptr ? grid : cells->patches}, image, impossible, predictions);
  }
  return predictions;
}

void LandmarkPredictor::refine(const ImagePixels& pixels, const QueryImage& image,
                               std::span<const Label> impossible,
                               std::vector<LandmarkPrediction>& predictions) const {
  std::vector<std::optional<PatchProposal>> proposals;
  for (const LandmarkPrediction& one : predictions) {
    proposals.push_back(PatchProposal{
        .patch = image.cells == nullptr ? one.proposal
                                        : patch_of_cell(image.grid, one.proposal, pixels.grid),
        .point = start_of(one, image.grid)});
  }
  std::vector<Label> padding{impossible.begin(), impossible.end()};
  if (image.cells != nullptr) padding = patches_beyond(pixels);
  const PatchEvidence evidence{.patches = image.patches,
                               .impossible = padding,
                               .reference =
                                   [&](std::size_t reference, std::size_t landmark) {
                                     // As the image's patches, not as its cells: at the centers of
                                     // patches.
                                     const std::size_t row = vectors_(reference, landmark);
                                     return model_.labeled.has_cells()
                                                ? model_.labeled.images[reference].row(row).data()
                                                : model_.references.patches.row(row).data();
                                   },
                               .references = referring_};
  const auto points = model_.refiner->refine(pixels, proposals, evidence);
  for (std::size_t t = 0; t < predictions.size(); ++t) predictions[t].refined = points[t];
}

LandmarkPrediction LandmarkPredictor::describe(std::size_t landmark,
                                               const LandmarkCandidates& candidates) const {
  const Proposal& proposal = candidates.proposal;
  const SortedScores& own = calibration(landmark).group(0);
  LandmarkPrediction prediction{
      .proposal = proposal.patch,
      .proposal_p_value = p_value(own.exceedances(proposal.score), own.units()),
      .proposal_score = proposal.score,
      .score_over_threshold = over_threshold(landmark, proposal.score, options_.alpha)};
  for (const Neighbor& reference : proposal.supporting_references) {
    prediction.supporting_references.push_back(
        model_.references.tasks[landmark].images[reference.position]);
  }
  prediction.offset = offset_of(landmark, proposal);
  add_members(landmark, candidates, prediction);
  return prediction;
}

/// In the patch, as in those of the supporting references, each at the angle where it supports.
Offset LandmarkPredictor::offset_of(std::size_t landmark, const Proposal& proposal) const {
  const Indices& images = model_.references.tasks[landmark].images;
  std::vector<Offset> offsets;
  for (std::size_t j = 0; j < proposal.supporting_references.size(); ++j) {
    const std::size_t image = images[proposal.supporting_references[j].position];
    const std::size_t rotation = proposal.rotations.empty() ? 0 : proposal.rotations[j];
    offsets.push_back(rotation == 0 ? model_.offsets(image, landmark)
                                    : model_.labeled.offset(image, landmark, rotation));
  }
  return mean_offset(offsets, [](Offset offset) { return offset; });
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
