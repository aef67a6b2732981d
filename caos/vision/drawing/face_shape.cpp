#include "caos/vision/drawing/face_shape.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace caos::vision {
namespace {

/// -1 for the left side, +1 for the right one.
double sign_of(std::size_t side) { return side == 0 ? -1 : 1; }

/// The measures from which all points follow; half widths and distances in pixels.
struct Measures {
  double head, jaw, top, bottom;
  double eye_x, eye_y, eye_width, eye_height, eye_slant, gaze_x, gaze_y;
  double brow_height, brow_arch, brow_slant;
  double nose_length, nose_width;
  double mouth_y, mouth_width, smile, upper, lower, open;
  double ear;
};

double sometimes_open(Rng& rng) {
  const double open = between(rng, 1.5, 4);
  return rng.uniform() < 0.3 ? open : 0;
}

Measures random_measures(Rng& rng) {
  Measures m{};
  m.head = between(rng, 41, 48);
  m.jaw = m.head * between(rng, 0.68, 0.82);
  m.top = between(rng, 52, 60);
  m.bottom = between(rng, 59, 68);
  m.eye_x = m.head * between(rng, 0.42, 0.47);
  m.eye_y = between(rng, -2, 2);
  m.eye_width = between(rng, 8.5, 11);
  m.eye_height = between(rng, 3, 5.2);
  m.eye_slant = between(rng, -1.2, 1.2);
  m.gaze_x = between(rng, -1.6, 1.6);
  m.gaze_y = between(rng, -0.6, 0.6);
  m.brow_height = between(rng, 9, 13);
  m.brow_arch = between(rng, 0.5, 3);
  m.brow_slant = between(rng, -1.8, 1.8);
  m.nose_length = between(rng, 23, 29);
  m.nose_width = between(rng, 6.5, 10);
  m.mouth_y = m.nose_length + (m.bottom - m.nose_length) * between(rng, 0.37, 0.45);
  m.mouth_width = between(rng, 13.5, 18.5);
  m.smile = between(rng, -1, 4);
  m.upper = between(rng, 2.2, 4);
  m.lower = between(rng, 3, 5.5);
  m.open = sometimes_open(rng);
  m.ear = between(rng, 11, 14);
  return m;
}

/// Features lie on a head that is round in front.
double depth(const Measures& m, double x) {
  const double share = x / m.head;
  return m.head * std::sqrt(std::max(0.0, 1 - share * share));
}

EyePoints eye(const Measures& m, double sign) {
  const auto on_head = [&](double x, double y) { return HeadPoint{sign * x, y, depth(m, x)}; };
  const double x = m.eye_x;
  const double y = m.eye_y;
  const double brow_y = y - m.eye_height - m.brow_height;
  return {.outer = on_head(x + m.eye_width, y - m.eye_slant),
          .inner = on_head(x - m.eye_width, y + m.eye_slant),
          .upper = on_head(x, y - m.eye_height),
          .lower = on_head(x, y + 0.8 * m.eye_height),
          .pupil = {sign * x + m.gaze_x, y + m.gaze_y, depth(m, x)},
          .brow_outer = on_head(x + 1.35 * m.eye_width, brow_y + 3 - m.brow_slant),
          .brow_middle = on_head(x + 0.2 * m.eye_width, brow_y - m.brow_arch),
          .brow_inner = on_head(x - 1.1 * m.eye_width, brow_y + 2 + m.brow_slant)};
}

SidePoints side(const Measures& m, double sign) {
  const auto at = [&](double x, double y, double z) { return HeadPoint{sign * x, y, z}; };
  return {.forehead = at(0.62 * m.head, -0.88 * m.top, 10),
          .temple = at(0.97 * m.head, -0.4 * m.top, 4),
          .cheek = at(m.head, 12, 0),
          .jaw = at(m.jaw, 0.62 * m.bottom, 6),
          .chin = at(0.45 * m.jaw, 0.93 * m.bottom, 20),
          .ear_top = at(0.98 * m.head, -m.ear + 4, -6),
          .ear_outer = at(m.head + 0.55 * m.ear, -0.4 * m.ear + 4, -10),
          .ear_lobe = at(0.97 * m.head, m.ear + 4, -6)};
}

void add_nose(const Measures& m, FaceShape& face) {
  const double z = m.head;
  face.nose_bridge = {0, m.eye_y - 2, z + 2};
  face.nose_tip = {0, m.nose_length - 5, z + 14};
  face.nose_base = {0, m.nose_length, z + 6};
  for (std::size_t s = 0; s < 2; ++s) {
    face.nose_wings[s] = {sign_of(s) * m.nose_width, m.nose_length - 2.5, z + 3};
  }
}

void add_mouth(const Measures& m, FaceShape& face) {
  const double z = m.head + 2;
  face.upper_lip = {0, m.mouth_y - m.upper * 0.75 - m.open / 2, z};
  face.mouth_middle = {0, m.mouth_y, z};
  face.lower_lip = {0, m.mouth_y + m.lower + m.open / 2, z};
  for (std::size_t s = 0; s < 2; ++s) {
    face.lip_peaks[s] = {sign_of(s) * 0.28 * m.mouth_width, m.mouth_y - m.upper - m.open / 2, z};
    face.mouth_corners[s] = {sign_of(s) * m.mouth_width, m.mouth_y - m.smile,
                             depth(m, m.mouth_width)};
  }
}

using NamedHeadPoint = std::pair<std::string, HeadPoint>;

void append_sided(std::vector<NamedHeadPoint>& points, const FaceShape& face, std::size_t s) {
  const std::string side = s == 0 ? "left_" : "right_";
  const SidePoints& outline = face.sides[s];
  const EyePoints& eye = face.eyes[s];
  const std::initializer_list<NamedHeadPoint> named = {{"temple", outline.temple},
                                                       {"cheek", outline.cheek},
                                                       {"jaw", outline.jaw},
                                                       {"chin_side", outline.chin},
                                                       {"ear_top", outline.ear_top},
                                                       {"ear_lobe", outline.ear_lobe},
                                                       {"brow_outer", eye.brow_outer},
                                                       {"brow_middle", eye.brow_middle},
                                                       {"brow_inner", eye.brow_inner},
                                                       {"eye_outer", eye.outer},
                                                       {"eye_inner", eye.inner},
                                                       {"eye_upper", eye.upper},
                                                       {"eye_lower", eye.lower},
                                                       {"pupil", eye.pupil},
                                                       {"nose_wing", face.nose_wings[s]},
                                                       {"mouth_corner", face.mouth_corners[s]},
                                                       {"lip_peak", face.lip_peaks[s]}};
  for (const auto& [name, point] : named) points.emplace_back(side + name, point);
}

}  // namespace

