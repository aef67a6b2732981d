#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "apps/studio/store/database/rows.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;
/// An image's place in the list, and a landmark's in the scheme.
using Where = std::pair<Id, std::int64_t>;

struct Placed {
  Id landmark = 0;
  double x = 0;
  double y = 0;
};

/// Where an annotator put landmarks the last time, in whatever reading; what was taken back since
/// or is not there has no place.
std::map<Where, Placed> last_places(Connection& db, Id project, const std::string& annotator) {
  Ask ask(db,
          "SELECT image, position, landmark, x, y FROM history "
          "JOIN images ON images.id = image JOIN landmarks ON landmarks.id = landmark "
          "WHERE images.project = ? AND annotator = ? AND position IS NOT NULL "
          "ORDER BY history.id",
          project, annotator);
  std::map<Where, Placed> places;
  while (ask.next()) {
    const Where where(ask.integer(0), ask.integer(1));
    places.erase(where);
    if (!ask.is_null(3)) places[where] = {ask.integer(2), ask.real(3), ask.real(4)};
  }
  return places;
}

std::map<Id, std::optional<double>> scales(Connection& db, Id project) {
  const Settings settings = find_project(db, project).settings;
  std::map<Id, std::optional<double>> found;
  for (const ImageRecord& image : images_of(db, project)) found[image.id] = image.scale(settings);
  return found;
}

/// Not by hypot, whose last bit need not be the same on every machine.
double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

PairOfPoints pair_of(Id image, const Placed& first, const Placed& second,
                     const std::optional<double>& scale) {
  PairOfPoints pair{.image = image,
                    .landmark = first.landmark,
                    .distance = length_of(first.x - second.x, first.y - second.y),
                    .x1 = first.x,
                    .y1 = first.y,
                    .x2 = second.x,
                    .y2 = second.y};
  if (scale) pair.distance_mm = pair.distance * *scale;
  return pair;
}

}  // namespace

std::vector<PairOfPoints> Store::compare(Id project, const std::string& first,
                                         const std::string& second) {
  require(first != second, ErrorKind::invalid_input,
          "an annotator cannot be compared with themselves; name two");
  return impl_->read([&](Connection& db) {
    const auto mm_per_pixel = scales(db, project);
    const auto theirs = last_places(db, project, second);
    std::vector<PairOfPoints> pairs;
    for (const auto& [where, placed] : last_places(db, project, first)) {
      const auto other = theirs.find(where);
      if (other == theirs.end()) continue;
      pairs.push_back(pair_of(where.first, placed, other->second, mm_per_pixel.at(where.first)));
    }
    return pairs;
  });
}

}  // namespace caos::studio
