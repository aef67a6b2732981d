#pragma once

#include <memory>
#include <span>
#include <vector>

#include "caos/conformal/test_input.hpp"
#include "caos/engine/evaluate.hpp"

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

/// The families that between them have every requested method, once each.
[[nodiscard]] std::vector<std::unique_ptr<MethodFamily>> make_families(
    const ScoreBundle& bundle, const EvaluateOptions& options);

}  // namespace caos
