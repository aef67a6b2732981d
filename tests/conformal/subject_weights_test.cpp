#include "caos/conformal/subject_weights.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>

#include "caos/calibration.hpp"
#include "caos/error.hpp"
#include "caos/full.hpp"
#include "caos/rng.hpp"
#include "caos/sorted_scores.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/problem.hpp"
#include "tests/support/subject_oracle.hpp"

namespace {

using caos::ExampleWeights;
using caos::Indices;
using caos::Miscoverage;
using caos::SortedScores;
using oracle::Numbers;
using oracle::Rational;

/// Labeled images of few subjects, and the pool that they are part of.
struct Sample {
  Numbers subjects{};
  Numbers sizes{};  ///< in the pool, by image
  std::size_t pool = 0;
  std::size_t new_size = 1;
};

Sample arbitrary_sample() {
  Sample sample;
  const std::size_t images = *rc::gen::inRange<std::size_t>(1, 9);
  std::vector<std::size_t> extra;
  for (std::size_t s = 0; s < 5; ++s) extra.push_back(*rc::gen::inRange<std::size_t>(0, 4));
  for (std::size_t i = 0; i < images; ++i) {
    sample.subjects.push_back(*rc::gen::inRange<std::size_t>(0, 5));
  }
  sample.new_size = *rc::gen::inRange<std::size_t>(1, 5);
  sample.pool = sample.new_size + *rc::gen::inRange<std::size_t>(0, 20);
  for (std::size_t s = 0; s < 5; ++s) {
    const std::size_t labeled = oracle::count(sample.subjects, s);
    if (labeled > 0) sample.pool += labeled + extra[s];
  }
  for (const std::size_t s : sample.subjects) {
    sample.sizes.push_back(oracle::count(sample.subjects, s) + extra[s]);
  }
  return sample;
}

ExampleWeights weights_of(const Sample& sample, bool by_image) {
  return by_image
             ? caos::pool_weights(sample.subjects, {sample.pool, sample.sizes}, sample.new_size)
             : caos::subject_weights(sample.subjects);
}

oracle::Weights expected_weights(const Sample& sample, bool by_image) {
  return by_image
             ? oracle::pool_weights(sample.subjects, sample.sizes, sample.pool, sample.new_size)
             : oracle::subject_weights(sample.subjects);
}

// Membership is p > alpha, with some landmarks missing and many ties.
RC_GTEST_PROP(SubjectWeights, DecideAsTheDefinitionsDo, (bool by_image)) {
  const Sample sample = arbitrary_sample();
  Numbers present;
  oracle::Pool scores;
  for (std::size_t i = 0; i < sample.subjects.size(); ++i) {
    if (*rc::gen::inRange(0, 4) == 0) continue;
    present.push_back(i);
    scores.push_back(*problem::score());
  }
  const double s = *problem::score();
  const std::size_t percent = problem::percent();
  const SortedScores sorted(scores, weights_of(sample, by_image).at(present));
  const Rational p = oracle::p_value(expected_weights(sample, by_image), present, scores, s);
  RC_ASSERT((s <= sorted.threshold(problem::alpha(percent))) ==
            (p * Rational(100) > Rational(percent)));
  RC_ASSERT(std::abs(caos::p_value(sorted.exceedances(s), sorted.units()) -
                     static_cast<double>(p.top) / static_cast<double>(p.bottom)) < 1e-9);
}

RC_GTEST_PROP(SubjectWeights, ArePlainWhereEverySubjectHasOneImage, ()) {
  const std::size_t count = *rc::gen::inRange<std::size_t>(1, 20);
  Numbers subjects;
  for (std::size_t i = 0; i < count; ++i) subjects.push_back(2 * i);
  RC_ASSERT(caos::subject_weights(subjects).is_plain());
  RC_ASSERT(caos::pool_weights(subjects, {count + 9, Numbers(count, 1)}, 1).is_plain());
  RC_ASSERT(caos::pool_weights({}, {count + 9, Numbers(count, 1)}, 1).is_plain());
}

// With equal weights of 1 the weighted engine is the plain one, Full CAOS too.
RC_GTEST_PROP(SubjectWeights, ChangeNothingInFullCaosWhereTheyAreEqual, ()) {
  const problem::Task task = problem::arbitrary_task();
  const problem::Instance scores(task);
  const auto alpha = problem::alpha(problem::percent());
  const caos::Calibration plain = caos::calibrate(scores.own, {.k = task.k});
  const ExampleWeights ones{.examples = std::vector<std::uint64_t>(task.n(), 1)};
  const caos::Calibration weighted = plain.with_weights(ones);
  RC_ASSERT(caos::full::predict_set(weighted, scores.input(), alpha) ==
            caos::full::predict_set(plain, scores.input(), alpha));
  RC_ASSERT(caos::full::predict_p(weighted, scores.input(), alpha) ==
            caos::full::predict_p(plain, scores.input(), alpha));
  RC_ASSERT(weighted.predict_p(scores.input()) == plain.predict_p(scores.input()));
}

// Weights as counts: an example that weighs w is w equal examples.
RC_GTEST_PROP(SubjectWeights, OfFullCaosCountTheChangedScores, ()) {
  const problem::Task task = problem::arbitrary_task();
  const problem::Instance scores(task);
  ExampleWeights weights{.new_example = *rc::gen::inRange<std::uint64_t>(1, 5)};
  oracle::Weights exact;
  Numbers all;
  for (std::size_t i = 0; i < task.n(); ++i) {
    weights.examples.push_back(*rc::gen::inRange<std::uint64_t>(1, 4));
    exact.images.emplace_back(weights.examples.back());
    all.push_back(i);
  }
  exact.new_image = Rational(weights.new_example);
  const std::size_t percent = problem::percent();
  const caos::Calibration calibration =
      caos::calibrate(scores.own, {.k = task.k}).with_weights(weights);
  const auto set = caos::full::predict_set(calibration, scores.input(), problem::alpha(percent));
  for (std::size_t y = 0; y < task.pools.size(); ++y) {
    const Rational p =
        oracle::p_value(exact, all, oracle::full_scores(task.own, task.reverse[y], task.k),
                        oracle::minsum(task.pools[y], task.k));
    RC_ASSERT(std::ranges::binary_search(set, y) == (p * Rational(100) > Rational(percent)));
  }
}

TEST(SubjectWeights, RefuseAPoolThatDoesNotFit) {
  const Numbers subjects = {0, 0, 1};
  const auto refuses = [&](const std::string& text, const caos::PoolSizes& pool) {
    caos::test::expect_error([&] { (void)caos::pool_weights(subjects, pool, 2); },
                             caos::ErrorKind::invalid_input, {text});
  };
  refuses("2 labeled images and only 1 in the pool", {10, {1, 1, 1}});
  refuses("the pool has 5 images, fewer than the 6", {5, {3, 3, 1}});
  refuses("do not fit", {10, {3, 3}});
  EXPECT_NO_THROW((void)caos::pool_weights(subjects, {6, {3, 3, 1}}, 2));
}

TEST(ImageTarget, IsNamed) {
  EXPECT_EQ(caos::parse_target("subject"), caos::ImageTarget::subject);
  EXPECT_EQ(caos::parse_target("image"), caos::ImageTarget::image);
  EXPECT_THROW((void)caos::parse_target("any"), caos::Error);
  EXPECT_EQ(caos::target_text(caos::ImageTarget::subject), "a random image of a new subject");
}

// The theorem itself, exactly: all draws of labeled subjects, of labeled images within them and of
// the new image are counted, on small pools with ties and missing landmarks.

struct SmallPool {
  std::vector<std::vector<double>> scores{};         ///< by subject and image
  std::vector<std::vector<std::uint8_t>> present{};  ///< whether the image has the landmark
  Numbers labeled{};                                 ///< how many images would be labeled

