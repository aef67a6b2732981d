#include "caos/landmarks/formats/joined_notes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace caos::landmarks {

JoinedNotes::Note JoinedNotes::of(const std::string& file) {
  if (!note_) return {};
  return [this, file](const std::string& text) { add(file, text); };
}

void JoinedNotes::add(const std::string& file, const std::string& text) {
  const std::string start = file + ": ";
  const std::string what = text.starts_with(start) ? text.substr(start.size()) : text;
  const auto known = std::ranges::find(said_, what, &Said::what);
  if (known == said_.end()) {
    said_.push_back({.what = what, .file = file});
  } else {
    ++known->count;
  }
}

void JoinedNotes::tell() const {
  for (const Said& said : said_) {
    note_(said.count == 1 ? fmt::format("{}: {}", said.file, said.what)
                          : fmt::format("{}: {} (so in {} files, the first: {})", whole_, said.what,
                                        said.count, said.file));
  }
}

}  // namespace caos::landmarks
