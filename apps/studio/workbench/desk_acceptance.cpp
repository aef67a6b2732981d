// How a desk prepares that proposals of its project are accepted without review.
#include <fmt/format.h>

#include <filesystem>

#include "apps/studio/workbench/desk.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/landmarks/landmark_tolerance.hpp"

namespace caos::studio {
namespace {

landmarks::Visibility visibility_of(PointState state) {
  switch (state) {
    case PointState::visible:
      return landmarks::Visibility::visible;
    case PointState::hidden:
      return landmarks::Visibility::hidden;
    case PointState::missing:
      return landmarks::Visibility::missing;
  }
  __builtin_unreachable();
}

/// A labeled image, called by its file.
landmarks::Annotation annotation_of(const ProjectView& view, const ImageCard& card,
                                    const std::string& file) {
  landmarks::Annotation annotation{.image = file};
  annotation.subject = card.record.subject;
  annotation.scale = card.record.scale(view.project().settings);
  for (const SchemeLandmark& landmark : view.scheme()) {
    const auto point = std::ranges::find(card.reading.points, landmark.id, &Point::landmark);
    if (point == card.reading.points.end()) continue;
    annotation.landmarks.push_back(
        {landmark.name, point->x, point->y, visibility_of(point->state)});
  }
  return annotation;
}

/// A landmark that a percentage names must exist, before anything is fixed.
void check_tolerance(const std::string& text, const std::vector<SchemeLandmark>& scheme) {
  const auto tolerance = LandmarkTolerance::parse(text);
  if (tolerance.unit() != LandmarkTolerance::Unit::percent) return;
  std::vector<std::string> names;
  for (const SchemeLandmark& landmark : scheme) names.push_back(landmark.name);
  static_cast<void>(tolerance.ends(names));
}

}  // namespace

AcceptanceReport Desk::acceptance() const {
  const Id project = view_.project().id;
  return report_of(view_, store_.acceptances(project), store_.candidates(project));
}

AcceptanceRequest Desk::acceptance_request(const std::string& tolerance, const std::string& q,
                                           Acceptance::Unit unit,
                                           std::optional<std::size_t> references) const {
  check_tolerance(tolerance, view_.scheme());
  const AcceptanceReport now = acceptance();
  require(now.why_none.empty(), ErrorKind::invalid_input, [&] { return now.why_none; });
  const Progress embedding = embedding_progress();
  require(embedding.done == embedding.total, ErrorKind::invalid_input, [&] {
    return fmt::format("{} of {} images are embedded; choose when all are", embedding.done,
                       embedding.total);
  });
  const std::size_t n = now.num_labeled;
  const std::size_t r = references.value_or((n + 1) / 2);
  require(r >= 1 && r < n, ErrorKind::invalid_input, [&] {
    return fmt::format("references: {} of {} labeled images cannot propose; it must be 1 to {}", r,
                       n, n - 1);
  });
  if (LandmarkTolerance::parse(tolerance).unit() == LandmarkTolerance::Unit::millimeters) {
    for (const Id id : images_to_divide(view_)) {
      const ImageRecord& record = view_.image(id).record;
      require(record.scale(view_.project().settings).has_value(), ErrorKind::invalid_input, [&] {
        return fmt::format("tolerance {}: '{}' has no scale; set millimeters per pixel", tolerance,
                           record.name);
      });
    }
  }
  return {.tolerance = tolerance,
          .q = q,
          .unit = unit,
          .num_references = r,
          .num_calibration = n - r,
          .labels = labels_fingerprint(view_, embedder_.backbone(view_.project()))};
}

AcceptanceJob Desk::acceptance_job(const Acceptance& plan) const {
  const Settings& settings = view_.project().settings;
  const ChosenScore score = choose_score(settings.score, embedder_.backbone(view_.project()));
  AcceptanceJob job{.plan = plan,
                    .labels = labels_fingerprint(view_, embedder_.backbone(view_.project())),
                    .folder = store_.folder() + "/images",
                    .source = embedder_.source(embedding_record(), threads_),
                    .embedding = embedding_record(),
                    .options = {.k = settings.k,
                                .score = score.score,
                                .own_parameter = score.own_parameter,
                                .threads = threads_}};
  for (const Id id : images_to_divide(view_)) {
    const ImageCard& card = view_.image(id);
    const std::string file =
        std::filesystem::path(store_.path_of(card.record)).lexically_relative(job.folder).string();
    job.labeled.annotations.push_back(annotation_of(view_, card, file));
    job.names.push_back(card.record.name);
  }
  for (const SchemeLandmark& landmark : view_.scheme()) {
    job.landmarks.emplace(landmark.name, landmark.id);
  }
  for (const Id id : store_.planned_candidates(view_.project().id)) {
    job.candidates.push_back(id);
    job.files.push_back(store_.path_of(view_.image(id).record));
  }
  return job;
}

}  // namespace caos::studio
