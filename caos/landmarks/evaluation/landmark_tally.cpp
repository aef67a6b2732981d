#include "caos/landmarks/evaluation/landmark_tally.hpp"

#include <algorithm>
#include <set>
#include <type_traits>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"

namespace caos {

LandmarkTally::LandmarkTally(const CalibratedLandmarks& landmarks, const TestPatches& test)
    : landmarks_(landmarks), test_(test) {
  for (std::size_t t = 0; t < landmarks.num_tasks(); ++t) {
    auto& present = position_.emplace_back(test.size(), no_position);
    std::size_t count = 0;
    for (std::size_t x = 0; x < test.size(); ++x) {
      if (test.labels(x, t) != missing_label) present[x] = count++;
    }
    num_present_.push_back(count);
  }
  add_results();
  if (landmarks.options.keep_sets) {
    evaluation_.sets.assign(landmarks.num_alphas(),
                            {test.size(), std::vector<PredictionSet>(landmarks.num_tasks())});
  }
  if (landmarks.joint) add_joint_results();
  set_shares();
}

/// Test images of one subject share it, or count one by one for the target `image`.
void LandmarkTally::set_shares() {
  const ImageTarget target = landmarks_.options.target;
  const std::set<std::size_t> distinct(test_.subjects.begin(), test_.subjects.end());
  const bool several = distinct.size() < test_.subjects.size();
  const bool has_subjects =
      several || landmarks_.labeled.subjects_known || !landmarks_.weights.is_plain();
  evaluation_.target = target == ImageTarget::image || has_subjects ? target : ImageTarget::any;
  evaluation_.over_subjects = evaluation_.target == ImageTarget::subject;
  if (several) shares_ = shares_of(test_.subjects, target == ImageTarget::image);
}

void LandmarkTally::add_results() {
  for (const Method method : landmarks_.options.methods) {
    for (std::size_t a = 0; a < landmarks_.num_alphas(); ++a) {
      evaluation_.methods.push_back(describe_all(method, a, 0));
    }
  }
  for (std::size_t v = 1; v <= landmarks_.options.ablation_ks.size(); ++v) {
    for (std::size_t a = 0; a < landmarks_.num_alphas(); ++a) {
      evaluation_.ablation.push_back(describe_all(Method::caos, a, v));
    }
  }
}

/// What is known of a method at an alpha; `v` numbers the k of CAOS.
LandmarkMethodResult LandmarkTally::describe_all(Method method, std::size_t a,
                                                 std::size_t v) const {
  const LandmarkEvaluateOptions& options = landmarks_.options;
  LandmarkMethodResult result{.method = method, .alpha = options.alphas[a]};
  result.k = v == 0 ? options.k : options.ablation_ks[v - 1];
  result.guarantee = guarantee_of(method);
  for (std::size_t t = 0; t < landmarks_.num_tasks(); ++t) {
    const MethodResult task = describe_one(method, a, v, t);
    if (task.guarantee.kind == Guarantee::Kind::none || task.conditional) {
      result.guarantee = task.guarantee;
    }
    result.landmarks.push_back(landmark_of(method, task, v, t));
    result.outcomes.emplace_back(num_present_[t]);
  }
  return result;
}

LandmarkResult LandmarkTally::landmark_of(Method method, const MethodResult& task, std::size_t v,
                                          std::size_t t) const {
  LandmarkResult result{
      .n = num_calibrating(method, t), .rank = task.rank.value_or(0), .feasible = task.feasible};
  result.num_subjects = result.n;
  result.smallest_feasible_alpha = smallest_feasible_alpha(result.n);
  if (!uses_all_images(method)) return result;
  result.num_subjects = num_subjects(landmarks_.references.tasks[t].images);
  result.smallest_feasible_alpha = landmarks_.methods[t].caos[v].group(0).smallest_feasible_alpha();
  return result;
}

std::size_t LandmarkTally::num_subjects(const Indices& images) const {
  if (landmarks_.labeled.subjects.empty()) return images.size();
  std::set<std::size_t> subjects;
  for (const std::size_t i : images) subjects.insert(landmarks_.labeled.subjects[i]);
  return subjects.size();
}

Indices LandmarkTally::images_with_a_landmark() const {
  Indices images;
  for (const std::size_t i : landmarks_.calibrating) {
    const auto labels = landmarks_.labeled.labels.row(i);
    if (std::ranges::any_of(labels, [](auto label) { return label != missing_label; })) {
      images.push_back(i);
    }
  }
  return images;
}

void LandmarkTally::weaken(const CalibratedLandmarks& others, LandmarkMethodResult& result,
                           std::size_t v) const {
  if (!uses_all_images(result.method)) return;
  for (std::size_t t = 0; t < result.landmarks.size(); ++t) {
    const Calibration& calibration = others.methods[t].caos[v];
    LandmarkResult& landmark = result.landmarks[t];
    landmark.feasible = landmark.feasible && calibration.is_feasible(result.alpha);
    landmark.smallest_feasible_alpha =
        std::max(landmark.smallest_feasible_alpha, calibration.group(0).smallest_feasible_alpha());
    if (calibration.clips_rank(result.alpha, others.options.rule)) {
      result.guarantee = guarantee_of(result.method, Grouping::Kind::none, true);
    }
  }
}

void LandmarkTally::weaken(const CalibratedLandmarks& others) {
  const std::size_t num_alphas = landmarks_.num_alphas();
  for (LandmarkMethodResult& result : evaluation_.methods) weaken(others, result, 0);
  for (std::size_t r = 0; r < evaluation_.ablation.size(); ++r) {
    weaken(others, evaluation_.ablation[r], 1 + r / num_alphas);
  }
  for (SimultaneousResult& result : evaluation_.simultaneous) {
    const Guarantee guarantee = others.joint->guarantee(result.alpha, others.options.rule);
    result.feasible = result.feasible && others.joint->scores().is_feasible(result.alpha);
    if (guarantee.kind == Guarantee::Kind::none) result.guarantee = guarantee;
  }
}

MethodResult LandmarkTally::describe_one(Method method, std::size_t a, std::size_t v,
                                         std::size_t t) const {
  const LandmarkEvaluateOptions& options = landmarks_.options;
  const LandmarkMethods& methods = landmarks_.methods[t];
  if (uses_all_images(method)) {
    return describe(method, methods.caos[v], options.alphas[a], options.rule);
  }
  for (const MethodFamily* family : methods.families()) {
    for (const MethodResult& result : family->results()) {
      if (result.method == method && result.alpha == options.alphas[a]) return result;
    }
  }
  throw Error(ErrorKind::invalid_input, "a method is missing");
}

std::size_t LandmarkTally::num_calibrating(Method method, std::size_t t) const {
  const LandmarkMethods& methods = landmarks_.methods[t];
  if (uses_all_images(method)) return methods.calibrating.size();
  if (method == Method::split_caos_ref) return landmarks_.references.tasks[t].images.size();
  return methods.family_options->partition.calibration.size();
}

void LandmarkTally::add_joint_results() {
  const LandmarkEvaluateOptions& options = landmarks_.options;
  for (const Miscoverage& alpha : options.alphas) {
    SimultaneousResult result{.alpha = alpha};
    result.guarantee = landmarks_.joint->guarantee(alpha, options.rule);
    result.n = landmarks_.joint->size();
    result.num_subjects = num_subjects(images_with_a_landmark());
    result.feasible = landmarks_.joint->scores().is_feasible(alpha);
    evaluation_.simultaneous.push_back(result);
  }
  together_.assign(options.alphas.size(), std::vector<Together>(test_.size()));
}

void LandmarkTally::record(const MethodFamily& family, std::size_t x, std::size_t t,
                           const std::vector<Outcome>& outcomes) {
  const std::vector<Miscoverage>& alphas = landmarks_.options.alphas;
  for (std::size_t r = 0; r < outcomes.size(); ++r) {
    const MethodResult& result = family.results()[r];
    const auto a = std::ranges::find(alphas, result.alpha) - alphas.begin();
    record(slot(result.method), static_cast<std::size_t>(a), x, t, outcomes[r]);
  }
}

void LandmarkTally::record_jointly(std::size_t a, std::size_t x, const Outcome& together,
                                   bool separately) {
  Together& image = together_[a][x];
  image.covered = image.covered && together.covered > 0;
  image.covered_separately = image.covered_separately && separately;
  image.size += together.size;
  ++image.count;
}

std::size_t LandmarkTally::slot(Method method) const {
  const std::vector<Method>& methods = landmarks_.options.methods;
  const auto found = std::ranges::find(methods, method);
  return static_cast<std::size_t>(found - methods.begin()) * landmarks_.num_alphas();
}

/// Of the test images that have the landmark, in their order.
std::vector<ClusterShare> LandmarkTally::shares(std::size_t t) const {
  std::vector<ClusterShare> present;
  for (std::size_t x = 0; x < test_.size(); ++x) {
    if (has(x, t)) present.push_back(shares_[x]);
  }
  return present;
}

void LandmarkTally::summarize_landmarks(LandmarkMethodResult& result) const {
  const IntervalKind interval =
      result.method == Method::scos ? IntervalKind::standard_error : IntervalKind::clopper_pearson;
  const std::size_t threads = landmarks_.options.threads;
  parallel_for(result.landmarks.size(), 64, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      if (result.outcomes[t].empty()) continue;
      result.landmarks[t].evaluation = shares_.empty()
                                           ? summarize(result.outcomes[t], interval)
                                           : summarize_clusters(result.outcomes[t], shares(t));
    }
  });
  std::vector<Evaluation> evaluations;
  for (const LandmarkResult& landmark : result.landmarks) {
    if (landmark.evaluation) evaluations.push_back(*landmark.evaluation);
  }
  if (evaluations.empty()) return;
  result.over_landmarks = summarize_tasks(evaluations);
  result.summary = with_image_errors(*result.over_landmarks, result.outcomes, evaluation_.test);
  if (!test_.num_patches.empty()) {
    result.mean_region_share = mean_region(result, [&](double size, std::size_t x) {
      return size / static_cast<double>(test_.num_patches[x]);
    });
  }
  if (!test_.label_areas.empty()) {
    result.mean_region_area = mean_region(
        result, [&](double size, std::size_t x) { return size * test_.label_areas[x]; });
  }
  if (!test_.label_areas_mm2.empty()) {
    result.mean_region_area_mm2 = mean_region(
        result, [&](double size, std::size_t x) { return size * test_.label_areas_mm2[x]; });
  }
}

