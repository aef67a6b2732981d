#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace caos::io {

/// The kinds of numbers that files hold here, all little-endian.
enum class ElementType { f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

[[nodiscard]] std::size_t size_of(ElementType type);

/// As NumPy calls it: `float32`.
[[nodiscard]] std::string_view name_of(ElementType type);

/// Whether numbers of this type may be read where these bytes lie.
[[nodiscard]] bool is_aligned(std::span<const std::byte> bytes, ElementType type);

}  // namespace caos::io
