#include "apps/studio/store/measures/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "apps/studio/store/checks.hpp"
#include "apps/studio/store/store_limits.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

struct Vector {
  double x = 0;
  double y = 0;
};

/// Where the landmark is; nothing where that is not known.
const Point* place_of(const std::vector<Point>& points, Id landmark) {
  const auto found = std::ranges::find(points, landmark, &Point::landmark);
  return found == points.end() || found->state == PointState::missing ? nullptr : &*found;
}

Vector between(const Point& from, const Point& to) { return {to.x - from.x, to.y - from.y}; }

/// By the tangent of both products, which is exact also for small angles.
std::optional<double> degrees_between(const Vector& a, const Vector& b) {
  const double across = a.x * b.y - a.y * b.x;
  const double along = a.x * b.x + a.y * b.y;
  if (across == 0 && along == 0) return std::nullopt;
  return std::abs(std::atan2(across, along)) * 180 / std::numbers::pi;
}

void check_measure(const Measure& measure, const std::set<Id>& known) {
  check_name(measure.name, limits::landmark_name, "the name of a measure");
  const std::size_t count = measure.landmarks.size();
  const bool fits = measure.kind == Measure::Kind::distance ? count == 2 : count == 3 || count == 4;
  require(fits, ErrorKind::invalid_input, [&] {
    return fmt::format("'{}': a distance has 2 landmarks, an angle 3 or 4; it has {}", measure.name,
                       count);
  });
  for (const Id landmark : measure.landmarks) {
    require(known.contains(landmark), ErrorKind::invalid_input, [&] {
      return fmt::format("'{}': the scheme has no landmark {}; load the scheme again", measure.name,
                         landmark);
    });
  }
  const bool is_line = measure.landmarks[0] != measure.landmarks[1];
  const bool is_angle = count < 3 || measure.landmarks[count - 2] != measure.landmarks[count - 1];
  require(is_line && is_angle, ErrorKind::invalid_input, [&] {
    return fmt::format("'{}' has the same landmark at both ends of a line", measure.name);
  });
}

}  // namespace

std::string name_of(Measure::Kind kind) {
  return kind == Measure::Kind::distance ? "distance" : "angle";
}

Measure::Kind parse_measure_kind(const std::string& text) {
  require(text == "distance" || text == "angle", ErrorKind::invalid_input,
          "the kind of a measure must be distance or angle");
  return text == "distance" ? Measure::Kind::distance : Measure::Kind::angle;
}

void check_measures(const Measures& measures, const std::vector<Id>& landmarks) {
  const std::set<Id> known(landmarks.begin(), landmarks.end());
  require(
      measures.measures.size() <= limits::measures && measures.skeleton.size() <= limits::measures,
      ErrorKind::invalid_input,
      [] { return fmt::format("a project has at most {} measures and lines", limits::measures); });
  std::set<std::string> names;
  for (const Measure& measure : measures.measures) {
    check_measure(measure, known);
    require(names.insert(measure.name).second, ErrorKind::invalid_input, [&] {
      return fmt::format("two measures are called '{}'; rename one of them", measure.name);
    });
  }
  for (const auto& [from, to] : measures.skeleton) {
    require(known.contains(from) && known.contains(to) && from != to, ErrorKind::invalid_input,
            "a line of the skeleton joins two different landmarks of the scheme");
  }
}

std::optional<double> value_of(const Measure& measure, const std::vector<Point>& points) {
  std::vector<const Point*> at;
  for (const Id landmark : measure.landmarks) {
    at.push_back(place_of(points, landmark));
    if (at.back() == nullptr) return std::nullopt;
  }
  if (measure.kind == Measure::Kind::distance) {
    const Vector line = between(*at[0], *at[1]);
    return std::hypot(line.x, line.y);
  }
  return at.size() == 3 ? degrees_between(between(*at[1], *at[0]), between(*at[1], *at[2]))
                        : degrees_between(between(*at[0], *at[1]), between(*at[2], *at[3]));
}

}  // namespace caos::studio
