#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace caos {

/// The accepted probability of missing the true label, alpha, exactly as the decimal the user
/// wrote. Ranks are computed from it in integers: in doubles the paper's (1 - alpha)(1 + 1/n) n
/// rounds up to rank 91 instead of 90 for n = 99 and alpha = 0.1.
class Miscoverage {
 public:
  /// Reads a decimal such as `0.05`, `.1` or `1e-3`.
  /// Requires 0 < alpha < 1, at most 18 significant digits and at most 36 decimal places.
  [[nodiscard]] static Miscoverage parse(std::string_view text);

  /// The shortest decimal that a double prints as: 0.1 means one tenth. Requires 1e-19 < value < 1.
  [[nodiscard]] static Miscoverage from_double(double value);

  /// alpha = numerator / 10^places, with as few places as can be.
  [[nodiscard]] std::uint64_t numerator() const { return numerator_; }
  [[nodiscard]] int places() const { return places_; }

  [[nodiscard]] double value() const;

  /// The decimal in plain notation: `0.05`.
  [[nodiscard]] std::string text() const;

  friend bool operator==(const Miscoverage&, const Miscoverage&) = default;
  friend std::strong_ordering operator<=>(const Miscoverage& a, const Miscoverage& b);

 private:
  Miscoverage(std::uint64_t numerator, int places) : numerator_(numerator), places_(places) {}

  std::uint64_t numerator_;
  int places_;
};

/// The default alphas of an evaluation, those of the paper.
inline constexpr std::array<std::string_view, 3> default_alphas = {"0.05", "0.1", "0.2"};

/// The rule when the rank exceeds the number of calibration scores.
enum class RankRule {
  every_label,  ///< the threshold is +infinity and the set is every label; keeps the guarantee
  clip,         ///< the largest score, as the paper's Quantile does; loses the guarantee
};

/// ceil((1 - alpha)(n + 1)), exactly; n + 1 when alpha is too small for n examples.
[[nodiscard]] std::size_t conformal_rank(std::size_t n, const Miscoverage& alpha);

/// The rank that decides: `conformal_rank`, clipped to n where `rule` says so and n >= 1.
[[nodiscard]] std::size_t deciding_rank(std::size_t n, const Miscoverage& alpha, RankRule rule);

/// Whether n examples can support alpha: conformal_rank(n, alpha) <= n, i.e. alpha >= 1 / (n + 1).
[[nodiscard]] bool is_feasible(std::size_t n, const Miscoverage& alpha);

/// 1 / (n + 1), below which every set is every label.
[[nodiscard]] double smallest_feasible_alpha(std::size_t n);

/// The fewest examples for which alpha is feasible: ceil(1 / alpha) - 1.
[[nodiscard]] std::size_t examples_needed(const Miscoverage& alpha);

/// The confidence of a statement about one sample, exactly as the decimal the user wrote.
class Confidence {
 public:
  /// Reads a decimal such as `0.95`. Requires 0 < confidence < 1 and at most 12 places.
  [[nodiscard]] static Confidence parse(std::string_view text);

  /// The shortest decimal that a double prints as.
  [[nodiscard]] static Confidence from_double(double value);

  /// confidence = numerator / 10^places, with as few places as can be.
  [[nodiscard]] std::uint64_t numerator() const { return decimal_.numerator(); }
  [[nodiscard]] int places() const { return decimal_.places(); }

  /// 10^places.
  [[nodiscard]] std::uint64_t denominator() const;

  [[nodiscard]] double value() const { return decimal_.value(); }

  /// The decimal in plain notation: `0.95`.
  [[nodiscard]] std::string text() const { return decimal_.text(); }

  /// In percent, exactly: `95 %`, `99.5 %`.
  [[nodiscard]] std::string percent() const;

  friend bool operator==(const Confidence&, const Confidence&) = default;

 private:
  explicit Confidence(const Miscoverage& decimal) : decimal_(decimal) {}

  Miscoverage decimal_;
};

/// A closed interval of proportions.
struct Interval {
  double low = 0;
  double high = 1;
};

/// Default confidence of statements about one sample.
inline constexpr std::string_view default_confidence = "0.95";

}  // namespace caos
