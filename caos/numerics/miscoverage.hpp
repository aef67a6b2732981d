#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace caos {

/// The accepted probability of missing the truth, alpha, exactly as the decimal the user wrote.
/// Ranks are computed from it in integers: in doubles the paper's (1 - alpha)(1 + 1/n) n rounds up
/// to rank 91 instead of 90 for n = 99 and alpha = 0.1.
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

/// What an evaluation looks at where nobody says: the paper's.
inline constexpr std::array<std::string_view, 3> default_alphas = {"0.05", "0.1", "0.2"};

}  // namespace caos
