#pragma once

#include <span>
#include <vector>

#include "caos/evaluation.hpp"

namespace caos {

/// The 97.5 % quantile of the normal distribution.
inline constexpr double normal_97_5 = 1.959963984540054;

/// One figure of each outcome.
[[nodiscard]] inline std::vector<double> collect(std::span<const Outcome> outcomes,
                                                 double Outcome::*field) {
  std::vector<double> values;
  for (const Outcome& outcome : outcomes) values.push_back(outcome.*field);
  return values;
}

}  // namespace caos
