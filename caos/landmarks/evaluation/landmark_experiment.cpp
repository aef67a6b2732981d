#include "caos/landmarks/evaluation/landmark_experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "caos/error.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"

namespace caos {
namespace {

std::vector<double> means_over_landmarks(const Matrix<double>& values) {
  std::vector<double> means;
  for (std::size_t s = 0; s < values.rows(); ++s) {
    means.push_back(mean_with_error(values.row(s)).mean);
  }
  return means;
}

/// The labeled images of a split. Subjects that have one image each need no mention.
LabeledPatches labeled_images(const LabeledPatches& images, const LandmarkSplit& split) {
  LabeledPatches labeled = select(images, split.labeled());
  std::vector<std::size_t> subjects = labeled.subjects;
  std::ranges::sort(subjects);
  if (std::ranges::adjacent_find(subjects) == subjects.end()) labeled.subjects.clear();
  return labeled;
}

std::size_t count_present(const LabeledPatches& images, const Indices& among, std::size_t t) {
  return static_cast<std::size_t>(std::ranges::count_if(
      among, [&](std::size_t i) { return images.labels(i, t) != missing_label; }));
}

/// What the splits allow: which landmarks, up to which k, and whether there are split methods.
class Feasibility {
 public:
  Feasibility(const LabeledPatches& images, const std::vector<LandmarkSplit>& splits,
              ImageTarget target)
      : largest_k_(images.num_tasks(), images.size()),
        has_test_(images.num_tasks(), true),
        by_subject_(target == ImageTarget::image) {
    for (const LandmarkSplit& split : splits) {
      const LabeledPatches labeled = labeled_images(images, split);
      by_subject_ = by_subject_ || !labeled.subjects.empty();
      add_labeled(labeled);
      for (std::size_t t = 0; t < images.num_tasks(); ++t) {
        if (count_present(images, split.test, t) == 0) has_test_[t] = false;
      }
    }
    if (!by_subject_) bound_by_halves(images, splits);
  }

  [[nodiscard]] bool by_subject() const { return by_subject_; }

  [[nodiscard]] bool is_usable(std::size_t t, std::size_t k) const {
    return has_test_[t] && std::min(largest_k_[t], largest_k_of_halves(t)) >= k;
  }

  /// The largest k of CAOS that every one of these landmarks allows.
  [[nodiscard]] std::size_t largest_k(const Indices& landmarks) const {
    std::size_t k = largest_k_[landmarks.at(0)];
    for (const std::size_t t : landmarks) k = std::min(k, largest_k_[t]);
    return k;
  }

 private:
  void add_labeled(const LabeledPatches& labeled) {
    const ReferencePatches references = reference_patches(labeled);
    for (std::size_t t = 0; t < largest_k_.size(); ++t) {
      largest_k_[t] = std::min(largest_k_[t], caos::largest_k(labeled, references.tasks[t]));
    }
  }

  void bound_by_halves(const LabeledPatches& images, const std::vector<LandmarkSplit>& splits) {
    halves_.assign(largest_k_.size(), images.size());
    for (const LandmarkSplit& split : splits) {
      for (std::size_t t = 0; t < halves_.size(); ++t) {
        // Split CAOS (ref) leaves one of the references out.
        const std::size_t references = count_present(images, split.references, t);
        const bool calibrates = count_present(images, split.calibration, t) > 0;
        halves_[t] = std::min(halves_[t], calibrates && references > 0 ? references - 1 : 0);
      }
    }
  }

  [[nodiscard]] std::size_t largest_k_of_halves(std::size_t t) const {
    return halves_.empty() ? largest_k_[t] : halves_[t];
  }

