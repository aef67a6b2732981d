#include "apps/studio/exchange/import_scheme.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace caos::studio {
namespace {

/// Words that say a side; each has its other side in the same case.
constexpr std::array<std::array<std::string_view, 2>, 6> sides = {{{"left", "right"},
                                                                   {"Left", "Right"},
                                                                   {"LEFT", "RIGHT"},
                                                                   {"l", "r"},
                                                                   {"L", "R"},
                                                                   {"lt", "rt"}}};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

/// Where a word begins: after a character that is not a letter, and at capitals as in leftEye.
bool begins_word(std::string_view name, std::size_t i) {
  if (!is_letter(name[i])) return false;
  return i == 0 || !is_letter(name[i - 1]) || (is_upper(name[i]) && !is_upper(name[i - 1]));
}

std::size_t end_of_word(std::string_view name, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < name.size() && is_letter(name[end]) && !begins_word(name, end)) ++end;
  return end;
}

std::optional<std::string_view> other_side(std::string_view word) {
  for (const auto& [left, right] : sides) {
    if (word == left) return right;
    if (word == right) return left;
  }
  return std::nullopt;
}

/// A word that says a side, and where it stands.
struct SideWord {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view other{};
};

std::vector<SideWord> side_words(std::string_view name) {
  std::vector<SideWord> words;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!begins_word(name, i)) continue;
    const std::size_t end = end_of_word(name, i);
    if (const auto other = other_side(name.substr(i, end - i))) words.push_back({i, end, *other});
    i = end - 1;
  }
  return words;
}

/// The name with these of its words turned to the other side.
std::string turned(std::string_view name, std::span<const SideWord> words) {
  std::string result;
  std::size_t begin = 0;
  for (const SideWord& word : words) {
    result.append(name.substr(begin, word.begin - begin)).append(word.other);
    begin = word.end;
  }
  return result.append(name.substr(begin));
}

/// What the other side of a landmark may be called, the likeliest first: in a mirror the left
/// corner of the left eye becomes the right corner of the right one.
std::vector<std::string> mirrored(std::string_view name) {
  const std::vector<SideWord> words = side_words(name);
  if (words.empty()) return {};
  std::vector<std::string> names = {turned(name, words)};
  for (const SideWord& word : words) names.push_back(turned(name, {&word, 1}));
  return names;
}

void pair_up(std::vector<SchemeLandmark>& scheme) {
  std::unordered_map<std::string, SchemeLandmark*> by_name;
  for (SchemeLandmark& landmark : scheme) by_name.emplace(landmark.name, &landmark);
  for (SchemeLandmark& landmark : scheme) {
    for (const std::string& name : mirrored(landmark.name)) {
      const auto other = by_name.find(name);
      if (landmark.pair || other == by_name.end() || other->second->pair) continue;
      landmark.pair = name;
      other->second->pair = landmark.name;
    }
  }
}

}  // namespace

std::vector<SchemeLandmark> scheme_from_names(std::span<const std::string> names) {
  std::vector<SchemeLandmark> scheme;
  for (const std::string& name : names) {
    scheme.push_back({.name = name, .color = color_at(scheme.size())});
  }
  pair_up(scheme);
  return scheme;
}

std::vector<SchemeLandmark> scheme_from_files(std::span<const landmarks::NamedText> files,
                                              const landmarks::FileOptions& options) {
  landmarks::FileOptions names_only = options;
  // The positions of the points do not matter here.
  names_only.tps.y = landmarks::TpsY::top;
  return scheme_from_names(landmarks::parse_landmarks(files, names_only).landmark_names());
}

}  // namespace caos::studio
