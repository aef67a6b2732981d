#pragma once

#include <string>
#include <vector>

#include "caos/evaluate.hpp"
#include "caos/verify/verification.hpp"

namespace caos {

/// The coverages of methods over splits, one row per method and alpha.
class CoverageRows {
 public:
  /// Adds a split's result to the row of `name`; `law` is for results without groups. With groups
  /// by label, the labels that some test example has count equally.
  void add(const std::string& name, const MethodResult& result, const TrialLaw& law);

  [[nodiscard]] std::vector<CoverageCheck> checks() const;

 private:
  struct Row {
    std::string name;
    Miscoverage alpha;
    Guarantee guarantee;
    std::vector<Trial> trials{};
  };

  Row& row(const std::string& name, const MethodResult& result);

  std::vector<Row> rows_{};
};

}  // namespace caos
