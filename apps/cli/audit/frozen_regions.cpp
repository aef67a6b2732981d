#include "apps/cli/audit/frozen_regions.hpp"

#include <fmt/format.h>

#include <utility>

#include "caos/error.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/sha256.hpp"
#include "caos/landmarks/formats/json/json_view.hpp"

namespace caos::cli {
namespace {

using landmarks::JsonView;

FrozenRegion::Corner corner_of(const JsonView& view) {
  const std::vector<JsonView> numbers = view.items();
  if (numbers.size() != 2) view.refuse("not a corner [x, y]");
  return {.x = numbers[0].number(), .y = numbers[1].number()};
}

FrozenRegion region_of(const JsonView& view) {
  std::vector<FrozenRegion::Ring> rings;
  for (const JsonView& ring : view.at("outline").items()) {
    FrozenRegion::Ring& corners = rings.emplace_back();
    for (const JsonView& corner : ring.items()) corners.push_back(corner_of(corner));
  }
  return FrozenRegion(std::move(rings));
}

std::vector<FrozenRegion> regions_of(const JsonView& image,
                                     const std::vector<std::string>& landmarks) {
  const JsonView list = image.at("landmarks");
  const std::vector<JsonView> entries = list.items();
  if (entries.size() != landmarks.size()) {
    list.refuse(
        fmt::format("has {} landmarks; the file lists {}", entries.size(), landmarks.size()));
  }
  std::vector<FrozenRegion> regions;
  for (std::size_t t = 0; t < entries.size(); ++t) {
    const JsonView name = entries[t].at("landmark");
    if (name.text() != landmarks[t]) {
      name.refuse(fmt::format("is '{}' where the file lists '{}'", name.text(), landmarks[t]));
    }
    regions.push_back(region_of(entries[t]));
  }
  return regions;
}

void add_image(RegionFile& file, const JsonView& image) {
  const JsonView name = image.at("image");
  FrozenImage frozen{.width = image.at("width").positive(),
                     .height = image.at("height").positive(),
                     .regions = regions_of(image, file.landmarks)};
  const bool is_new = file.images.emplace(name.text(), std::move(frozen)).second;
  if (!is_new) name.refuse(fmt::format("'{}' is given twice", name.text()));
  file.names.push_back(name.text());
}

/// How many sides of the ring a ray from the point to the right crosses.
std::size_t crossings(const FrozenRegion::Ring& ring, double x, double y) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const FrozenRegion::Corner& a = ring[i];
    const FrozenRegion::Corner& b = ring[(i + 1) % ring.size()];
    if ((a.y > y) == (b.y > y)) continue;
    if (x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)) ++count;
  }
  return count;
}

}  // namespace

bool FrozenRegion::contains(double x, double y) const {
  std::size_t count = 0;
  for (const Ring& ring : rings_) count += crossings(ring, x, y);
  return count % 2 == 1;
}

RegionFile read_regions(const std::string& path) {
  const io::MappedFile file = io::MappedFile::read(path);
  RegionFile regions{.name = path, .sha256 = io::sha256(file.bytes())};
  const landmarks::Json json = landmarks::parse_json(file.text(), path);
  const JsonView view(json, regions.name);
  if (const auto orientation = view.find("orientation")) {
    regions.apply_orientation = orientation->text() != "ignored";
  }
  for (const JsonView& landmark : view.at("landmarks").items()) {
    regions.landmarks.push_back(landmark.at("landmark").text());
  }
  for (const JsonView& image : view.at("images").items()) add_image(regions, image);
  require(!regions.landmarks.empty() && !regions.images.empty(), ErrorKind::bad_format, [&] {
    return fmt::format(
        "{}: has no regions; expected what 'landmarks predict --output FILE.json' wrote", path);
  });
  return regions;
}

}  // namespace caos::cli
