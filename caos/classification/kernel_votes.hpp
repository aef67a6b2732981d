#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "caos/classification/candidate_scores.hpp"
#include "caos/scores.hpp"

namespace caos::classification {

/// How labeled examples vote. The defaults are fixed; other values must be chosen without a look at
/// results on the data.
struct KernelOptions {
  double temperature = 0.1;              ///< T
  std::optional<double> prior_weight{};  ///< b; nothing: 0.1 with label vectors, 0.001 without
  std::size_t threads = 0;               ///< 0: one per core; results do not depend on it

  /// Whether both are the defaults.
  [[nodiscard]] bool are_default(bool with_label_vectors) const;
  [[nodiscard]] double prior_weight_of(bool with_label_vectors) const;
};

/// Throws `invalid_input` unless 1e-6 <= T <= 1e6 and 1e-9 <= b <= 1000.
void check(const KernelOptions& options);

/// The prior of an input's labels, b p0(y | x), in units of 2^-40, each at least 1.
struct LabelPrior {
  std::vector<std::int64_t> units{};  ///< [K]
  std::int64_t total = 0;             ///< their sum
};

/// p0 is uniform where `similarities`, those of x and each label's vector, is empty, and their
/// softmax at temperature T otherwise.
[[nodiscard]] LabelPrior label_prior(std::span<const double> similarities, std::size_t num_labels,
                                     const KernelOptions& options);

/// full-kernel: labeled examples vote for their labels, with weights that fall with distance.
///
///     w(x, x') = exp((cos(x, x') - 1) / T)
///     P(y | x; D) = (b p0(y | x) + sum over j in D with Y_j = y of w(x, X_j))
///                   / (b + sum over j in D of w(x, X_j))
///
/// The score of an example is -P of its own label, itself left out of D; the order is that of
/// -log P. Every weight and every b p0(y | x) is rounded once to a multiple of 2^-40, b is the sum
/// of the latter, sums are whole numbers of 64 bits and P is one division: scores do not depend on
/// the order of examples, and equal votes are equal scores. P > 0 for every label.
///
/// Immutable; safe to share between threads.
class KernelVotes {
 public:
  /// From unit vectors: `vectors` [n, D], `label_vectors` [K, D] or empty. They are only read here.
  /// Throws `invalid_input` unless 1 <= n <= 4,000,000, there is one label below K per row, and
  /// shapes agree.
  KernelVotes(MatrixView<const float> vectors, std::span<const Label> labels,
              std::size_t num_labels, const KernelOptions& options = {},
              MatrixView<const float> label_vectors = {});

  /// The same from cosine similarities that are known already: of all pairs of examples [n, n],
  /// whose diagonal is ignored, and of examples and labels, [n, K] or empty.
  [[nodiscard]] static KernelVotes of_similarities(
      MatrixView<const double> similarities, std::span<const Label> labels, std::size_t num_labels,
      const KernelOptions& options = {}, MatrixView<const double> label_similarities = {});

  [[nodiscard]] std::size_t size() const { return labels_.size(); }
  [[nodiscard]] std::size_t num_labels() const { return num_labels_; }
  [[nodiscard]] std::span<const Label> labels() const { return labels_; }
  [[nodiscard]] bool has_label_vectors() const { return has_label_vectors_; }
  [[nodiscard]] const KernelOptions& options() const { return options_; }

  /// The scores of a new input x with all its candidate labels, from its cosine similarities to the
  /// n examples and, where there are label vectors, to the K labels. O(n + K).
  [[nodiscard]] CandidateScores candidates(std::span<const double> similarities,
                                           std::span<const double> label_similarities = {}) const;

  /// P(y | x; D) of every label: they add up to 1, up to rounding.
  [[nodiscard]] std::vector<double> probabilities(
      std::span<const double> similarities, std::span<const double> label_similarities = {}) const;

 private:
  KernelVotes(std::span<const Label> labels, std::size_t num_labels, const KernelOptions& options,
              bool has_label_vectors);
  void set_example(std::size_t i, std::span<const double> similarities,
                   std::span<const double> label_similarities);

  std::vector<Label> labels_;
  std::size_t num_labels_;
  KernelOptions options_;
  bool has_label_vectors_;
  std::vector<std::int64_t> for_own_;  ///< [n]: what votes for example i's label, prior included
  std::vector<std::int64_t> for_all_;  ///< [n]: what votes for any label
};

}  // namespace caos::classification
