#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "caos/coverage_law.hpp"
#include "caos/evaluate.hpp"

namespace caos {

/// Which alphas have too few calibration examples; one warning for all methods that it concerns.
[[nodiscard]] std::vector<std::string> infeasibility_warnings(
    const std::vector<MethodResult>& results, const split::Partition& partition, RankRule rule);

/// Labeled examples that are too few for alpha.
struct TooFewExamples {
  const Miscoverage& alpha;
  std::size_t count = 0;
  bool grouped = false;
  RankRule rule = RankRule::every_label;
  bool smoothed = false;
  std::string_view examples = "examples";  ///< what they are called
  std::string_view where = "in each group";
};

/// How many are needed and what follows, for a warning.
[[nodiscard]] std::string warning_text(const TooFewExamples& too_few);

/// The same of sets with a confidence, which `count` examples calibrate.
[[nodiscard]] std::string warning_text(const Miscoverage& alpha,
                                       const TrainingConditional& conditional, std::size_t count);

/// What a user should hear where test examples are in groups that no labeled example is in.
[[nodiscard]] std::optional<std::string> unknown_group_warning(const std::set<GroupId>& unknown);

}  // namespace caos
