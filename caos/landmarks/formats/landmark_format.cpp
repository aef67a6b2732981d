#include "caos/landmarks/formats/landmark_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "caos/error.hpp"
#include "caos/io/lower_case.hpp"
#include "caos/io/printable.hpp"

namespace caos::landmarks {
namespace {

struct Facts {
  Format format;
  std::string_view name;
  std::string_view title;
  std::string_view suffix;
  bool per_image;
};

constexpr std::array<Facts, 15> all_facts = {{
    {Format::csv, "csv", "CSV", ".csv", false},
    {Format::tps, "tps", "TPS", ".tps", false},
    {Format::pts, "pts", "PTS", ".pts", true},
    {Format::coco, "coco", "COCO", ".json", false},
    {Format::dlib, "dlib", "dlib", ".xml", false},
    {Format::label_studio, "label-studio", "Label Studio", ".json", false},
    {Format::slicer, "slicer", "3D Slicer", ".mrk.json", true},
    {Format::wide_csv, "wide-csv", "Wide CSV", ".csv", false},
    {Format::deeplabcut, "deeplabcut", "DeepLabCut", ".csv", false},
    {Format::deeplabcut_hdf5, "deeplabcut-h5", "DeepLabCut HDF5", ".h5", false},
    {Format::sleap, "sleap", "SLEAP", ".slp", false},
    {Format::tem, "tem", "TEM", ".tem", true},
    {Format::asf, "asf", "ASF", ".asf", true},
    {Format::points, "points", "Point list", ".txt", true},
    {Format::regions, "regions", "Regions", ".json", false},
}};

const Facts& facts_of(Format format) {
  return *std::ranges::find(all_facts, format, &Facts::format);
}

}  // namespace

std::string_view name_of(Format format) { return facts_of(format).name; }

std::string_view title_of(Format format) { return facts_of(format).title; }

std::string_view suffix_of(Format format) { return facts_of(format).suffix; }

bool is_per_image(Format format) { return facts_of(format).per_image; }

bool is_in_folders(Format format) {
  return is_per_image(format) || format == Format::tps || suffix_of(format) == ".csv";
}

std::string known_formats() {
  std::string text;
  for (const Facts& facts : all_facts) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", facts.name, facts.suffix);
  }
  return text;
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const Facts& facts : all_facts) names.push_back(facts.name);
  return names;
}

Format parse_format(std::string_view text) {
  const auto* const found = std::ranges::find(all_facts, text, &Facts::name);
  require(found != all_facts.end(), ErrorKind::invalid_input, [&] {
    return fmt::format("'{}' is not a known format of landmark files; known are {}",
                       io::printable(text), fmt::join(format_names(), ", "));
  });
  return found->format;
}

std::optional<Format> format_by_name(const std::string& path) {
  const std::string name = io::lower_case(path);
  if (name.ends_with(suffix_of(Format::slicer))) return Format::slicer;
  if (name.ends_with(".tsv")) return Format::csv;
  const auto* const found = std::ranges::find_if(all_facts, [&](const Facts& facts) {
    return facts.suffix != ".json" && name.ends_with(facts.suffix);
  });
  return found == all_facts.end() ? std::nullopt : std::optional(found->format);
}

}  // namespace caos::landmarks
