#include "caos/io/arrays/npy_texts.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "caos/error.hpp"
#include "caos/io/arrays/npy_header.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/io/utf8.hpp"

namespace caos::io {
namespace {

constexpr std::size_t bytes_per_character = 4;  // of NumPy's str
constexpr std::size_t most_characters = std::size_t{1} << 24;

/// What an element is: `characters` of str, or bytes.
struct TextType {
  bool is_unicode = false;
  std::size_t characters = 0;

  [[nodiscard]] std::size_t size() const {
    return characters * (is_unicode ? bytes_per_character : 1);
  }
};

char kind_of(const std::string& descr) { return descr.size() > 1 ? descr[1] : '\0'; }

TextType parse_text_type(const std::string& descr, const std::string& name) {
  const char kind = kind_of(descr);
  if (kind == 'O') refuse(name, "holds Python objects; convert with .astype(str) and save again");
  if (kind == 'U' && descr[0] == '>') {
    refuse(name, fmt::format("is big-endian ('{}'); convert with .astype(str)", printable(descr)));
  }
  TextType type{.is_unicode = kind == 'U'};
  const char* const end = descr.data() + descr.size();
  const auto [stop, error] = std::from_chars(descr.data() + 2, end, type.characters);
  if (error != std::errc() || stop != end || type.characters > most_characters) {
    refuse(name, fmt::format("element type '{}' is not supported; convert with .astype(str)",
                             printable(descr)));
  }
  return type;
}

/// Appends a character; false for what Unicode does not have.
bool append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t lead, std::uint32_t bits) {
    text += static_cast<char>(lead | bits);
  };
  const auto rest = [&](int shift) { byte(0x80, code >> shift & 0x3f); };
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
  if (code < 0x80) {
    byte(0, code);
  } else if (code < 0x800) {
    byte(0xc0, code >> 6);
    rest(0);
  } else if (code < 0x10000) {
    byte(0xe0, code >> 12);
    rest(6);
    rest(0);
  } else {
    byte(0xf0, code >> 18);
    rest(12);
    rest(6);
    rest(0);
  }
  return true;
}

/// The characters of an element up to the zeros that fill it; nothing where they are not text.
std::string text_of_element(std::span<const std::byte> element, TextType type,
                            const std::string& name, std::size_t index) {
  std::string text;
  bool valid = true;
  if (type.is_unicode) {
    std::vector<std::uint32_t> codes(type.characters);
    if (!codes.empty()) std::memcpy(codes.data(), element.data(), element.size());
    while (!codes.empty() && codes.back() == 0) codes.pop_back();
    for (const std::uint32_t code : codes) valid = valid && append_utf8(text, code);
  } else {
    text.assign(reinterpret_cast<const char*>(element.data()), element.size());
    while (text.ends_with('\0')) text.pop_back();
    valid = text::is_utf8(text);
  }
  if (!valid || text.find('\0') != std::string::npos) {
    refuse(name, fmt::format("element {} is not a text in Unicode; write it again", index));
  }
  return text;
}

}  // namespace

bool is_npy_of_texts(std::span<const std::byte> file, const std::string& name) {
  const char kind = kind_of(parse_npy_front(file, name).dict.descr);
  return kind == 'U' || kind == 'S' || kind == 'O';
}

std::vector<std::string> parse_npy_texts(std::span<const std::byte> file, const std::string& name) {
  const NpyFront front = parse_npy_front(file, name);
  const TextType type = parse_text_type(front.dict.descr, name);
  require(front.dict.shape.size() == 1, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} dimensions ({}); expected 1: one text each", name,
                       front.dict.shape.size(), describe(front.dict.shape));
  });
  const std::size_t size = checked_data_size(front, type.size(), file.size(), name);
  const auto data = file.subspan(front.data_offset, size);
  const std::size_t count = front.dict.shape[0];
  // Empty texts take no bytes, so that nothing in the file bounds their number.
  if (type.size() == 0 && count > 0) refuse(name, "element 0 is an empty text; give it a name");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    texts.push_back(text_of_element(data.subspan(i * type.size(), type.size()), type, name, i));
  }
  return texts;
}

}  // namespace caos::io
