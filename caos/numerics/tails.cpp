#include "caos/numerics/tails.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "caos/numerics/big_natural.hpp"

namespace caos {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t most_exact = 10'000;
constexpr double negligible = 1e-300;  // above all denormal numbers, which lose relative precision

/// A quotient of products of two whole numbers.
struct Step {
  std::uint64_t up[2];
  std::uint64_t down[2];

  [[nodiscard]] double value() const {
    return static_cast<double>(up[0]) * static_cast<double>(up[1]) /
           (static_cast<double>(down[0]) * static_cast<double>(down[1]));
  }
};

// Each law gives the values it takes, lowest() to highest(), one of its most probable values, the
// quotient P(X = j + 1) / P(X = j), and a whole number proportional to P(X = lowest()) from which
// all steps upwards give whole numbers.

class HypergeometricTerms {
 public:
  explicit HypergeometricTerms(const Hypergeometric& law) : law_(law) {
    // Drawing the marked units and marking the drawn ones is the same law.
    if (law_.drawn > law_.marked) std::swap(law_.drawn, law_.marked);
  }

  [[nodiscard]] std::uint64_t lowest() const {
    return law_.drawn > unmarked() ? law_.drawn - unmarked() : 0;
  }
  [[nodiscard]] std::uint64_t highest() const { return law_.drawn; }
  [[nodiscard]] std::uint64_t mode() const {
    const Wide mode = Wide{law_.drawn + 1} * (law_.marked + 1) / (law_.population + 2);
    return std::clamp(static_cast<std::uint64_t>(mode), lowest(), highest());
  }
  [[nodiscard]] Step step(std::uint64_t j) const {
    return {{law_.marked - j, law_.drawn - j}, {j + 1, unmarked() + j + 1 - law_.drawn}};
  }
  [[nodiscard]] BigNatural first() const {
    // One of the two binomial coefficients is 1 at the lowest value.
    return lowest() > 0 ? BigNatural::choose(law_.marked, lowest())
                        : BigNatural::choose(unmarked(), law_.drawn);
  }

 private:
  [[nodiscard]] std::uint64_t unmarked() const { return law_.population - law_.marked; }

  Hypergeometric law_;
};

class BinomialTerms {
 public:
  explicit BinomialTerms(const Binomial& law) : law_(law) {}

  [[nodiscard]] static std::uint64_t lowest() { return 0; }
  [[nodiscard]] std::uint64_t highest() const { return law_.trials; }
  [[nodiscard]] std::uint64_t mode() const {
    const Wide mode = Wide{law_.trials + 1} * law_.success.numerator / law_.success.denominator;
    return std::min(static_cast<std::uint64_t>(mode), highest());
  }
  [[nodiscard]] Step step(std::uint64_t j) const {
    return {{law_.trials - j, law_.success.numerator}, {j + 1, failure()}};
  }
  [[nodiscard]] BigNatural first() const {
    BigNatural power(1);
    for (std::uint64_t i = 0; i < law_.trials; ++i) power *= failure();
    return power;
  }

 private:
  [[nodiscard]] std::uint64_t failure() const {
    return law_.success.denominator - law_.success.numerator;
  }

  Binomial law_;
};

/// Sums of terms that are proportional to probabilities: those from `least` on, and all.
template <typename Number>
struct Sums {
  Number tail{0};
  Number all{0};

  void add(const Number& term, bool in_tail) {
    if (in_tail) tail += term;
    all += term;
  }
};

/// From the mode, whose term is 1, outwards: no other term is larger.
template <typename Terms>
Sums<double> rounded_sums(const Terms& terms, std::uint64_t least) {
  const std::uint64_t mode = terms.mode();
  Sums<double> sums;
  sums.add(1, mode >= least);
  double term = 1;
  for (std::uint64_t j = mode; j < terms.highest() && term > negligible; ++j) {
    term *= terms.step(j).value();
    sums.add(term, j + 1 >= least);
  }
  term = 1;
  for (std::uint64_t j = mode; j > terms.lowest() && term > negligible; --j) {
    term /= terms.step(j - 1).value();
    sums.add(term, j - 1 >= least);
  }
  return sums;
}

template <typename Terms>
Sums<BigNatural> exact_sums(const Terms& terms, std::uint64_t least) {
  Sums<BigNatural> sums;
  BigNatural term = terms.first();
  for (std::uint64_t j = terms.lowest();; ++j) {
    sums.add(term, j >= least);
    if (j == terms.highest()) return sums;
    const Step step = terms.step(j);
    term *= step.up[0];
    term *= step.up[1];
    term /= step.down[0];
    term /= step.down[1];
  }
}

/// A step rounds at most four whole numbers, two products, a quotient, and once more when it is
/// applied: each term of `count` is off by at most 8 count units of relative error, each sum by
/// count more, and the comparison by a few. Terms beyond a negligible one are left out: each of
/// them is smaller still.
std::partial_ordering bracket(const Sums<double>& sums, std::uint64_t count, const Ratio& level) {
  const double bound =
      sums.all * static_cast<double>(level.numerator) / static_cast<double>(level.denominator);
  const double unit = std::numeric_limits<double>::epsilon() / 2;
  const double error = (sums.tail + bound) * unit * (10 * static_cast<double>(count) + 10) +
                       negligible * static_cast<double>(count);
  if (sums.tail > bound + error) return std::partial_ordering::greater;
  if (sums.tail < bound - error) return std::partial_ordering::less;
  return std::partial_ordering::unordered;
}

template <typename Terms>
std::partial_ordering compare(const Terms& terms, std::uint64_t least, const Ratio& level) {
  assert(0 < level.numerator && level.numerator < level.denominator);
  if (least <= terms.lowest()) return std::partial_ordering::greater;
  if (least > terms.highest()) return std::partial_ordering::less;
  const std::uint64_t count = terms.highest() - terms.lowest() + 1;
  const std::partial_ordering rounded = bracket(rounded_sums(terms, least), count, level);
  if (rounded != std::partial_ordering::unordered || terms.highest() > most_exact) return rounded;
  Sums<BigNatural> sums = exact_sums(terms, least);
  sums.tail *= level.denominator;
  sums.all *= level.numerator;
  return sums.tail <=> sums.all;
}

}  // namespace

std::partial_ordering compare_upper_tail(const Hypergeometric& law, std::uint64_t least,
                                         const Ratio& level) {
  assert(law.population <= most_units);
  assert(law.marked <= law.population && law.drawn <= law.population);
  return compare(HypergeometricTerms(law), least, level);
}

std::partial_ordering compare_upper_tail(const Binomial& law, std::uint64_t least,
                                         const Ratio& level) {
  assert(law.trials <= most_units);
  return compare(BinomialTerms(law), least, level);
}

}  // namespace caos
