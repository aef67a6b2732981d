#include "caos/vision/drawing/synthetic_face.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "caos/rng.hpp"
#include "caos/vision/drawing/canvas.hpp"
#include "caos/vision/drawing/face_shape.hpp"

namespace caos::vision {
namespace {

constexpr std::size_t face_width = 178;
constexpr std::size_t face_height = 218;

constexpr std::array<Color, 6> skins = {{{0.98, 0.86, 0.77},
                                         {0.93, 0.76, 0.63},
                                         {0.84, 0.64, 0.48},
                                         {0.70, 0.49, 0.35},
                                         {0.53, 0.35, 0.24},
                                         {0.38, 0.25, 0.18}}};
constexpr std::array<Color, 7> hairs = {{{0.10, 0.08, 0.07},
                                         {0.22, 0.14, 0.09},
                                         {0.38, 0.24, 0.13},
                                         {0.58, 0.30, 0.14},
                                         {0.80, 0.64, 0.36},
                                         {0.62, 0.61, 0.60},
                                         {0.88, 0.86, 0.83}}};
constexpr std::array<Color, 5> irises = {{{0.26, 0.17, 0.09},
                                          {0.36, 0.25, 0.12},
                                          {0.30, 0.42, 0.26},
                                          {0.30, 0.48, 0.66},
                                          {0.42, 0.46, 0.50}}};
constexpr Color black = {0.05, 0.04, 0.04};
constexpr Color white = {0.97, 0.96, 0.94};

enum class Hair { none, cropped, parted, fringe, long_hair, bun, count };

/// What is drawn besides the shape.
struct Looks {
  Color skin{}, hair_color{}, iris{}, lips{}, clothes{}, background{}, background_far{};
  Hair hair = Hair::none;
  double hair_part = 0;
  double brow_width = 2;
  double beard = 0;  // opacity; 0: no beard
  double moustache = 0;
  double glasses = 0;  // half width of the frame; 0: no glasses
  bool has_round_glasses = false;
  Point light{};
  double blur = 0;
  double noise = 0;
};

template <std::size_t n>
Color pick(Rng& rng, const std::array<Color, n>& colors) {
  const std::size_t first = rng.below(n);
  const Color other = colors[std::min(first + 1, n - 1)];
  return mix(colors[first], other, rng.uniform());
}

Color any_color(Rng& rng, double low, double high) {
  const double r = between(rng, low, high);
  const double g = between(rng, low, high);
  return {r, g, between(rng, low, high)};
}

/// Zero with probability 1 - share.
double sometimes(Rng& rng, double share, double low, double high) {
  const double value = between(rng, low, high);
  return rng.uniform() < share ? value : 0;
}

Looks random_looks(Rng& rng) {
  Looks looks;
  looks.skin = pick(rng, skins);
  looks.hair_color = pick(rng, hairs);
  looks.iris = pick(rng, irises);
  looks.lips = mix(looks.skin, {0.68, 0.20, 0.22}, between(rng, 0.25, 0.75));
  looks.clothes = any_color(rng, 0.1, 0.85);
  looks.background = mix(any_color(rng, 0.25, 0.9), {0.6, 0.62, 0.66}, 0.45);
  looks.background_far = mix(looks.background, any_color(rng, 0.1, 1), 0.4);
  looks.hair = static_cast<Hair>(rng.below(static_cast<std::size_t>(Hair::count)));
  looks.hair_part = between(rng, -0.32, 0.32);
  looks.brow_width = between(rng, 1.0, 3.0);
  looks.beard = sometimes(rng, 0.15, 0.25, 0.75);
  looks.moustache = sometimes(rng, 0.1, 0.4, 0.9);
  looks.glasses = sometimes(rng, 0.15, 0.5, 1.1);
  looks.has_round_glasses = rng.uniform() < 0.5;
  looks.light = {between(rng, -0.0055, 0.0055), between(rng, -0.003, 0.001)};
  looks.blur = between(rng, 0, 0.2);
  looks.noise = between(rng, 0.002, 0.0045);
  return looks;
}

/// Draws one face; every step draws on top of those before it.
class Artist {
 public:
  Artist(const FaceShape& face, const Pose& pose, const Looks& looks)
      : face_(face),
        pose_(pose),
        looks_(looks),
        canvas_(face_width, face_height, looks.background) {}

  Image draw(Rng& rng) {
    draw_background(rng);
    draw_hair_behind();
    draw_body();
    for (std::size_t s = 0; s < 2; ++s) draw_ear(face_.sides[s]);
    draw_head();
    draw_beard();
    draw_nose();
    draw_mouth();
    for (std::size_t s = 0; s < 2; ++s) draw_eye(face_.eyes[s]);
    draw_hair_in_front();
    if (looks_.glasses > 0) draw_glasses();
    canvas_.blur(looks_.blur);
    canvas_.add_noise(rng, looks_.noise);
    return canvas_.to_image();
  }

