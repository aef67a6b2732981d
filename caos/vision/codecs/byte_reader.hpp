#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// For the headers of image files; not for users of the library.
namespace caos::vision {

enum class ByteOrder { little, big };

/// Numbers out of untrusted bytes: what lies beyond the end is nothing, not a fault.
class ByteReader {
 public:
  ByteReader(std::span<const std::byte> bytes, ByteOrder order) : bytes_(bytes), order_(order) {}

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

  /// Whether `text` stands at byte `at`.
  [[nodiscard]] bool has(std::size_t at, std::string_view text) const {
    if (at > size() || size() - at < text.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (static_cast<char>(bytes_[at + i]) != text[i]) return false;
    }
    return true;
  }

  [[nodiscard]] std::optional<std::uint32_t> u8(std::size_t at) const { return number(at, 1); }
  [[nodiscard]] std::optional<std::uint32_t> u16(std::size_t at) const { return number(at, 2); }
  [[nodiscard]] std::optional<std::uint32_t> u24(std::size_t at) const { return number(at, 3); }
  [[nodiscard]] std::optional<std::uint32_t> u32(std::size_t at) const { return number(at, 4); }

  /// Bytes `at` to `at + count - 1`, fewer where the end comes first.
  [[nodiscard]] std::span<const std::byte> part(std::size_t at, std::size_t count) const {
    const auto rest = bytes_.subspan(at < size() ? at : size());
    return rest.first(count < rest.size() ? count : rest.size());
  }

 private:
  [[nodiscard]] std::optional<std::uint32_t> number(std::size_t at, std::size_t width) const {
    if (at > size() || size() - at < width) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t next = order_ == ByteOrder::big ? at + i : at + width - 1 - i;
      value = value << 8 | static_cast<std::uint32_t>(bytes_[next]);
    }
    return value;
  }

  std::span<const std::byte> bytes_;
  ByteOrder order_;
};

}  // namespace caos::vision
