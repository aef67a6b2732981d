// Every method on every landmark, against the definitions of the paper.

#include "caos/landmarks/evaluation/landmark_methods.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/landmarks/patch_oracle.hpp"
#include "tests/landmarks/patch_problem.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::Indices;
using caos::LandmarkEvaluateOptions;
using caos::LandmarkEvaluation;
using caos::LandmarkMethodResult;
using caos::Matrix;
using caos::Method;
using caos::Outcome;
using caos::PatchScore;
using patches::Problem;
using patches::Set;
using patches::Table;
using patches::TaskOracle;

const std::vector<Method> all_methods(caos::all_methods().begin(), caos::all_methods().end());
const std::vector<Method> whole_methods = {Method::full_caos, Method::caos};

PatchScore arbitrary_score() {
  return *rc::gen::element(PatchScore{}, PatchScore{PatchScore::Kind::margin, 2.0},
                           PatchScore{PatchScore::Kind::softmax, 0.1});
}

Outcome outcome(const Set& set, std::size_t truth) {
  return Outcome::of_set(patches::holds(set, truth), set.size());
}

Outcome average(const std::vector<Set>& sets, std::size_t truth) {
  Outcome sum;
  for (const Set& set : sets) {
    const Outcome one = outcome(set, truth);
    sum = {sum.covered + one.covered, sum.size + one.size, sum.singleton + one.singleton,
           sum.empty + one.empty};
  }
  const auto count = static_cast<double>(sets.size());
  return {sum.covered / count, sum.size / count, sum.singleton / count, sum.empty / count};
}

bool same(const Outcome& a, const Outcome& b) {
  return a.covered == b.covered && a.size == b.size && a.singleton == b.singleton &&
         a.empty == b.empty;
}

/// A problem with its options, and what must come out of it.
struct Case {
  Problem problem;
  LandmarkEvaluateOptions options;
  std::vector<std::size_t> percents;

  [[nodiscard]] std::vector<TaskOracle> oracles() const {
    std::vector<TaskOracle> result;
    for (std::size_t t = 0; t < problem.labeled.num_tasks(); ++t) {
      result.emplace_back(problem.labeled, t, options.score);
    }
    return result;
  }

  /// Of the labeled images and of test image x.
  [[nodiscard]] oracle::Weights weights(std::size_t x) const {
    oracle::Numbers labeled = problem.labeled.subjects;
    for (std::size_t i = labeled.size(); i < problem.labeled.size(); ++i) labeled.push_back(i);
    if (options.target == caos::ImageTarget::subject) return oracle::subject_weights(labeled);
    oracle::Numbers sizes;
    for (const std::size_t s : labeled) sizes.push_back(oracle::count(labeled, s));
    const std::size_t size =
        problem.subjects.empty() ? 1 : oracle::count(problem.subjects, problem.subjects[x]);
    return oracle::pool_weights(labeled, sizes, labeled.size() + problem.images.size(), size);
  }

  /// How much test image x counts in an average.
  [[nodiscard]] double share(std::size_t x) const {
    if (problem.subjects.empty() || options.target == caos::ImageTarget::image) return 1;
    return 1.0 / static_cast<double>(oracle::count(problem.subjects, problem.subjects[x]));
  }
};