Point Pose::operator()(HeadPoint point) const {
  const double front = std::sqrt(1 - turn * turn);
  const double x = scale * (front * point.x + turn * point.z);
  const double y = scale * (std::sqrt(1 - nod * nod) * point.y + nod * point.z);
  return {middle.x + cosine * x - sine * y, middle.y + sine * x + cosine * y};
}

FaceShape random_shape(Rng& rng) {
  const Measures m = random_measures(rng);
  FaceShape face;
  for (std::size_t s = 0; s < 2; ++s) {
    face.eyes[s] = eye(m, sign_of(s));
    face.sides[s] = side(m, sign_of(s));
  }
  face.hairline = {0, -m.top, 14};
  face.chin = {0, m.bottom, 24};
  face.iris_radius = between(rng, 3.4, 4.8);
  add_nose(m, face);
  add_mouth(m, face);
  return face;
}

Pose random_pose(Rng& rng, std::size_t width, std::size_t height) {
  Pose pose;
  pose.middle = {static_cast<double>(width) / 2 + between(rng, -12, 12),
                 0.48 * static_cast<double>(height) + between(rng, -12, 12)};
  pose.scale = between(rng, 0.98, 1.14);
  // Half the tangent of an angle gives its sine and cosine without trigonometry.
  const double half = between(rng, -0.045, 0.045);
  pose.cosine = (1 - half * half) / (1 + half * half);
  pose.sine = 2 * half / (1 + half * half);
  pose.turn = between(rng, -0.11, 0.11);
  pose.nod = between(rng, -0.04, 0.04);
  return pose;
}

std::vector<NamedPoint> landmarks_of(const FaceShape& face, const Pose& pose) {
  std::vector<NamedHeadPoint> points = {
      {"hairline", face.hairline},         {"chin", face.chin},
      {"nose_bridge", face.nose_bridge},   {"nose_tip", face.nose_tip},
      {"nose_base", face.nose_base},       {"upper_lip", face.upper_lip},
      {"mouth_middle", face.mouth_middle}, {"lower_lip", face.lower_lip}};
  for (std::size_t s = 0; s < 2; ++s) append_sided(points, face, s);
  std::vector<NamedPoint> landmarks;
  landmarks.reserve(points.size());
  for (const auto& [name, point] : points) landmarks.push_back({name, pose(point)});
  return landmarks;
}

}  // namespace caos::vision
