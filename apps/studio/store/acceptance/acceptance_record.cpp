#include "apps/studio/store/acceptance/acceptance_record.hpp"

#include "caos/error.hpp"

namespace caos::studio {

std::size_t Acceptance::num_accepted() const {
  std::size_t count = 0;
  for (const AcceptedLandmark& landmark : landmarks) count += landmark.num_accepted;
  return count;
}

std::string name_of(Acceptance::Unit unit) {
  return unit == Acceptance::Unit::points ? "points" : "images";
}

Acceptance::Unit parse_unit(const std::string& text) {
  require(text == "points" || text == "images", ErrorKind::invalid_input,
          "unit must be points or images");
  return text == "points" ? Acceptance::Unit::points : Acceptance::Unit::images;
}

}  // namespace caos::studio