Indices all_of(const TaskOracle& task) {
  Indices all(task.n());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

Outcome expected_outcome(const Case& c, const TaskOracle& task, Method method, std::size_t percent,
                         std::size_t x, std::size_t truth) {
  const Matrix<float>& image = c.problem.images[x];
  const Table pools = task.pools(image);
  const std::size_t k = c.options.k;
  const Indices references = task.among(c.options.partition.references);
  const Indices calibration = task.among(c.options.partition.calibration);
  const auto split = [&] {
    return patches::scos_sets(task, pools, references, calibration, percent);
  };
  const auto caos_outcome = [&](const Indices& rows, const Indices& columns) {
    return outcome(patches::caos_set(task, pools, rows, columns, k, percent), truth);
  };
  switch (method) {
    case Method::caos:
      return outcome(patches::weighted_caos_set(task, pools, c.weights(x), k, percent), truth);
    case Method::full_caos:
      return outcome(
          patches::weighted_full_set(task, pools, task.reverse(image), c.weights(x), k, percent),
          truth);
    case Method::scos:
      return average(split(), truth);
    case Method::scos_best:
      return outcome(split()[patches::best_reference(task, references, calibration, percent)],
                     truth);
    case Method::scos_oracle:
      return outcome(patches::oracle_set(split(), truth), truth);
    case Method::split_caos:
      return caos_outcome(calibration, references);
    case Method::split_caos_cal:
      return caos_outcome(calibration, all_of(task));
    case Method::split_caos_ref:
      return caos_outcome(all_of(task), references);
    case Method::full_kernel:
    case Method::full_ratio:
      break;  // for vectors only
  }
  throw std::logic_error("no such method");
}

/// Compares one result with the definition, image by image.
void check_result(const Case& c, const LandmarkMethodResult& result, std::size_t percent) {
  const auto tasks = c.oracles();
  RC_ASSERT(result.outcomes.size() == tasks.size());
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    std::size_t position = 0;
    double covered = 0;
    double total = 0;
    for (std::size_t x = 0; x < c.problem.images.size(); ++x) {
      const std::int64_t label = c.problem.labels(x, t);
      if (label == caos::missing_label) continue;
      const Outcome expected =
          expected_outcome(c, tasks[t], result.method, percent, x, static_cast<std::size_t>(label));
      RC_ASSERT(position < result.outcomes[t].size());
      RC_ASSERT(same(result.outcomes[t][position++], expected));
      covered += c.share(x) * expected.covered;
      total += c.share(x);
    }
    RC_ASSERT(position == result.outcomes[t].size());
    RC_ASSERT(result.landmarks[t].evaluation.has_value() == (position > 0));
    if (position == 0) continue;
    RC_ASSERT(std::abs(result.landmarks[t].evaluation->coverage - covered / total) < 1e-12);
  }
}

void check_methods(const Case& c, const LandmarkEvaluation& evaluation) {
  const std::size_t alphas = c.percents.size();
  RC_ASSERT(evaluation.methods.size() == c.options.methods.size() * alphas);
  for (std::size_t r = 0; r < evaluation.methods.size(); ++r) {
    const LandmarkMethodResult& result = evaluation.methods[r];
    RC_ASSERT(result.method == c.options.methods[r / alphas]);
    RC_ASSERT(result.alpha == c.options.alphas[r % alphas]);
    RC_ASSERT(result.k == c.options.k);
    check_result(c, result, c.percents[r % alphas]);
  }
}

Case arbitrary_case(bool with_subjects) {
  Case c;
  c.options.k = *rc::gen::inRange<std::size_t>(1, 4);
  c.problem = patches::arbitrary(c.options.k, with_subjects);
  c.percents = {problem::percent(), problem::percent()};
  RC_PRE(c.percents[0] != c.percents[1]);
  for (const std::size_t percent : c.percents) {
    c.options.alphas.push_back(problem::alpha(percent));
  }
  c.options.methods = whole_methods;
  c.options.score = arbitrary_score();
  if (with_subjects) {
    c.options.target = *rc::gen::element(caos::ImageTarget::subject, caos::ImageTarget::image);
  }
  c.options.threads = *rc::gen::element<std::size_t>(1, 2, 5);
  return c;
}

/// Keeps the landmarks that every split method has images enough for.
void keep_splittable(Case& c) {
  Indices fit;
  const auto tasks = c.oracles();
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (tasks[t].among(c.options.partition.references).size() > c.options.k &&
        !tasks[t].among(c.options.partition.calibration).empty()) {
      fit.push_back(t);
    }
  }
  c.problem.labeled = with_tasks(c.problem.labeled, fit);
  c.problem.labels = caos::with_tasks(c.problem.labels, fit);
  RC_PRE(!fit.empty());
}

RC_GTEST_PROP(LandmarkMethods, CaosAndFullCaosAreWhatThePaperSays, ()) {
  const Case c = arbitrary_case(false);
  check_methods(c, evaluate_landmarks(c.problem.labeled, c.problem.test(), c.options));
}

RC_GTEST_PROP(LandmarkMethods, WithSubjectsEveryImageCalibratesWithItsWeight, ()) {
  const Case c = arbitrary_case(true);
  check_methods(c, evaluate_landmarks(c.problem.labeled, c.problem.test(), c.options));
}

RC_GTEST_PROP(LandmarkMethods, EveryMethodIsWhatThePaperSays, ()) {
  Case c = arbitrary_case(false);
  c.options.methods = all_methods;
  const std::size_t n = c.problem.labeled.size();
  RC_PRE(n > c.options.k + 1);
  caos::Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1000));
  const std::size_t references = *rc::gen::inRange(c.options.k + 1, n);
  c.options.partition = caos::split::draw(n, references, rng);
  keep_splittable(c);
  check_methods(c, evaluate_landmarks(c.problem.labeled, c.problem.test(), c.options));
}

