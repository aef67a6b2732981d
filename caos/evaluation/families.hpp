#pragma once

#include <memory>
#include <span>
#include <vector>

#include "caos/evaluate.hpp"
#include "caos/test_inputs.hpp"

namespace caos {

/// Methods that share the work on an input. `results()` says which they are; `measure` gives
/// the outcome of one test example for each. Const after construction, so threads may share it.
class MethodFamily {
 public:
  virtual ~MethodFamily() = default;

  [[nodiscard]] const std::vector<MethodResult>& results() const { return results_; }
  virtual void measure(const TestInput& input, Label truth, std::span<Outcome> outcomes) const = 0;

 protected:
  std::vector<MethodResult> results_;
};

/// What the methods are made of, before any test example is seen.
struct LabeledScores {
  const OwnScores& own;
  std::vector<std::size_t>
      best{};  ///< SCOS Best: its reference's position in the partition, by alpha
  bool has_reverse = false;
};

/// The families that between them have every requested method, once each. `options` must outlive
/// them.
[[nodiscard]] std::vector<std::unique_ptr<MethodFamily>> make_families(
    const LabeledScores& labeled, const EvaluateOptions& options);

/// What can be said of a result of CAOS, Full CAOS or Split CAOS before any test example is seen.
[[nodiscard]] MethodResult describe(Method method, const Calibration& calibration,
                                    const Miscoverage& alpha, RankRule rule);

}  // namespace caos
