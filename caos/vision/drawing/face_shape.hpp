#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/rng.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"

// The geometry of drawn faces; not for users of the library.
namespace caos::vision {

/// A point of a head: x to the right, y downwards, z toward the viewer; pixels, from a point
/// between the eyes.
struct HeadPoint {
  double x = 0;
  double y = 0;
  double z = 0;
};

/// How a head is held and where it is.
struct Pose {
  Point middle{};
  double scale = 1;
  double cosine = 1;  ///< of the tilt
  double sine = 0;
  double turn = 0;  ///< sine of the turn to the right
  double nod = 0;   ///< sine of the nod downwards

  [[nodiscard]] Point operator()(HeadPoint point) const;
};

/// The points of an eye and its brow; the outer corner is the one toward the ear.
struct EyePoints {
  HeadPoint outer{}, inner{}, upper{}, lower{}, pupil{};
  HeadPoint brow_outer{}, brow_middle{}, brow_inner{};
};

/// One side of the outline, from above to below.
struct SidePoints {
  HeadPoint forehead{}, temple{}, cheek{}, jaw{}, chin{};
  HeadPoint ear_top{}, ear_outer{}, ear_lobe{};
};

/// All points of a face. Pairs are left and right as the viewer sees them.
struct FaceShape {
  std::array<EyePoints, 2> eyes{};
  std::array<SidePoints, 2> sides{};
  HeadPoint hairline{}, chin{};
  HeadPoint nose_bridge{}, nose_tip{}, nose_base{};
  std::array<HeadPoint, 2> nose_wings{};
  std::array<HeadPoint, 2> mouth_corners{};
  std::array<HeadPoint, 2> lip_peaks{};
  HeadPoint upper_lip{}, mouth_middle{}, lower_lip{};
  double iris_radius = 4;
};

[[nodiscard]] FaceShape random_shape(Rng& rng);
[[nodiscard]] Pose random_pose(Rng& rng, std::size_t width, std::size_t height);

/// The points that have names, where the pose puts them.
[[nodiscard]] std::vector<NamedPoint> landmarks_of(const FaceShape& face, const Pose& pose);

/// Uniform between the two.
[[nodiscard]] inline double between(Rng& rng, double low, double high) {
  return low + (high - low) * rng.uniform();
}

}  // namespace caos::vision