 private:
  [[nodiscard]] Path posed(std::initializer_list<HeadPoint> points) const {
    Path path;
    for (const HeadPoint& point : points) path.push_back(pose_(point));
    return path;
  }

  /// Under the light, with its own color in the middle of the face.
  [[nodiscard]] Paint lit(Color color, double opacity = 1) const {
    return {.color = color, .opacity = opacity, .middle = pose_.middle, .light = looks_.light};
  }

  [[nodiscard]] Color shade(double share) const { return mix(looks_.skin, black, share); }

  void fill(std::initializer_list<HeadPoint> points, const Paint& paint) {
    canvas_.paint(canvas_.inside(smooth_closed(posed(points))), paint);
  }

  void line(std::initializer_list<HeadPoint> points, double first, double last,
            const Paint& paint) {
    canvas_.paint(
        canvas_.along(smooth_open(posed(points)), first * pose_.scale, last * pose_.scale), paint);
  }

  void spot(HeadPoint middle, double radius_x, double radius_y, const Paint& paint) {
    canvas_.paint(canvas_.spot(pose_(middle), radius_x * pose_.scale, radius_y * pose_.scale),
                  paint);
  }

  /// A point of the face moved away, toward or along.
  static HeadPoint moved(HeadPoint p, double x, double y) { return {p.x + x, p.y + y, p.z}; }
  /// A point moved outwards: to the side it is on.
  static HeadPoint outward(HeadPoint p, double x, double y) {
    return moved(p, p.x < 0 ? -x : x, y);
  }

  void draw_background(Rng& rng) {
    const auto width = static_cast<double>(face_width);
    const auto height = static_cast<double>(face_height);
    for (int i = 0; i < 7; ++i) {
      const Point middle{between(rng, 0, width), between(rng, 0, height)};
      const double radius = between(rng, 20, 110);
      const double squeeze = between(rng, 0.5, 1.6);
      const Color color = mix(looks_.background_far, any_color(rng, 0, 1), 0.3);
      canvas_.paint(canvas_.spot(middle, radius, radius * squeeze),
                    {.color = color, .opacity = 0.75});
    }
  }

  void draw_body() {
    const double neck = 0.62 * face_.sides[1].jaw.x;
    const double y = face_.chin.y;
    fill({{-neck, 0.4 * y, -8}, {neck, 0.4 * y, -8}, {neck, y + 34, -8}, {-neck, y + 34, -8}},
         lit(shade(0.22)));
    fill({{-1.15 * neck, y + 20, -4},
          {0, y + 30, -4},
          {1.15 * neck, y + 20, -4},
          {3.4 * neck, y + 36, -10},
          {4.2 * neck, y + 110, -10},
          {-4.2 * neck, y + 110, -10},
          {-3.4 * neck, y + 36, -10}},
         lit(looks_.clothes));
  }

  void draw_ear(const SidePoints& side) {
    const HeadPoint inside = outward(side.ear_top, -6, 8);
    fill({inside, side.ear_top, side.ear_outer, outward(side.ear_lobe, 4, -9), side.ear_lobe},
         lit(shade(0.1)));
    line({outward(side.ear_top, 1, 4), outward(side.ear_outer, -3, 2),
          outward(side.ear_lobe, 1, -6)},
         0.7, 0.5, lit(shade(0.38), 0.8));
  }

  [[nodiscard]] Path head_path() const {
    const auto& [l, r] = face_.sides;
    return smooth_closed(posed({face_.hairline, r.forehead, r.temple, r.cheek, r.jaw, r.chin,
                                face_.chin, l.chin, l.jaw, l.cheek, l.temple, l.forehead}));
  }

  void draw_head() {
    const Mask head = canvas_.inside(head_path());
    canvas_.paint(head, lit(looks_.skin));
    for (std::size_t s = 0; s < 2; ++s) {
      const EyePoints& eye = face_.eyes[s];
      spot(moved(eye.upper, 0, -2), 15, 11, lit(shade(0.35), 0.45));
      spot(moved(eye.lower, 0, 20), 16, 13, lit(mix(looks_.skin, looks_.lips, 0.6), 0.4));
    }
    spot(moved(face_.hairline, 0, 24), 30, 18, lit(mix(looks_.skin, white, 0.5), 0.35));
    spot(moved(face_.lower_lip, 0, 5), 10, 4, lit(shade(0.4), 0.5));
    Path outline = head_path();
    outline.push_back(outline.front());
    canvas_.paint(canvas_.along(outline, 0.6, 0.6), lit(shade(0.5), 0.55));
  }

