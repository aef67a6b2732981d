#include "caos/verify/landmark_verification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "caos/error.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/evaluation/landmark_experiment.hpp"
#include "caos/verify/landmark_identities.hpp"

namespace caos {
namespace {

constexpr std::size_t num_exact_splits = 2;
constexpr std::size_t most_identity_images = 4;
constexpr std::size_t most_identity_landmarks = 16;

using ImageSplits = std::vector<LandmarkSplit>;

std::size_t count_with(const LabeledPatches& images, const Indices& among, std::size_t task) {
  return static_cast<std::size_t>(std::ranges::count_if(
      among, [&](std::size_t i) { return images.labels(i, task) != missing_label; }));
}

bool is_asked_for(Method method, const VerifyOptions& options) {
  return options.methods.empty() ||
         std::ranges::find(options.methods, method) != options.methods.end();
}

// Coverage.

std::vector<Trial> trials_of(const LabeledPatches& images, const ImageSplits& splits,
                             const Indices& landmarks, const ExperimentResult& result) {
  std::vector<Trial> trials;
  for (std::size_t s = 0; s < splits.size(); ++s) {
    Trial trial;
    for (std::size_t t = 0; t < landmarks.size(); ++t) {
      trial.coverage += result.coverage.values(s, t) / static_cast<double>(landmarks.size());
      const std::size_t n = result.n_by_split[s][t];
      trial.tasks.push_back({.n = n,
                             .rank = conformal_rank(n, result.alpha),
                             .tested = count_with(images, splits[s].test, landmarks[t])});
    }
    trials.push_back(std::move(trial));
  }
  return trials;
}

/// The images that have one of the landmarks.
std::size_t count_with_any(const LabeledPatches& images, const Indices& among,
                           const Indices& landmarks) {
  return static_cast<std::size_t>(std::ranges::count_if(among, [&](std::size_t i) {
    return std::ranges::any_of(landmarks,
                               [&](std::size_t t) { return images.labels(i, t) != missing_label; });
  }));
}

std::vector<Trial> trials_of(const LabeledPatches& images, const ImageSplits& splits,
                             const Indices& landmarks, const SimultaneousExperiment& result) {
  std::vector<Trial> trials;
  for (std::size_t s = 0; s < splits.size(); ++s) {
    const std::size_t n = result.n[s];
    trials.push_back({.coverage = result.coverage[s],
                      .tasks = {{.n = n,
                                 .rank = conformal_rank(n, result.alpha),
                                 .tested = count_with_any(images, splits[s].test, landmarks)}}});
  }
  return trials;
}

void add_coverage(const LabeledPatches& images, const ImageSplits& splits,
                  const LandmarkExperiment& experiment, const VerifyOptions& options,
                  Verification& result) {
  const Indices& landmarks = experiment.landmarks;
  for (const ExperimentResult& each : experiment.methods) {
    if (!is_asked_for(each.method, options)) continue;
    result.coverage.push_back(check_coverage(std::string(method_name(each.method)), each.alpha,
                                             each.guarantee,
                                             trials_of(images, splits, landmarks, each)));
  }
  if (!is_asked_for(Method::caos, options)) return;
  for (const SimultaneousExperiment& each : experiment.simultaneous) {
    result.coverage.push_back(check_coverage("caos, all at once", each.alpha, each.guarantee,
                                             trials_of(images, splits, landmarks, each)));
  }
}

void add_notes(const LabeledPatches& images, const LandmarkExperiment& experiment,
               const VerifyOptions& options, Verification& result) {
  if (!experiment.left_out.empty()) {
    std::vector<std::string> names;
    for (const std::size_t t : experiment.left_out) names.push_back(images.tasks[t]);
    result.notes.push_back(
        fmt::format("left out, as some split has too few images of them for k = {}: {}", options.k,
                    fmt::join(names, ", ")));
  }
  if (experiment.by_subject) {
    result.notes.emplace_back(
        "subjects have several images: whole subjects are drawn, a random image of each test "
        "subject is tested, and there are caos and full-caos only");
  }
}

// Identities.

/// Some of the landmarks, from all over the list.
Indices sample_of(const Indices& landmarks) {
  const std::size_t step =
      (landmarks.size() + most_identity_landmarks - 1) / most_identity_landmarks;
  Indices sample;
  for (std::size_t t = 0; t < landmarks.size(); t += step) sample.push_back(landmarks[t]);
  return sample;
}

LandmarkProblem problem_of(const LabeledPatches& images, const LandmarkSplit& split,
                           const LandmarkExperiment& experiment, const PatchScore& score,
                           const VerifyOptions& options) {
  const Indices test(split.test.begin(),
                     split.test.begin() + static_cast<std::ptrdiff_t>(
                                              std::min(split.test.size(), most_identity_images)));
  const Indices landmarks = sample_of(experiment.landmarks);
  LandmarkProblem problem;
  problem.labeled = with_tasks(select(images, split.labeled()), landmarks);
  if (!experiment.by_subject) problem.labeled.subjects.clear();
  for (const std::size_t x : test) problem.images.push_back(images.images[x]);
  problem.truths = with_tasks(select(images.labels, test), landmarks);
  problem.partition = split.partition();
  problem.methods = {Method::caos, Method::full_caos};
  if (!experiment.by_subject) problem.methods = {all_methods().begin(), all_methods().end()};
  problem.alphas = with_more_alphas(options.alphas);
  problem.k = options.k;
  problem.score = score;
  problem.threads = options.threads;
  return problem;
}

LandmarkExperimentOptions experiment_options(const PatchScore& score,
                                             const VerifyOptions& options) {
  LandmarkExperimentOptions what;
  what.alphas = options.alphas;
  what.k = options.k;
  what.most_k = 0;
  what.score = score;
  what.threads = options.threads;
  what.progress = options.progress;
  return what;
}

}  // namespace

SplitSizes verification_sizes(std::size_t count, std::size_t test_size) {
  constexpr std::size_t most = 100;
  const std::size_t test = test_size > 0 ? test_size : std::min(most, default_num_tested(count));
  return {.labeled = count > test ? std::min(most, count - test) : 0, .test = test};
}

Verification verify_landmarks(const LabeledPatches& images, const PatchScore& score,
                              const VerifyOptions& options, const LandmarkAnswerer& answerer) {
  check_options(options);
  check(images);
  const SplitSizes sizes = verification_sizes(num_subjects(images), options.test_size);
  check_num_tested(sizes.test, num_subjects(images), options.k);
  ImageSplits splits;
  for (std::size_t s = 0; s < options.splits; ++s) {
    splits.push_back(draw_landmark_split(images, sizes, options.seed + s));
  }
  const LandmarkExperiment experiment =
      run_landmark_experiment(images, splits, experiment_options(score, options));

  Verification result{.part = "landmarks",
                      .examples = images.size(),
                      .labeled = sizes.labeled,
                      .tested = sizes.test,
                      .splits = options.splits,
                      .seed = options.seed,
                      .k = options.k};
  add_notes(images, experiment, options, result);
  add_coverage(images, splits, experiment, options, result);
  LandmarkIdentities identities;
  for (std::size_t s = 0; s < std::min(options.splits, num_exact_splits); ++s) {
    identities.look_at(problem_of(images, splits[s], experiment, score, options), answerer,
                       options.seed + s);
  }
  result.identities = identities.all();
  return result;
}

}  // namespace caos