/// Of one landmark's sets in their images, averaged as coverage is.
double LandmarkTally::mean_region(const std::vector<Outcome>& outcomes, std::size_t t,
                                  const RegionMeasure& measure) const {
  std::vector<double> values;
  for (std::size_t x = 0; x < test_.size(); ++x) {
    if (!has(x, t)) continue;
    values.push_back(measure(outcomes[position_[t][x]].size, x));
  }
  return shares_.empty() ? mean_with_error(values).mean : cluster_mean(values, shares(t)).mean;
}

double LandmarkTally::mean_region(const LandmarkMethodResult& result,
                                  const RegionMeasure& measure) const {
  std::vector<double> values;
  for (std::size_t t = 0; t < result.outcomes.size(); ++t) {
    if (!result.outcomes[t].empty()) values.push_back(mean_region(result.outcomes[t], t, measure));
  }
  return mean_with_error(values).mean;
}

/// Images without any landmark would count as covered, whatever the threshold.
void LandmarkTally::summarize_images(std::size_t a) {
  std::vector<Outcome> together;
  std::vector<double> separately;
  std::vector<ClusterShare> present;
  for (std::size_t x = 0; x < test_.size(); ++x) {
    const Together& image = together_[a][x];
    if (image.count == 0) continue;
    if (!shares_.empty()) present.push_back(shares_[x]);
    Outcome& outcome = together.emplace_back();
    outcome.covered = image.covered ? 1 : 0;
    outcome.size = image.size / static_cast<double>(image.count);
    separately.push_back(image.covered_separately ? 1 : 0);
  }
  if (together.empty()) return;
  SimultaneousResult& result = evaluation_.simultaneous[a];
  result.evaluation = shares_.empty() ? summarize(together) : summarize_clusters(together, present);
  result.covered_separately =
      shares_.empty() ? mean_with_error(separately).mean : cluster_mean(separately, present).mean;
}

