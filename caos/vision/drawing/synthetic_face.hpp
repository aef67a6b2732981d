#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caos/backbone.hpp"

namespace caos::vision {

struct NamedPoint {
  std::string name;
  Point position{};
};

/// A face that never was, with the exact places of its landmarks.
struct DrawnFace {
  Image image{};                        ///< 178 x 218
  std::vector<NamedPoint> landmarks{};  ///< 42, the same names in the same order for all faces;
                                        ///< left and right are as the viewer sees them
};

/// The default series.
inline constexpr std::uint64_t default_series = 0;

/// Face number `index` of the series `seed`: shape, pose, colors, hair, beard, glasses, light,
/// background, blur and noise are drawn at random, always the same for the same two numbers.
/// Faces of a series are independent and alike in law, so they are exchangeable.
[[nodiscard]] DrawnFace draw_face(std::uint64_t seed, std::uint64_t index);

}  // namespace caos::vision
