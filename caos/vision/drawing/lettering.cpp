#include "caos/vision/drawing/lettering.hpp"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <cstdint>
#include <new>

#include "caos/error.hpp"

namespace caos::assets {
extern const std::string_view overlay_font;
}

namespace caos::vision {
namespace {

void check(FT_Error failure) {
  if (failure == FT_Err_Out_Of_Memory) throw std::bad_alloc();
  require(failure == FT_Err_Ok, ErrorKind::backend, "FreeType cannot read the font of pictures");
}

constexpr char32_t unreadable = 0xFFFD;

/// How many bytes the character has that starts so; 0 for no start of a character.
std::size_t length_of(std::uint8_t lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
}

/// Takes a character off the front; a byte that starts none is one by itself.
char32_t take_character(std::string_view& text) {
  const auto lead = static_cast<std::uint8_t>(text[0]);
  const std::size_t length = length_of(lead);
  text.remove_prefix(1);
  if (length == 0 || text.size() + 1 < length) return unreadable;
  if (length == 1) return lead;
  char32_t code = lead & (0x7FU >> length);
  for (const char c : text.substr(0, length - 1)) {
    if ((static_cast<std::uint8_t>(c) & 0xC0U) != 0x80U) return unreadable;
    code = code << 6 | (static_cast<std::uint8_t>(c) & 0x3FU);
  }
  text.remove_prefix(length - 1);
  return code;
}

/// Collects the contours of a letter that FreeType takes apart, in units of the font.
class Collector {
 public:
  Collector(TextShape& shape, double units) : shape_(shape), units_(units) {}

  void start(const FT_Vector& at) { shape_.contours.push_back({.start = place(at)}); }
  void line(const FT_Vector& to) { add({last(), place(to), place(to)}); }
  void conic(const FT_Vector& control, const FT_Vector& to) {
    const Point middle = place(control);
    const Point end = place(to);
    add({toward(last(), middle), toward(end, middle), end});
  }
  void cubic(const FT_Vector& one, const FT_Vector& two, const FT_Vector& to) {
    add({place(one), place(two), place(to)});
  }

 private:
  [[nodiscard]] Point place(const FT_Vector& v) const {
    return {shape_.width + static_cast<double>(v.x) / units_, -static_cast<double>(v.y) / units_};
  }
  /// Two thirds of the way: a conic as a cubic.
  static Point toward(Point from, Point to) {
    return {from.x + (to.x - from.x) * 2 / 3, from.y + (to.y - from.y) * 2 / 3};
  }
  [[nodiscard]] Point last() const {
    const Contour& contour = shape_.contours.back();
    return contour.curves.empty() ? contour.start : contour.curves.back().end;
  }
  void add(const Curve& curve) { shape_.contours.back().curves.push_back(curve); }

  TextShape& shape_;
  double units_;
};

/// Exceptions must not pass through FreeType, which calls this.
template <typename Step>
int collect(void* collector, Step step) {
  try {
    step(*static_cast<Collector*>(collector));
    return FT_Err_Ok;
  } catch (const std::bad_alloc&) {
    return FT_Err_Out_Of_Memory;
  }
}

using Vector = const FT_Vector*;

constexpr FT_Outline_Funcs collecting = {
    .move_to = [](Vector to,
                  void* into) { return collect(into, [&](Collector& c) { c.start(*to); }); },
    .line_to = [](Vector to,
                  void* into) { return collect(into, [&](Collector& c) { c.line(*to); }); },
    .conic_to =
        [](Vector control, Vector to, void* into) {
          return collect(into, [&](Collector& c) { c.conic(*control, *to); });
        },
    .cubic_to =
        [](Vector one, Vector two, Vector to, void* into) {
          return collect(into, [&](Collector& c) { c.cubic(*one, *two, *to); });
        },
    .shift = 0,
    .delta = 0};

}  // namespace

void Lettering::CloseLibrary::operator()(FT_LibraryRec_* library) const {
  FT_Done_FreeType(library);
}

void Lettering::CloseFace::operator()(FT_FaceRec_* face) const { FT_Done_Face(face); }

Lettering::Lettering() {
  FT_Library library = nullptr;
  check(FT_Init_FreeType(&library));
  library_.reset(library);
  FT_Face face = nullptr;
  check(FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(assets::overlay_font.data()),
                           static_cast<FT_Long>(assets::overlay_font.size()), 0, &face));
  face_.reset(face);
}

TextShape Lettering::shape_of(std::string_view text) const {
  const double units = face_->units_per_EM;
  TextShape shape;
  while (!text.empty()) {
    const FT_UInt letter = FT_Get_Char_Index(face_.get(), take_character(text));
    check(FT_Load_Glyph(face_.get(), letter, FT_LOAD_NO_SCALE));
    Collector collector(shape, units);
    check(FT_Outline_Decompose(&face_->glyph->outline, &collecting, &collector));
    shape.width += static_cast<double>(face_->glyph->advance.x) / units;
  }
  return shape;
}

}  // namespace caos::vision
