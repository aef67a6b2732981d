#pragma once

#include <compare>
#include <cstddef>
#include <numeric>

/// Fractions without rounding, for oracles. Terms stay far below 128 bits in tests.
namespace oracle {

__extension__ using Whole = __int128;

inline Whole gcd(Whole a, Whole b) {
  while (b != 0) {
    const Whole rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

struct Rational {
  Whole top = 0;
  Whole bottom = 1;

  Rational() = default;
  Rational(std::size_t whole) : top(static_cast<Whole>(whole)) {}  // NOLINT: a number is one
  Rational(Whole numerator, Whole denominator) : top(numerator), bottom(denominator) {
    const Whole divisor = gcd(top, bottom);
    top /= divisor;
    bottom /= divisor;
  }

  friend Rational operator+(const Rational& a, const Rational& b) {
    return {a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom};
  }
  friend Rational operator*(const Rational& a, const Rational& b) {
    return {a.top * b.top, a.bottom * b.bottom};
  }
  friend Rational operator/(const Rational& a, const Rational& b) {
    return {a.top * b.bottom, a.bottom * b.top};
  }
  friend bool operator==(const Rational& a, const Rational& b) = default;
  friend bool operator>(const Rational& a, const Rational& b) {
    return a.top * b.bottom > b.top * a.bottom;
  }
};

}  // namespace oracle
