#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caos/grouping.hpp"
#include "caos/guarantee.hpp"
#include "caos/method.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scores.hpp"

namespace caos {

/// Vectors of any encoder, or ordinary features, with their labels.
struct LabeledVectors {
  Matrix<double> vectors{};        ///< [n, D]
  std::vector<Label> labels{};     ///< [n], below `num_labels`
  std::size_t num_labels = 0;      ///< K
  Matrix<double> label_vectors{};  ///< [K, D], of the labels' names; empty without
  std::string name = "vectors";    ///< their name in errors
  std::string label_vectors_name = "label vectors";
};

/// Distances of full_ratio.
enum class VectorDistance {
  euclidean,
  cosine,     ///< 1 - cos
  manhattan,  ///< the sum of absolute differences
};

/// The name on the command line and in files: `euclidean`.
[[nodiscard]] std::string_view distance_name(VectorDistance distance);

/// Throws `invalid_input`, listing the names, for another name.
[[nodiscard]] VectorDistance parse_distance(std::string_view name);

/// How labeled vectors predict. Everything here must be fixed before the labeled data are seen.
struct VectorClassifierOptions {
  Method method = Method::full_kernel;   ///< or full_ratio
  double temperature = 0.1;              ///< full_kernel: T
  std::optional<double> prior_weight{};  ///< full_kernel: b; nothing: 0.1 with label vectors, 0.001
                                         ///< without
  std::size_t k = 1;                     ///< full_ratio: neighbors in each sum
  VectorDistance distance = VectorDistance::euclidean;  ///< full_ratio
  /// Every dimension gets mean 0 and variance 1 over the labeled and the new vectors together. No
  /// labels are used, so that the guarantee stays; but sets depend on the whole batch of new ones.
  bool standardize = false;
  std::size_t threads = 0;  ///< 0: one per core; results do not depend on it

  /// Whether T and b, or k and the distance, are the defaults.
  [[nodiscard]] bool are_default(bool with_label_vectors) const;
};

struct VectorPredictOptions {
  std::vector<Miscoverage> alphas{};
  RankRule rule = RankRule::every_label;
  std::optional<std::uint64_t> smoothing_seed{};  ///< smoothed p-values decide
  std::size_t first_input = 0;    ///< the number of the first input, which only smoothing looks at
  std::vector<GroupId> groups{};  ///< one per input, where the examples are grouped by input
  std::string name = "new vectors";      ///< their name in errors
  std::optional<std::size_t> threads{};  ///< nothing: as the classifier's options say
  std::function<void(std::size_t done, std::size_t total)> progress{};
};

/// The prediction for one input.
struct VectorPrediction {
  std::vector<PredictionSet> sets{};  ///< one per alpha
  std::vector<double> p_values{};     ///< [K]
  Label point = 0;                    ///< the label that conforms best; carries no guarantee
};

/// Label sets for vectors by full conformal prediction, exact, in O(n D) per input.
///
/// full_kernel: every labeled vector votes for its label with weight exp((cos - 1) / T).
/// full_ratio: distances to the own class over those to all others.
///
/// If labeled and new examples are exchangeable, and the encoder and all options were fixed before
/// the labeled data were seen, a set contains the true label with probability at least 1 - alpha.
/// Below alpha = 1 / (n + 1) a set is every label.
///
/// A handle to shared data: copies are cheap, and all members may be called from several threads.
class VectorClassifier {
 public:
  /// Throws `invalid_input` if shapes disagree or an option is not usable, and `bad_format` for a
  /// value that is not finite, or a zero vector with full_kernel
  /// or the cosine distance.
  VectorClassifier(LabeledVectors labeled, const VectorClassifierOptions& options = {});
  /// With a guarantee within each group; `grouping` has one entry per labeled vector.
  VectorClassifier(LabeledVectors labeled, Grouping grouping,
                   const VectorClassifierOptions& options = {});

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t num_labels() const;
  [[nodiscard]] const LabeledVectors& labeled() const;
  [[nodiscard]] const VectorClassifierOptions& options() const;
  [[nodiscard]] const Grouping& grouping() const;

  /// The smallest alpha that is feasible in every group.
  [[nodiscard]] double smallest_feasible_alpha() const;
  /// Whether every group has enough examples for alpha.
  [[nodiscard]] bool is_feasible(const Miscoverage& alpha) const;
  [[nodiscard]] Guarantee guarantee(const Miscoverage& alpha,
                                    RankRule rule = RankRule::every_label) const;

  /// Predicts the rows of `inputs`, [m, D], checked as the labeled vectors were.
  [[nodiscard]] std::vector<VectorPrediction> predict(MatrixView<const double> inputs,
                                                      const VectorPredictOptions& options) const;

 private:
  struct Parts;

  std::shared_ptr<const Parts> parts_;
};

}  // namespace caos
