#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/scorers/patch_scorer.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/subject_oracle.hpp"

/// What every method says of one landmark, from the paper's definitions and one score at a time.
namespace patches {

using oracle::Pool;
using oracle::Table;
using Set = std::vector<std::size_t>;

/// The score of a patch of an image under one reference patch.
inline double score(const caos::PatchScore& kind, const caos::Matrix<float>& image,
                    std::size_t patch, std::span<const float> reference) {
  caos::Matrix<float> one(0, reference.size());
  one.push_row(reference);
  return caos::PatchScorer(one, kind).scores(image.view())(patch, 0);
}

/// One landmark: the labeled images that have it, and their scores.
class TaskOracle {
 public:
  TaskOracle(const caos::LabeledPatches& labeled, std::size_t task, caos::PatchScore kind)
      : labeled_(labeled), kind_(kind) {
    for (std::size_t i = 0; i < labeled.size(); ++i) {
      if (labeled.labels(i, task) == caos::missing_label) continue;
      images_.push_back(i);
      label_.push_back(static_cast<std::size_t>(labeled.labels(i, task)));
    }
    for (std::size_t i = 0; i < n(); ++i) own_.push_back(own_row(i));
  }

  [[nodiscard]] std::size_t n() const { return images_.size(); }
  [[nodiscard]] const caos::Indices& images() const { return images_; }
  [[nodiscard]] const Table& own() const { return own_; }

  /// pools[y][j]: patch y of an image under the reference patch of labeled image j.
  [[nodiscard]] Table pools(const caos::Matrix<float>& image) const {
    Table result(image.rows());
    for (std::size_t y = 0; y < image.rows(); ++y) {
      for (std::size_t j = 0; j < n(); ++j) {
        result[y].push_back(score(kind_, image, y, reference(j)));
      }
    }
    return result;
  }

  /// reverse[y][i]: the own label of labeled image i under the reference patch y of an image.
  [[nodiscard]] Table reverse(const caos::Matrix<float>& image) const {
    Table result(image.rows());
    for (std::size_t y = 0; y < image.rows(); ++y) {
      for (std::size_t i = 0; i < n(); ++i) {
        result[y].push_back(score(kind_, labeled(i), label_[i], image.row(y)));
      }
    }
    return result;
  }

  [[nodiscard]] const caos::Matrix<float>& labeled(std::size_t i) const {
    return labeled_.images[images_[i]];
  }

  /// The positions of those of `chosen` that have the landmark.
  [[nodiscard]] caos::Indices among(const caos::Indices& chosen) const {
    caos::Indices positions;
    for (std::size_t p = 0; p < n(); ++p) {
      if (std::find(chosen.begin(), chosen.end(), images_[p]) != chosen.end()) {
        positions.push_back(p);
      }
    }
    return positions;
  }

 private:
  [[nodiscard]] std::span<const float> reference(std::size_t j) const {
    return labeled(j).row(label_[j]);
  }

  /// References of the same subject are out of reach.
  [[nodiscard]] Pool own_row(std::size_t i) const {
    Pool row;
    for (std::size_t j = 0; j < n(); ++j) {
      const bool same = labeled_.subjects.empty()
                            ? i == j
                            : labeled_.subjects[images_[i]] == labeled_.subjects[images_[j]];
      row.push_back(same ? std::numeric_limits<double>::infinity()
                         : score(kind_, labeled(i), label_[i], reference(j)));
    }
    return row;
  }