  void draw_beard() {
    if (looks_.beard <= 0) return;
    const auto& [l, r] = face_.sides;
    const Mask beard = canvas_.inside(
        smooth_closed(posed({outward(r.cheek, -2, 4), r.jaw, r.chin, moved(face_.chin, 0, 3),
                             l.chin, l.jaw, outward(l.cheek, -2, 4), moved(l.jaw, 9, -6),
                             moved(face_.mouth_corners[0], -4, 2), moved(face_.lower_lip, 0, 5),
                             moved(face_.mouth_corners[1], 4, 2), moved(r.jaw, -9, -6)})));
    canvas_.paint(beard, lit(mix(looks_.hair_color, looks_.skin, 0.15), looks_.beard));
  }

  void draw_nose() {
    const auto& [l, r] = face_.nose_wings;
    const HeadPoint bridge = face_.nose_bridge;
    const double side = looks_.light.x > 0 ? -1 : 1;
    line({moved(bridge, side * 3, 0), moved(face_.nose_tip, side * 4.5, -4)}, 1, 1.8,
         lit(shade(0.35), 0.45));
    spot(moved(face_.nose_tip, 0, -2), 7, 7, lit(mix(looks_.skin, white, 0.55), 0.6));
    line({moved(l, 0.5, -4), l, moved(l, 3, 2.5), face_.nose_base, moved(r, -3, 2.5), r,
          moved(r, -0.5, -4)},
         0.8, 0.8, lit(shade(0.5), 0.85));
    spot(moved(l, 3.4, 1.5), 2.6, 1.8, lit(black, 0.8));
    spot(moved(r, -3.4, 1.5), 2.6, 1.8, lit(black, 0.8));
  }

  void draw_mouth() {
    const auto& [left, right] = face_.mouth_corners;
    const double open = (face_.lower_lip.y - face_.mouth_middle.y) * 0.25;
    if (looks_.moustache > 0) {
      line({moved(left, -2, 0), moved(face_.lip_peaks[0], -2, -4), moved(face_.upper_lip, 0, -4.5),
            moved(face_.lip_peaks[1], 2, -4), moved(right, 2, 0)},
           2.4, 2.4, lit(looks_.hair_color, looks_.moustache));
    }
    fill({left, face_.lip_peaks[0], face_.upper_lip, face_.lip_peaks[1], right,
          moved(face_.lower_lip, 0.45 * right.x, -1), face_.lower_lip,
          moved(face_.lower_lip, 0.45 * left.x, -1)},
         lit(looks_.lips));
    line({left, moved(face_.mouth_middle, 0.5 * left.x, 0.4), face_.mouth_middle,
          moved(face_.mouth_middle, 0.5 * right.x, 0.4), right},
         0.7 + 0.4 * open, 0.7, lit(mix(looks_.lips, black, 0.7)));
  }

  void draw_eye(const EyePoints& eye) {
    const Path opening = smooth_closed(posed({eye.outer, eye.upper, eye.inner, eye.lower}));
    const Mask open = canvas_.inside(opening);
    canvas_.paint(open, lit(white));
    const double radius = face_.iris_radius;
    const HeadPoint pupil = eye.pupil;
    const auto disc = [&](HeadPoint middle, double r) {
      return canvas_.along(Path{pose_(middle), pose_(middle)}, r * pose_.scale, r * pose_.scale);
    };
    canvas_.paint(open * disc(pupil, radius), lit(looks_.iris));
    canvas_.paint(open * disc(pupil, 0.48 * radius), lit(black));
    canvas_.paint(open * disc(moved(pupil, -1.2, -1.4), 0.22 * radius), lit(white));
    line({eye.inner, eye.upper, eye.outer}, 0.7, 1.3, lit(mix(black, looks_.hair_color, 0.3)));
    line({eye.inner, eye.lower, eye.outer}, 0.35, 0.5, lit(shade(0.55), 0.8));
    line({moved(eye.inner, 0, -3), moved(eye.upper, 0, -3.4), moved(eye.outer, 0, -2)}, 0.4, 0.4,
         lit(shade(0.45), 0.6));
    line({eye.brow_inner, eye.brow_middle, eye.brow_outer}, looks_.brow_width,
         0.4 * looks_.brow_width, lit(mix(looks_.hair_color, black, 0.25), 0.9));
  }

