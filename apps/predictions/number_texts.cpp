#include "apps/predictions/number_texts.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

namespace caos::predictions {

std::string_view NumberTexts::of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  // The upper bits of the product depend on all of the number's.
  Entry& entry = known_[(bits * 0x9e3779b97f4a7c15ULL) >> 56U];
  if (entry.size == 0 || entry.bits != bits) {
    write(value, entry);
    entry.bits = bits;
  }
  return {entry.text.data(), entry.size};
}

void NumberTexts::write(double value, Entry& entry) const {
  char* const begin = entry.text.data();
  char* end = begin;
  if (style_ == Style::plain) {
    end = fmt::format_to_n(begin, entry.text.size(), "{}", value).out;
  } else if (!std::isfinite(value)) {
    end = fmt::format_to_n(begin, entry.text.size(), "null").out;
  } else {
    // The digits of nlohmann's own algorithm, which now and then gives one more than is needed:
    // what is written here and what goes through `Json` must look the same.
    end = nlohmann::detail::to_chars(begin, begin + entry.text.size(), value);
  }
  entry.size = static_cast<std::uint8_t>(end - begin);
}

}  // namespace caos::predictions
