#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "caos/error.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "tests/landmarks/geometry/geometry_oracle.hpp"
#include "tests/landmarks/patch_oracle.hpp"
#include "tests/landmarks/patch_problem.hpp"
#include "tests/support/oracle.hpp"

namespace caos {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

const std::vector<PatchScore> patch_scores = {
    {}, {PatchScore::Kind::margin, 3.0}, {PatchScore::Kind::softmax, 0.2}};
const PatchScore geometry{PatchScore::Kind::geometry, 0};

Matrix<float> draw_image(Rng& rng, std::size_t size, std::size_t dimension, std::uint64_t values) {
  Matrix<float> rows(size, dimension);
  for (std::size_t r = 0; r < size; ++r) {
    for (float& value : rows.row(r)) value = static_cast<float>(rng.below(values));
    rows(r, rng.below(dimension)) += 1;
  }
  return unit_rows(rows.view(), "drawn");
}

vision::PatchGrid grid_of(std::size_t size, Rng& rng) {
  const std::size_t columns = size % 2 == 0 && rng.below(2) == 0 ? 2 : 1;
  return {.columns = columns, .rows = size / columns};
}

Matrix<Offset> draw_offsets(const Matrix<std::int64_t>& labels, Rng& rng) {
  Matrix<Offset> offsets(labels.rows(), labels.cols());
  for (std::size_t i = 0; i < labels.rows(); ++i) {
    for (Offset& offset : offsets.row(i)) offset = {rng.uniform(), rng.uniform()};
  }
  return offsets;
}

/// What an image looks like at an angle does not matter to the definition: other images with the
/// same landmarks somewhere. One angle in three is the image as it is, for ties.
RotatedPatches draw_rotated(const LabeledPatches& labeled, std::uint64_t values, Rng& rng) {
  RotatedPatches rotated{.images = labeled.images,
                         .labels = labeled.labels,
                         .grids = labeled.grids,
                         .offsets = labeled.offsets};
  if (rng.below(3) == 0) return rotated;
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    rotated.images[i] = draw_image(rng, 1 + rng.below(12), labeled.images[i].cols(), values);
    rotated.grids[i] = grid_of(rotated.images[i].rows(), rng);
    for (std::int64_t& label : rotated.labels.row(i)) {
      if (label == missing_label) continue;
      label = static_cast<std::int64_t>(rng.below(rotated.images[i].rows()));
    }
  }
  rotated.offsets = draw_offsets(rotated.labels, rng);
  return rotated;
}

struct Problem {
  patches::Problem plain;
  std::vector<vision::PatchGrid> grids;  ///< of the images to test on

  [[nodiscard]] const LabeledPatches& labeled() const { return plain.labeled; }
};

Problem arbitrary(std::size_t k, bool with_subjects) {
  Problem problem{patches::arbitrary(k, with_subjects), {}};
  Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1'000'000'000));
  const auto values = *rc::gen::element<std::uint64_t>(2, 3, 100);
  LabeledPatches& labeled = problem.plain.labeled;
  for (const Matrix<float>& image : labeled.images) {
    labeled.grids.push_back(grid_of(image.rows(), rng));
  }
  for (const Matrix<float>& image : problem.plain.images) {
    problem.grids.push_back(grid_of(image.rows(), rng));
  }
  labeled.offsets = draw_offsets(labeled.labels, rng);
  const auto angles = *rc::gen::inRange<std::size_t>(1, 4);
  for (std::size_t a = 0; a < angles; ++a) {
    labeled.rotations.push_back(draw_rotated(labeled, values, rng));
  }
  return problem;
}

/// One landmark by the definition: of every image that refers, the smallest score at any angle; of
/// the geometry score that of the angle on which most votes agree.
class Oracle {
 public:
  Oracle(const LabeledPatches& labeled, std::size_t task, PatchScore score)
      : labeled_(labeled), task_(task), score_(score) {
    for (std::size_t i = 0; i < labeled.size(); ++i) {
      if (labeled.labels(i, task) != missing_label) images.push_back(i);
    }
  }

  [[nodiscard]] oracle::Table pools(const Matrix<float>& image,
                                    const vision::PatchGrid& grid) const {
    oracle::Table result(image.rows());
    for (const std::size_t j : images) {
      const std::vector<double> column = under(j, {image, grid});
      for (std::size_t y = 0; y < image.rows(); ++y) result[y].push_back(column[y]);
    }
    return result;
  }

  [[nodiscard]] oracle::Table own() const {
    oracle::Table result;
    for (const std::size_t i : images) {
      oracle::Pool row;
      for (const std::size_t j : images) {
        const auto label = static_cast<std::size_t>(labeled_.labels(i, task_));
        row.push_back(labeled_.same_subject(i, j)
                          ? infinity
                          : under(j, {labeled_.images[i], labeled_.grids[i]})[label]);
      }
      result.push_back(row);
    }
    return result;
  }

