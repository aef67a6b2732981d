#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace caos::landmarks {

enum class Visibility {
  visible,
  hidden,   ///< marked, but not to be seen (COCO's 1)
  missing,  ///< not marked; x and y are unused
};

/// One landmark of one image, in pixels of the upright image: continuous, from the upper left
/// corner of the upper left pixel, y downwards.
struct Landmark {
  std::string name;
  double x = 0;
  double y = 0;
  Visibility visibility = Visibility::visible;
  bool proposed = false;               ///< by a model, not marked by a person
  std::optional<double> conformity{};  ///< of a proposal: its p-value, from 0 to 1

  friend bool operator==(const Landmark&, const Landmark&) = default;
};

/// The landmarks of one image.
struct Annotation {
  std::string image;  ///< its file name
  std::vector<Landmark> landmarks{};
  std::optional<std::string> subject{};  ///< whose image it is, where that is known
  std::optional<double> scale{};         ///< millimeters per pixel, where that is known
  std::optional<std::size_t> width{};    ///< pixels, where the format says so
  std::optional<std::size_t> height{};

  friend bool operator==(const Annotation&, const Annotation&) = default;
};

/// What a landmark file says, whatever its format.
struct LandmarkTable {
  std::vector<Annotation> annotations{};

  /// The names of all landmarks, in the order in which they first appear.
  [[nodiscard]] std::vector<std::string> landmark_names() const;

  friend bool operator==(const LandmarkTable&, const LandmarkTable&) = default;
};

/// The same table with every landmark listed in every image, in the order of `landmark_names()`;
/// those that an image does not list are missing. For formats that know landmarks by position.
[[nodiscard]] LandmarkTable with_all_landmarks(const LandmarkTable& table);

/// Throws `invalid_input` for what no file can say: two annotations of one image, a landmark twice
/// in one image, a name that is empty, a position beyond `max_coordinate`, a scale that is not
/// positive, a size of 0, a conformity outside of [0, 1].
void check_table(const LandmarkTable& table);

/// No position is further from the corner of its image: beyond this there are no images, and sums
/// with halves of pixels would lose digits.
inline constexpr double max_coordinate = 1e9;

/// Whether a number can be a position; not so NaN and infinity.
[[nodiscard]] bool is_coordinate(double value);

}  // namespace caos::landmarks