  const caos::LabeledPatches& labeled_;
  caos::PatchScore kind_;
  caos::Indices images_;
  std::vector<std::size_t> label_;
  Table own_;
};

inline Pool columns(const Pool& pool, const caos::Indices& chosen) {
  Pool result;
  for (const std::size_t j : chosen) result.push_back(pool[j]);
  return result;
}

/// {y : scores[y] <= q}
inline Set at_most(const Pool& scores, double q) {
  Set set;
  for (std::size_t y = 0; y < scores.size(); ++y) {
    if (scores[y] <= q) set.push_back(y);
  }
  return set;
}

/// CAOS with some examples to calibrate on and some references, an example never its own.
inline Set caos_set(const TaskOracle& task, const Table& pools, const caos::Indices& calibrating,
                    const caos::Indices& references, std::size_t k, std::size_t percent) {
  Pool scores;
  for (const std::size_t i : calibrating) {
    scores.push_back(oracle::minsum(columns(task.own()[i], references), k));
  }
  const double q = oracle::quantile(scores, oracle::rank(scores.size(), percent, 100));
  Pool labels;
  for (const Pool& pool : pools) labels.push_back(oracle::minsum(columns(pool, references), k));
  return at_most(labels, q);
}

/// The patches whose weighted p-value exceeds alpha; `scores_of(y)` are the calibration scores that
/// patch y meets.
template <typename ScoresOf>
Set weighted_set(const TaskOracle& task, const Table& pools, const oracle::Weights& weights,
                 std::size_t k, std::size_t percent, const ScoresOf& scores_of) {
  Set set;
  for (std::size_t y = 0; y < pools.size(); ++y) {
    const oracle::Rational p =
        oracle::p_value(weights, task.images(), scores_of(y), oracle::minsum(pools[y], k));
    if (p * oracle::Rational(100) > oracle::Rational(percent)) set.push_back(y);
  }
  return set;
}

/// CAOS with subjects: every image calibrates, with its weight.
inline Set weighted_caos_set(const TaskOracle& task, const Table& pools,
                             const oracle::Weights& weights, std::size_t k, std::size_t percent) {
  Pool scores;
  for (const Pool& pool : task.own()) scores.push_back(oracle::minsum(pool, k));
  return weighted_set(task, pools, weights, k, percent, [&](std::size_t) { return scores; });
}

/// Full CAOS with subjects: the candidate alone is inserted.
inline Set weighted_full_set(const TaskOracle& task, const Table& pools, const Table& reverse,
                             const oracle::Weights& weights, std::size_t k, std::size_t percent) {
  return weighted_set(task, pools, weights, k, percent, [&](std::size_t y) {
    Pool scores;
    for (std::size_t i = 0; i < task.n(); ++i) {
      scores.push_back(oracle::minsum(oracle::with(task.own()[i], reverse[y][i]), k));
    }
    return scores;
  });
}

inline Set full_set(const TaskOracle& task, const Table& pools, const Table& reverse,
                    const caos::Indices& calibrating, std::size_t k, std::size_t percent) {
  Set set;
  for (std::size_t y = 0; y < pools.size(); ++y) {
    Pool scores;
    for (const std::size_t i : calibrating) {
      scores.push_back(oracle::minsum(oracle::with(task.own()[i], reverse[y][i]), k));
    }
    const double q = oracle::quantile(scores, oracle::rank(scores.size(), percent, 100));
    if (oracle::minsum(pools[y], k) <= q) set.push_back(y);
  }
  return set;
}

/// The SCOS set of each reference.
inline std::vector<Set> scos_sets(const TaskOracle& task, const Table& pools,
                                  const caos::Indices& references, const caos::Indices& calibration,
                                  std::size_t percent) {
  std::vector<Set> sets;
  for (const std::size_t j : references) {
    Pool scores;
    for (const std::size_t i : calibration) scores.push_back(task.own()[i][j]);
    const double q = oracle::quantile(scores, oracle::rank(scores.size(), percent, 100));
    Pool labels;
    for (const Pool& pool : pools) labels.push_back(pool[j]);
    sets.push_back(at_most(labels, q));
  }
  return sets;
}

/// The position of the reference whose sets are smallest on the calibration images.
inline std::size_t best_reference(const TaskOracle& task, const caos::Indices& references,
                                  const caos::Indices& calibration, std::size_t percent) {
  std::vector<std::size_t> sizes(references.size());
  for (const std::size_t i : calibration) {
    const auto sets =
        scos_sets(task, task.pools(task.labeled(i)), references, calibration, percent);
    for (std::size_t r = 0; r < sets.size(); ++r) sizes[r] += sets[r].size();
  }
  return static_cast<std::size_t>(std::min_element(sizes.begin(), sizes.end()) - sizes.begin());
}

inline bool holds(const Set& set, std::size_t y) {
  return std::find(set.begin(), set.end(), y) != set.end();
}

/// The smallest set that contains the truth, or the smallest.
inline Set oracle_set(const std::vector<Set>& sets, std::size_t truth) {
  return *std::min_element(sets.begin(), sets.end(), [&](const Set& a, const Set& b) {
    return std::pair(!holds(a, truth), a.size()) < std::pair(!holds(b, truth), b.size());
  });
}

}  // namespace patches
