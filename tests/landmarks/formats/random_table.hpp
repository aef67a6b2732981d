#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks::test {

/// What a format holds, so that tables can be drawn that survive it.
struct Held {
  bool names = true;    ///< otherwise landmarks are called 1, 2, ...
  bool hidden = true;   ///< otherwise all are visible
  bool missing = true;  ///< otherwise all that are listed are marked
  bool subject = true;
  bool scale = true;
  bool size = true;
  bool partial = true;      ///< otherwise every image lists all landmarks
  bool line_breaks = true;  ///< in the names of images
  bool many = true;         ///< otherwise there is one image

  friend Held operator&(const Held& a, const Held& b) {
    return {a.names && b.names,     a.hidden && b.hidden,
            a.missing && b.missing, a.subject && b.subject,
            a.scale && b.scale,     a.size && b.size,
            a.partial && b.partial, a.line_breaks && b.line_breaks,
            a.many && b.many};
  }
};

/// Positions: exactly representable with some bits to spare, or any.
enum class Positions { coarse, any };

inline bool draw_bool() { return *rc::gen::arbitrary<bool>(); }

inline std::string draw_name(bool line_breaks) {
  static const std::vector<std::string> plain = {
      "nose", "left eye",     "a,b", "say \"hi\"", "a&b<c>'d'", "\xc3\xa9t\xc3\xa9",
      "100%", "\xe6\x97\xa5", "x;y", "&amp;",      "a=b",       "#1"};
  static const std::vector<std::string> odd = {"two\nlines", " spaces ", "tab\there", "cr\rlf\n"};
  const bool use_odd = line_breaks && *rc::gen::inRange(0, 4) == 0;
  return *rc::gen::elementOf(use_odd ? odd : plain);
}

inline double draw_position(Positions positions, std::size_t size) {
  const double share = *rc::gen::inRange(0, 1 << 20) / static_cast<double>(1 << 20);
  const double position = share * static_cast<double>(size);
  return positions == Positions::any ? std::sqrt(share) * position : std::floor(64 * position) / 64;
}

inline Landmark draw_landmark(const std::string& name, const Held& held, Positions positions,
                              const Annotation& image) {
  const int kind = *rc::gen::inRange(0, 4);
  if (held.missing && kind == 0) {
    return {.name = name, .x = 0, .y = 0, .visibility = Visibility::missing};
  }
  Landmark result{
      .name = name,
      .x = draw_position(positions, *image.width),
      .y = draw_position(positions, *image.height),
      .visibility = held.hidden && kind == 1 ? Visibility::hidden : Visibility::visible};
  if (result.x == 0 && result.y == 0) result.x = 1.0 / 64;  // that means missing in some formats
  return result;
}

inline std::vector<std::string> draw_names(const Held& held) {
  std::vector<std::string> names;
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 1; i <= count; ++i) {
    names.push_back(held.names ? fmt::format("{}{}", draw_name(true), i) : fmt::format("{}", i));
  }
  return names;
}

inline Annotation draw_annotation(std::size_t index, const std::vector<std::string>& names,
                                  const Held& held, Positions positions) {
  Annotation image{.image = draw_name(held.line_breaks) + fmt::format("{}.png", index)};
  image.width = *rc::gen::inRange<std::size_t>(1, 5000);
  image.height = *rc::gen::inRange<std::size_t>(1, 5000);
  for (const std::string& name : names) {
    if (held.partial && draw_bool()) continue;
    image.landmarks.push_back(draw_landmark(name, held, positions, image));
  }
  if (held.subject && draw_bool()) image.subject = draw_name(true);
  if (held.scale && draw_bool()) image.scale = *rc::gen::element(0.25, 0.5, 2.0);
  return image;
}

/// Sizes stay in the table even where the format does not hold them; see `without_sizes`.
inline LandmarkTable draw_table(const Held& held, Positions positions) {
  const std::vector<std::string> names = draw_names(held);
  const std::size_t count = held.many ? *rc::gen::inRange<std::size_t>(1, 5) : 1;
  LandmarkTable table;
  for (std::size_t i = 0; i < count; ++i) {
    table.annotations.push_back(draw_annotation(i, names, held, positions));
  }
  return table;
}

inline LandmarkTable without_sizes(LandmarkTable table) {
  for (Annotation& annotation : table.annotations) {
    annotation.width.reset();
    annotation.height.reset();
  }
  return table;
}

/// The table with positions of `other` where these are at most `tolerance` away: equal tables are
/// then equal.
inline LandmarkTable snapped(LandmarkTable table, const LandmarkTable& other, double tolerance) {
  for (std::size_t i = 0; i < std::min(table.annotations.size(), other.annotations.size()); ++i) {
    auto& marks = table.annotations[i].landmarks;
    const auto& others = other.annotations[i].landmarks;
    for (std::size_t j = 0; j < std::min(marks.size(), others.size()); ++j) {
      const bool close = std::abs(marks[j].x - others[j].x) <= tolerance &&
                         std::abs(marks[j].y - others[j].y) <= tolerance;
      if (close) marks[j].x = others[j].x, marks[j].y = others[j].y;
    }
  }
  return table;
}

}  // namespace caos::landmarks::test
