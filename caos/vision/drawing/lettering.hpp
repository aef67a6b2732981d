#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "caos/backbone.hpp"

struct FT_LibraryRec_;
struct FT_FaceRec_;

// Text in pictures; not for users of the library.
namespace caos::vision {

/// A cubic curve from where the one before it ended.
struct Curve {
  Point first_control{};
  Point second_control{};
  Point end{};
};

/// A closed path.
struct Contour {
  Point start{};
  std::vector<Curve> curves{};
};

/// A line of text as filled contours (nonzero winding). The unit is the font size; the text starts
/// at (0, 0) on its base line, and y points down.
struct TextShape {
  std::vector<Contour> contours{};
  double width = 0;
};

/// Letters of the font within the library, DejaVu Sans without hints: the same shapes on every
/// machine, whatever fonts it has. Latin, Greek and Cyrillic; other letters are boxes.
class Lettering {
 public:
  static constexpr double ascent = 0.76;  ///< the height of capital letters and figures, rounded up
  static constexpr double descent = 0.24;

  Lettering();

  /// Of a text in UTF-8; bytes that are not UTF-8 are drawn as U+FFFD.
  [[nodiscard]] TextShape shape_of(std::string_view text) const;

 private:
  struct CloseLibrary {
    void operator()(FT_LibraryRec_* library) const;
  };
  struct CloseFace {
    void operator()(FT_FaceRec_* face) const;
  };

  std::unique_ptr<FT_LibraryRec_, CloseLibrary> library_;
  std::unique_ptr<FT_FaceRec_, CloseFace> face_;
};

}  // namespace caos::vision
