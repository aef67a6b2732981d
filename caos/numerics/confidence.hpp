#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caos/numerics/miscoverage.hpp"

namespace caos {

/// The probability with which a statement about one draw is true, exactly as the decimal the user
/// wrote.
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

/// The confidence of statements about one draw where the user gives none.
inline constexpr std::string_view default_confidence = "0.95";

}  // namespace caos
