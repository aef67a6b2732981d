#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/method.hpp"
#include "caos/rng.hpp"
#include "caos/scores.hpp"

/// Methods that divide the labeled examples: SCOS (Alg. 2) and the Split CAOS ablations.
namespace caos::split {

/// Labeled examples that predict and labeled examples that calibrate; together all, no overlap.
struct Partition {
  Indices references;
  Indices calibration;
};

/// A random partition with `num_references` of n examples as references.
[[nodiscard]] Partition draw(std::size_t n, std::size_t num_references, Rng& rng);

/// A seeded random halving; with odd n the references are the smaller half. Requires n >= 2.
[[nodiscard]] Partition halve(std::size_t n, std::uint64_t seed);

/// The partition with the given references. Requires distinct indices below n, leaving at least one
/// reference and one calibration example.
[[nodiscard]] Partition with_references(std::size_t n, std::span<const std::int64_t> references);

/// Throws `invalid_input` unless the two sides have the examples 0 ... n - 1, once each, ascending,
/// and neither is empty.
void check_partition(const Partition& partition, std::size_t n);

/// Split CAOS: the method determines the references and the calibration examples (App. split
/// ablation).
struct SplitCaos {
  Calibration calibration;
  Indices references;  ///< the columns of a test input's pools that count

  /// Pools with these references only.
  [[nodiscard]] Matrix<Score> pools_of(const ScoreRows& pools) const;

  /// The CAOS score of every label with these references.
  [[nodiscard]] std::vector<Score> label_scores(const ScoreRows& pools) const;
};

/// The largest k that a method has references for: all that it uses, less one where an example that
/// calibrates is itself a reference and is left out.
[[nodiscard]] std::size_t largest_k(const Partition& partition, Method method);

/// Requires a Split CAOS method, a partition and groups of all examples, and
/// 1 <= k <= largest_k(partition, method).
[[nodiscard]] SplitCaos calibrate_split(const OwnScores& own, const Grouping& grouping,
                                        const Partition& partition, Method method, std::size_t k);

/// The split conformal threshold q-hat of each reference in `partition` (eqn. split_calib).
[[nodiscard]] std::vector<Score> scos_thresholds(const OwnScores& own, const Partition& partition,
                                                 const Miscoverage& alpha,
                                                 RankRule rule = RankRule::every_label);

/// The SCOS sets of one input under every reference, as far as evaluation needs them.
struct ScosTally {
  std::vector<std::uint32_t> sizes;
  std::vector<std::uint8_t> covers;  ///< 1 where the set contains the true label
};

/// SCOS sets (eqn. split_set) of an input with pools [K, n] under each reference.
[[nodiscard]] ScosTally tally_scos(const ScoreRows& pools, Label truth, const Indices& references,
                                   std::span<const Score> thresholds);

/// Adds the size of the SCOS set of an input with pools [K, n] under each reference to `sizes`.
void add_set_sizes(const ScoreRows& pools, const Indices& references,
                   std::span<const Score> thresholds, std::span<std::uint32_t> sizes);

/// SCOS Best: the position in `partition.references` of the reference whose sets are smallest on
/// average over the calibration examples; the first on ties.
[[nodiscard]] std::size_t best_reference(const ScoreTensor& labeled, const Partition& partition,
                                         std::span<const Score> thresholds);

/// The same from the sum of each reference's set sizes over the calibration examples.
[[nodiscard]] std::size_t best_reference(std::span<const std::uint32_t> sizes);

/// SCOS Oracle: the position of the smallest set that contains the true label, or of the smallest
/// set if none does; the first on ties.
[[nodiscard]] std::size_t oracle_reference(const ScosTally& tally);

}  // namespace caos::split
