#include "caos/landmarks/evaluation/image_evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/error.hpp"

namespace caos {
namespace {

/// The patches of a test image. Throws `invalid_input` unless they have the labeled images'
/// dimension and contain the image's labels.
Matrix<float> checked_image(const CalibratedLandmarks& landmarks, const TestPatches& test,
                            std::size_t x) {
  Matrix<float> patches = test.image(x);
  const std::size_t dimension = landmarks.references.patches.cols();
  require(patches.cols() == dimension, ErrorKind::invalid_input, [&] {
    return fmt::format("test image {} has embeddings of {} numbers; the labeled images have {}", x,
                       patches.cols(), dimension);
  });
  const auto count = static_cast<std::int64_t>(landmarks.labeled.has_cells() ? test.grids[x].size()
                                                                             : patches.rows());
  for (std::size_t t = 0; t < landmarks.num_tasks(); ++t) {
    const std::int64_t label = test.labels(x, t);
    require(label == missing_label || (0 <= label && label < count), ErrorKind::invalid_input, [&] {
      return fmt::format(
          "landmark {} of test image {} is in patch {}; the image has patches 0 to {} ({} means "
          "missing)",
          landmarks.labeled.tasks[t], x, label, count - 1, missing_label);
    });
  }
  return patches;
}

/// By alpha.
std::vector<split::ScosTally> scos_tallies(const ScosCounts& counts, std::size_t num_alphas) {
  std::vector<split::ScosTally> tallies(num_alphas);
  for (std::size_t cell = 0; cell < counts.sizes.size(); ++cell) {
    split::ScosTally& tally = tallies[cell % num_alphas];
    tally.sizes.push_back(counts.sizes[cell]);
    tally.covers.push_back(counts.covers[cell] ? 1 : 0);
  }
  return tallies;
}

PoolRule split_rule(const PatchTask& task, const SplitCaosFamily& family) {
  const split::SplitCaos& split = family.split();
  PoolRule rule{.columns = restricted_to(task, split.references).columns};
  for (const MethodResult& result : family.results()) {
    rule.limits.push_back({split.calibration.k(), *result.threshold});
  }
  return rule;
}

}  // namespace

ImageEvaluator::ImageEvaluator(const CalibratedLandmarks& landmarks, const TestPatches& test,
                               const PatchMatcher& matcher,
                               std::optional<std::size_t> num_directions)
    : landmarks_(landmarks),
      images_{.image = [&](std::size_t x) { return checked_image(landmarks, test, x); },
              .labels = test.labels.view(),
              .grids = test.grids,
              .cells = test.cells},
      limits_(caos_limits()) {
  std::vector<LandmarkRules> all;
  for (std::size_t t = 0; t < landmarks.num_tasks(); ++t) all.push_back(rules(t));
  decider_ = matcher.decider(std::move(all), {&images_, num_directions});
}

std::size_t ImageEvaluator::images_at_once() const {
  return decider_->images_at_once(landmarks_.labeled.images.at(0).rows());
}

void ImageEvaluator::evaluate(std::size_t first, std::size_t last, LandmarkTally& tally) const {
  const ImageSets sets = decider_->decide(images_, first, last);
  for (std::size_t i = 0; i < sets.num_images(); ++i) {
    const Found found{sets, i, first + i};
    for (std::size_t t = 0; t < landmarks_.num_tasks(); ++t) {
      keep_sets(found, t, tally);
      if (!tally.has(found.x, t)) continue;
      record_caos(found, t, tally);
      record_splits(found, t, tally);
    }
  }
}

// Which sets there are.

std::vector<ImageEvaluator::CaosLimit> ImageEvaluator::caos_limits() const {
  std::vector<CaosLimit> limits;
  const std::vector<Calibration>& caos = landmarks_.methods[0].caos;
  for (std::size_t a = 0; a < num_alphas(); ++a) {
    for (std::size_t v = 0; v < caos.size(); ++v) limits.push_back({caos[v].k(), a, v});
    if (landmarks_.joint) limits.push_back({caos[0].k(), a, std::nullopt});
  }
  std::ranges::stable_sort(limits, {}, &CaosLimit::k);
  return limits;
}

/// The limit of the landmark's own CAOS set at an alpha.
std::size_t ImageEvaluator::own_limit(std::size_t a) const {
  const auto found = std::ranges::find_if(
      limits_, [&](const CaosLimit& limit) { return limit.v == std::size_t{0} && limit.a == a; });
  return static_cast<std::size_t>(found - limits_.begin());
}

Score ImageEvaluator::threshold(const CaosLimit& limit, std::size_t t) const {
  const Miscoverage& alpha = landmarks_.options.alphas[limit.a];
  const RankRule rule = landmarks_.options.rule;
  if (!limit.v) return landmarks_.joint->threshold(alpha, rule);
  return landmarks_.methods[t].caos[*limit.v].threshold(alpha, 0, rule);
}

LandmarkRules ImageEvaluator::rules(std::size_t t) const {
  const PatchTask& task = landmarks_.references.tasks[t];
  const LandmarkMethods& methods = landmarks_.methods[t];
  PoolRule caos{.columns = task.columns};
  for (const CaosLimit& limit : limits_) caos.limits.push_back({limit.k, threshold(limit, t)});
  LandmarkRules rules{.pools = {std::move(caos)}};
  for (const auto& family : methods.splits) rules.pools.push_back(split_rule(task, *family));
  if (landmarks_.wants(Method::full_caos)) rules.full = full_rule(t);
  if (methods.scos) {
    rules.scos = {restricted_to(task, methods.family_options->partition.references).columns,
                  methods.scos->thresholds()};
  }
  return rules;
}

FullRule ImageEvaluator::full_rule(std::size_t t) const {
  const LandmarkMethods& methods = landmarks_.methods[t];
  FullRule rule{.calibration = &methods.caos[0], .calibrating = methods.calibrating};
  for (std::size_t a = 0; a < num_alphas(); ++a) {
    const Miscoverage& alpha = landmarks_.options.alphas[a];
    rule.ranks.push_back(methods.caos[0].group(0).rank(alpha, landmarks_.options.rule));
    rule.limits.push_back(own_limit(a));
  }
  return rule;
}

std::size_t ImageEvaluator::split_set(std::size_t family, std::size_t a) const {
  return limits_.size() + family * num_alphas() + a;
}

std::size_t ImageEvaluator::full_set(std::size_t a) const {
  return split_set(landmarks_.methods[0].splits.size(), a);
}

// One landmark of one image.

void ImageEvaluator::keep_sets(const Found& found, std::size_t t, LandmarkTally& tally) const {
  const auto keep = [&](Method method, const auto& number_of) {
    for (std::size_t a = 0; tally.keeps(method) && a < num_alphas(); ++a) {
      tally.keep(a, found.x, t, found.sets.set(found.i, t, number_of(a)));
    }
  };
  keep(Method::caos, [&](std::size_t a) { return own_limit(a); });
  keep(Method::full_caos, [&](std::size_t a) { return full_set(a); });
}

void ImageEvaluator::record_caos(const Found& found, std::size_t t, LandmarkTally& tally) const {
  const Label truth = tally.truth(found.x, t);
  const auto outcome = [&](std::size_t set) { return found.sets.outcome(found.i, t, set, truth); };
  const bool with_caos = landmarks_.wants(Method::caos);
  for (std::size_t l = 0; l < limits_.size(); ++l) {
    const CaosLimit& limit = limits_[l];
    if (!limit.v) {
      tally.record_jointly(limit.a, found.x, outcome(l),
                           found.sets.holds(found.i, t, own_limit(limit.a), truth));
    } else if (*limit.v > 0) {
      tally.record_ablation(*limit.v, limit.a, found.x, t, outcome(l));
    } else if (with_caos) {
      tally.record(tally.slot(Method::caos), limit.a, found.x, t, outcome(l));
    }
  }
  if (!landmarks_.wants(Method::full_caos)) return;
  for (std::size_t a = 0; a < num_alphas(); ++a) {
    tally.record(tally.slot(Method::full_caos), a, found.x, t, outcome(full_set(a)));
  }
}

void ImageEvaluator::record_splits(const Found& found, std::size_t t, LandmarkTally& tally) const {
  const LandmarkMethods& methods = landmarks_.methods[t];
  const Label truth = tally.truth(found.x, t);
  std::vector<Outcome> outcomes;
  for (std::size_t s = 0; s < methods.splits.size(); ++s) {
    outcomes.clear();
    for (std::size_t a = 0; a < num_alphas(); ++a) {
      outcomes.push_back(found.sets.outcome(found.i, t, split_set(s, a), truth));
    }
    tally.record(*methods.splits[s], found.x, t, outcomes);
  }
  if (!methods.scos) return;
  outcomes.resize(methods.scos->results().size());
  methods.scos->measure(scos_tallies(found.sets.scos[t][found.i], num_alphas()), outcomes);
  tally.record(*methods.scos, found.x, t, outcomes);
}

}  // namespace caos
