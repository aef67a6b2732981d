#include <string>

#include "apps/studio/routes/studio_json.hpp"

namespace caos::studio {
namespace {

std::string name_of(ProjectGuarantee::Kind kind) {
  switch (kind) {
    case ProjectGuarantee::Kind::marginal:
      return "marginal";
    case ProjectGuarantee::Kind::simultaneous:
      return "simultaneous";
    case ProjectGuarantee::Kind::none:
      break;
  }
  return "none";
}

Json to_json(const LandmarkRegion& region) {
  return {{"landmark", region.landmark},
          {"n", region.n},
          {"units", region.units},
          {"exceeding", region.exceeding},
          {"proposal", region.proposal},
          {"x", region.x},
          {"y", region.y},
          {"supporting_references", studio::to_json(region.supporting_references)},
          // Its old name, for one version.
          {"supporters", studio::to_json(region.supporting_references)}};
}

Json to_json(const NoRegion& none) { return {{"landmark", none.landmark}, {"why", none.why}}; }

Json to_json(const LandmarkStatus& status) {
  return {{"landmark", status.landmark},
          {"n", status.n},
          {"rank", status.rank},
          {"feasible", status.feasible}};
}

Json to_json(const AlphaNeeds& needs) {
  return {{"alpha", needs.alpha}, {"labels", needs.labels}, {"more", needs.more}};
}

Json to_json(const AlarmStep& step) {
  return {{"image", step.image}, {"p", step.p}, {"log10_wealth", step.log10_wealth}};
}

Json to_json(const Progress& progress) {
  return {{"done", progress.done}, {"total", progress.total}};
}

Json to_json(const LookStatus& look) {
  return {{"number", look.number},
          {"count", look.count},
          {"size", look.size},
          {"next", or_null(look.next)}};
}

template <typename Value>
Json list_of(const std::vector<Value>& values) {
  Json list = Json::array();
  for (const Value& value : values) list.push_back(to_json(value));
  return list;
}

Json to_json(const Alarm& alarm) {
  return {{"steps", list_of(alarm.steps)},
          {"log10_largest", alarm.log10_largest},
          {"raised", alarm.raised}};
}

Json to_json(const ReviewedCoverage& reviewed) {
  return {{"images", reviewed.images},
          {"points", reviewed.points},
          {"covered", reviewed.covered},
          {"images_covered", reviewed.images_covered}};
}

}  // namespace

Json to_json(const ProjectGuarantee& guarantee) {
  return {{"kind", name_of(guarantee.kind)},
          {"alpha", guarantee.alpha},
          {"guaranteed_alpha", guarantee.guaranteed_alpha},
          {"by_design", guarantee.by_design},
          {"waiting", guarantee.waiting},
          {"why_none", guarantee.why_none},
          {"holds_for", guarantee.holds_for},
          {"assumption", guarantee.assumption}};
}

Json to_json(const SupportingReference& reference) {
  return {{"image", reference.image},
          {"patch", reference.patch},
          {"score", reference.score},
          {"x", reference.x},
          {"y", reference.y}};
}

Json to_json(const ImageRegions& regions) {
  return {{"image", regions.image},
          {"calibration", regions.calibration},
          {"columns", regions.columns},
          {"rows", regions.rows},
          {"x", regions.x},
          {"y", regions.y},
          {"guarantee", to_json(regions.guarantee)},
          {"promise", to_json(regions.guarantee)},  // its old name, for one version
          {"landmarks", list_of(regions.landmarks)},
          {"unavailable", list_of(regions.unavailable)}};
}

Json to_json(const QueueEntry& entry) {
  return {{"image", entry.image},
          {"reviewed", entry.reviewed},
          {"predicted", entry.predicted},
          {"empty_regions", entry.conformity.num_empty},
          {"lowest_p_value", entry.lowest_p_value},
          {"worst_landmark", or_null(entry.worst_landmark)},
          {"mean_p_value", entry.conformity.mean_p_value},
          {"mean_score_over_threshold", entry.conformity.mean_score_over_threshold},
          {"shape_deviation", or_null(entry.conformity.shape_deviation)},
          {"total_size", entry.total_size},
          {"largest_size", entry.largest_size},
          {"mean_size", entry.conformity.mean_set_size},
          {"mean_area", entry.mean_area},
          {"mean_share", entry.mean_share}};
}

Json to_json(const Status& status) {
  return {{"calibration", status.calibration},
          {"num_images", status.num_images},
          {"sample_size", status.sample_size},
          {"num_labeled", status.num_labeled},
          {"num_reviewed", status.num_reviewed},
          {"num_rest", status.num_rest},
          {"n", status.n},
          {"rank", status.rank},
          {"feasible", status.feasible},
          {"smallest_feasible_alpha", status.smallest_feasible_alpha},
          {"weighted", status.weighted},
          {"needs", list_of(status.needs)},
          {"landmarks", list_of(status.landmarks)},
          {"guarantee", to_json(status.guarantee)},
          {"promise", to_json(status.guarantee)},  // its old name, for one version
          {"look", to_json(status.look)},
          {"alarm", to_json(status.alarm)},
          {"reviewed", to_json(status.reviewed)},
          {"embedding", to_json(status.embedding)},
          {"prediction", to_json(status.prediction)},
          {"failed", status.failed}};
}

std::string name_of(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::project:
      return "project";
    case Event::Kind::scheme:
      return "scheme";
    case Event::Kind::images:
      return "images";
    case Event::Kind::image:
      return "image";
    case Event::Kind::embedding:
      return "embedding";
    case Event::Kind::calibration:
      return "calibration";
    case Event::Kind::acceptance:
      return "acceptance";
    case Event::Kind::prediction:
      break;
  }
  return "prediction";
}

Json to_json(const Event& event) {
  Json json = {{"project", event.project}};
  if (event.image != 0) json["image"] = event.image;
  if (event.kind == Event::Kind::image || event.kind == Event::Kind::scheme) {
    json["revision"] = event.revision;
  }
  if (!event.annotator.empty()) json["annotator"] = event.annotator;
  if (!event.change.empty()) json["change"] = event.change;
  const bool is_progress = event.kind == Event::Kind::embedding ||
                           event.kind == Event::Kind::prediction ||
                           event.kind == Event::Kind::acceptance;
  if (is_progress) {
    json["done"] = event.done;
    json["total"] = event.total;
  }
  return json;
}

}  // namespace caos::studio
