#include <algorithm>
#include <numeric>
#include <optional>

#include "caos/error.hpp"
#include "caos/sorted_scores.hpp"

namespace caos {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t most_term = std::uint64_t{1} << 62U;

Fraction reduced(const Fraction& f) {
  require(f.numerator > 0 && f.denominator > 0 && f.numerator <= most_term &&
              f.denominator <= most_term,
          ErrorKind::invalid_input, "a weight must be a positive fraction of moderate numbers");
  const std::uint64_t divisor = std::gcd(f.numerator, f.denominator);
  return {f.numerator / divisor, f.denominator / divisor};
}

/// The least common multiple of all denominators; nothing where it exceeds `most`.
std::optional<std::uint64_t> common_denominator(std::span<const Fraction> weights,
                                                std::uint64_t most) {
  Wide common = 1;
  for (const Fraction& weight : weights) {
    const auto so_far = static_cast<std::uint64_t>(common);
    common *= weight.denominator / std::gcd(so_far, weight.denominator);
    if (common > most) return std::nullopt;
  }
  return static_cast<std::uint64_t>(common);
}

/// All weights times their common denominator, the new example's first; nothing where the sum
/// exceeds `most`.
std::optional<std::vector<std::uint64_t>> exact_weights(std::span<const Fraction> weights,
                                                        std::uint64_t most) {
  const std::optional<std::uint64_t> common = common_denominator(weights, most);
  if (!common) return std::nullopt;
  std::vector<std::uint64_t> whole;
  Wide sum = 0;
  for (const Fraction& weight : weights) {
    const Wide product = static_cast<Wide>(weight.numerator) * (*common / weight.denominator);
    sum += product;
    if (sum > most) return std::nullopt;
    whole.push_back(static_cast<std::uint64_t>(product));
  }
  const std::uint64_t divisor =
      std::accumulate(whole.begin(), whole.end(), std::uint64_t{0},
                      [](std::uint64_t a, std::uint64_t b) { return std::gcd(a, b); });
  for (std::uint64_t& weight : whole) weight /= divisor;
  return whole;
}

/// All weights in units of 2^-places, rounded as the header says; nothing where the sum exceeds
/// `most`.
std::optional<std::vector<std::uint64_t>> rounded_weights(std::span<const Fraction> weights,
                                                          unsigned places, std::uint64_t most) {
  std::vector<std::uint64_t> whole;
  Wide sum = 0;
  for (const Fraction& weight : weights) {
    const Wide scaled = static_cast<Wide>(weight.numerator) << places;
    Wide units = scaled / weight.denominator;
    const bool is_new = whole.empty();
    if (is_new) units = (scaled + weight.denominator - 1) / weight.denominator + weights.size() - 1;
    sum += units;
    if (sum > most) return std::nullopt;
    whole.push_back(static_cast<std::uint64_t>(units));
  }
  return whole;
}

}  // namespace

ExampleWeights ExampleWeights::at(const Indices& some) const {
  ExampleWeights result{.new_example = new_example};
  if (is_plain()) return result;
  for (const std::size_t i : some) result.examples.push_back(examples[i]);
  // Without examples the list would read as plain, and the weight of the new one alone decides p.
  if (result.examples.empty()) result.new_example = 1;
  return result;
}

ExampleWeights whole_weights(const Fraction& new_example, std::span<const Fraction> examples,
                             std::uint64_t most) {
  std::vector<Fraction> all{reduced(new_example)};
  for (const Fraction& example : examples) all.push_back(reduced(example));
  std::optional<std::vector<std::uint64_t>> whole = exact_weights(all, most);
  constexpr unsigned most_places = 62;
  for (unsigned left = most_places + 1; !whole && left > 0; --left) {
    whole = rounded_weights(all, left - 1, most);
  }
  require(whole.has_value(), ErrorKind::invalid_input, "weights are too large to be added up");
  if (std::ranges::all_of(*whole, [](std::uint64_t weight) { return weight == 1; })) return {};
  return {.examples = {whole->begin() + 1, whole->end()}, .new_example = whole->front()};
}

}  // namespace caos