  void draw_hair_behind() {
    const auto& [l, r] = face_.sides;
    if (looks_.hair == Hair::bun) {
      const HeadPoint top = moved(face_.hairline, 30 * looks_.hair_part, -20);
      const Path dot{pose_(top), pose_(top)};
      canvas_.paint(canvas_.along(dot, 16 * pose_.scale, 16 * pose_.scale),
                    lit(mix(looks_.hair_color, black, 0.15)));
    }
    const double length = looks_.hair == Hair::long_hair ? face_.chin.y + 18 : 0;
    if (looks_.hair != Hair::long_hair) return;
    fill({moved(face_.hairline, 0, -14),
          outward(r.forehead, 12, -8),
          outward(r.temple, 14, 0),
          outward(r.cheek, 16, 20),
          {r.cheek.x + 14, length, -10},
          {r.jaw.x * 0.6, length + 8, -10},
          {l.jaw.x * 0.6, length + 8, -10},
          {l.cheek.x - 14, length, -10},
          outward(l.cheek, 16, 20),
          outward(l.temple, 14, 0),
          outward(l.forehead, 12, -8)},
         lit(mix(looks_.hair_color, black, 0.25)));
  }

  /// The lower edge of the hair on the forehead, from the right to the left temple.
  [[nodiscard]] Path hair_edge() const {
    const double top = face_.hairline.y;
    const double part = looks_.hair_part * face_.sides[1].temple.x;
    switch (looks_.hair) {
      case Hair::fringe:
        return posed({{25, 0.45 * top, 30}, {0, 0.42 * top, 40}, {-25, 0.45 * top, 30}});
      case Hair::cropped:
        return posed({{24, 0.88 * top, 20}, {0, 0.9 * top, 22}, {-24, 0.88 * top, 20}});
      default:
        return posed(
            {{part + 22, 0.66 * top, 24}, {part, 0.94 * top, 26}, {part - 22, 0.66 * top, 24}});
    }
  }

  void draw_hair_in_front() {
    if (looks_.hair == Hair::none) return;
    const auto& [l, r] = face_.sides;
    const double lift = looks_.hair == Hair::cropped ? 5 : 13;
    Path path =
        posed({outward(l.temple, 1, 14), outward(l.temple, 0.45 * lift, -4),
               outward(l.forehead, 0.7 * lift, -0.6 * lift), moved(face_.hairline, 0, -lift),
               outward(r.forehead, 0.7 * lift, -0.6 * lift), outward(r.temple, 0.45 * lift, -4),
               outward(r.temple, 1, 14), outward(r.temple, -5, -2)});
    const Path edge = hair_edge();
    path.insert(path.end(), edge.begin(), edge.end());
    path.push_back(pose_(outward(l.temple, -5, -2)));
    canvas_.paint(canvas_.inside(smooth_closed(path)), lit(looks_.hair_color));
    line({outward(l.forehead, 2, -2), moved(face_.hairline, -8, -0.6 * lift)}, 1.2, 0.4,
         lit(mix(looks_.hair_color, white, 0.35), 0.6));
    line({outward(r.forehead, -3, -3), moved(face_.hairline, 10, -0.5 * lift)}, 1, 0.4,
         lit(mix(looks_.hair_color, white, 0.35), 0.5));
  }

  void draw_glasses() {
    const double bulge = looks_.has_round_glasses ? 1.0 : 1.3;
    for (const EyePoints& eye : face_.eyes) {
      const HeadPoint middle{(eye.inner.x + eye.outer.x) / 2, eye.upper.y + 4, eye.pupil.z};
      const double reach = 13;
      const double corner = 0.707 * reach * bulge;
      Path rim = smooth_closed(
          posed({moved(middle, reach, 0), moved(middle, corner, corner * 0.85),
                 moved(middle, 0, reach * 0.85), moved(middle, -corner, corner * 0.85),
                 moved(middle, -reach, 0), moved(middle, -corner, -corner * 0.85),
                 moved(middle, 0, -reach * 0.85), moved(middle, corner, -corner * 0.85)}));
      canvas_.paint(canvas_.inside(rim), {.color = white, .opacity = 0.08});
      rim.push_back(rim.front());
      canvas_.paint(canvas_.along(rim, looks_.glasses, looks_.glasses), lit(black, 0.9));
      const double sign = middle.x < 0 ? -1 : 1;
      line({moved(middle, sign * reach, -2), {sign * face_.sides[1].cheek.x, middle.y - 3, 0}},
           looks_.glasses, looks_.glasses, lit(black, 0.9));
      line({moved(middle, -sign * reach, -1), {0, middle.y - 3, face_.nose_bridge.z}},
           looks_.glasses, looks_.glasses, lit(black, 0.9));
    }
  }

  const FaceShape& face_;
  const Pose& pose_;
  const Looks& looks_;
  Canvas canvas_;
};

}  // namespace

DrawnFace draw_face(std::uint64_t seed, std::uint64_t index) {
  Rng rng = Rng::stream(seed, index);
  const FaceShape face = random_shape(rng);
  const Pose pose = random_pose(rng, face_width, face_height);
  const Looks looks = random_looks(rng);
  return {.image = Artist(face, pose, looks).draw(rng), .landmarks = landmarks_of(face, pose)};
}

}  // namespace caos::vision
