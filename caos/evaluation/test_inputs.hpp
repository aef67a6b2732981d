#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "caos/conformal/test_input.hpp"
#include "caos/core/scores.hpp"

namespace caos {

/// New inputs as arrays, before they are taken one by one.
struct TestInputs {
  ScoreTensor test;                      ///< [m, K, n]
  std::optional<ScoreTensor> reverse{};  ///< [m, K, n]; Full CAOS needs it unless `symmetric`
  bool symmetric = false;                ///< the reverse scores are the test scores themselves
  std::vector<GroupId> groups{};         ///< one per input, for a grouping by input

  [[nodiscard]] std::size_t size() const { return test.num_inputs(); }
  [[nodiscard]] bool has_reverse() const { return symmetric || reverse.has_value(); }

  /// Input number `t`.
  [[nodiscard]] TestInput operator[](std::size_t t) const;

  /// Groups of inputs, or labels, that no labelled example is in.
  [[nodiscard]] std::set<GroupId> unknown_groups(const Grouping& grouping) const;

  /// Throws unless the shapes agree with each other and with `num_references`, and there is one
  /// group per input where `grouping` asks for them.
  void check_shapes(std::size_t num_references, Grouping::Kind grouping) const;

  /// Throws if input `t` holds what is no score.
  void check_scores(std::size_t t) const;
};

}  // namespace caos