  Indices images;

 private:
  [[nodiscard]] std::vector<double> under(std::size_t j, const geometry_oracle::Image& to) const {
    return score_ == geometry ? by_geometry(j, to) : by_patches(j, to.patches);
  }

  [[nodiscard]] std::vector<double> by_patches(std::size_t j, const Matrix<float>& to) const {
    std::vector<double> result(to.rows(), infinity);
    for (std::size_t r = 0; r <= labeled_.rotations.size(); ++r) {
      const auto reference = image(j, r).row(label(j, r));
      for (std::size_t y = 0; y < to.rows(); ++y) {
        result[y] = std::min(result[y], patches::score(score_, to, y, reference));
      }
    }
    return result;
  }

  [[nodiscard]] std::vector<double> by_geometry(std::size_t j,
                                                const geometry_oracle::Image& to) const {
    double most = -1;
    std::size_t best = 0;
    for (std::size_t r = 0; r <= labeled_.rotations.size(); ++r) {
      double agreement = 0;
      for (const double weight : geometry_oracle::estimate({image(j, r), grid(j, r)}, to).weights) {
        agreement += weight;
      }
      // Sums whose last bits differ from the program's might choose otherwise.
      RC_PRE(agreement == most || std::abs(agreement - most) > 1e-6 * most);
      if (agreement <= most) continue;
      most = agreement;
      best = r;
    }
    return geometry_oracle::scores({image(j, best), grid(j, best)},
                                   {label(j, best), labeled_.position(j, task_, best)}, to);
  }

  [[nodiscard]] const Matrix<float>& image(std::size_t j, std::size_t r) const {
    return r == 0 ? labeled_.images[j] : labeled_.rotations[r - 1].images[j];
  }
  [[nodiscard]] const vision::PatchGrid& grid(std::size_t j, std::size_t r) const {
    return r == 0 ? labeled_.grids[j] : labeled_.rotations[r - 1].grids[j];
  }
  [[nodiscard]] std::size_t label(std::size_t j, std::size_t r) const {
    const Matrix<std::int64_t>& labels =
        r == 0 ? labeled_.labels : labeled_.rotations[r - 1].labels;
    return static_cast<std::size_t>(labels(j, task_));
  }

  const LabeledPatches& labeled_;
  std::size_t task_;
  PatchScore score_;
};

/// Geometry scores in double may differ by the last bits of the standard deviation.
void expect_near(double a, double b) {
  if (a == b) return;
  RC_ASSERT(std::abs(a - b) <= 1e-9 * (1 + std::abs(b)));
}

PatchScore arbitrary_score() {
  const auto s = *rc::gen::inRange<std::size_t>(0, 4);
  return s < patch_scores.size() ? patch_scores[s] : geometry;
}

RC_GTEST_PROP(RotatedMatcher, OwnScoresAreTheDefinition, ()) {
  const Problem problem = arbitrary(1, *rc::gen::arbitrary<bool>());
  const PatchScore score = arbitrary_score();
  const ReferencePatches references = reference_patches(problem.labeled());
  const auto own = make_matcher(problem.labeled(), references, score)->own_scores(2);
  for (std::size_t t = 0; t < problem.labeled().num_tasks(); ++t) {
    const oracle::Table expected = Oracle(problem.labeled(), t, score).own();
    const OwnScores table = own->table(t);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (std::size_t j = 0; j < expected.size(); ++j) {
        if (i != j) expect_near(table(i, j), expected[i][j]);
      }
    }
  }
}

RC_GTEST_PROP(RotatedMatcher, OwnScoresOfCosineNeedNoImages, ()) {
  const Problem problem = arbitrary(1, *rc::gen::arbitrary<bool>());
  const ReferencePatches references = reference_patches(problem.labeled());
  LabeledPatches without = problem.labeled();
  without.images.clear();
  const auto own = make_matcher(problem.labeled(), references, {})->own_scores(1);
  const auto again = make_matcher(without, references, {})->own_scores(1);
  for (std::size_t t = 0; t < problem.labeled().num_tasks(); ++t) {
    const OwnScores expected = own->table(t);
    const OwnScores table = again->table(t);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (std::size_t j = 0; j < expected.size(); ++j) {
        if (i != j) RC_ASSERT(table(i, j) == expected(i, j));
      }
    }
  }
}

