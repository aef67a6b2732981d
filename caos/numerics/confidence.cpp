#include <fmt/format.h>

#include <optional>

#include "caos/error.hpp"
#include "caos/miscoverage.hpp"

namespace caos {
namespace {

constexpr int most_places = 12;  // ten to this power, times a count of statements, fits 64 bits

std::optional<Miscoverage> read(std::string_view text) {
  try {
    return Miscoverage::parse(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::uint64_t small_power_of_ten(int exponent) {
  std::uint64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

}  // namespace

Confidence Confidence::parse(std::string_view text) {
  const std::optional<Miscoverage> decimal = read(text);
  require(decimal && decimal->places() <= most_places, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "confidence '{}' is not usable; give a decimal between 0 and 1 (both excluded) with at "
        "most {} places, such as 0.95",
        text, most_places);
  });
  return Confidence(*decimal);
}

Confidence Confidence::from_double(double value) { return parse(fmt::format("{}", value)); }

std::uint64_t Confidence::denominator() const { return small_power_of_ten(places()); }

std::string Confidence::percent() const {
  if (places() <= 2) return fmt::format("{} %", numerator() * small_power_of_ten(2 - places()));
  const std::uint64_t one = small_power_of_ten(places() - 2);
  return fmt::format("{}.{:0{}} %", numerator() / one, numerator() % one, places() - 2);
}

}  // namespace caos