LandmarkEvaluation LandmarkTally::finish() {
  evaluation_.test = image_clusters(test_.labels, test_.subjects);
  for (const ClusterShare& share : shares_) evaluation_.test.weights.push_back(share.weight);
  for (LandmarkMethodResult& result : evaluation_.methods) summarize_landmarks(result);
  for (LandmarkMethodResult& result : evaluation_.ablation) summarize_landmarks(result);
  for (std::size_t a = 0; a < evaluation_.simultaneous.size(); ++a) summarize_images(a);
  const bool none_present = std::ranges::count(num_present_, 0U) == std::ssize(num_present_);
  if (none_present) evaluation_.simultaneous.clear();
  return std::move(evaluation_);
}

template <typename F>
void LandmarkTally::for_each_record(std::size_t first, std::size_t last, const F& f) {
  for (auto* results : {&evaluation_.methods, &evaluation_.ablation}) {
    for (LandmarkMethodResult& result : *results) {
      for (std::size_t t = 0; t < result.outcomes.size(); ++t) {
        for (std::size_t x = first; x < last; ++x) {
          if (has(x, t)) f(result.outcomes[t][position_[t][x]]);
        }
      }
    }
  }
  for (std::vector<Together>& images : together_) {
    for (std::size_t x = first; x < last; ++x) f(images[x]);
  }
  for (auto& images : evaluation_.sets) {
    for (std::size_t x = first; x < last; ++x) {
      for (PredictionSet& set : images[x]) f(set);
    }
  }
}

dist::Bytes LandmarkTally::pack(std::size_t first, std::size_t last) {
  dist::Packer packer;
  for_each_record(first, last, [&]<typename T>(const T& record) {
    if constexpr (std::is_same_v<T, PredictionSet>) {
      packer.put_all(std::span(record));
    } else {
      packer.put(record);
    }
  });
  return packer.take();
}

void LandmarkTally::place(std::size_t first, std::size_t last, std::span<const std::byte> message) {
  dist::Unpacker unpacker(message);
  for_each_record(first, last, [&]<typename T>(T& record) {
    if constexpr (std::is_same_v<T, PredictionSet>) {
      record = unpacker.get_all<PredictionSet::value_type>();
    } else {
      record = unpacker.get<T>();
    }
  });
}

}  // namespace caos
