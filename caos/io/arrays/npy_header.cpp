#include "caos/io/arrays/npy_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"

namespace caos::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t version_offset = magic.size();
constexpr std::size_t length_offset = version_offset + 2;

struct CodedType {
  std::string_view code;  // as it stands in the header, after the byte order
  ElementType type;
};

constexpr std::array<CodedType, 10> coded_types = {{{"f4", ElementType::f32},
                                                    {"f8", ElementType::f64},
                                                    {"i1", ElementType::i8},
                                                    {"i2", ElementType::i16},
                                                    {"i4", ElementType::i32},
                                                    {"i8", ElementType::i64},
                                                    {"u1", ElementType::u8},
                                                    {"u2", ElementType::u16},
                                                    {"u4", ElementType::u32},
                                                    {"u8", ElementType::u64}}};

[[noreturn]] void refuse_type(const std::string& name, const std::string& descr) {
  if (descr.find('O') == 1) {
    refuse(name, "holds Python objects; convert with .astype('float32') and save again");
  }
  if (descr == "|b1") refuse(name, "holds True and False; convert with .astype('int8')");
  refuse(name, fmt::format("element type '{}' is not supported; convert with .astype('float32')",
                           printable(descr)));
}

ElementType parse_type(const std::string& descr, const std::string& name) {
  const std::string_view code =
      std::string_view(descr).substr(std::min<std::size_t>(1, descr.size()));
  const auto* const found = std::ranges::find(coded_types, code, &CodedType::code);
  if (found == coded_types.end()) refuse_type(name, descr);
  const bool any_order = size_of(found->type) == 1 && (descr[0] == '|' || descr[0] == '>');
  if (any_order || descr[0] == '<') return found->type;
  if (descr[0] != '>') refuse_type(name, descr);
  refuse(name, fmt::format("is big-endian ('{}'); convert with .astype('<{}')", descr, code));
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void require_npy(std::string_view text, const std::string& name) {
  if (text.empty()) refuse(name, "is empty; expected an .npy file");
  if (text.starts_with("PK")) {
    refuse(name, "is an .npz archive; save the array alone with numpy.save");
  }
  if (!magic.starts_with(text.substr(0, magic.size()))) {
    refuse(name, "not an .npy file; save the array with numpy.save");
  }
}

[[noreturn]] void refuse_truncated(const std::string& name) {
  refuse(name, "is truncated within its header; save or copy it again");
}

/// Two bytes in version 1.0, four in the later ones.
std::size_t length_width(std::string_view text, const std::string& name) {
  if (text.size() < length_offset) refuse_truncated(name);
  const auto major = static_cast<unsigned char>(text[version_offset]);
  const auto minor = static_cast<unsigned char>(text[version_offset + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    refuse(name, fmt::format("is of .npy version {}.{}; expected 1.0, 2.0 or 3.0", major, minor));
  }
  return major == 1 ? 2 : 4;
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

std::string_view dict_text(std::string_view text, const std::string& name) {
  require_npy(text, name);
  const std::size_t width = length_width(text, name);
  const std::size_t start = length_offset + width;
  if (text.size() < start) refuse_truncated(name);
  const std::size_t length = little_endian(text.substr(length_offset, width));
  if (length > text.size() - start) refuse_truncated(name);
  return text.substr(start, length);
}

/// With at most one dimension longer than 1, both orders lay the elements out alike.
void require_row_major(const NpyDict& dict, const std::string& name) {
  const auto longer = std::ranges::count_if(dict.shape, [](std::size_t n) { return n > 1; });
  if (dict.fortran_order && longer > 1) {
    refuse(name, "is in Fortran order; save it with numpy.ascontiguousarray");
  }
}

void require_complete(const Shape& dimensions, std::size_t needed, std::size_t available,
                      const std::string& name) {
  const std::string shape = describe(dimensions);
  if (available < needed) {
    refuse(name,
           fmt::format("is truncated: its shape ({}) needs {} bytes, {} are there; save or copy "
                       "it again",
                       shape, needed, available));
  }
  if (available > needed) {
    refuse(name, fmt::format("has {} bytes after its array ({}); save one array per file",
                             available - needed, shape));
  }
}

}  // namespace

NpyFront parse_npy_front(std::span<const std::byte> file, const std::string& name) {
  const std::string_view text = as_text(file);
  const std::string_view dict_bytes = dict_text(text, name);
  return {
      .dict = parse_npy_dict(dict_bytes, name),
      .data_offset = static_cast<std::size_t>(dict_bytes.data() - text.data()) + dict_bytes.size()};
}

std::size_t checked_data_size(const NpyFront& front, std::size_t element_size,
                              std::size_t file_size, const std::string& name) {
  require_row_major(front.dict, name);
  const auto size = byte_size(front.dict.shape, element_size);
  if (!size) {
    refuse(name, fmt::format("its shape ({}) does not fit in memory", describe(front.dict.shape)));
  }
  require_complete(front.dict.shape, *size, file_size - front.data_offset, name);
  return *size;
}

NpyHeader parse_npy_header(std::span<const std::byte> file, const std::string& name) {
  const NpyFront front = parse_npy_front(file, name);
  const ElementType type = parse_type(front.dict.descr, name);
  return {.type = type,
          .shape = front.dict.shape,
          .data_offset = front.data_offset,
          .data_size = checked_data_size(front, size_of(type), file.size(), name)};
}

std::string format_npy_header(std::string_view descr, const Shape& shape) {
  constexpr std::size_t alignment = 64;
  // numpy leaves room for the first dimension to grow to 21 digits in place.
  constexpr std::size_t growth_digits = 21;
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                 descr, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  if (!shape.empty()) dict.append(growth_digits - fmt::formatted_size("{}", shape[0]), ' ');
  // numpy adds a whole 64 where none would be needed.
  const std::size_t unpadded = length_offset + 2 + dict.size() + 1;
  dict.append(alignment - unpadded % alignment, ' ');
  dict += '\n';
  assert(dict.size() <= 0xffff);
  std::string header = fmt::format("{}{}{}", magic, '\1', '\0');
  header += static_cast<char>(dict.size() & 0xff);
  header += static_cast<char>(dict.size() >> 8);
  return header + dict;
}

}  // namespace caos::io