  [[nodiscard]] std::size_t size(std::size_t s) const { return scores[s].size(); }
  [[nodiscard]] std::size_t num_images() const {
    std::size_t sum = 0;
    for (const auto& images : scores) sum += images.size();
    return sum;
  }
};

SmallPool small_pool(caos::Rng& rng) {
  SmallPool pool;
  for (std::size_t s = 0; s < 4; ++s) {
    const std::size_t size = 1 + rng.below(3);
    auto& scores = pool.scores.emplace_back();
    auto& present = pool.present.emplace_back();
    for (std::size_t i = 0; i < size; ++i) {
      scores.push_back(static_cast<double>(rng.below(5)));
      present.push_back(rng.below(5) > 0 ? 1 : 0);
    }
    pool.labeled.push_back(1 + rng.below(size));
  }
  return pool;
}

/// All subsets of `count` of `size` things.
std::vector<Indices> subsets(std::size_t size, std::size_t count) {
  std::vector<Indices> result;
  for (std::size_t bits = 0; bits < (std::size_t{1} << size); ++bits) {
    Indices chosen;
    for (std::size_t i = 0; i < size; ++i) {
      if ((bits >> i & 1U) != 0) chosen.push_back(i);
    }
    if (chosen.size() == count) result.push_back(chosen);
  }
  return result;
}

/// Labeled images of some subjects.
struct LabeledDraw {
  Numbers subjects{};
  Numbers sizes{};
  Indices with_landmark{};
  oracle::Pool scores{};  ///< of those

