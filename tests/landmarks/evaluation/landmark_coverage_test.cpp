// How often the sets of landmarks hold over thousands of fresh trials, against the guarantee.
// Seeded: the limits are so wide (chances below one in a hundred thousand) that only a wrong method
// crosses them.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/miscoverage.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"

namespace {

using caos::LandmarkEvaluation;
using caos::Matrix;
using caos::Method;
using caos::Miscoverage;

constexpr std::size_t num_tasks = 3;
constexpr std::size_t num_patches = 6;
constexpr std::size_t dimension = 4;
constexpr std::size_t n = 12;
constexpr std::size_t trials = 4000;
constexpr double limit = 4.5;

double normal(caos::Rng& rng) {
  const double radius = std::sqrt(-2 * std::log(1 - rng.uniform()));
  return radius * std::cos(2 * std::numbers::pi * rng.uniform());
}

/// What all landmarks of a subject's images have in common, and how unlike others it is.
struct Subject {
  double look[dimension] = {};
  double oddity = 0;
};

Subject draw_subject(caos::Rng& rng) {
  Subject subject;
  subject.oddity = rng.uniform();
  for (double& value : subject.look) value = subject.oddity * normal(rng);
  return subject;
}

/// One image with the patches of its landmarks.
struct Example {
  Matrix<float> patches;
  std::vector<std::int64_t> labels;
};

/// Landmark t has a large value in place t, the subject's look, and noise; other patches are noise.
Example draw_image(caos::Rng& rng, const Subject& subject, double noise, std::size_t missing) {
  Matrix<float> rows(num_patches, dimension);
  for (std::size_t p = 0; p < num_patches; ++p) {
    for (float& value : rows.row(p)) value = static_cast<float>(normal(rng));
  }
  Example image{{}, {}};
  for (std::size_t t = 0; t < num_tasks; ++t) {
    for (std::size_t d = 0; d < dimension; ++d) {
      rows(t, d) = static_cast<float>((d == t ? 2 : 0) + subject.look[d] + noise * normal(rng));
    }
    const bool absent = missing > 0 && rng.below(missing) == 0;
    image.labels.push_back(absent ? caos::missing_label : static_cast<std::int64_t>(t));
  }
  image.patches = caos::unit_rows(rows.view(), "drawn");
  return image;
}

struct Trial {
  caos::LabeledPatches labeled{};
  Example test{};

  [[nodiscard]] LandmarkEvaluation evaluate(const caos::LandmarkEvaluateOptions& options) const {
    Matrix<std::int64_t> labels(0, num_tasks);
    labels.push_row(test.labels);
    return caos::evaluate_landmarks(
        labeled, {.image = [&](std::size_t) { return test.patches; }, .labels = labels}, options);
  }
};

struct Setting {
  double noise = 0.3;
  std::size_t missing = 0;         ///< one label in so many
  std::size_t largest_number = 1;  ///< of a subject's labeled images
};

Trial draw_trial(std::uint64_t seed, std::size_t index, const Setting& setting) {
  caos::Rng rng = caos::Rng::stream(seed, index);
  Trial trial{.labeled = {.tasks = {"a", "b", "c"}}};
  trial.labeled.labels = Matrix<std::int64_t>(0, num_tasks);
  for (std::size_t s = 0; s < n; ++s) {
    const Subject subject = draw_subject(rng);
    const std::size_t count = 1 + rng.below(setting.largest_number);
    for (std::size_t i = 0; i < count; ++i) {
      Example image = draw_image(rng, subject, setting.noise, setting.missing);
      trial.labeled.images.push_back(std::move(image.patches));
      trial.labeled.labels.push_row(image.labels);
      trial.labeled.subjects.push_back(s);
    }
  }
  if (setting.largest_number == 1) trial.labeled.subjects.clear();
  trial.test = draw_image(rng, draw_subject(rng), setting.noise, setting.missing);
  return trial;
}

/// Standard deviations by which `hits` of `count` lie above the mean of a binomial law.
double deviation(double hits, double count, double probability) {
  return (hits - count * probability) / std::sqrt(count * probability * (1 - probability));
}

double rank_share(const Miscoverage& alpha) {
  return static_cast<double>(caos::conformal_rank(n, alpha)) / static_cast<double>(n + 1);
}

caos::LandmarkEvaluateOptions options_at(const Miscoverage& alpha) {
  return {.methods = {Method::caos, Method::full_caos}, .alphas = {alpha}, .k = 1, .threads = 1};
}

const std::vector<caos::PatchScore> scores = {{}, {caos::PatchScore::Kind::margin, 2.0}};

TEST(SimultaneousCoverage, AllLandmarksOfAnImageHoldAsOftenAsGuaranteed) {
  for (const char* text : {"0.1", "0.3"}) {
    for (const caos::PatchScore& score : scores) {
      auto options = options_at(Miscoverage::parse(text));
      options.simultaneous = true;
      options.score = score;
      double together = 0;
      double separately = 0;
      for (std::size_t i = 0; i < trials; ++i) {
        const auto result = draw_trial(1, i, {}).evaluate(options).simultaneous[0];
        together += result.evaluation.coverage;
        separately += result.covered_separately;
      }
      const double guaranteed = rank_share(options.alphas[0]);
      EXPECT_GT(deviation(together, trials, guaranteed), -limit);
      EXPECT_LT(deviation(separately, trials, guaranteed), -limit) << "the test shows nothing";
    }
  }
}

TEST(SimultaneousCoverage, HoldsForTheLandmarksThatAreThere) {
  auto options = options_at(Miscoverage::parse("0.2"));
  options.simultaneous = true;
  double hits = 0;
  double count = 0;
  for (std::size_t i = 0; i < trials; ++i) {
    const Trial trial = draw_trial(2, i, {.missing = 3});
    if (caos::usable_tasks(trial.labeled, 1).size() < num_tasks) continue;
    for (const auto& result : trial.evaluate(options).simultaneous) {
      hits += result.evaluation.coverage;
      ++count;
    }
  }
  EXPECT_GT(count, 0.9 * trials);
  EXPECT_GT(deviation(hits, count, 0.8), -limit);
}

/// How often the sets of the first landmark hold: of CAOS, then of Full CAOS.
std::vector<double> count_hits(std::uint64_t seed, bool with_subjects, const Miscoverage& alpha,
                               const caos::PatchScore& score) {
  std::vector<double> hits(2);
  for (std::size_t i = 0; i < trials; ++i) {
    Trial trial = draw_trial(seed, i, {.noise = 0.05, .largest_number = 4});
    if (!with_subjects) trial.labeled.subjects.clear();
    auto options = options_at(alpha);
    options.score = score;
    const LandmarkEvaluation evaluation = trial.evaluate(options);
    for (std::size_t m = 0; m < 2; ++m) hits[m] += evaluation.methods[m].outcomes[0][0].covered;
  }
  return hits;
}

TEST(SubjectCoverage, ANewSubjectIsCoveredAsOftenAsGuaranteed) {
  for (const char* text : {"0.1", "0.3"}) {
    const auto alpha = Miscoverage::parse(text);
    for (const caos::PatchScore& score : scores) {
      for (const double hits : count_hits(3, true, alpha, score)) {
        EXPECT_GT(deviation(hits, trials, rank_share(alpha)), -limit) << text;
      }
    }
  }
}

TEST(SubjectCoverage, IsLostWhereSubjectsAreUnknown) {
  const auto alpha = Miscoverage::parse("0.3");
  for (const double hits : count_hits(3, false, alpha, {})) {
    EXPECT_LT(deviation(hits, trials, 1 - alpha.value()), -limit);
  }
}

/// A pool where half of the subjects have one easy image and half have nine hard ones.
struct UnevenPool {
  std::vector<std::vector<Example>> subjects{};

