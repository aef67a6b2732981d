#include <fmt/format.h>

#include <limits>

#include "caos/coverage_law.hpp"
#include "caos/error.hpp"
#include "caos/guarantee.hpp"
#include "caos/numerics/tails.hpp"

namespace caos {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int most_places = 18;

/// alpha as a whole number of units of 10^-18, rounded down.
std::uint64_t in_units(const Miscoverage& alpha) {
  std::uint64_t value = alpha.numerator();
  for (int places = alpha.places(); places < most_places; ++places) value *= 10;
  for (int places = alpha.places(); places > most_places; --places) value /= 10;
  return value;
}

constexpr std::uint64_t one = 1'000'000'000'000'000'000;

/// Whether P(coverage < 1 - alpha) <= 1 - confidence with the r-th smallest of n scores.
class Decision {
 public:
  Decision(const Miscoverage& alpha, const TrainingConditional& what)
      : alpha_(in_units(alpha)),
        remaining_(what.remaining),
        error_{.numerator = what.confidence.denominator() - what.confidence.numerator(),
               .denominator = what.confidence.denominator()} {}

  [[nodiscard]] bool suffices(std::size_t n, std::size_t rank) const {
    const std::partial_ordering tail = remaining_ ? of_pool(n, rank) : of_population(n, rank);
    return tail <= 0;  // not where it cannot be told: then a larger rank is taken
  }

 private:
  [[nodiscard]] std::partial_ordering of_population(std::size_t n, std::size_t rank) const {
    if (alpha_ == 0) return std::partial_ordering::greater;
    return compare_upper_tail(Binomial{n, {one - alpha_, one}}, rank, error_);
  }

  [[nodiscard]] std::partial_ordering of_pool(std::size_t n, std::size_t rank) const {
    const auto misses = static_cast<std::size_t>(Wide{alpha_} * *remaining_ / one);
    const std::size_t covered = *remaining_ - misses;
    if (covered == 0) return std::partial_ordering::less;
    return compare_upper_tail(Hypergeometric{n + *remaining_, n, covered + rank - 1}, rank, error_);
  }

  std::uint64_t alpha_;
  std::optional<std::size_t> remaining_;
  Ratio error_;
};

/// The first of low ... high at which `holds`, which stays true from there on; high + 1 if none.
template <typename Holds>
std::size_t first_where(std::size_t low, std::size_t high, const Holds& holds) {
  std::size_t beyond = high + 1;
  while (low < beyond) {
    const std::size_t middle = low + (beyond - low) / 2;
    if (holds(middle)) {
      beyond = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

std::size_t most_examples_beside(const TrainingConditional& what) {
  const std::size_t remaining = what.remaining.value_or(0);
  require(remaining <= most_units, ErrorKind::invalid_input, [&] {
    return fmt::format("the pool has {} more examples; at most {} are allowed", remaining,
                       most_units);
  });
  return most_units - remaining;
}

constexpr std::string_view drawn_from_pool = "a random draw of the labeled examples from a pool";
constexpr std::string_view drawn_independently = "independent draws of the labeled examples";

}  // namespace

std::size_t conditional_rank(std::size_t n, const Miscoverage& alpha,
                             const TrainingConditional& what) {
  require(n <= most_examples_beside(what), ErrorKind::invalid_input, [&] {
    return fmt::format("there are {} calibration examples; at most {} are allowed with the pool", n,
                       most_units);
  });
  const Decision decision(alpha, what);
  return first_where(1, n, [&](std::size_t rank) { return decision.suffices(n, rank); });
}

std::size_t examples_needed(const Miscoverage& alpha, const TrainingConditional& what) {
  const Decision decision(alpha, what);
  return first_where(1, most_examples_beside(what) - 1,
                     [&](std::size_t n) { return decision.suffices(n, n); });
}

Score score_at_rank(const SortedScores& scores, std::size_t rank) {
  return rank <= scores.size() ? scores.values()[rank - 1] : std::numeric_limits<Score>::infinity();
}

std::string conditional_assumption(const TrainingConditional& what, std::string_view units) {
  return fmt::format(
      "{}, and the scorer was fixed before the data were seen",
      what.remaining
          ? fmt::format("labeled {} were drawn at random from the pool", units)
          : fmt::format("labeled and new {} are independent draws from one distribution", units));
}

Guarantee conditional_guarantee(const TrainingConditional& what) {
  const std::string drawn =
      what.remaining ? fmt::format("{}, for the {} that remain", drawn_from_pool, *what.remaining)
                     : std::string(drawn_independently);
  return {.kind = Guarantee::Kind::pac,
          .why_none = {},
          .scope = fmt::format("{} confidence over {}", what.confidence.percent(), drawn)};
}

std::string assumption_of(const Guarantee& guarantee, std::string_view otherwise) {
  if (guarantee.kind != Guarantee::Kind::pac) return std::string(otherwise);
  TrainingConditional what;
  if (guarantee.scope.find(drawn_from_pool) != std::string::npos) what.remaining = 1;
  return conditional_assumption(what);
}

}  // namespace caos
