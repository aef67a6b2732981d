#include "image_split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "caos/core/error.hpp"
#include "caos/core/rng.hpp"
#include "caos/io/csv.hpp"

namespace caos::cli {
namespace {

std::size_t column_of(const io::CsvTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.header, name);
  require(found != table.header.end(), ErrorKind::bad_format, [&] {
    return fmt::format("{}:1: there is no column '{}'; expected image,role", table.name, name);
  });
  return static_cast<std::size_t>(found - table.header.begin());
}

/// Sorts the labelled images by index, keeping who is a reference.
ImageSplit arrange(const Indices& references, const Indices& calibration, Indices test) {
  ImageSplit split;
  std::ranges::sort(test);
  split.test = std::move(test);
  split.labeled = references;
  split.labeled.insert(split.labeled.end(), calibration.begin(), calibration.end());
  std::ranges::sort(split.labeled);
  for (std::size_t p = 0; p < split.labeled.size(); ++p) {
    const bool is_reference = std::ranges::find(references, split.labeled[p]) != references.end();
    (is_reference ? split.partition.references : split.partition.calibration).push_back(p);
  }
  return split;
}

}  // namespace

ImageSplit read_split(const std::string& path, const std::vector<std::string>& names) {
  const io::CsvTable table = io::read_csv(path);
  const std::size_t image = column_of(table, "image");
  const std::size_t role = column_of(table, "role");
  std::map<std::string, std::size_t> index_of;
  for (std::size_t i = 0; i < names.size(); ++i) index_of.emplace(names[i], i);
  std::map<std::string, Indices> by_role = {{"reference", {}}, {"calibration", {}}, {"test", {}}};
  std::map<std::string, std::size_t> line_of;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto refuse = [&](const std::string& why) {
      throw Error(ErrorKind::bad_format, fmt::format("{}:{}: {}", path, table.lines[r], why));
    };
    const std::string& name = table.rows[r][image];
    const auto found = by_role.find(table.rows[r][role]);
    if (found == by_role.end()) {
      refuse(fmt::format("'{}' is no role; roles are reference, calibration and test",
                         table.rows[r][role]));
    }
    if (!index_of.contains(name)) refuse(fmt::format("there is no image '{}'", name));
    if (!line_of.emplace(name, table.lines[r]).second) {
      refuse(fmt::format("'{}' has a role already", name));
    }
    found->second.push_back(index_of[name]);
  }
  for (const auto& [name, images] : by_role) {
    require(!images.empty(), ErrorKind::bad_format,
            [&] { return fmt::format("{}: no image has the role {}", path, name); });
  }
  return arrange(by_role["reference"], by_role["calibration"], by_role["test"]);
}

ImageSplit split_at_random(const LabeledPatches& images, std::uint64_t seed) {
  // Units are subjects, so that nobody is on both sides.
  std::map<std::size_t, Indices> units;
  for (std::size_t i = 0; i < images.size(); ++i) {
    units[images.subjects.empty() ? i : images.subjects[i]].push_back(i);
  }
  std::vector<const Indices*> order;
  for (const auto& [subject, members] : units) order.push_back(&members);
  require(order.size() >= 4, ErrorKind::invalid_input,
          "splitting needs at least 4 images of different subjects");
  Rng rng(seed);
  rng.shuffle(std::span(order));
  Indices references;
  Indices calibration;
  Indices test;
  for (std::size_t u = 0; u < order.size(); ++u) {
    const bool is_labeled = u < order.size() / 2;
    Indices& side = !is_labeled ? test : u % 2 == 0 ? references : calibration;
    side.insert(side.end(), order[u]->begin(), order[u]->end());
  }
  return arrange(references, calibration, std::move(test));
}

}  // namespace caos::cli
