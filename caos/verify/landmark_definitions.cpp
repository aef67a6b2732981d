#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/scorers/patch_scorer.hpp"
#include "caos/verify/landmark_identities.hpp"
#include "caos/verify/plain_definitions.hpp"

/// A landmark's regions by the definitions of the paper alone, from scores computed one image at a
/// time: nothing coarse, nothing shared between landmarks.
namespace caos {
namespace {

constexpr std::size_t most_landmarks = 4;
constexpr std::size_t most_images = 3;

using plain::Pool;
using plain::Pools;

/// One landmark as a task of scores.
class LandmarkTask {
 public:
  LandmarkTask(const LandmarkProblem& problem, std::size_t task) : problem_(problem) {
    const LabeledPatches& labeled = problem.labeled;
    Matrix<float> references(0, labeled.images.at(0).cols());
    for (std::size_t i = 0; i < labeled.size(); ++i) {
      if (labeled.labels(i, task) == missing_label) continue;
      images_.push_back(i);
      patches_.push_back(static_cast<Label>(labeled.labels(i, task)));
      references.push_row(labeled.images[i].row(patches_.back()));
    }
    scorer_.emplace(std::move(references), problem.score);
  }

  [[nodiscard]] plain::Definition definition() const {
    const LabeledPatches& labeled = problem_.labeled;
    Pools left_out;
    for (std::size_t p = 0; p < images_.size(); ++p) left_out.push_back(left_out_pool(p));
    const plain::Units units = plain::units_of(labeled.subjects, labeled.size());
    return {std::move(left_out), units.of(images_), problem_.k};
  }

  /// The scores of every patch of an image under every reference: [K, n].
  [[nodiscard]] Matrix<Score> pools(const Matrix<float>& image) const {
    return scorer_->scores(image.view());
  }

  /// The score of each image's own landmark under every patch of the new image: [n, K].
  [[nodiscard]] Matrix<Score> inserted_scores(const Matrix<float>& image) const {
    const PatchScorer as_references(image, problem_.score);
    Matrix<Score> scores(0, image.rows());
    for (std::size_t p = 0; p < images_.size(); ++p) {
      const Matrix<float>& labeled = problem_.labeled.images[images_[p]];
      scores.push_row(as_references.scores(labeled.view(), std::span(&patches_[p], 1)).row(0));
    }
    return scores;
  }

 private:
  /// The scores of an image's own landmark under images of other subjects.
  [[nodiscard]] Pool left_out_pool(std::size_t p) const {
    const LabeledPatches& labeled = problem_.labeled;
    const Matrix<Score> own =
        scorer_->scores(labeled.images[images_[p]].view(), std::span(&patches_[p], 1));
    Pool pool;
    for (std::size_t j = 0; j < images_.size(); ++j) {
      if (!labeled.same_subject(images_[p], images_[j])) pool.push_back(own(0, j));
    }
    return pool;
  }

  const LandmarkProblem& problem_;
  Indices images_;              ///< that have the landmark
  std::vector<Label> patches_;  ///< where
  std::optional<PatchScorer> scorer_;
};

/// How many images conform less than each patch of an image, for CAOS and for Full CAOS.
struct Counts {
  std::vector<std::size_t> caos{};
  std::vector<std::size_t> full{};
};

Counts counts_of(const LandmarkTask& task, const plain::Definition& definition,
                 const Matrix<float>& image) {
  const Matrix<Score> pools = task.pools(image);
  const Matrix<Score> inserted = task.inserted_scores(image);
  Counts counts;
  for (Label y = 0; y < image.rows(); ++y) {
    const Score score = definition.score({pools.row(y).begin(), pools.row(y).end()});
    Pool reverse;
    for (std::size_t c = 0; c < inserted.rows(); ++c) reverse.push_back(inserted(c, y));
    counts.caos.push_back(definition.count(score));
    counts.full.push_back(definition.full_count(score, reverse));
  }
  return counts;
}

std::vector<double> p_values_of(const std::vector<std::size_t>& counts, std::size_t n) {
  std::vector<double> p_values;
  for (const std::size_t count : counts) p_values.push_back(plain::p_value(count, n));
  return p_values;
}

}  // namespace

void expect_definitions(const LandmarkProblem& problem, const LandmarkAnswers& answers,
                        IdentityCheck& check) {
  const std::size_t num_tasks = problem.labeled.num_tasks();
  const std::size_t step = (num_tasks + most_landmarks - 1) / most_landmarks;
  for (std::size_t task = 0; task < num_tasks; task += step) {
    const LandmarkTask landmark(problem, task);
    const plain::Definition definition = landmark.definition();
    for (std::size_t x = 0; x < std::min(problem.images.size(), most_images); ++x) {
      const auto where = [&] {
        return fmt::format("image {}, landmark {}", x, problem.labeled.tasks[task]);
      };
      const Counts counts = counts_of(landmark, definition, problem.images[x]);
      const std::size_t n = definition.n();
      check.expect(answers.p_values[x][task] == p_values_of(counts.caos, n), where);
      check.expect(answers.full_p_values[x][task] == p_values_of(counts.full, n), where);
      for (std::size_t a = 0; a < problem.alphas.size(); ++a) {
        const Miscoverage& alpha = problem.alphas[a];
        check.expect(answers.sets[a][x][task] == plain::set_of(counts.caos, n, alpha), where);
        check.expect(answers.full_sets[a][x][task] == plain::set_of(counts.full, n, alpha), where);
      }
    }
  }
}

}  // namespace caos
