#include "caos/miscoverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "caos/error.hpp"

namespace caos {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int max_digits = 18;  // significant ones: they fit 64 bits
constexpr int max_places = 36;  // and their product with any count fits 128

/// `digits` times ten to the power of minus `places`.
struct Decimal {
  std::uint64_t digits = 0;
  int places = 0;
};

/// Strips zeros that change nothing, so that 0.10 and 0.1 are the same number.
Decimal reduced(Decimal d) {
  while (d.places > 0 && d.digits % 10 == 0) {
    d.digits /= 10;
    --d.places;
  }
  return d;
}

/// Reads [digits][.digits]; nothing if there is any other character, no digit, or too many digits.
std::optional<Decimal> read_mantissa(std::string_view text) {
  Decimal result;
  bool seen_point = false;
  int significant = 0;
  bool any_digit = false;
  for (const char c : text) {
    if (c == '.' && !seen_point) {
      seen_point = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    any_digit = true;
    if (result.digits > 0 || c != '0') ++significant;
    if (significant > max_digits) return std::nullopt;
    result.digits = result.digits * 10 + static_cast<std::uint64_t>(c - '0');
    if (seen_point) ++result.places;
  }
  if (!any_digit) return std::nullopt;
  return result;
}

std::optional<int> read_exponent(std::string_view text) {
  if (text.starts_with("+-")) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (exponent < -max_places || exponent > max_places) return std::nullopt;  // no overflow below
  return exponent;
}

std::optional<Decimal> read_decimal(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  std::optional<Decimal> decimal = read_mantissa(text.substr(0, e));
  if (decimal && e != std::string_view::npos) {
    const std::optional<int> exponent = read_exponent(text.substr(e + 1));
    if (!exponent) return std::nullopt;
    decimal->places -= *exponent;
  }
  return decimal;
}

/// Whether digits / 10^places < 1.
bool below_one(const Decimal& d) {
  Wide one = 1;
  for (int i = 0; i < d.places && one <= d.digits; ++i) one *= 10;
  return d.digits < one;
}

/// alpha times 10^places, or 10^20 if it is more: the other side of a comparison then has 18
/// digits.
Wide scaled(const Miscoverage& alpha, int places) {
  const Wide most = Wide{10'000'000'000} * 10'000'000'000;
  Wide value = alpha.numerator();
  for (int place = alpha.places(); place < places && value < most; ++place) value *= 10;
  return std::min(value, most);
}

}  // namespace

Miscoverage Miscoverage::parse(std::string_view text) {
  const auto refuse = [&] {
    return fmt::format(
        "alpha '{}' is not usable; give a decimal between 0 and 1 (both excluded) with at most {} "
        "digits and {} places, such as 0.1",
        text, max_digits, max_places);
  };
  const std::optional<Decimal> decimal = read_decimal(text);
  require(decimal.has_value(), ErrorKind::invalid_input, refuse);
  const Decimal d = reduced(*decimal);
  require(d.digits > 0 && 0 < d.places && d.places <= max_places && below_one(d),
          ErrorKind::invalid_input, refuse);
  return {d.digits, d.places};
}

Miscoverage Miscoverage::from_double(double value) { return parse(fmt::format("{}", value)); }

double Miscoverage::value() const {
  const std::string decimal = text();
  double value = 0;
  std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  return value;
}

std::string Miscoverage::text() const { return fmt::format("0.{:0{}}", numerator_, places_); }

std::strong_ordering operator<=>(const Miscoverage& a, const Miscoverage& b) {
  const int places = std::max(a.places_, b.places_);
  return scaled(a, places) <=> scaled(b, places);
}

}  // namespace caos
