#include "caos/landmarks/formats/landmark_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

Annotation with_landmarks(const Annotation& annotation, const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, const Landmark*> known;
  for (const Landmark& landmark : annotation.landmarks) known.emplace(landmark.name, &landmark);
  Annotation result = annotation;
  result.landmarks.clear();
  for (const std::string& name : names) {
    const auto found = known.find(name);
    const Landmark missing{.name = name, .x = 0, .y = 0, .visibility = Visibility::missing};
    result.landmarks.push_back(found == known.end() ? missing : *found->second);
  }
  return result;
}

[[noreturn]] void refuse(const Annotation& annotation, const std::string& what) {
  throw Error(ErrorKind::invalid_input,
              fmt::format("image '{}': {}", io::printable_path(annotation.image), what));
}

void check_landmark(const Annotation& annotation, const Landmark& landmark) {
  const bool marked = landmark.visibility != Visibility::missing;
  if (landmark.name.empty()) refuse(annotation, "a landmark has no name");
  if (marked && !(is_coordinate(landmark.x) && is_coordinate(landmark.y))) {
    refuse(annotation, fmt::format("landmark '{}' lies at ({}, {}), which is not a valid position",
                                   printable(landmark.name), landmark.x, landmark.y));
  }
}

void check_conformity(const Annotation& annotation, const Landmark& landmark) {
  if (!landmark.conformity) return;
  const bool good = landmark.proposed && *landmark.conformity >= 0 && *landmark.conformity <= 1;
  if (!good) {
    refuse(annotation, fmt::format("landmark '{}' has a conformity of {}; expected a proposal with "
                                   "a number from 0 to 1",
                                   printable(landmark.name), *landmark.conformity));
  }
}

void check_landmarks(const Annotation& annotation) {
  std::unordered_set<std::string_view> seen;
  for (const Landmark& landmark : annotation.landmarks) {
    check_landmark(annotation, landmark);
    check_conformity(annotation, landmark);
    if (!seen.insert(landmark.name).second) {
      refuse(annotation, fmt::format("has the landmark '{}' twice", printable(landmark.name)));
    }
  }
}

void check_annotation(const Annotation& annotation) {
  if (annotation.image.empty()) refuse(annotation, "an image needs a name");
  const bool good_scale =
      !annotation.scale || (*annotation.scale > 0 && std::isfinite(*annotation.scale));
  if (!good_scale) refuse(annotation, "its scale is not a positive number");
  if (annotation.width == 0U || annotation.height == 0U) refuse(annotation, "its size is 0");
  check_landmarks(annotation);
}

}  // namespace

std::vector<std::string> LandmarkTable::landmark_names() const {
  std::vector<std::string> names;
  std::unordered_set<std::string_view> seen;
  for (const Annotation& annotation : annotations) {
    for (const Landmark& landmark : annotation.landmarks) {
      if (seen.insert(landmark.name).second) names.push_back(landmark.name);
    }
  }
  return names;
}

LandmarkTable with_all_landmarks(const LandmarkTable& table) {
  const std::vector<std::string> names = table.landmark_names();
  LandmarkTable result;
  for (const Annotation& annotation : table.annotations) {
    result.annotations.push_back(with_landmarks(annotation, names));
  }
  return result;
}

void check_table(const LandmarkTable& table) {
  std::unordered_set<std::string_view> seen;
  for (const Annotation& annotation : table.annotations) {
    check_annotation(annotation);
    if (!seen.insert(annotation.image).second) refuse(annotation, "is annotated twice");
  }
}

bool is_coordinate(double value) { return std::abs(value) <= max_coordinate; }

}  // namespace caos::landmarks