RC_GTEST_PROP(LandmarkMethods, TheAblationIsCaosAtEachK, ()) {
  Case c = arbitrary_case(false);
  c.options.methods = {Method::caos};
  c.options.ablation_ks = {c.options.k, 1, std::max<std::size_t>(1, c.options.k - 1)};
  const auto evaluation = evaluate_landmarks(c.problem.labeled, c.problem.test(), c.options);
  check_methods(c, evaluation);
  RC_ASSERT(evaluation.ablation.size() == 6U);
  for (std::size_t r = 0; r < 6; ++r) {
    Case at_k = c;
    at_k.options.k = c.options.ablation_ks[r / 2];
    RC_ASSERT(evaluation.ablation[r].k == at_k.options.k);
    check_result(at_k, evaluation.ablation[r], c.percents[r % 2]);
  }
}

RC_GTEST_PROP(LandmarkMethods, KeepsTheSetsOfEveryImageAlsoWhereTheTruthIsMissing, ()) {
  Case c = arbitrary_case(*rc::gen::arbitrary<bool>());
  c.options.keep_sets = *rc::gen::element(Method::caos, Method::full_caos);
  const auto evaluation = evaluate_landmarks(c.problem.labeled, c.problem.test(), c.options);
  const auto tasks = c.oracles();
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t x = 0; x < c.problem.images.size(); ++x) {
      for (std::size_t t = 0; t < tasks.size(); ++t) {
        const Matrix<float>& image = c.problem.images[x];
        const Table pools = tasks[t].pools(image);
        const Set expected =
            c.options.keep_sets == Method::caos
                ? patches::weighted_caos_set(tasks[t], pools, c.weights(x), c.options.k,
                                             c.percents[a])
                : patches::weighted_full_set(tasks[t], pools, tasks[t].reverse(image), c.weights(x),
                                             c.options.k, c.percents[a]);
        RC_ASSERT(evaluation.sets[a][x][t] == expected);
      }
    }
  }
}

/// The largest score of an image's landmarks; nothing where it has none.
std::optional<double> joint_score(const std::vector<TaskOracle>& tasks, std::size_t image,
                                  std::size_t k) {
  std::optional<double> largest;
  for (const TaskOracle& task : tasks) {
    for (const std::size_t i : task.among({image})) {
      const double score = oracle::minsum(task.own()[i], k);
      largest = largest ? std::max(*largest, score) : score;
    }
  }
  return largest;
}

RC_GTEST_PROP(LandmarkMethods, OneThresholdForAllLandmarksOfAnImage, ()) {
  Case c = arbitrary_case(*rc::gen::arbitrary<bool>());
  c.options.simultaneous = true;
  const auto evaluation = evaluate_landmarks(c.problem.labeled, c.problem.test(), c.options);
  const auto tasks = c.oracles();
  oracle::Pool scores;
  oracle::Numbers present;
  for (std::size_t i = 0; i < c.problem.labeled.size(); ++i) {
    const auto score = joint_score(tasks, i, c.options.k);
    if (!score) continue;
    scores.push_back(*score);
    present.push_back(i);
  }
  for (std::size_t a = 0; a < 2; ++a) {
    const auto conforms = [&](std::size_t x, double score) {
      const oracle::Rational p = oracle::p_value(c.weights(x), present, scores, score);
      return p * oracle::Rational(100) > oracle::Rational(c.percents[a]);
    };
    double covered = 0;
    double size = 0;
    double images = 0;
    for (std::size_t x = 0; x < c.problem.images.size(); ++x) {
      bool all = true;
      double total = 0;
      double count = 0;
      for (std::size_t t = 0; t < tasks.size(); ++t) {
        const std::int64_t label = c.problem.labels(x, t);
        if (label == caos::missing_label) continue;
        Set set;
        const Table pools = tasks[t].pools(c.problem.images[x]);
        for (std::size_t y = 0; y < pools.size(); ++y) {
          if (conforms(x, oracle::minsum(pools[y], c.options.k))) set.push_back(y);
        }
        all = all && patches::holds(set, static_cast<std::size_t>(label));
        total += static_cast<double>(set.size());
        ++count;
      }
      if (count == 0) continue;
      covered += all ? c.share(x) : 0;
      size += c.share(x) * total / count;
      images += c.share(x);
    }
    RC_ASSERT(evaluation.simultaneous.size() == (images > 0 ? 2U : 0U));
    if (images == 0) continue;
    const caos::SimultaneousResult& result = evaluation.simultaneous[a];
    RC_ASSERT(result.n == scores.size());
    RC_ASSERT(std::abs(result.evaluation.coverage - covered / images) < 1e-12);
    RC_ASSERT(std::abs(result.evaluation.mean_set_size - size / images) < 1e-12);
  }
}

}  // namespace
