#include "caos/vision/drawing/marking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "caos/error.hpp"
#include "caos/vision/resample.hpp"

namespace caos::vision {
namespace {

constexpr std::size_t wanted_height = 700;
constexpr std::size_t widest = 8000;  // of what is enlarged
/// More names than this cover the image.
constexpr std::size_t most_names = 30;
/// Neighbors that are so many units apart have room for all that is drawn.
constexpr double wide_room = 24;
constexpr double small_unit = 0.8;
constexpr double name_size = 12.5;
constexpr double smallest_name = 7;

std::size_t enlargement(const Image& image) {
  require(image.width > 0 && image.height > 0, ErrorKind::invalid_input,
          "an overlay needs an image with pixels");
  const std::size_t by_height = (wanted_height + image.height / 2) / image.height;
  return std::max<std::size_t>(1, std::min(by_height, widest / image.width));
}

double squared_distance(Point a, Point b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/// The rectangle that a text covers.
struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

double overlap(const Box& a, const Box& b) {
  const double width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

class Layout {
 public:
  Layout(std::span<const NameTag> tags, const Marking& marking, double width, double height)
      : marking_(marking), width_(width), height_(height) {
    for (const NameTag& tag : tags) dots_.push_back(box_of_dot(tag.place));
  }

  /// The start of a text of this width beside `place`.
  Point add(Point place, double text_width) {
    Point best{};
    double least = std::numeric_limits<double>::infinity();
    for (const Point& start : candidates(place, text_width)) {
      const double cost = cost_of(box_of(start, text_width));
      if (cost < least) least = cost, best = start;
    }
    texts_.push_back(box_of(best, text_width));
    return best;
  }

 private:
  /// Around the place, the likeliest first.
  [[nodiscard]] std::array<Point, 8> candidates(Point place, double text_width) const {
    const double gap = marking_.dot + marking_.name / 6;
    const double up = place.y - gap;
    const double down = place.y + gap + Lettering::ascent * marking_.name;
    const double level = place.y + Lettering::ascent * marking_.name / 2;
    const double right = place.x + gap;
    const double left = place.x - gap - text_width;
    const double middle = place.x - text_width / 2;
    std::array<Point, 8> starts = {{{right, up},
                                    {right, down},
                                    {left, up},
                                    {left, down},
                                    {right, level},
                                    {left, level},
                                    {middle, up},
                                    {middle, down}}};
    for (Point& start : starts) start = within(start, text_width);
    return starts;
  }

  [[nodiscard]] Point within(Point start, double text_width) const {
    const double edge = marking_.name / 10;
    const double top = Lettering::ascent * marking_.name + edge;
    const double bottom = height_ - Lettering::descent * marking_.name;
    return {std::max(edge, std::min(start.x, width_ - text_width - edge)),
            std::max(top, std::min(start.y, bottom))};
  }

  [[nodiscard]] Box box_of(Point start, double text_width) const {
    return {start.x, start.y - Lettering::ascent * marking_.name, start.x + text_width,
            start.y + Lettering::descent * marking_.name};
  }

  [[nodiscard]] Box box_of_dot(Point place) const {
    return {place.x - marking_.dot, place.y - marking_.dot, place.x + marking_.dot,
            place.y + marking_.dot};
  }

  [[nodiscard]] double cost_of(const Box& box) const {
    double cost = 0;
    for (const Box& text : texts_) cost += overlap(box, text);
    for (const Box& dot : dots_) cost += overlap(box, dot);
    return cost;
  }

  const Marking& marking_;
  double width_;
  double height_;
  std::vector<Box> dots_{};
  std::vector<Box> texts_{};
};

}  // namespace

Picture Picture::enlarged(const Image& original) {
  const std::size_t factor = enlargement(original);
  Picture picture{enlarge(original, factor), static_cast<double>(factor)};
  const std::size_t side = std::min(picture.image.width, picture.image.height);
  picture.unit = std::max(1.0, static_cast<double>(side) / 600);
  return picture;
}

Picture Picture::small(const Image& original, std::size_t longest_side) {
  const std::size_t longest = std::max(original.width, original.height);
  require(longest > 0 && original.rgb.size() > 0, ErrorKind::invalid_input,
          "a picture needs an image with pixels");
  const double share =
      std::min(1.0, static_cast<double>(longest_side) / static_cast<double>(longest));
  const auto side = [&](std::size_t length) {
    const double scaled = std::round(static_cast<double>(length) * share);
    return std::max<std::size_t>(1, static_cast<std::size_t>(scaled));
  };
  return {shrink(original, side(original.width), side(original.height)), share, small_unit};
}

double typical_distance(std::span<const Point> places) {
  std::vector<double> nearest;
  for (std::size_t i = 0; i < places.size(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < places.size(); ++j) {
      if (j != i) least = std::min(least, squared_distance(places[i], places[j]));
    }
    nearest.push_back(least);
  }
  if (nearest.empty()) return std::numeric_limits<double>::infinity();
  const auto middle = nearest.begin() + static_cast<std::ptrdiff_t>(nearest.size() / 2);
  std::nth_element(nearest.begin(), middle, nearest.end());
  return std::sqrt(*middle);
}

Marking marking_of(std::span<const Point> places, double unit, Labels labels) {
  const double room = std::min(1.0, typical_distance(places) / (wide_room * unit));
  return {.dot = unit * std::max(1.2, 3 * room),
          .line = unit * std::max(0.6, 2 * room),
          .name = unit * std::max(smallest_name, name_size * std::sqrt(room)),
          .roomy = room > 0.75,
          .names =
              labels == Labels::on || (labels == Labels::automatic && places.size() <= most_names)};
}

std::vector<Point> place_names(std::span<const NameTag> tags, const Lettering& lettering,
                               const Marking& marking, double width, double height) {
  Layout layout(tags, marking, width, height);
  std::vector<Point> starts;
  for (const NameTag& tag : tags) {
    starts.push_back(layout.add(tag.place, lettering.shape_of(tag.text).width * marking.name));
  }
  return starts;
}

}  // namespace caos::vision