  explicit UnevenPool(caos::Rng& rng, std::size_t count) {
    for (std::size_t s = 0; s < count; ++s) {
      const bool hard = s % 2 == 1;
      Subject subject = draw_subject(rng);
      for (double& value : subject.look) value *= hard ? 2 : 0;
      auto& images = subjects.emplace_back();
      for (std::size_t i = 0; i < (hard ? 9U : 1U); ++i) {
        images.push_back(draw_image(rng, subject, hard ? 0.4 : 0.1, 0));
      }
      rng.shuffle(std::span(images));
    }
    rng.shuffle(std::span(subjects));
  }
};

/// The share of images of the unlabeled subjects that are covered: of CAOS, then of Full CAOS, each
/// subject counted once or each image. 39 subjects are labeled, with at most three images each.
std::vector<double> uneven_coverage(std::size_t trial, caos::ImageTarget target) {
  constexpr std::size_t num_labeled = 39;
  caos::Rng rng = caos::Rng::stream(9, trial);
  const UnevenPool pool(rng, 80);
  caos::LabeledPatches labeled{.tasks = {"a", "b", "c"}};
  labeled.labels = Matrix<std::int64_t>(0, num_tasks);
  std::vector<Matrix<float>> images;
  caos::TestPatches test{.image = [&](std::size_t x) { return images[x]; },
                         .labels = Matrix<std::int64_t>(0, num_tasks)};
  for (std::size_t s = 0; s < pool.subjects.size(); ++s) {
    for (const Example& image : pool.subjects[s]) {
      if (s < num_labeled) {
        labeled.images.push_back(image.patches);
        labeled.labels.push_row(image.labels);
        labeled.subjects.push_back(s);
      } else {
        images.push_back(image.patches);
        test.labels.push_row(image.labels);
        test.subjects.push_back(s);
      }
    }
  }
  auto options = options_at(Miscoverage::parse("0.1"));
  options.target = target;
  const LandmarkEvaluation evaluation = caos::evaluate_landmarks(labeled, test, options);
  std::vector<double> coverage;
  for (const auto& result : evaluation.methods) {
    coverage.push_back(result.landmarks[0].evaluation->coverage);
  }
  return coverage;
}

TEST(SubjectCoverage, EachTargetIsCoveredOnAPoolOfUnevenSubjects) {
  constexpr std::size_t pools = 300;
  for (const auto target : {caos::ImageTarget::subject, caos::ImageTarget::image}) {
    std::vector<std::vector<double>> coverage(2);
    for (std::size_t trial = 0; trial < pools; ++trial) {
      const auto found = uneven_coverage(trial, target);
      for (std::size_t m = 0; m < 2; ++m) coverage[m].push_back(found[m]);
    }
    for (const auto& of_method : coverage) {
      const caos::MeanWithError mean = caos::mean_with_error(of_method);
      EXPECT_GT(mean.mean, 0.9 - limit * *mean.standard_error) << caos::target_name(target);
      EXPECT_LT(mean.mean, 0.97) << caos::target_name(target);
    }
  }
}

}  // namespace
