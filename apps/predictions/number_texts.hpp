#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace caos::predictions {

/// The texts of numbers, where few different ones are written many times. For one thread.
class NumberTexts {
 public:
  enum class Style {
    json,   ///< as `Json` writes it: 5 is 5.0, and what is not finite null
    plain,  ///< as fmt writes it: 5 is 5
  };

  explicit NumberTexts(Style style) : style_(style) {}

  /// With every digit that it needs. Valid until the next call.
  [[nodiscard]] std::string_view of(double value);

 private:
  struct Entry {
    std::uint64_t bits = 0;
    std::uint8_t size = 0;  // 0: not yet used
    std::array<char, 32> text{};
  };

  void write(double value, Entry& entry) const;

  Style style_;
  std::array<Entry, 256> known_{};  // by hash, the last one that came
};

}  // namespace caos::predictions