RC_GTEST_PROP(RotatedMatcher, CandidatesAndSetsAreTheDefinition, ()) {
  const std::size_t k = *rc::gen::inRange<std::size_t>(1, 4);
  const Problem problem = arbitrary(k, false);
  const PatchScore score = arbitrary_score();
  const LabeledPatches& labeled = problem.labeled();
  const ReferencePatches references = reference_patches(labeled);
  const auto matcher = make_matcher(labeled, references, score);
  const double threshold = *rc::gen::element(infinity, 0.0, 0.3, 1.0, 4.0, 12.0, 40.0);
  std::vector<LandmarkRules> rules;
  for (const PatchTask& task : references.tasks) {
    rules.push_back({.pools = {{task.columns, {{k, threshold}}}}});
  }
  const auto decider = matcher->decider(rules);
  const TestPatches test = problem.plain.test();
  const ImageSets sets =
      decider->decide({test.image, test.labels.view(), problem.grids}, 0, test.size());
  for (std::size_t x = 0; x < problem.plain.images.size(); ++x) {
    const Matrix<float>& image = problem.plain.images[x];
    const auto found = decider->candidates({image.view(), problem.grids[x]},
                                           std::vector<bool>(image.rows(), true));
    for (std::size_t t = 0; t < rules.size(); ++t) {
      const oracle::Table pools = Oracle(labeled, t, score).pools(image, problem.grids[x]);
      std::size_t next = 0;
      double best = infinity;
      for (std::size_t y = 0; y < image.rows(); ++y) {
        const double sum = oracle::minsum(pools[y], k);
        best = std::min(best, sum);
        const auto& members = found[t].members;
        const bool member = next < members.size() && members[next].patch == y;
        RC_ASSERT(sets.holds(x, t, 0, y) == member);
        const bool is_near = score == geometry && std::abs(sum - threshold) < 1e-7;
        RC_ASSERT(is_near || member == (sum <= threshold));
        if (member) expect_near(members[next++].score, sum);
      }
      expect_near(found[t].proposal.score, best);
      RC_ASSERT(found[t].proposal.rotations.size() == k);
    }
  }
}

/// The score of a supporting reference is that at the angle that is told, and at no earlier one.
RC_GTEST_PROP(RotatedMatcher, TellsAtWhichAngleAReferenceSupports, ()) {
  const Problem problem = arbitrary(1, false);
  const PatchScore score = patch_scores[*rc::gen::inRange<std::size_t>(0, 3)];
  const LabeledPatches& labeled = problem.labeled();
  const ReferencePatches references = reference_patches(labeled);
  std::vector<LandmarkRules> rules;
  for (const PatchTask& task : references.tasks) {
    rules.push_back({.pools = {{task.columns, {{1, infinity}}}}});
  }
  const Matrix<float>& image = problem.plain.images[0];
  const auto found = make_matcher(labeled, references, score)
                         ->decider(rules)
                         ->candidates({image.view(), {}}, std::vector<bool>(image.rows(), true));
  for (std::size_t t = 0; t < rules.size(); ++t) {
    const Proposal& proposal = found[t].proposal;
    const std::size_t j = references.tasks[t].images[proposal.supporting_references.at(0).position];
    for (std::size_t r = 0; r <= proposal.rotations.at(0); ++r) {
      const Matrix<float>& from = r == 0 ? labeled.images[j] : labeled.rotations[r - 1].images[j];
      const auto label = r == 0 ? labeled.labels(j, t) : labeled.rotations[r - 1].labels(j, t);
      const double here =
          patches::score(score, image, proposal.patch, from.row(static_cast<std::size_t>(label)));
      RC_ASSERT((here == proposal.score) == (r == proposal.rotations[0]));
    }
  }
}

TEST(RotatedMatcher, RefusesFullCaosAndSaysWhy) {
  patches::Problem problem = patches::make(1, {.labeled = 8, .missing = 0});
  Rng rng(2);
  problem.labeled.rotations.push_back({.images = problem.labeled.images,
                                       .labels = problem.labeled.labels,
                                       .offsets = draw_offsets(problem.labeled.labels, rng)});
  LandmarkEvaluateOptions options;
  options.methods = {Method::full_caos};
  options.alphas = {Miscoverage::parse("0.25")};
  options.k = 2;
  try {
    static_cast<void>(evaluate_landmarks(problem.labeled, problem.test(), options));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_input);
    EXPECT_NE(std::string(error.what()).find("--rotation"), std::string::npos);
  }
}

TEST(RotatedMatcher, GeometryNeedsAllPatchesOfRotatedImages) {
  patches::Problem problem = patches::make(1, {.labeled = 8, .missing = 0});
  for (const Matrix<float>& image : problem.labeled.images) {
    problem.labeled.grids.push_back({.columns = 1, .rows = image.rows()});
  }
  problem.labeled.rotations.push_back(
      {.images = problem.labeled.images, .labels = problem.labeled.labels});
  const ReferencePatches references = reference_patches(problem.labeled);
  EXPECT_THROW(static_cast<void>(make_matcher(problem.labeled, references, geometry)), Error);
}

}  // namespace
}  // namespace caos
