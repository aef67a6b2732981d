#include "apps/studio/workbench/audit_statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

#include "apps/studio/store/images/image_files.hpp"
#include "apps/studio/workbench/project_guarantee.hpp"
#include "caos/audit.hpp"
#include "caos/conformal/audit_report.hpp"

namespace caos::studio {
namespace {

constexpr std::array<std::size_t, 8> usual_sizes = {10, 20, 30, 45, 60, 100, 150, 300};

/// Misses that an offer speaks of.
constexpr std::size_t most_offered_misses = 2;

const Confidence& confidence() {
  static const Confidence value = Confidence::parse(default_confidence);
  return value;
}

AuditUnit unit_of(const Audit& audit) {
  return audit.by_subject ? AuditUnit::subject : AuditUnit::image;
}

AuditBound bound_of(const Audit& audit, std::size_t misses, std::size_t statements) {
  return audit_bound({.hits = audit.size - misses, .audited = audit.size, .pool = audit.population},
                     confidence(), statements);
}

AuditFinding finding_of(const Audit& audit, const AuditBound& bound,
                        const std::optional<std::string>& landmark) {
  return {.landmark = landmark.value_or(""),
          .misses = audit.size - bound.count.hits,
          .remaining_hits = bound.remaining_hits.value_or(0),
          .share = bound.share,
          .percent = audit_percent(bound),
          .statement = audit_statement(bound, confidence(), landmark, unit_of(audit))};
}

std::vector<std::string> missed_images(const Audit& audit) {
  std::set<std::string> images;
  for (const AuditedLandmark& landmark : audit.landmarks) {
    images.insert(landmark.missed.begin(), landmark.missed.end());
  }
  return {images.begin(), images.end()};
}

AuditFinding image_finding(const Audit& audit, std::size_t statements) {
  std::vector<std::string> missed = missed_images(audit);
  AuditFinding finding =
      finding_of(audit, bound_of(audit, missed.size(), statements), std::nullopt);
  finding.missed = std::move(missed);
  return finding;
}

AuditFinding landmark_finding(const Audit& audit, const AuditedLandmark& landmark,
                              std::size_t statements) {
  AuditFinding finding =
      finding_of(audit, bound_of(audit, landmark.missed.size(), statements), landmark.name);
  finding.absent = landmark.absent;
  finding.missed = landmark.missed;
  return finding;
}

/// Part of every statement: the best of several audits has less confidence than stated.
std::string words_of_earlier(std::size_t begun_before) {
  if (begun_before == 0) return {};
  return fmt::format(
      " This confidence is for a single audit; {} begun before this one in the project.",
      begun_before == 1 ? "one audit was" : fmt::format("{} audits were", begun_before));
}

std::string assumption_of(const Audit& audit, const AuditContext& context) {
  std::string text = audit_assumption(bound_of(audit, 0, 1), unit_of(audit));
  if (context.num_removed > 0) {
    text +=
        fmt::format("; the remaining ones include {} {} of the pool that {} removed since the draw",
                    context.num_removed, context.num_removed == 1 ? "image" : "images",
                    context.num_removed == 1 ? "was" : "were");
  }
  if (!context.integrity.restored_at.empty()) {
    text +=
        fmt::format("; {}, and no region or audit was seen since", backup_words(context.integrity));
  }
  return text;
}

AuditOffer offer_of(const AuditLimits& limits, std::size_t size) {
  AuditOffer offer{.size = size};
  for (std::size_t misses = 0; misses <= std::min(most_offered_misses, size); ++misses) {
    offer.percents.push_back(audit_percent(audit_bound(
        {.hits = size - misses, .audited = size, .pool = limits.population}, confidence())));
  }
  return offer;
}

/// Points as exact text.
std::string text_of(const Point& point, std::size_t position) {
  const bool is_placed = point.state != PointState::missing;
  return fmt::format(" {}:{}:{:a}:{:a}", position, name_of(point.state), is_placed ? point.x : 0.0,
                     is_placed ? point.y : 0.0);
}

std::string text_of(const ImageCard& card, const std::vector<SchemeLandmark>& scheme) {
  std::string text = fmt::format("image {}", card.record.sha256);
  for (const Point& point : card.reading.points) {
    const auto found = std::ranges::find(scheme, point.landmark, &SchemeLandmark::id);
    text += text_of(point, static_cast<std::size_t>(found - scheme.begin()));
  }
  return text + "\n";
}

}  // namespace

std::string calibration_fingerprint(const ProjectView& view, const std::string& backbone) {
  const Project& project = view.project();
  const Settings& settings = project.settings;
  std::string text =
      fmt::format("backbone {}\nworking size {}\nscore {}\nk {}\nalpha {}\nat once {}\ntarget {}\n",
                  backbone, project.working_size, settings.score, settings.k, view.alpha().text(),
                  settings.simultaneous, target_name(view.target()));
  // Audits of version 0.1.0 do not name the precision, which was float32.
  if (project.precision != "float32") text += fmt::format("precision {}\n", project.precision);
  for (const SchemeLandmark& landmark : view.scheme()) {
    text += fmt::format("landmark {}\n", landmark.name);
  }
  std::vector<std::string> images;
  for (const Id id : view.labeled()) {
    const ImageCard& card = view.image(id);
    images.push_back(text_of(card, view.scheme()));
    if (view.target() != ImageTarget::image) continue;
    images.back() +=
        fmt::format("{} of {} pool images\n", view.num_pool_images(card), view.pool_size());
  }
  std::ranges::sort(images);
  for (const std::string& image : images) text += image;
  return sha256_of(std::as_bytes(std::span(text)));
}

AuditReport report_of(const Audit& audit, const AuditContext& context) {
  AuditReport report{.audit = audit, .begun_before = context.begun_before};
  report.assumption = assumption_of(audit, context);
  if (audit.finished_at.empty()) return report;
  const std::size_t landmarks = std::max<std::size_t>(audit.landmarks.size(), 1);
  const std::size_t statements = context.together ? num_audit_statements(landmarks) : 1;
  report.images = image_finding(audit, statements);
  for (const AuditedLandmark& landmark : audit.landmarks) {
    report.landmarks.push_back(landmark_finding(audit, landmark, statements));
  }
  const std::string before = words_of_earlier(context.begun_before);
  report.images.statement += before;
  for (AuditFinding& finding : report.landmarks) finding.statement += before;
  return report;
}

std::vector<AuditOffer> offers_for(const AuditLimits& limits, std::optional<std::size_t> size) {
  std::set<std::size_t> sizes(usual_sizes.begin(), usual_sizes.end());
  if (size) sizes.insert(*size);
  std::vector<AuditOffer> offers;
  for (const std::size_t one : sizes) {
    // Where all are audited, nothing remains to be bounded.
    const bool is_possible = one >= 1 && one <= limits.largest && one < limits.population;
    if (is_possible) offers.push_back(offer_of(limits, one));
  }
  return offers;
}

}  // namespace caos::studio
