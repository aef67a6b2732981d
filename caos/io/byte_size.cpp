#include "caos/io/byte_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "caos/error.hpp"
#include "caos/io/lower_case.hpp"

namespace caos::io {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};

constexpr std::array<Unit, 10> units = {{{"", 1},
                                         {"b", 1},
                                         {"kb", 1e3},
                                         {"mb", 1e6},
                                         {"gb", 1e9},
                                         {"tb", 1e12},
                                         {"kib", 0x1p10},
                                         {"mib", 0x1p20},
                                         {"gib", 0x1p30},
                                         {"tib", 0x1p40}}};

std::optional<double> bytes_in(std::string_view text) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(' ')) text.remove_prefix(1);
  const auto* const unit = std::ranges::find(units, lower_case(text), &Unit::name);
  if (unit == units.end() || !(number >= 0) || number * unit->bytes > 0x1p62) return std::nullopt;
  return number * unit->bytes;
}

}  // namespace

std::uint64_t parse_byte_size(std::string_view text, const std::string& name) {
  const std::optional<double> bytes = bytes_in(text);
  require(bytes.has_value(), ErrorKind::invalid_input,
          [&] { return fmt::format("{} '{}': expected a size such as 500MB or 2GB", name, text); });
  return static_cast<std::uint64_t>(*bytes);
}

}  // namespace caos::io