  std::vector<std::size_t> largest_k_;
  std::vector<std::size_t> halves_;  ///< empty where there are no split methods
  std::vector<bool> has_test_;
  bool by_subject_;  ///< or for the target `image`
};

std::vector<Method> methods_of(bool by_subject, const PatchScore& score, bool rotated) {
  std::vector<Method> methods{Method::caos, Method::full_caos};
  if (!by_subject) methods.assign(all_methods().begin(), all_methods().end());
  if (score.reads_positions() || rotated) std::erase(methods, Method::full_caos);
  return methods;
}

std::vector<std::size_t> count_from_one(std::size_t last) {
  std::vector<std::size_t> numbers(last);
  std::iota(numbers.begin(), numbers.end(), std::size_t{1});
  return numbers;
}

/// A result without any split yet.
ExperimentResult begin_result(const LandmarkMethodResult& of_first_split, const PatchScore& score) {
  const std::size_t num_landmarks = of_first_split.landmarks.size();
  ExperimentResult result{.method = of_first_split.method, .alpha = of_first_split.alpha};
  result.score = score;
  result.k = of_first_split.k;
  result.guarantee = of_first_split.guarantee;
  for (const LandmarkResult& landmark : of_first_split.landmarks) {
    result.n.push_back(landmark.num_subjects);
    result.smallest_feasible_alpha.push_back(landmark.smallest_feasible_alpha);
  }
  result.coverage.values = Matrix<double>(0, num_landmarks);
  result.mean_set_size.values = Matrix<double>(0, num_landmarks);
  return result;
}

/// Of the only split; `test` is null where there are several.
void add_deviations(const LandmarkMethodResult& from, const ImageClusters* test,
                    ExperimentResult& to) {
  if (test == nullptr) return;
  to.coverage.deviations = cluster_deviations(from.outcomes, &Outcome::covered, *test);
  to.mean_set_size.deviations = cluster_deviations(from.outcomes, &Outcome::size, *test);
}

void add_split(const LandmarkMethodResult& from, ExperimentResult& to) {
  std::vector<double> coverage;
  std::vector<double> sizes;
  std::vector<std::size_t> n;
  for (std::size_t t = 0; t < from.landmarks.size(); ++t) {
    const LandmarkResult& landmark = from.landmarks[t];
    n.push_back(landmark.num_subjects);
    to.n[t] = std::min(to.n[t], landmark.num_subjects);
    to.feasible = to.feasible && landmark.feasible;
    double& smallest = to.smallest_feasible_alpha[t];
    smallest = std::max(smallest, landmark.smallest_feasible_alpha);
    coverage.push_back(landmark.evaluation->coverage);
    sizes.push_back(landmark.evaluation->mean_set_size);
  }
  to.coverage.values.push_row(coverage);
  to.mean_set_size.values.push_row(sizes);
  to.n_by_split.push_back(std::move(n));
  to.region_share.push_back(from.mean_region_share.value());
}

void add_split(const std::vector<LandmarkMethodResult>& from, const PatchScore& score,
               const ImageClusters* test, std::vector<ExperimentResult>& to) {
  if (to.empty()) {
    for (const LandmarkMethodResult& result : from) to.push_back(begin_result(result, score));
  }
  for (std::size_t r = 0; r < from.size(); ++r) {
    add_split(from[r], to[r]);
    add_deviations(from[r], test, to[r]);
  }
}

void add_split(const std::vector<SimultaneousResult>& from,
               std::vector<SimultaneousExperiment>& to) {
  if (to.empty()) {
    for (const SimultaneousResult& result : from) {
      to.push_back({.alpha = result.alpha, .guarantee = result.guarantee});
    }
  }
  for (std::size_t r = 0; r < from.size(); ++r) {
    to[r].coverage.push_back(from[r].evaluation.coverage);
    to[r].mean_set_size.push_back(from[r].evaluation.mean_set_size);
    to[r].covered_separately.push_back(from[r].covered_separately);
    to[r].n.push_back(from[r].num_subjects);
  }
}

/// Runs split after split and gathers what they give.
class Runner {
 public:
  Runner(const LabeledPatches& images, const std::vector<LandmarkSplit>& splits,
         const LandmarkExperimentOptions& options)
      : images_(images), splits_(splits), options_(options) {
    const Feasibility feasibility(images, splits, options.target);
    experiment_.by_subject = feasibility.by_subject();
    experiment_.num_splits = splits.size();
    for (std::size_t t = 0; t < images.num_tasks(); ++t) {
      const bool usable = feasibility.is_usable(t, options.k);
      (usable ? experiment_.landmarks : experiment_.left_out).push_back(t);
    }
    require(!experiment_.landmarks.empty(), ErrorKind::invalid_input, [&] {
      return fmt::format(
          "no landmark is in a test image and in the {} references that k = {} needs, in every "
          "split; give more images, or a smaller k",
          options.k + 1, options.k);
    });
    ablation_ks_ =
        count_from_one(std::min(options.most_k, feasibility.largest_k(experiment_.landmarks)));
    experiment_.other_scores.resize(options.other_scores.size());
  }

