#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "tests/support/oracle.hpp"
#include "tests/support/rational.hpp"

/// The two p-values with subjects, as docs/project/theory.md writes them, in fractions.
namespace oracle {

using Numbers = std::vector<std::size_t>;

/// Of every labeled image and of the new one.
struct Weights {
  std::vector<Rational> images{};
  Rational new_image{1};
};

inline std::size_t count(const Numbers& subjects, std::size_t subject) {
  return static_cast<std::size_t>(std::count(subjects.begin(), subjects.end(), subject));
}

/// 1/n_s, and 1.
inline Weights subject_weights(const Numbers& subjects) {
  Weights weights;
  for (const std::size_t s : subjects) weights.images.push_back(Rational(1, count(subjects, s)));
  return weights;
}

/// (N_b/n_b)/(M - W + N_b), and N_new/(M - W + N_new). `sizes` is N_b by image.
inline Weights pool_weights(const Numbers& subjects, const Numbers& sizes, std::size_t pool,
                            std::size_t new_size) {
  std::size_t all = new_size;  // W
  std::set<std::size_t> seen;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (seen.insert(subjects[i]).second) all += sizes[i];
  }
  Weights weights;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const Rational share(static_cast<Whole>(sizes[i]),
                         static_cast<Whole>(count(subjects, subjects[i])));
    weights.images.push_back(share / Rational(pool - all + sizes[i]));
  }
  weights.new_image = Rational(new_size) / Rational(pool - all + new_size);
  return weights;
}

/// The weighted p-value of a score; `present` are the images behind `scores`.
inline Rational p_value(const Weights& weights, const Numbers& present, const Pool& scores,
                        double score) {
  Rational reached = weights.new_image;
  Rational all = weights.new_image;
  for (std::size_t p = 0; p < present.size(); ++p) {
    all = all + weights.images[present[p]];
    if (scores[p] >= score) reached = reached + weights.images[present[p]];
  }
  return reached / all;
}

}  // namespace oracle
