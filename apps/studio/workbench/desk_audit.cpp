// How a desk judges the regions of its project by an audit.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "apps/studio/workbench/desk.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

bool is_visible(const ImageCard& card, Id landmark) {
  const auto point = std::ranges::find(card.reading.points, landmark, &Point::landmark);
  return point != card.reading.points.end() && point->state == PointState::visible;
}

/// A point that lies where no region can reach is missed by it.
bool is_held(const RegionSize& region, const Miscoverage& alpha) {
  return region.is_marked() && region.holds_marked(alpha);
}

}  // namespace

std::string Desk::fingerprint() const {
  return calibration_fingerprint(view_, embedder_.backbone(view_.project()));
}

void Desk::require_regions_to_audit() const {
  require(!view_.is_waiting(), ErrorKind::invalid_input,
          "labeled images are still being embedded; begin the audit in a moment");
  const bool has_regions = followed_ && labeled_.calibrated()->joint.has_value();
  require(has_regions, ErrorKind::invalid_input, [&] {
    return fmt::format("no regions to audit yet; label at least {} images of the sample",
                       view_.project().settings.k + 1);
  });
}

std::string Desk::why_void(const Audit& audit) const {
  if (!audit.discarded_at.empty()) return "the audit was discarded before it was finished";
  if (audit.size != audit.end - audit.first) {
    return "the audit passed over images that had been removed, which makes its images a choice";
  }
  if (fingerprint() == audit.calibration) return {};
  return audit.is_open()
             ? "the calibration changed since the audit began: points of the sample, landmarks or "
               "settings are not the same, so the audit does not judge the present regions; take the "
               "change back or discard the audit"
             : "the calibration changed after the audit: points of the sample, landmarks or settings "
               "are not the same, so its result is about earlier regions and not about the present "
               "ones";
}

std::vector<Id> Desk::images_of(const Audit& audit) const {
  std::map<std::size_t, Id> images;
  for (const auto& [id, card] : view_.images()) {
    const auto& order = card.record.order;
    if (order && *order >= audit.first && *order < audit.end) images.emplace(*order, id);
  }
  std::vector<Id> ids;
  for (const auto& [place, id] : images) ids.push_back(id);
  return ids;
}

std::size_t Desk::num_removed(const Audit& audit) const {
  const std::size_t end = audit.first + audit.population;
  const auto is_in_population = [&](const auto& image) {
    const auto& order = image.second.record.order;
    return order && *order >= audit.first && *order < end;
  };
  const auto present = std::ranges::count_if(view_.images(), is_in_population);
  return audit.population - static_cast<std::size_t>(present);
}

std::size_t Desk::num_labeled(const Audit& audit) const {
  const auto is_complete = [&](Id id) { return view_.image(id).record.complete; };
  return static_cast<std::size_t>(std::ranges::count_if(images_of(audit), is_complete));
}

/// An image that cannot be embedded has no region, and misses what is visible in it.
void Desk::judge(const ImageCard& card, const Audit& audit,
                 std::vector<AuditedLandmark>& landmarks) {
  const auto alpha = Miscoverage::parse(audit.alpha);
  std::vector<RegionSize> regions(view_.scheme().size());
  if (card.failure.empty()) regions = job(card.record.id).run(threads_).sizes(audit.simultaneous);
  for (std::size_t t = 0; t < regions.size(); ++t) {
    if (!is_visible(card, view_.scheme()[t].id)) {
      ++landmarks[t].absent;
    } else if (!is_held(regions[t], alpha)) {
      landmarks[t].missed.push_back(card.record.name);
    }
  }
}

std::vector<AuditedLandmark> Desk::audit_outcome(const Audit& audit) {
  std::vector<AuditedLandmark> landmarks;
  for (const SchemeLandmark& landmark : view_.scheme())
    landmarks.push_back({.name = landmark.name});
  for (const Id id : images_of(audit)) judge(view_.image(id), audit, landmarks);
  // Landmarks that too few images of the sample have are without regions, and not judged.
  std::vector<AuditedLandmark> judged;
  for (std::size_t t = 0; t < landmarks.size(); ++t) {
    if (labeled_.calibrated()->landmarks.calibration(t)) judged.push_back(landmarks[t]);
  }
  return judged;
}

}  // namespace caos::studio