  LandmarkExperiment run() {
    num_evaluations_ = splits_.size() * (1 + options_.other_scores.size());
    for (std::size_t s = 0; s < splits_.size(); ++s) {
      with_split(s, [&](const LabeledPatches& labeled, const TestPatches& test) {
        run_methods(s, labeled, test);
        run_other_scores(s, labeled, test);
      });
    }
    return std::move(experiment_);
  }

  /// CAOS with the other scores alone.
  LandmarkExperiment run_other_scores() {
    num_evaluations_ = splits_.size() * options_.other_scores.size();
    for (std::size_t s = 0; s < splits_.size(); ++s) {
      with_split(s, [&](const LabeledPatches& labeled, const TestPatches& test) {
        run_other_scores(s, labeled, test);
      });
    }
    return std::move(experiment_);
  }

 private:
  template <typename Run>
  void with_split(std::size_t s, const Run& run) const {
    const LandmarkSplit& split = splits_[s];
    const LabeledPatches labeled =
        with_tasks(labeled_images(images_, split), experiment_.landmarks);
    TestPatches test{
        .image = [&](std::size_t x) { return images_.images[split.test[x]]; },
        .labels = with_tasks(select(images_.labels, split.test), experiment_.landmarks),
        .subjects = subjects_of(images_, split.test),
        .num_patches = patch_counts(images_, split.test),
        .grids = select(images_.grids, split.test)};
    if (images_.has_cells()) {
      test.cells = [&](std::size_t x) { return images_.cells.sources[split.test[x]]; };
    }
    run(labeled, test);
  }

  void run_other_scores(std::size_t s, const LabeledPatches& labeled, const TestPatches& test) {
    for (std::size_t o = 0; o < options_.other_scores.size(); ++o) {
      LandmarkEvaluateOptions what = common_options(s);
      what.methods = {Method::caos};
      what.score = options_.other_scores[o];
      const auto evaluation = evaluate(labeled, test, what);
      add_split(evaluation.methods, what.score, only_test(evaluation), experiment_.other_scores[o]);
    }
  }

  void run_methods(std::size_t s, const LabeledPatches& labeled, const TestPatches& test) {
    LandmarkEvaluateOptions what = common_options(s);
    what.methods = methods_of(experiment_.by_subject, options_.score, !images_.rotations.empty());
    what.ablation_ks = ablation_ks_;
    what.simultaneous = true;
    what.score = options_.score;
    LandmarkEvaluation evaluation = evaluate(labeled, test, what);
    const ImageClusters* const test_images = only_test(evaluation);
    add_split(evaluation.methods, what.score, test_images, experiment_.methods);
    add_split(evaluation.ablation, what.score, test_images, experiment_.ablation);
    add_split(evaluation.simultaneous, experiment_.simultaneous);
    if (s == 0) experiment_.first = std::move(evaluation);
  }

  /// The test images where there is one split; null where errors are over splits.
  [[nodiscard]] const ImageClusters* only_test(const LandmarkEvaluation& evaluation) const {
    return splits_.size() == 1 ? &evaluation.test : nullptr;
  }

  [[nodiscard]] LandmarkEvaluateOptions common_options(std::size_t s) const {
    LandmarkEvaluateOptions what;
    what.alphas = options_.alphas;
    what.k = options_.k;
    what.partition = splits_[s].partition();
    what.target = options_.target;
    what.threads = options_.threads;
    return what;
  }