  void add(const SmallPool& pool, std::size_t subject, const Indices& images) {
    for (const std::size_t i : images) {
      if (pool.present[subject][i] != 0) {
        with_landmark.push_back(subjects.size());
        scores.push_back(pool.scores[subject][i]);
      }
      subjects.push_back(subject);
      sizes.push_back(pool.size(subject));
    }
  }

  [[nodiscard]] SortedScores sorted(const SmallPool& pool, std::size_t size, bool by_image) const {
    const ExampleWeights weights =
        by_image ? caos::pool_weights(subjects, {pool.num_images(), sizes}, size)
                 : caos::subject_weights(subjects);
    return {scores, weights.at(with_landmark)};
  }
};

/// Every way to draw the labeled images of subjects a and b; all are equally probable.
std::vector<LabeledDraw> labeled_draws(const SmallPool& pool, std::size_t a, std::size_t b) {
  std::vector<LabeledDraw> draws;
  for (const Indices& of_a : subsets(pool.size(a), pool.labeled[a])) {
    for (const Indices& of_b : subsets(pool.size(b), pool.labeled[b])) {
      LabeledDraw& draw = draws.emplace_back();
      draw.add(pool, a, of_a);
      draw.add(pool, b, of_b);
    }
  }
  return draws;
}

/// How probable each p-value of the truth is, for a new image that has the landmark, up to a
/// factor: two of four subjects are labeled.
std::map<double, double> p_value_law(const SmallPool& pool, bool by_image) {
  std::map<double, double> law;
  for (const Indices& two : subsets(4, 2)) {
    const auto draws = labeled_draws(pool, two[0], two[1]);
    const auto others =
        static_cast<double>(pool.num_images() - pool.size(two[0]) - pool.size(two[1]));
    for (std::size_t s = 0; s < 4; ++s) {
      if (s == two[0] || s == two[1]) continue;
      const auto size = static_cast<double>(pool.size(s));
      const double of_image = by_image ? 1 / others : 1 / (2 * size);
      for (const LabeledDraw& draw : draws) {
        const SortedScores sorted = draw.sorted(pool, pool.size(s), by_image);
        for (std::size_t i = 0; i < pool.size(s); ++i) {
          if (pool.present[s][i] == 0) continue;
          law[caos::p_value(sorted.exceedances(pool.scores[s][i]), sorted.units())] +=
              of_image / static_cast<double>(draws.size());
        }
      }
    }
  }
  return law;
}

TEST(SubjectTargets, PValuesAreValidOverAllDraws) {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    caos::Rng rng = caos::Rng::stream(11, trial);
    const SmallPool pool = small_pool(rng);
    for (const bool by_image : {false, true}) {
      const auto law = p_value_law(pool, by_image);
      double total = 0;
      for (const auto& [p, probability] : law) total += probability;
      double up_to = 0;
      for (const auto& [p, probability] : law) {
        up_to += probability;
        EXPECT_LE(up_to / total, p + 1e-9)
            << (by_image ? "image" : "subject") << ", trial " << trial;
      }
    }
  }
}

// Simulations. Half of the subjects have one easy image, half have nine hard ones; 39 subjects are
// labeled, each with up to three random images.

constexpr std::size_t num_subjects = 120;
constexpr std::size_t num_labeled = 39;
constexpr std::size_t trials = 10'000;

struct Pool {
  std::vector<std::size_t> sizes{};           ///< by subject
  std::vector<std::vector<double>> scores{};  ///< by subject and image
};

