#include "caos/scorers/patch_scorer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "tests/kernels/every_target.hpp"

namespace caos {
namespace {

using Kind = PatchScore::Kind;
using kernels::on_every_target;

/// Unit rows; few values, so that patches are often equally similar.
Matrix<float> draw(std::uint64_t seed, std::size_t rows, std::size_t dim) {
  Rng rng(seed);
  Matrix<float> result(rows, dim);
  for (std::size_t r = 0; r < rows; ++r) {
    for (float& value : result.row(r)) value = static_cast<float>(rng.below(5)) - 1.5F;
  }
  return unit_rows(result.view(), "drawn");
}

/// The similarity as caos/kernels/dot.hpp writes it down.
double similarity(std::span<const float> a, std::span<const float> b) {
  double s[8] = {};
  for (std::size_t d = 0; d < a.size(); ++d) s[d % 8] += double{a[d]} * double{b[d]};
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

double slow_softmax(const std::vector<double>& column, std::size_t patch, double temperature) {
  long double sum = 0;
  for (const double c : column) {
    sum += std::exp((static_cast<long double>(c) - column[patch]) / temperature);
  }
  return static_cast<double>(std::log(sum));
}

double slow_score(const PatchScore& score, const Matrix<float>& image, std::size_t patch,
                  std::span<const float> reference) {
  std::vector<double> column;
  for (std::size_t p = 0; p < image.rows(); ++p) {
    column.push_back(similarity(image.row(p), reference));
  }
  const double c = column[patch];
  if (score.kind == Kind::cosine) return 1 - c;
  if (score.kind == Kind::softmax) return slow_softmax(column, patch, score.parameter);
  return (1 - c) + score.parameter * (*std::ranges::max_element(column) - c);
}

const std::vector<PatchScore> all_scores = {
    {}, {Kind::margin, 10}, {Kind::margin, 0}, {Kind::softmax, 0.05}, {Kind::softmax, 2}};

bool equal(const Matrix<Score>& a, const Matrix<Score>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (std::size_t r = 0; r < a.rows(); ++r) {
    if (!std::ranges::equal(a.row(r), b.row(r))) return false;
  }
  return true;
}

/// Numbers of references about the edges of a block.
constexpr std::size_t counts[] = {1, 2, 63, 64, 65, 131};

TEST(PatchScorer, ScoresAsItsDefinitionSays) {
  for (const PatchScore& score : all_scores) {
    for (const std::size_t count : counts) {
      const Matrix<float> image = draw(1, 13, 19);
      const PatchScorer scorer(draw(count, count, 19), score);
      const Matrix<Score> found = scorer.scores(image.view());
      ASSERT_EQ(found.rows(), 13U);
      ASSERT_EQ(found.cols(), count);
      for (std::size_t p = 0; p < 13; ++p) {
        for (std::size_t r = 0; r < count; ++r) {
          const double expected = slow_score(score, image, p, scorer.references().row(r));
          const double tolerance =
              score.kind == Kind::softmax ? 1e-12 * std::max(1.0, expected) : 0;
          ASSERT_NEAR(found(p, r), expected, tolerance) << patch_score_text(score);
        }
      }
    }
  }
}

TEST(PatchScorer, GivesTheSameBitsUnderEveryInstructionSet) {
  const Matrix<float> image = draw(2, 21, 101);
  for (const PatchScore& score : all_scores) {
    const PatchScorer scorer(draw(3, 70, 101), score);
    const Matrix<Score> expected = scorer.scores(image.view());
    on_every_target([&] { ASSERT_TRUE(equal(scorer.scores(image.view()), expected)); });
  }
}

TEST(PatchScorer, ScoresSomePatchesAsAmongAll) {
  const Matrix<float> image = draw(4, 17, 33);
  for (const PatchScore& score : all_scores) {
    for (const std::size_t count : counts) {
      const PatchScorer scorer(draw(count, count, 33), score);
      const Matrix<Score> all = scorer.scores(image.view());
      for (const std::vector<Label>& patches : std::vector<std::vector<Label>>{
               {}, {0}, {16}, {3, 4, 9}, {12, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8}}) {
        Matrix<Score> expected(0, count);
        for (const Label patch : patches) expected.push_row(all.row(patch));
        ASSERT_TRUE(equal(scorer.scores(image.view(), patches), expected));
      }
    }
  }
}

TEST(PatchScorer, DoesNotDependOnTheOtherReferences) {
  const Matrix<float> image = draw(5, 11, 40);
  const Matrix<float> references = draw(6, 90, 40);
  for (const PatchScore& score : all_scores) {
    const Matrix<Score> together = PatchScorer(references, score).scores(image.view());
    for (const std::size_t r : {0U, 63U, 64U, 89U}) {
      Matrix<float> one(0, 40);
      one.push_row(references.row(r));
      const Matrix<Score> alone = PatchScorer(one, score).scores(image.view());
      for (std::size_t p = 0; p < 11; ++p) ASSERT_EQ(alone(p, 0), together(p, r));
    }
  }
}

TEST(PatchScorer, DoesNotCareWhichPatchIsTheReferenceWithTheCosine) {
  const Matrix<float> a = draw(7, 30, 77);
  const Matrix<float> b = draw(8, 66, 77);
  const Matrix<Score> ab = PatchScorer(b, {}).scores(a.view());
  const Matrix<Score> ba = PatchScorer(a, {}).scores(b.view());
  for (std::size_t i = 0; i < 30; ++i) {
    for (std::size_t j = 0; j < 66; ++j) ASSERT_EQ(ab(i, j), ba(j, i));
  }
}

TEST(PatchScorer, TakesImagesWithoutPatchesAndNoReferences) {
  const Matrix<float> image = draw(9, 4, 8);
  for (const PatchScore& score : all_scores) {
    const PatchScorer none(Matrix<float>(0, 8), score);
    EXPECT_TRUE(equal(none.scores(image.view()), Matrix<Score>(4, 0)));
    const std::vector<Label> two = {1, 3};
    EXPECT_TRUE(equal(none.scores(image.view(), two), Matrix<Score>(2, 0)));
    const PatchScorer some(draw(10, 3, 8), score);
    EXPECT_TRUE(equal(some.scores(Matrix<float>(0, 8).view()), Matrix<Score>(0, 3)));
    EXPECT_EQ(some.score(), score);
    EXPECT_EQ(some.size(), 3U);
    EXPECT_EQ(some.dimension(), 8U);
  }
}

}  // namespace
}  // namespace caos