  LandmarkEvaluation evaluate(const LabeledPatches& labeled, const TestPatches& test,
                              LandmarkEvaluateOptions& what) {
    if (options_.progress) {
      what.progress = [&](std::size_t done, std::size_t total) {
        options_.progress(evaluated_ * total + done, num_evaluations_ * total);
      };
    }
    LandmarkEvaluation evaluation = evaluate_landmarks(labeled, test, what);
    ++evaluated_;
    return evaluation;
  }

  const LabeledPatches& images_;
  const std::vector<LandmarkSplit>& splits_;
  const LandmarkExperimentOptions& options_;
  std::vector<std::size_t> ablation_ks_;
  LandmarkExperiment experiment_;
  std::size_t evaluated_ = 0;
  std::size_t num_evaluations_ = 0;
};

/// As if sizes had been counted in units of so many labels.
void scale(SplitFigures& figures, double factor) {
  for (Matrix<double>* values : {&figures.values, &figures.deviations}) {
    for (std::size_t r = 0; r < values->rows(); ++r) {
      for (double& value : values->row(r)) value *= factor;
    }
  }
}

}  // namespace

double SplitFigures::mean() const { return mean_with_error(means_over_landmarks(values)).mean; }

double SplitFigures::of_landmark(std::size_t landmark) const {
  std::vector<double> column(values.rows());
  for (std::size_t s = 0; s < column.size(); ++s) column[s] = values(s, landmark);
  return mean_with_error(column).mean;
}

std::optional<double> SplitFigures::error_over_landmarks() const {
  std::vector<double> means;
  for (std::size_t t = 0; t < values.cols(); ++t) means.push_back(of_landmark(t));
  return mean_with_error(means).standard_error;
}

std::optional<double> SplitFigures::error_over_splits() const {
  return mean_with_error(means_over_landmarks(values)).standard_error;
}

std::optional<double> SplitFigures::error_over_images() const {
  return clustered_error(deviations, deviations.cols());
}

std::optional<double> SplitFigures::error() const {
  const auto over_splits = error_over_splits();
  return over_splits ? over_splits : error_over_images();
}

std::string LandmarkExperiment::error_over() const {
  if (num_splits > 1) return fmt::format("{} splits", num_splits);
  return fmt::format("{} {}", first.test.num_clusters, first.test.name());
}

LandmarkExperiment run_landmark_experiment(const LabeledPatches& images,
                                           const std::vector<LandmarkSplit>& splits,
                                           const LandmarkExperimentOptions& options) {
  require(!splits.empty(), ErrorKind::invalid_input, "an experiment needs a split");
  return Runner(images, splits, options).run();
}

std::vector<ExperimentResult> run_landmark_score(const LabeledPatches& images,
                                                 const std::vector<LandmarkSplit>& splits,
                                                 const LandmarkExperimentOptions& options,
                                                 const PatchScore& score) {
  require(!splits.empty(), ErrorKind::invalid_input, "an experiment needs a split");
  LandmarkExperimentOptions alone = options;
  alone.other_scores = {score};
  std::vector<ExperimentResult> results =
      std::move(Runner(images, splits, alone).run_other_scores().other_scores[0]);
  if (!images.has_cells()) return results;
  const double side = side_in_patches(images.grids.at(0), images.patch_grid(0));
  for (ExperimentResult& result : results) {
    result.cell = images.grids[0].patch_size;
    scale(result.mean_set_size, side * side);
  }
  return results;
}

const ExperimentResult* find_result(const std::vector<ExperimentResult>& results, Method method,
                                    const Miscoverage& alpha) {
  const auto found = std::ranges::find_if(results, [&](const ExperimentResult& result) {
    return result.method == method && result.alpha == alpha;
  });
  return found == results.end() ? nullptr : &*found;
}

std::vector<std::size_t> thirds_by(const SplitFigures& figures) {
  const std::size_t count = figures.values.cols();
  std::vector<double> means;
  for (std::size_t t = 0; t < count; ++t) means.push_back(figures.of_landmark(t));
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t t) { return means[t]; });
  std::vector<std::size_t> thirds(count);
  for (std::size_t place = 0; place < count; ++place) thirds[order[place]] = place * 3 / count;
  return thirds;
}

}  // namespace caos
