#pragma once

#include <functional>
#include <variant>

#include "caos/classification.hpp"
#include "caos/classification/candidate_scores.hpp"
#include "caos/classification/kernel_votes.hpp"
#include "caos/classification/ratio_scores.hpp"
#include "caos/scores.hpp"

namespace caos::classification {

/// Throws `bad_format`, naming the row, for a value that is not finite, and `invalid_input` unless
/// rows have `dimension` values.
void check_vectors(MatrixView<const double> vectors, const std::string& name,
                   std::size_t dimension);

/// The rows divided by their lengths, in float. Throws `bad_format`, naming the row, for a zero
/// vector and for values beyond the range of float.
[[nodiscard]] Matrix<float> directions(MatrixView<const double> vectors, const std::string& name);

/// Labeled vectors with the scores of full conformal prediction, ready for new ones.
class VectorRule {
 public:
  VectorRule(const LabeledVectors& labeled, const VectorClassifierOptions& options);

  /// Calls `use(t, scores)` for every row t of `inputs`, on up to `threads` threads.
  void for_each(MatrixView<const double> inputs, const std::string& name, std::size_t threads,
                const std::function<void(std::size_t t, const CandidateScores& scores)>& use) const;

 private:
  /// Unit vectors of examples and labels, and their votes.
  struct Kernel {
    Matrix<float> vectors;
    Matrix<float> label_vectors;
    KernelVotes votes;
  };
  struct Ratio {
    Matrix<double> points;
    RatioScores scores;
  };
  using Rule = std::variant<Kernel, Ratio>;
  [[nodiscard]] static Rule rule_of(const LabeledVectors& labeled,
                                    const VectorClassifierOptions& options);

  Rule rule_;
};

[[nodiscard]] KernelOptions kernel_options(const VectorClassifierOptions& options);

}  // namespace caos::classification