Pool draw_pool(caos::Rng& rng) {
  Pool pool;
  for (std::size_t s = 0; s < num_subjects; ++s) {
    const bool hard = s % 2 == 1;
    const double own = rng.uniform();
    pool.sizes.push_back(hard ? 9 : 1);
    auto& scores = pool.scores.emplace_back();
    for (std::size_t i = 0; i < pool.sizes[s]; ++i) {
      scores.push_back((hard ? 1 : 0) + own + 0.2 * rng.uniform());
    }
  }
  return pool;
}

/// Subjects in random order; the images of each in random order.
Indices shuffle(Pool& pool, caos::Rng& rng) {
  Indices order(num_subjects);
  for (std::size_t s = 0; s < num_subjects; ++s) {
    order[s] = s;
    rng.shuffle(std::span(pool.scores[s]));
  }
  rng.shuffle(std::span(order));
  return order;
}

struct Hits {
  double per_subject = 0;
  double per_image = 0;
};

/// How often a random image of a new subject, and a random image of the rest of the pool, conforms.
/// `threshold` gets the scores of labeled images, their subjects and the size of the new subject.
template <typename Threshold>
Hits simulate(std::uint64_t seed, std::size_t most_labeled, const Threshold& threshold) {
  Hits hits;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    caos::Rng rng = caos::Rng::stream(seed, trial);
    Pool pool = draw_pool(rng);
    const Indices order = shuffle(pool, rng);
    std::vector<double> scores;
    Numbers subjects;
    Numbers sizes;
    for (std::size_t p = 0; p < num_labeled; ++p) {
      const std::size_t s = order[p];
      for (std::size_t i = 0; i < std::min(most_labeled, pool.sizes[s]); ++i) {
        scores.push_back(pool.scores[s][i]);
        subjects.push_back(s);
        sizes.push_back(pool.sizes[s]);
      }
    }
    double images = 0;
    double image_hits = 0;
    std::map<std::size_t, double> limits;
    for (const std::size_t size : {1U, 9U}) {
      limits[size] = threshold(scores, subjects, sizes, size);
    }
    for (std::size_t p = num_labeled; p < num_subjects; ++p) {
      const std::size_t s = order[p];
      const double limit = limits[pool.sizes[s]];
      for (const double score : pool.scores[s]) image_hits += score <= limit ? 1 : 0;
      images += static_cast<double>(pool.sizes[s]);
      if (p == num_labeled) hits.per_subject += pool.scores[s][0] <= limit ? 1 : 0;
    }
    hits.per_image += image_hits / images;
  }
  hits.per_subject /= static_cast<double>(trials);
  hits.per_image /= static_cast<double>(trials);
  return hits;
}

const auto tenth = Miscoverage::parse("0.1");

TEST(SubjectTargets, OneImagePerSubjectDoesNotCoverARandomImage) {
  const Hits hits = simulate(
      1, 1, [](const auto& scores, auto&&...) { return SortedScores(scores).threshold(tenth); });
  EXPECT_NEAR(hits.per_subject, 0.9, 0.01);
  EXPECT_LT(hits.per_image, 0.83);
}

TEST(SubjectTargets, SubjectWeightsCoverARandomImageOfANewSubject) {
  const Hits hits = simulate(2, 3, [](const auto& scores, const auto& subjects, auto&&...) {
    return SortedScores(scores, caos::subject_weights(subjects)).threshold(tenth);
  });
  const double error = std::sqrt(0.9 * 0.1 / trials);
  EXPECT_GT(hits.per_subject, 0.9 - 4 * error);
  EXPECT_LT(hits.per_subject, 0.93);
  EXPECT_LT(hits.per_image, 0.88) << "the targets do not differ here";
}

TEST(SubjectTargets, PoolWeightsCoverARandomImageOfThePool) {
  const Hits hits = simulate(
      3, 3, [](const auto& scores, const auto& subjects, const auto& sizes, std::size_t size) {
        return SortedScores(scores,
                            caos::pool_weights(subjects, {num_subjects / 2 * 10, sizes}, size))
            .threshold(tenth);
      });
  EXPECT_GT(hits.per_image, 0.9 - 0.002);
  EXPECT_LT(hits.per_image, 0.95);
}

}  // namespace
