#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apps/studio/store/checks.hpp"
#include "apps/studio/store/store_limits.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using Scheme = std::vector<SchemeLandmark>;

bool is_color(const std::string& text) {
  return text.size() == 7 && text[0] == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == text.npos;
}

void choose_colors(Scheme& scheme) {
  for (std::size_t i = 0; i < scheme.size(); ++i) {
    if (scheme[i].color.empty()) scheme[i].color = color_at(i);
  }
}

void check_landmark(const SchemeLandmark& landmark) {
  check_name(landmark.name, limits::landmark_name, "the name of a landmark");
  require(is_color(landmark.color), ErrorKind::invalid_input, [&] {
    return fmt::format("the color of landmark '{}' must be like #0072b2", landmark.name);
  });
}

/// A name says its landmark; one that is there twice does not.
std::map<std::string, SchemeLandmark*> by_name(Scheme& scheme) {
  std::map<std::string, SchemeLandmark*> found;
  for (SchemeLandmark& landmark : scheme) {
    require(found.emplace(landmark.name, &landmark).second, ErrorKind::invalid_input, [&] {
      return fmt::format("two landmarks are called '{}'; give each a name of its own",
                         landmark.name);
    });
  }
  return found;
}

/// Makes pairs go both ways: it is enough that one side names the other.
void complete_pairs(Scheme& scheme) {
  const auto named = by_name(scheme);
  for (SchemeLandmark& landmark : scheme) {
    if (!landmark.pair) continue;
    const auto other = named.find(*landmark.pair);
    const bool fits = other != named.end() && other->second != &landmark &&
                      other->second->pair.value_or(landmark.name) == landmark.name;
    require(fits, ErrorKind::invalid_input, [&] {
      return fmt::format(
          "landmark '{}' cannot be paired with '{}'; a pair is two landmarks of the "
          "scheme that name each other",
          landmark.name, *landmark.pair);
    });
    other->second->pair = landmark.name;
  }
}

}  // namespace

std::vector<SchemeLandmark> checked_scheme(Scheme scheme) {
  require(scheme.size() <= limits::landmarks, ErrorKind::invalid_input, [&] {
    return fmt::format("there are {} landmarks; at most {} are allowed", scheme.size(),
                       limits::landmarks);
  });
  choose_colors(scheme);
  for (const SchemeLandmark& landmark : scheme) check_landmark(landmark);
  complete_pairs(scheme);
  return scheme;
}

}  // namespace caos::studio
