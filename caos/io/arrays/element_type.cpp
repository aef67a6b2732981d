#include "caos/io/arrays/element_type.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace caos::io {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are mapped as they lie on disk");

struct NamedType {
  ElementType type;
  std::string_view name;
  std::size_t size;
};

constexpr std::array<NamedType, 11> types = {{{ElementType::f16, "float16", 2},
                                              {ElementType::f32, "float32", 4},
                                              {ElementType::f64, "float64", 8},
                                              {ElementType::i8, "int8", 1},
                                              {ElementType::i16, "int16", 2},
                                              {ElementType::i32, "int32", 4},
                                              {ElementType::i64, "int64", 8},
                                              {ElementType::u8, "uint8", 1},
                                              {ElementType::u16, "uint16", 2},
                                              {ElementType::u32, "uint32", 4},
                                              {ElementType::u64, "uint64", 8}}};

const NamedType& named(ElementType type) {
  return *std::ranges::find(types, type, &NamedType::type);
}

}  // namespace

std::size_t size_of(ElementType type) { return named(type).size; }

std::string_view name_of(ElementType type) { return named(type).name; }

bool is_aligned(std::span<const std::byte> bytes, ElementType type) {
  return reinterpret_cast<std::uintptr_t>(bytes.data()) % size_of(type) == 0;
}

}  // namespace caos::io
