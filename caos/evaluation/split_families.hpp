#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/evaluation/families.hpp"
#include "caos/split.hpp"

namespace caos {

/// One Split CAOS variant. `options` must outlive it.
class SplitCaosFamily : public MethodFamily {
 public:
  SplitCaosFamily(const LabeledScores& labeled, const EvaluateOptions& options, Method method);

  [[nodiscard]] const split::SplitCaos& split() const { return split_; }

  void measure(const TestInput& input, Label truth, std::span<Outcome> outcomes) const override;

 private:
  /// The thresholds of an input's labels at alpha number `a`.
  [[nodiscard]] std::vector<Score> thresholds(const TestInput& input, std::size_t num_labels,
                                              std::size_t a) const;

  const EvaluateOptions& options_;
  split::SplitCaos split_;
};

/// SCOS on average, Best and Oracle: the sets under each reference are the same. `options` must
/// outlive it.
class ScosFamily : public MethodFamily {
 public:
  /// `thresholds` by alpha, then reference of the partition; `best` by alpha, for SCOS Best.
  ScosFamily(std::vector<std::vector<Score>> thresholds, std::vector<std::size_t> best,
             const EvaluateOptions& options);

  [[nodiscard]] const std::vector<std::vector<Score>>& thresholds() const { return thresholds_; }

  void measure(const TestInput& input, Label truth, std::span<Outcome> outcomes) const override;

  /// The outcomes of one test example from its sets at each alpha.
  void measure(std::span<const split::ScosTally> tallies, std::span<Outcome> outcomes) const;

 private:
  void add_results(Method method);
  [[nodiscard]] Outcome outcome(Method method, const split::ScosTally& tally, std::size_t a) const;

  const EvaluateOptions& options_;
  std::vector<std::vector<Score>> thresholds_;
  std::vector<Method> methods_;
  std::vector<std::size_t> best_;  ///< by alpha
};

/// Their thresholds, by alpha, then reference of the partition.
[[nodiscard]] std::vector<std::vector<Score>> scos_thresholds(const OwnScores& own,
                                                              const EvaluateOptions& options);

/// The same from the scores of calibration examples under references alone: [references,
/// calibration].
[[nodiscard]] std::vector<std::vector<Score>> scos_thresholds(const Matrix<Score>& scores,
                                                              const EvaluateOptions& options);

}  // namespace caos
