#include "apps/studio/routes/studio_json.hpp"

#include <utility>

namespace caos::studio {

Json to_json(const Settings& settings) {
  return {{"score", settings.score},
          {"k", settings.k},
          {"alpha", settings.alpha},
          {"simultaneous", settings.simultaneous},
          {"use_corrections", settings.use_corrections},
          {"target", settings.target},
          {"mm_per_pixel", or_null(settings.mm_per_pixel)}};
}

namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json to_json(const Sampling& sampling) {
  Json looks = Json::array();
  for (const Look& look : sampling.looks) {
    looks.push_back({{"size", look.size}, {"alpha", look.alpha}});
  }
  return {{"kind", name_of(sampling.kind)},
          {"size", sampling.size},
          {"seed", sampling.seed},
          {"seed_given", sampling.seed_given},
          {"drawn_at", text_or_null(sampling.drawn_at)},
          {"looks", std::move(looks)},
          {"after_results", sampling.after_results}};
}

Json to_json(const Integrity& integrity) {
  return {{"removed", integrity.removed},
          {"results_seen_at", text_or_null(integrity.results_seen_at)},
          {"resized_at", text_or_null(integrity.resized_at)},
          {"retargeted_at", text_or_null(integrity.retargeted_at)},
          {"rescaled_at", text_or_null(integrity.rescaled_at)},
          {"relabeled_at", text_or_null(integrity.relabeled_at)},
          {"restored_at", text_or_null(integrity.restored_at)},
          {"backup_at", text_or_null(integrity.backup_at)}};
}

}  // namespace

Json to_json(const Project& project, std::size_t num_images, std::size_t num_landmarks) {
  return {{"id", project.id},
          {"name", project.name},
          {"created_at", project.created_at},
          {"backbone", project.backbone},
          {"working_size", project.working_size},
          {"precision", project.precision},
          {"settings", to_json(project.settings)},
          {"sampling", to_json(project.sampling)},
          {"integrity", to_json(project.integrity)},
          {"scheme_revision", project.scheme_revision},
          {"num_images", num_images},
          {"num_landmarks", num_landmarks}};
}

Json to_json(const SchemeLandmark& landmark) {
  return {{"id", landmark.id},
          {"name", landmark.name},
          {"color", landmark.color},
          {"pair", or_null(landmark.pair)}};
}

Json to_json(const ImageRecord& image, const Sampling& sampling) {
  return {{"id", image.id},
          {"name", image.name},
          {"width", image.width},
          {"height", image.height},
          {"subject", or_null(image.subject)},
          {"mm_per_pixel", or_null(image.mm_per_pixel)},
          {"added_at", image.added_at},
          {"order", or_null(image.order)},
          {"in_sample", image.in_sample(sampling)},
          {"audit", name_of(image.audit)},
          {"complete", image.complete},
          {"num_points", image.num_points},
          {"complete_2", image.second_complete},
          {"num_points_2", image.num_second_points},
          {"revision", image.revision},
          {"seen", !image.seen_at.empty()}};
}

Json to_json(const Point& point) {
  const bool placed = point.state != PointState::missing;
  return {{"landmark", point.landmark},
          {"state", name_of(point.state)},
          {"x", placed ? Json(point.x) : Json(nullptr)},
          {"y", placed ? Json(point.y) : Json(nullptr)},
          {"annotator", point.annotator},
          {"at", point.at},
          {"source", name_of(point.source)}};
}

Json to_json(const Reading& reading) {
  return {{"revision", reading.revision},
          {"points", to_json(reading.points)},
          {"complete", reading.complete},
          {"changed_by", reading.changed_by},
          {"changed_at", reading.changed_at}};
}

Json to_json(const HistoryEntry& entry) {
  const bool placed = entry.state && *entry.state != PointState::missing;
  return {{"revision", entry.revision},
          {"reading", entry.reading},
          {"landmark", entry.landmark},
          {"landmark_name", entry.landmark_name},
          {"state", entry.state ? Json(name_of(*entry.state)) : Json(nullptr)},
          {"x", placed ? Json(entry.x) : Json(nullptr)},
          {"y", placed ? Json(entry.y) : Json(nullptr)},
          {"annotator", entry.annotator},
          {"at", entry.at},
          {"source", name_of(entry.source)},
          {"change", entry.change}};
}

http::Answer conflict(const std::string& message, const Json& more) {
  Json body = {{"error", {{"kind", "conflict"}, {"message", message}}}};
  body.update(more);
  return answer_of(body, 409);
}

}  // namespace caos::studio
