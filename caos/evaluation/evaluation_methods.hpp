#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caos/conformal/method.hpp"
#include "caos/conformal/split.hpp"

namespace caos {

/// The seed of the random halving for the split methods, where nobody gives one.
inline constexpr std::uint64_t default_halving_seed = 0;

/// What there is to evaluate with, besides the scores of own labels and of test examples.
struct AvailableInputs {
  bool labeled = false;  ///< the scores of every label of the labelled examples
  bool reverse = false;  ///< reverse scores, or scores that are symmetric
  bool groups = false;
};

/// What keeps a method from running.
enum class Obstacle {
  no_labeled,     ///< SCOS Best looks at every label of the labelled examples
  no_reverse,     ///< Full CAOS needs reverse scores
  no_group_form,  ///< SCOS has no form with groups
};

/// Nothing if the method can run on such inputs.
[[nodiscard]] std::optional<Obstacle> obstacle_to(Method method, const AvailableInputs& inputs);

/// Methods to evaluate where nobody names any, and what should be said of those that are missing.
struct PossibleMethods {
  std::vector<Method> methods{};
  std::vector<std::string> left_out{};  ///< one sentence for each that k leaves out
};

/// All methods that the inputs allow, in the order of `all_methods`, but for those that have too
/// few references for k.
[[nodiscard]] PossibleMethods possible_methods(const AvailableInputs& inputs,
                                               const split::Partition& partition, std::size_t k);

}  // namespace caos
