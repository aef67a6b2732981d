#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caos/miscoverage.hpp"

namespace caos {

/// The counts of a blind audit of frozen regions.
/// A unit is an image, or a subject that one of its images, chosen at random, stands for. The
/// audited units are the next `audited` of a random order of the pool, a number fixed beforehand;
/// a unit is a hit if its region contains the landmark, or if it lacks the landmark.
struct AuditCount {
  std::size_t hits = 0;
  std::size_t audited = 0;            ///< m
  std::optional<std::size_t> pool{};  ///< N units with frozen regions, the audited among them; or
                                      ///< nothing: independent draws from a population
};

/// The bound that follows from the count, with the requested confidence.
struct AuditBound {
  AuditCount count{};
  std::size_t statements = 1;  ///< that hold simultaneously with the confidence
  /// Finite pools: at least so many of the units that were not audited are hits.
  std::optional<std::size_t> remaining_hits{};
  /// Finite pools: how many units were not audited.
  std::optional<std::size_t> remaining{};
  /// The lower bound on the share of hits: remaining_hits / remaining, 1 where nothing remains;
  /// without a pool the probability of a hit, rounded down to nine places.
  double share = 0;
};

/// The exact lower confidence bound. With D = 1 - confidence and K the hits in the pool, it takes
///   L = min{ K : P(Hypergeometric(N, K, m) >= hits) > D }:
/// P(K < L) <= D over the random order, whatever K is. The audited hits are known, so K >= L says
/// exactly that L - hits of the remaining N - m units are hits. Without a pool it is the lower end
/// of Clopper and Pearson's interval, one-sided.
/// `statements` > 1 divides D among so many statements (Bonferroni), which then hold
/// simultaneously. Throws `invalid_input` unless hits <= audited <= pool, 1 <= audited, and all are
/// at most 1,000,000,000.
[[nodiscard]] AuditBound audit_bound(const AuditCount& count, const Confidence& confidence,
                                     std::size_t statements = 1);

/// The units of an audit; `other` if only their counts are known.
enum class AuditUnit { image, subject, other };

/// What else counts as a hit besides a landmark inside its region.
enum class AuditAbsence {
  lacking,  ///< an image that lacks the landmark
  hidden,   ///< the same, and an image in which the landmark is hidden
};

/// One sentence: "With 95 % confidence at least 90.41 % of the remaining 970 regions of nose
/// contain the landmark; an image without it counts as if they did." Without `landmark` the
/// statement is about images all of whose landmarks lie in their regions.
[[nodiscard]] std::string audit_statement(const AuditBound& bound, const Confidence& confidence,
                                          const std::optional<std::string>& landmark,
                                          AuditUnit unit = AuditUnit::image,
                                          AuditAbsence absence = AuditAbsence::lacking);

/// The share in percent, rounded down to two places: `90.41 %`.
[[nodiscard]] std::string audit_percent(const AuditBound& bound);

/// The assumption under which the statement holds.
[[nodiscard]] std::string audit_assumption(const AuditBound& bound,
                                           AuditUnit unit = AuditUnit::image);

/// The order in which the units of a pool are audited: a seeded random permutation of 0 ... N - 1.
[[nodiscard]] std::vector<std::size_t> audit_order(std::size_t num_units, std::uint64_t seed);

}  // namespace caos
