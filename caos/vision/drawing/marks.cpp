#include "caos/vision/drawing/marks.hpp"

#include <array>
#include <utility>
#include <vector>

#include "caos/vision/drawing/contact_sheet.hpp"
#include "caos/vision/drawing/pen.hpp"

namespace caos::vision {
namespace {

constexpr Rgb black = {0, 0, 0};
constexpr Rgb white = {255, 255, 255};
/// Neighbors in the order of landmarks differ.
constexpr std::array<Rgb, 6> colors = {
    {{255, 80, 60}, {70, 220, 90}, {80, 160, 255}, {255, 210, 50}, {235, 90, 235}, {60, 220, 220}}};

void draw_points(Pen& pen, const Picture& picture, std::span<const Mark> marks,
                 const Marking& marking) {
  const double edge = (marking.roomy ? 1 : 0.6) * picture.unit;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Point place = picture.place(marks[i].place);
    pen.disc(place, marking.dot + edge, black);
    pen.disc(place, marking.dot, colors[i % colors.size()]);
    if (marks[i].hidden) pen.disc(place, marking.dot / 2, white);
  }
}

void write_names(Pen& pen, const Picture& picture, std::span<const Mark> marks,
                 const Marking& marking, const Lettering& lettering) {
  std::vector<NameTag> tags;
  for (const Mark& mark : marks) {
    if (!mark.name.empty()) tags.push_back({picture.place(mark.place), mark.name});
  }
  const auto starts =
      place_names(tags, lettering, marking, static_cast<double>(picture.image.width),
                  static_cast<double>(picture.image.height));
  for (std::size_t i = 0; i < tags.size(); ++i) {
    pen.write_edged(tags[i].text, starts[i], marking.name, white, black, marking.name / 10);
  }
}

Image draw(Picture picture, std::span<const Mark> marks, Labels labels) {
  std::vector<Point> places;
  for (const Mark& mark : marks) places.push_back(picture.place(mark.place));
  const Marking marking = marking_of(places, picture.unit, labels);
  const Lettering lettering;
  Pen::draw_on(picture.image, lettering, [&](Pen& pen) {
    draw_points(pen, picture, marks, marking);
    if (marking.names) write_names(pen, picture, marks, marking, lettering);
  });
  return std::move(picture.image);
}

}  // namespace

Image draw_marks(const Image& image, std::span<const Mark> marks, Labels labels) {
  return draw(Picture::enlarged(image), marks, labels);
}

Image draw_small_marks(const Image& image, std::span<const Mark> marks) {
  return draw(Picture::small(image, tile_side), marks, Labels::off);
}

}  // namespace caos::vision
